"""Known findings in a file; lint does not report them again.

Tested in ``tests/unit/cli/linting/test_filters.py``.
"""

from typing import Final

from kubectl_fairshare.input.files.git import file_at, is_revision
from kubectl_fairshare.input.files.paths import is_there, shown_path
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import Value

API_VERSION: Final = "fairshare.dev/v1alpha1"
KIND: Final = "LintBaseline"
_MOST: Final = 256 << 20
_REMEDY: Final = "create a new one with `--write-baseline`"


class KnownFinding(Value, frozen=True):
    """A known finding. The fingerprint and the rule's id identify it; the rest is for the reader of the file."""

    fingerprint: str
    rule: str
    object: str
    field: str


def read_baseline(path: str) -> tuple[KnownFinding, ...]:
    """The entries of a baseline. Raises ``FairshareError`` if the file cannot be read or is not a baseline."""
    from kubectl_fairshare.input.own_file import OwnFile

    name = shown_path(path)
    budget = Budget(_MOST)
    content = file_at(path, budget) if is_revision(path) else of_file(path, budget) if is_there(path) else None
    if content is None:
        raise FairshareError(Problem("this baseline does not exist", name, "create it with `--write-baseline`"))
    file = OwnFile(name, content, "lintbaseline")
    if not isinstance(file.data, dict) or file.data.get("kind") != KIND:
        raise FairshareError(Problem("this is not a baseline", name, _REMEDY))
    if problems := file.problems(_REMEDY):
        raise FairshareError(*problems)
    return tuple(KnownFinding(**each) for each in file.data["findings"])
