#include "thunky/schema/thunk_kind.h"

#include <set>

#include "thunky/schema/kinds.h"
#include "thunky/schema/test_programs.h"

namespace thunky::schema {
namespace {

TEST(ThunkKindTest, KindsAreTheMembersOfTheMessage) {
  const auto* impl = wire::ThunkProto::descriptor()->FindOneofByName("impl");
  ASSERT_EQ(AllKinds().size(), impl->field_count());
  std::set<int> numbers;
  for (int i = 0; i < impl->field_count(); ++i) numbers.insert(impl->field(i)->number());
  for (const ThunkKind kind : AllKinds()) {
    EXPECT_EQ(numbers.count(static_cast<int>(kind)), 1u) << KindName(kind);
  }
}

// Names are the members' names without "_thunk", but for memset32.
TEST(ThunkKindTest, NamesFollowTheMembers) {
  for (const ThunkKind kind : AllKinds()) {
    const std::string field =
        wire::ThunkProto::descriptor()->FindFieldByNumber(static_cast<int>(kind))->name();
    const std::string expected =
        kind == ThunkKind::kMemset32 ? "memset32" : field.substr(0, field.size() - 6);
    EXPECT_EQ(KindName(kind), expected);
  }
}

TEST(ThunkKindTest, EveryKindHasRules) {
  for (const ThunkKind kind : AllKinds()) {
    EXPECT_EQ(RulesFor(kind).kind, kind) << KindName(kind);
    EXPECT_NE(RulesFor(kind).verify, nullptr) << KindName(kind);
  }
}

// Each rule must be safe on a thunk in which nothing is set.
TEST(ThunkKindTest, RulesTakeEmptyThunks) {
  const wire::GpuExecutableProto program = Program({64}, "");
  const auto table = AllocationTable::Of(program.buffer_allocations().values());
  ASSERT_TRUE(table.ok());
  std::set<std::string> accept;
  for (const ThunkKind kind : AllKinds()) {
    wire::ThunkProto thunk;
    const auto* field =
        wire::ThunkProto::descriptor()->FindFieldByNumber(static_cast<int>(kind));
    thunk.GetReflection()->MutableMessage(&thunk, field);
    ASSERT_EQ(KindOf(thunk).value(), kind);
    if (RulesFor(kind).verify(thunk, {*table, 0}).ok()) accept.insert(KindName(kind));
    AccessesOf(kind, thunk);
    ChildrenOf(kind, thunk);
  }
  // Nothing is missing from an empty one of these.
  EXPECT_EQ(accept, (std::set<std::string>{"sequential", "async_start", "async_done",
                                           "collective_group", "dynamic_slice_fusion",
                                           "host_execute_done", "host_recv_done",
                                           "host_send_done", "infeed", "outfeed"}));
}

// However many buffers a thunk states, its accesses stop where they are too many.
TEST(ThunkKindTest, BuffersAreBounded) {
  const wire::GpuExecutableProto program = Program({64}, "");
  const auto table = AllocationTable::Of(program.buffer_allocations().values());
  ASSERT_TRUE(table.ok());
  int lists = 0;
  for (const ThunkKind kind : AllKinds()) {
    wire::ThunkProto thunk;
    const auto* member =
        wire::ThunkProto::descriptor()->FindFieldByNumber(static_cast<int>(kind));
    auto* payload = thunk.GetReflection()->MutableMessage(&thunk, member);
    for (int i = 0; i < member->message_type()->field_count(); ++i) {
      const auto* field = member->message_type()->field(i);
      if (!field->is_repeated() || field->message_type() == nullptr) continue;
      const std::string& type = field->message_type()->name();
      if (type.find("Slice") == std::string::npos && type != "CollectiveBufferProto") {
        continue;
      }
      ++lists;
      for (int n = 0; n < 3 * kMaxThunkBuffers; ++n) {
        auto* entry = payload->GetReflection()->AddMessage(payload, field);
        const auto* nested = entry->GetDescriptor()->FindFieldByName("shaped_slice");
        if (nested != nullptr) entry->GetReflection()->MutableMessage(entry, nested);
      }
    }
    const size_t count = AccessesOf(kind, thunk).size();
    EXPECT_LE(count, 2 * (kMaxThunkBuffers + 1)) << KindName(kind);
    if (count > kMaxThunkBuffers) {
      EXPECT_FALSE(RulesFor(kind).verify(thunk, {*table, 0}).ok()) << KindName(kind);
    }
  }
  EXPECT_GE(lists, 15);
}

TEST(ThunkKindTest, UnsetIsUnknown) {
  const auto kind = KindOf(wire::ThunkProto());
  EXPECT_EQ(kind.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(kind.status(), FailsWith("no kind is set"));
}

TEST(ThunkKindTest, AnUnknownKindIsNamedByItsField) {
  wire::ThunkProto thunk;
  thunk.GetReflection()->MutableUnknownFields(&thunk)->AddLengthDelimited(99, "x");
  EXPECT_THAT(KindOf(thunk).status(), FailsWith("does not know (field 99)"));
}

}  // namespace
}  // namespace thunky::schema
