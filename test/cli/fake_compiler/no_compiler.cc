// A shared library that is no compiler.
extern "C" int of_no_use() { return 0; }
