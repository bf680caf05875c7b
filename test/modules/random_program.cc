#include "test/modules/random_program.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"

namespace thunky::module_tests {
namespace {

// One thread each: poke writes the first word of a buffer, add adds the first word of
// another one to it, step counts in the first word and says whether that is below 3.
constexpr char kKernels[] =
    R"(thunky.kernel_code @k {ptx = ".version 8.0\0A.target sm_80\0A.address_size 64\0A)"
    R"(.visible .entry poke(.param .u64 p) { .reg .u64 %p; ld.param.u64 %p, [p]; st.global.u32 [%p], 77; ret; }\0A)"
    R"(.visible .entry add(.param .u64 p, .param .u64 q) { .reg .u64 %p, %q; .reg .u32 %a, %b; ld.param.u64 %p, [p]; ld.param.u64 %q, [q]; ld.global.u32 %a, [%p]; ld.global.u32 %b, [%q]; add.u32 %a, %a, %b; st.global.u32 [%p], %a; ret; }\0A)"
    R"(.visible .entry step(.param .u64 p, .param .u64 q) { .reg .u64 %p, %q; .reg .u32 %a, %b; .reg .pred %c; ld.param.u64 %p, [p]; ld.param.u64 %q, [q]; ld.global.u32 %a, [%p]; add.u32 %a, %a, 1; st.global.u32 [%p], %a; setp.lt.u32 %c, %a, 3; selp.u32 %b, 1, 0, %c; st.global.u8 [%q], %b; ret; }\0A)"
    R"("})";

constexpr int kMaxDepth = 3;
constexpr int kInputBytes = 64;
constexpr int kResultBytes = 512;

struct Buffer {
  std::string name;
  int size = 0;
};

// A line of work: what it may use, and what has been written completely by now.
struct Line {
  std::vector<int> usable;
  std::set<int> written;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string run() {
    Line line;
    for (const char* result : {"%r0", "%r1"}) {
      line.usable.push_back(static_cast<int>(buffers_.size()));
      buffers_.push_back({result, kResultBytes});
    }
    const int count = pick(4, 24);
    for (int i = 0; i < count; ++i) line.usable.push_back(addScratch(randomSize()));
    // Nothing that a result is made of depends on what the caller put there.
    for (const int result : {0, 1}) fill(result, line);
    work(line, 0, pick(8, 30));
    for (int part = 0; part < 12; ++part) {
      const int from = oneOf(line.written);
      const int size = std::min(buffers_[from].size, 32);
      copy(view(from, 0, size), view(part % 2, part / 2 * 32, size), size);
    }
    std::string arguments = absl::StrCat("%in: !thunky.buffer<", kInputBytes, ">");
    for (const Buffer& buffer : buffers_) {
      const bool isResult = buffer.name[1] == 'r';
      absl::StrAppend(&arguments, ", ", buffer.name, ": !thunky.buffer<", buffer.size,
                      ">", isResult ? "" : " {thunky.scratch}");
    }
    return absl::StrCat(kKernels, "\nfunc.func @main(", arguments, ") {\n", text_,
                        "  return\n}\n");
  }

 private:
  int pick(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random_);
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <typename List>
  int oneOf(const List& list) {
    return *std::next(list.begin(), pick(0, static_cast<int>(list.size()) - 1));
  }

  int randomSize() {
    constexpr int kSizes[] = {4, 64, 256, 260, 512, 1024};
    return kSizes[pick(0, 5)];
  }

  int addScratch(int size) {
    buffers_.push_back({absl::StrCat("%b", buffers_.size()), size});
    return static_cast<int>(buffers_.size()) - 1;
  }

  void emit(const std::string& operation) { absl::StrAppend(&text_, operation, "\n"); }

  std::string view(const std::string& buffer, int of, int offset, int size) {
    if (offset == 0 && size == of) return buffer;
    const std::string name = absl::StrCat("%v", next_++);
    emit(absl::StrCat(name, " = thunky.slice_buffer ", buffer, "[", offset, "] : <", of,
                      "> -> <", size, ">"));
    return name;
  }
  std::string view(int buffer, int offset, int size) {
    return view(buffers_[buffer].name, buffers_[buffer].size, offset, size);
  }

  void copy(const std::string& from, const std::string& to, int size) {
    emit(absl::StrCat("thunky.copy ", from, " -> ", to, " : <", size, ">, <", size, ">"));
  }

  void fill(int buffer, Line& line) {
    const Buffer& to = buffers_[buffer];
    if (chance(20)) {
      emit(absl::StrCat("thunky.memzero ", to.name, " : <", to.size, ">"));
    } else if (chance(20) && to.size > 4) {
      // In two parts.
      const int cut = pick(1, to.size / 4 - 1) * 4;
      for (const auto& [offset, size] : {std::pair(0, cut), {cut, to.size - cut}}) {
        const std::string part = view(buffer, offset, size);
        emit(absl::StrCat("thunky.memset32 ", part, ", ", pick(1, 1 << 30), " : <", size,
                          ">"));
      }
    } else {
      emit(absl::StrCat("thunky.memset32 ", to.name, ", ", pick(1, 1 << 30), " : <",
                        to.size, ">"));
    }
    line.written.insert(buffer);
  }

  void launch(const std::string& kernel, const std::string& buffers) {
    emit(absl::StrCat("thunky.ptx_kernel @k \"", kernel,
                      "\" grid [1, 1, 1] block [1, 1, 1] (", buffers, ")"));
  }

  // Written buffers that the line may use.
  std::vector<int> readable(const Line& line) const {
    std::vector<int> list;
    for (const int buffer : line.usable) {
      if (line.written.count(buffer) != 0) list.push_back(buffer);
    }
    return list;
  }

  void copySomething(Line& line) {
    const std::vector<int> sources = readable(line);
    const int from = oneOf(sources), to = oneOf(line.usable);
    if (from == to) return;
    const int size = std::min(buffers_[from].size, buffers_[to].size);
    if (size < buffers_[to].size && line.written.count(to) == 0) return;
    const int room = (buffers_[to].size - size) / 4;
    copy(view(from, 0, size), view(to, pick(0, room) * 4, size), size);
    line.written.insert(to);
  }

  void launchSomething(const Line& line) {
    const std::vector<int> list = readable(line);
    const Buffer& to = buffers_[oneOf(list)];
    const Buffer& from = buffers_[oneOf(list)];
    if (chance(50) || to.name == from.name) {
      launch("poke", absl::StrCat(to.name, " write : <", to.size, ">"));
    } else {
      launch("add", absl::StrCat(to.name, " read_write : <", to.size, ">, ", from.name,
                                 " read : <", from.size, ">"));
    }
  }

  void work(Line& line, int depth, int operations) {
    for (int i = 0; i < operations; ++i) {
      const int kind = pick(0, 99);
      if (readable(line).empty() || kind < 20) {
        fill(oneOf(line.usable), line);
      } else if (kind < 50 || depth == kMaxDepth) {
        copySomething(line);
      } else if (kind < 65) {
        launchSomething(line);
      } else if (kind < 76) {
        branch(line, depth);
      } else if (kind < 88) {
        loop(line, depth);
      } else {
        beside(line, depth);
      }
    }
  }

  void branch(Line& line, int depth) {
    std::string index = view("%in", kInputBytes, pick(0, 15) * 4, 4);
    if (chance(40)) {
      const int own = addScratch(4);
      copy(index, buffers_[own].name, 4);
      index = buffers_[own].name;
      work(line, kMaxDepth, pick(0, 2));
    }
    const int branches = pick(1, 3);
    std::set<int> onAll;
    emit(absl::StrCat("thunky.cond ", index, " : <4> {"));
    for (int i = 0; i < branches; ++i) {
      if (i > 0) emit("}, {");
      Line inside = line;
      work(inside, depth + 1, pick(0, 5));
      std::set<int> both;
      std::set_intersection(onAll.begin(), onAll.end(), inside.written.begin(),
                            inside.written.end(), std::inserter(both, both.end()));
      onAll = i == 0 ? inside.written : both;
    }
    emit("}");
    line.written = onAll;
  }

  void loop(Line& line, int depth) {
    const int condition = addScratch(1);
    Line inside = line;
    if (chance(50)) {
      const int trips = pick(0, 3);
      emit(absl::StrCat("thunky.while ", buffers_[condition].name, " : <1> trip_count ",
                        trips, " cond { } body {"));
      work(inside, depth + 1, pick(1, 6));
      emit("}");
      if (trips > 0) line = inside;
      return;
    }
    const int counter = addScratch(4);
    emit(absl::StrCat("thunky.memset32 ", buffers_[counter].name, ", ", pick(0, 4),
                      " : <4>"));
    emit(absl::StrCat("thunky.while ", buffers_[condition].name, " : <1> cond {"));
    work(inside, depth + 1, pick(0, 3));
    launch("step", absl::StrCat(buffers_[counter].name, " read_write : <4>, ",
                                buffers_[condition].name,
                                chance(50) ? " write" : " write_all", " : <1>"));
    work(inside, kMaxDepth, pick(0, 3));
    line = inside;
    emit("} body {");
    work(inside, depth + 1, pick(1, 6));
    emit("}");
  }

  // Splits what the line may use; the second half goes to the body.
  Line split(Line& line) {
    Line body;
    std::shuffle(line.usable.begin(), line.usable.end(), random_);
    const size_t keep = line.usable.size() / 2;
    body.usable.assign(line.usable.begin() + keep, line.usable.end());
    line.usable.resize(keep);
    for (const int buffer : body.usable) {
      if (line.written.count(buffer) != 0) body.written.insert(buffer);
    }
    return body;
  }

  static void join(const Line& body, Line& line) {
    line.usable.insert(line.usable.end(), body.usable.begin(), body.usable.end());
    line.written.insert(body.written.begin(), body.written.end());
  }

  std::string start(Line& body, int depth, const std::string& joined) {
    const std::string token = absl::StrCat("%t", next_++);
    emit(absl::StrCat(token, " = thunky.async_start stream ", pick(1, 3), " {"));
    if (!joined.empty()) emit(absl::StrCat("thunky.async_done ", joined));
    work(body, depth + 1, pick(1, 5));
    emit("}");
    return token;
  }

  void beside(Line& line, int depth) {
    if (line.usable.size() < 4) return;
    Line body = split(line);
    std::string token = start(body, depth, "");
    work(line, kMaxDepth, pick(0, 4));
    if (chance(40) && line.usable.size() >= 2) {
      // Joined by other work, which goes on with both parts.
      Line second = split(line);
      join(body, second);
      token = start(second, depth, token);
      body = second;
      work(line, kMaxDepth, pick(0, 4));
    }
    emit(absl::StrCat("thunky.async_done ", token));
    join(body, line);
  }

  std::mt19937_64 random_;
  std::vector<Buffer> buffers_;
  std::string text_;
  int next_ = 0;
};

}  // namespace

std::string randomProgram(uint64_t seed) { return Generator(seed).run(); }

}  // namespace thunky::module_tests
