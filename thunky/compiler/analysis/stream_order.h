// Which work is finished when other work begins.
#ifndef THUNKY_COMPILER_ANALYSIS_STREAM_ORDER_H_
#define THUNKY_COMPILER_ANALYSIS_STREAM_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace thunky::compiler {

// A program's streams as its work is issued, each with a clock: for every other stream,
// up to where its work is known to be finished. Work of one stream runs in the order in
// which it is issued, also where a body on a stream starts another one there. Clocks are
// exact for straight programs; after a choice a stream knows what it would know on every
// path.
class StreamOrder {
 public:
  // Work on a stream up to some place.
  struct Stamp {
    uint32_t stream = 0;  // 0 is the main stream
    uint32_t epoch = 0;   // from 1
  };
  using Clock = std::shared_ptr<const std::vector<uint32_t>>;
  // The end of an asynchronous body, and what was known there.
  struct Finish {
    Stamp stamp;
    Clock clock;
  };

  StreamOrder();

  // The work that is issued now, on the current stream.
  Stamp now();
  // Whether that work is finished when the current stream gets to what is issued now.
  bool finished(Stamp work) const { return known(lines_.back(), work); }
  // The same for the main stream.
  bool finishedForMain(Stamp work) const { return known(0, work); }
  // Whether what is issued now is on the main stream.
  bool onMain() const { return lines_.size() == 1; }

  // A body on the stream of this kind and id begins and ends.
  void start(bool isCommunication, int64_t id);
  Finish end();
  void join(const Finish& body);

  // Paths of which one is taken.
  void beginChoice();
  void beginPath();
  void endPath();
  // `otherwise`: it may also be that none of the paths is taken.
  void endChoice(bool otherwise);

  // Whether clocks take more memory or time than is allowed: many thousand streams that
  // all know of each other. Answers are of no use then.
  bool exhausted() const;

 private:
  struct Stream {
    Clock known;         // null: nothing
    Clock published;     // `known` with the stream's own work; null: not made yet
    uint32_t epoch = 1;  // of the work that is issued now
  };
  struct Change {
    uint32_t stream;
    Clock before;
  };
  struct Merge {
    Clock known;
    int paths = 0;
  };
  struct Choice {
    size_t pathBegin = 0;  // in changes_
    int paths = 0;
    std::map<uint32_t, Merge> merges;
  };

  bool known(uint32_t stream, Stamp work) const;
  void setKnown(uint32_t stream, Clock clock);
  const Clock& publish(uint32_t stream);
  Clock make(std::vector<uint32_t> entries);
  Clock latest(const Clock& a, const Clock& b);
  Clock earliest(const Clock& a, const Clock& b);

  std::vector<Stream> streams_;
  std::map<std::pair<bool, int64_t>, uint32_t> numbers_;
  std::vector<uint32_t> lines_;  // streams of the bodies around what is issued now
  std::vector<Change> changes_;  // of what is known, while there are choices
  std::vector<Choice> choices_;
  std::shared_ptr<int64_t> entries_ = std::make_shared<int64_t>(0);  // of live clocks
  int64_t work_ = 0;
};

}  // namespace thunky::compiler

#endif  // THUNKY_COMPILER_ANALYSIS_STREAM_ORDER_H_
