// Which function imports which kind of thunk.
#include <array>
#include <map>

#include "thunky/compiler/translate/thunk_importer.h"

namespace thunky::compiler {

ImportFunction importOf(schema::ThunkKind kind) {
  static const auto& table = *[] {
    auto* functions = new std::map<schema::ThunkKind, ImportFunction>();
    for (const auto family :
         {memoryImports(), callImports(), controlFlowImports(), collectiveImports()}) {
      for (const KindImport& entry : family) functions->emplace(entry.kind, entry.import);
    }
    return functions;
  }();
  const auto found = table.find(kind);
  return found != table.end() ? found->second : nullptr;
}

}  // namespace thunky::compiler
