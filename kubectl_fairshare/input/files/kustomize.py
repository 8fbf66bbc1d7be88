"""Kustomizations, built by the user's own kubectl."""

import re
from typing import Final

from kubectl_fairshare.input.files.paths import shown_path
from kubectl_fairshare.input.files.programs import output_of
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.model.errors import Problem

_LOGGED: Final = r'"command failed" err="(.*)"\s*$'


def name_of(directory: str) -> str:
    """The name of the source that a kustomization becomes."""
    return f"kustomize {shown_path(directory)}"


def build(directory: str, budget: Budget) -> bytes:
    """What ``kubectl kustomize DIRECTORY`` prints. Raises ``FairshareError`` where that fails or is too much."""
    name = name_of(directory)
    remedy = "install kubectl, or build it with another tool: `kustomize build … | … -f -`"

    def failed(said: str) -> Problem:
        check = f"check with `kubectl kustomize {shown_path(directory)}`"
        return Problem(f"kubectl cannot build it: {_reason(said)}", name, check)

    return output_of(["kubectl", "kustomize", "--", directory], name, budget, remedy, failed)


def _reason(said: str) -> str:
    """The reason alone, out of a line of kubectl's log or a plain message."""
    logged = re.search(_LOGGED, said, re.DOTALL)
    return logged[1].replace('\\"', '"') if logged else said.strip().removeprefix("error: ")
