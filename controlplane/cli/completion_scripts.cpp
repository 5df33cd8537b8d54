#include "controlplane/cli/completion.h"

namespace sluice::cli {
namespace {

// bash splits a word at '=' and ':' and wants only what comes after them.
constexpr const char* kBash = R"sh(# sluice: completion for bash. Use: source <(sluice completion bash)
_sluice() {
  local line="${COMP_LINE:0:COMP_POINT}" found current before=""
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="${words[${#words[@]}-1]}"
  [[ "$current" == *[=:]* ]] && before="${current%"${current##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r found; do
    COMPREPLY+=("${found#"$before"}")
  done < <("${words[0]}" __complete "${words[@]:1}" 2> /dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2> /dev/null
  return 0
}
complete -o default -F _sluice sluice
)sh";

constexpr const char* kZsh = R"sh(#compdef sluice
# sluice: completion for zsh. Use: source <(sluice completion zsh)
_sluice() {
  local -a found open
  found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  open=("${(@M)found:#*=}")
  found=("${(@)found:#(|*=)}")
  (( ${#found} )) && compadd -a found
  (( ${#open} )) && compadd -S '' -a open
  (( ${#found} + ${#open} )) || _files
}
compdef _sluice sluice
)sh";

constexpr const char* kFish = R"sh(# sluice: completion for fish. Use: sluice completion fish | source
function __sluice_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  command $words[1] __complete $words[2..-1] "$current" 2> /dev/null
end
complete -c sluice -f -a '(__sluice_complete)'
complete -c sluice -n '__fish_seen_subcommand_from trace' -F
)sh";

}  // namespace

std::string completion_script(const std::string& shell) {
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
}

}  // namespace sluice::cli
