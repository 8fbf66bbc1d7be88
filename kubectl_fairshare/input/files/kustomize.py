"""Kustomizations, built by the user's own kubectl, or kustomize."""

import os
import re
from typing import Final

from kubectl_fairshare.input.files.paths import shown_path
from kubectl_fairshare.input.files.programs import STRANGERS_MEMORY, has, output_of
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.model.errors import Problem

_KEPT: Final = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR")
_HOMES: Final = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "KUSTOMIZE_PLUGIN_HOME")
_NOTHING: Final = {
    "KUBECONFIG": os.devnull,
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
}
_SECONDS: Final = 60.0
_LOGGED: Final = r'"command failed" err=(?:"(.*)"\s*$|<\n(.*)\n\s*>\s*$)'
"""A line of kubectl's log; a reason of several lines follows it, each with a tab."""
_WITH_CHARTS: Final = "--enable-helm"


def name_of(directory: str) -> str:
    """The name of the source that a kustomization becomes."""
    return f"kustomize {shown_path(directory)}"


def build(directory: str, budget: Budget, *, found: bool = False) -> bytes:
    """What ``kubectl kustomize DIRECTORY`` prints, or ``kustomize build`` where there is no kubectl.

    One that was ``found`` and not named is a stranger's: the program gets nothing of the user's, no address of git and
    a limit in time and memory. Raises ``FairshareError`` where it fails or is too much.
    """
    import tempfile

    name = name_of(directory)
    other = not has("kubectl") and has("kustomize")
    command = ["kustomize", "build"] if other else ["kubectl", "kustomize"]
    remedy = "install kubectl or kustomize, or build it with another tool: `kustomize build … | … -f -`"

    def failed(said: str) -> Problem:
        reason, shown = _reason(said), shown_path(directory)
        check = f"check with `{' '.join(command)} {shown}`"
        if _WITH_CHARTS in reason:
            reason = "it renders a Helm chart, and helm is not started for it"
            check = f"if you trust it, build it: `kustomize build {_WITH_CHARTS} {shown} | kubectl fairshare … -f -`"
        return Problem(f"{command[0]} cannot build it: {reason}", name, check)

    if not found:
        return output_of([*command, "--", directory], name, budget, remedy, failed)
    with tempfile.TemporaryDirectory(prefix="fairshare-kustomize-") as home:
        kept = {each: os.environ[each] for each in _KEPT if each in os.environ}
        given = {**kept, **_NOTHING, **{each: os.path.join(home, each) for each in _HOMES}}
        words = [*command, "--", directory]
        most = STRANGERS_MEMORY
        return output_of(words, name, budget, remedy, failed, _SECONDS, environment=given, memory=most)


def _reason(said: str) -> str:
    """The reason alone, out of a line of kubectl's log or a plain message."""
    logged = re.search(_LOGGED, said, re.DOTALL)
    if logged is None:
        return said.strip().removeprefix("error: ")
    return logged[1].replace('\\"', '"') if logged[1] is not None else " ".join(logged[2].split())
