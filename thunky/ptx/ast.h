// Syntax tree of a PTX module, as written: nothing is resolved and nothing is
// rejected beyond the grammar. `ir.h` holds the resolved, typed form.
//
// The tree owns all its text; it does not point into the source buffer.
#ifndef THUNKY_PTX_AST_H_
#define THUNKY_PTX_AST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace thunky::ptx {

// 1-based position in the source text.
struct SourceLocation {
  uint32_t line = 0;
  uint32_t column = 0;
};

namespace ast {

// ---------------------------------------------------------------------------
// Operands and constant expressions
// ---------------------------------------------------------------------------

// One node serves instruction operands, initialisers and constant expressions:
// PTX uses one expression syntax for all three.
struct Expr {
  enum class Kind {
    kIdentifier,  // text: `%r1`, `foo`, `%tid.x` (with component), `WARP_SZ`
    kInteger,     // integer: 64-bit pattern; is_unsigned for a `U` suffix
    kFloat,       // text as written: `0f3F800000`, `0d...`, `1.5`, `1e-3`
    kString,      // text, unescaped
    kSink,        // `_`
    kUnary,       // text: operator (`-` `+` `!` `~`) or a cast `(.s64)`; args[0]
    kBinary,      // text: operator, `=` for a field of an initialiser; args[0], args[1]
    kTernary,     // args[0] ? args[1] : args[2]
    kAddress,     // `[a, b, ...]`: args
    kVector,      // `{a, b, ...}`: args (register vectors, initialisers)
    kTuple,       // `(a, b, ...)`: args (call operands)
    kPair,        // `p|q`: args[0], args[1] (setp, shfl destinations)
    kIndex,       // `args[0] [args[1]]`: an element of an array
    kCall,        // `generic(x)`, `0xFF(x)`: text = function or mask as written, args
  };
  Kind kind = Kind::kIdentifier;
  std::string text;
  uint64_t integer = 0;
  bool is_unsigned = false;
  std::vector<Expr> args;
  SourceLocation location;
};

// ---------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------

// `.global .align 16 .v4 .f32 name<3>[4][2] = {...}` and the same in any other
// state space, parameters included.
struct Variable {
  std::vector<std::string> linkage;     // ".visible", ".extern", ".weak", ".common"
  std::string space;                    // ".reg", ".global", ".shared", ".param", ...
  std::vector<std::string> attributes;  // raw `.attribute(...)` texts
  std::optional<uint64_t> alignment;
  std::string vector;  // ".v2" / ".v4", or empty
  std::string type;    // ".b32", ".texref", ...
  // `.ptr [.space] [.align N]` of a parameter.
  struct Pointer {
    std::string space;  // may be empty
    std::optional<uint64_t> alignment;
  };
  std::optional<Pointer> pointer;
  std::string name;
  std::optional<uint64_t> count;          // `%r<N>` declares %r0 .. %r(N-1)
  std::vector<std::optional<Expr>> dims;  // nullopt: `[]`
  std::optional<Expr> initializer;
  SourceLocation location;
};

struct Guard {
  bool negated = false;
  std::string predicate;
};

// `@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];`
struct Instruction {
  std::optional<Guard> guard;
  std::string opcode;                  // "ld"
  std::vector<std::string> modifiers;  // {"global", "v2", "f32"}: no dots, "::" kept
  std::vector<Expr> operands;
  SourceLocation location;
  // The dotted spelling: "ld.global.v2.f32".
  std::string Spelling() const;
};

struct Label {
  std::string name;
  SourceLocation location;
};

// A directive kept as its tokens: `.loc 1 2 3`, `.pragma "x"`, `.branchtargets`,
// `.file`, `.section {...}` and any directive this grammar does not know.
struct RawDirective {
  std::string name;                 // ".loc"
  std::vector<std::string> tokens;  // as spelled, strings with their quotes
  bool semicolon = false;           // whether it ended with `;`
  bool braces = false;              // whether `{ body }` stands behind the tokens
  std::vector<std::string> body;    // tokens between the braces
  SourceLocation location;
};

// `label: .branchtargets L1, L2;` and `label: .calltargets f, g;`
struct TargetList {
  std::string name;
  bool is_call = false;
  std::vector<std::string> targets;
  SourceLocation location;
};

struct Prototype;
struct Block;
// clang-format off
using Statement =
    std::variant<Variable, Instruction, Label, RawDirective, TargetList,
                 std::unique_ptr<Prototype>, std::unique_ptr<Block>>;
// clang-format on
// `{ ... }`: a scope of its own for registers and variables.
struct Block {
  std::vector<Statement> statements;
  SourceLocation location;
};

// Parameters of a function, entry or `.callprototype`.
struct Prototype {
  std::string name;  // label of a .callprototype
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  std::vector<RawDirective> directives;  // `.noreturn`, ...
  SourceLocation location;
};

// ---------------------------------------------------------------------------
// Module
// ---------------------------------------------------------------------------

struct Function {
  std::vector<std::string> linkage;
  bool is_entry = false;
  std::vector<std::string> attributes;  // raw `.attribute(...)` texts
  std::string name;
  std::vector<Variable> results;  // of `.func`
  std::vector<Variable> parameters;
  // `.reqntid 128, 1, 1`, `.maxntid`, `.noreturn`, `.pragma`, ... in order.
  std::vector<RawDirective> directives;
  std::optional<Block> body;  // absent for a declaration
  SourceLocation location;
};

struct Alias {
  std::string name;
  std::string aliasee;
  SourceLocation location;
};

using ModuleItem = std::variant<Variable, Function, Alias, RawDirective>;

struct Module {
  int version_major = 0;
  int version_minor = 0;
  std::vector<std::string> targets;  // {"sm_90a", "texmode_independent"}
  int address_size = 64;             // 32 when the directive is absent in old PTX
  std::vector<ModuleItem> items;
};

}  // namespace ast
}  // namespace thunky::ptx

#endif  // THUNKY_PTX_AST_H_
