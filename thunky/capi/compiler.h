/* The compiler as a shared library, libthunky_compiler.so: modules of the thunky
 * dialect become executables, and executables modules. Bytes in, bytes or
 * diagnostics out; no type of MLIR, protobuf or C++ crosses. Who needs a module
 * loads the library at run time, so that programs which only run executables start
 * without it.
 *
 * Strings and bytes passed in are borrowed for the call. Any number of threads may
 * call at once. No function throws or ends the process because of its input.
 */
#ifndef THUNKY_CAPI_COMPILER_H_
#define THUNKY_CAPI_COMPILER_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a structure or a function below changes its meaning. A client refuses
 * a library that answers another number. */
#define THUNKY_COMPILER_ABI_VERSION 2

typedef struct thunky_bytes {
  const char* data; /* may be null when size is 0 */
  size_t size;
} thunky_bytes;

/* A file's name, for messages, and what is in it. */
typedef struct thunky_file {
  const char* name;
  thunky_bytes content;
} thunky_file;

typedef enum thunky_module_format {
  THUNKY_MODULE_TEXT = 0,        /* with every blob: parses back to the same module */
  THUNKY_MODULE_TEXT_ELIDED = 1, /* large blobs left out: for reading only */
  THUNKY_MODULE_BYTECODE = 2
} thunky_module_format;

typedef struct thunky_import_options {
  thunky_module_format format;
  /* PTX files that are attached to kernels by entry name. */
  const thunky_file* kernels;
  size_t kernel_count;
  /* Decoded bytes allowed, summed over nesting; 0: the default (256 MiB). */
  uint64_t max_decoded_bytes;
} thunky_import_options;

typedef enum thunky_export_form {
  THUNKY_EXPORT_RUNTIME = 0, /* a bare proto with the private code table */
  THUNKY_EXPORT_BARE = 1,    /* a bare proto with standard payloads only */
  THUNKY_EXPORT_COMPLETE = 2 /* the three-part file that jaxlib loads */
} thunky_export_form;

/* Which code of a kernel that has both goes into a standard payload. */
typedef enum thunky_export_code {
  THUNKY_EXPORT_CUBIN_FIRST = 0,
  THUNKY_EXPORT_CUBIN = 1, /* a kernel without one is an error */
  THUNKY_EXPORT_PTX = 2    /* a kernel without PTX is an error */
} thunky_export_code;

typedef struct thunky_export_options {
  thunky_export_form form;
  thunky_export_code code;
  /* What a program that was never imported is exported for, "9.0a"; null: the
   * module's own attribute decides, and a complete file without either is an error. */
  const char* compute_capability;
  /* Names of files in the module are relative to this folder; null: the current one. */
  const char* base_folder;
  /* PTX files that are attached to kernels by entry name. */
  const thunky_file* kernels;
  size_t kernel_count;
} thunky_export_options;

typedef struct thunky_check_options {
  /* Not 0: an executable, as for thunky_compiler_import; 0: a module. */
  int executable;
  /* Of a module: names of files in it are relative to this folder; null: the current
   * one. */
  const char* base_folder;
  /* PTX files that are attached to kernels by entry name. */
  const thunky_file* kernels;
  size_t kernel_count;
  /* Of an executable: decoded bytes allowed; 0: the default (256 MiB). */
  uint64_t max_decoded_bytes;
} thunky_check_options;

/* What a call gave: output, or diagnostics. Freed by thunky_result_free. */
typedef struct thunky_result thunky_result;

/* THUNKY_COMPILER_ABI_VERSION of the library. */
uint32_t thunky_compiler_abi_version(void);
/* "22.1.8": the release of LLVM and MLIR inside. */
const char* thunky_compiler_llvm_version(void);

/* An executable of any kind that thunky/container/executable_file.h reads becomes a
 * module. Never null. */
thunky_result* thunky_compiler_import(thunky_file executable,
                                      const thunky_import_options* options);

/* A module, text or bytecode, becomes an executable. Bytecode is trusted: MLIR's
 * reader does not stand up to damaged input. Never null. */
thunky_result* thunky_compiler_export(thunky_file module,
                                      const thunky_export_options* options);

/* Verifies a program and looks for hazards (docs/hazards.md). The output is JSON,
 * {"errors": N, "warnings": N, "hazards": [...]}, as docs/cli.md describes for `check`.
 * The call fails only when the program cannot be read, verified or checked. Never
 * null. */
thunky_result* thunky_compiler_check(thunky_file program,
                                     const thunky_check_options* options);

/* 0 when the call failed; then the output is empty. */
int thunky_result_ok(const thunky_result* result);
/* Both live as long as the result. Diagnostics are lines of text, the first of them
 * "FILE:LINE:COLUMN: what was expected, what was found"; warnings may be there when
 * the call succeeded. */
thunky_bytes thunky_result_output(const thunky_result* result);
thunky_bytes thunky_result_diagnostics(const thunky_result* result);
void thunky_result_free(thunky_result* result);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* THUNKY_CAPI_COMPILER_H_ */
