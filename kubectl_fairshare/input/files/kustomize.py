"""Kustomizations, built by the user's own kubectl."""

import re
from typing import Final

from kubectl_fairshare.input.files.paths import shown
from kubectl_fairshare.input.files.raw_bytes import Budget, of_stream
from kubectl_fairshare.model.errors import FairshareError, Problem

_MOST_SAID: Final = 2000
_LOGGED: Final = re.compile(r'"command failed" err="(.*)"\s*$', re.DOTALL)


def name_of(directory: str) -> str:
    """The name of the source that a kustomization becomes."""
    return f"kustomize {shown(directory)}"


def build(directory: str, budget: Budget) -> bytes:
    """What ``kubectl kustomize DIRECTORY`` prints. Raises ``FairshareError`` where that fails or is too much."""
    import subprocess
    import tempfile

    name = name_of(directory)
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                ["kubectl", "kustomize", "--", directory],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except OSError:
            remedy = "install kubectl, or build it with another tool: `kustomize build … | … -f -`"
            raise FairshareError(Problem("cannot run kubectl", name, remedy)) from None
        with process:
            try:
                data = of_stream(name, process.stdout, budget) if process.stdout else b""
            except FairshareError:
                process.kill()
                raise
        if process.returncode:
            complaints.seek(0)
            said = _reason(complaints.read(_MOST_SAID).decode("utf-8", "replace"))
            remedy = f"check with `kubectl kustomize {shown(directory)}`"
            raise FairshareError(Problem(f"kubectl cannot build it: {said}", name, remedy))
    return budget.spend(data)


def _reason(said: str) -> str:
    """The reason alone, out of a line of kubectl's log or a plain message."""
    logged = _LOGGED.search(said)
    return logged[1].replace('\\"', '"') if logged else said.strip().removeprefix("error: ")
