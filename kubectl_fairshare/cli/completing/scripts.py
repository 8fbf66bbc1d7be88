"""The scripts by which shells ask the program what may follow; all speak one protocol, that of ``program``.

A shell hands over words as they were typed: what it would put in place of ``~`` is put there by the script.
"""

from typing import Final

BASH: Final = r"""# bash completion for kubectl-fairshare
_kubectl_fairshare() {
    local -a words=()
    local word typed prefix line directive=0 last=-1 i
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        # readline takes words apart at these signs
        if ((last >= 0)) && [[ $word == [=:]* || ${words[last]} == *[=:] ]]; then
            words[last]+=$word
        else
            words[++last]=${word/#"~/"/$HOME/}
        fi
    done
    typed=${words[last]}
    [[ $typed != --*=* ]] || typed=${typed#*=}
    prefix=${typed%"${typed##*[=:]}"}
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :*) directive=${line#:} ;;
            *) line=${line%%$'\t'*} && COMPREPLY+=("${line#"$prefix"}") ;;
        esac
    done < <("${COMP_WORDS[0]/#"~/"/$HOME/}" __complete "${words[@]}" 2> /dev/null)
    if ((directive & 2)); then
        compopt -o nospace 2> /dev/null
    fi
    if ((${#COMPREPLY[@]} == 0 && !(directive & 4))); then
        compopt -o filenames 2> /dev/null
        local kind=-f IFS=$'\n'
        ((directive & 16)) && kind=-d
        COMPREPLY=($(compgen "$kind" -- "$typed"))
    fi
}
complete -F _kubectl_fairshare kubectl-fairshare
"""

ZSH: Final = r"""#compdef kubectl-fairshare
# zsh completion for kubectl-fairshare
_kubectl_fairshare() {
    local -a lines offers space
    local line directive=0
    lines=("${(@f)$("${(Q)words[1]/#\~\//$HOME/}" __complete "${(@Q)words[2,CURRENT]/#\~\//$HOME/}" 2> /dev/null)}")
    for line in $lines; do
        case $line in
            :*) directive=${line#:} ;;
            *$'\t'*) offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
            *) offers+=("${line//:/\\:}") ;;
        esac
    done
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    (( directive & 2 )) && space=(-S '')
    if (( $#offers )); then
        _describe 'kubectl-fairshare' offers $space
    elif (( directive & 16 )); then
        _files -/
    elif (( ! (directive & 4) )); then
        _files
    else
        return 1
    fi
}
if [[ $funcstack[1] == _kubectl-fairshare ]]; then
    _kubectl_fairshare "$@"
else
    compdef _kubectl_fairshare kubectl-fairshare
fi
"""

FISH: Final = r"""# fish completion for kubectl-fairshare
function __kubectl_fairshare
    set -l typed (commandline -ct)
    set -l words (commandline -opc) $typed
    test -n "$typed"; or set -a words ''
    set words (string replace -r '^~/' "$HOME/" -- $words)
    set -l lines (command $words[1] __complete $words[2..-1] 2> /dev/null)
    set -l directive (string replace ':' '' -- $lines[-1])
    set -e lines[-1]
    set -l before (string match -r -- '^--[^=]*=' $typed)
    if test -n "$lines"
        string join \n -- "$before"$lines
    else if test -n "$directive"; and test (math "floor($directive / 16) % 2") = 1
        __fish_complete_directories "$typed"
    else if test -n "$directive"; and test (math "floor($directive / 4) % 2") = 0
        __fish_complete_path (string replace -r -- '^--[^=]*=' '' $typed)
    end
end
complete -c kubectl-fairshare -f -a '(__kubectl_fairshare)'
"""

KUBECTL: Final = r"""#!/bin/sh
# what `kubectl` runs to complete `kubectl fairshare …`
exec kubectl-fairshare __complete "$@"
"""

SCRIPTS: Final = {"bash": BASH, "zsh": ZSH, "fish": FISH, "kubectl": KUBECTL}
"""By who asks."""
