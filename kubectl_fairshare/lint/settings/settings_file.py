"""Reads ``.fairshare.yaml``.

Tested in ``tests/unit/cli/linting/test_settings.py``.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.files.git import file_at, is_revision, path_of
from kubectl_fairshare.input.files.paths import folder_of, shown_path
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.input.files.unreadable import by_place
from kubectl_fairshare.lint.settings.settings import LintSettings, PerPath
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import JsonObject, listed, mapping
from kubectl_fairshare.model.location import Location

if TYPE_CHECKING:  # slow to import
    from kubectl_fairshare.input.own_file import OwnFile

Unknown: TypeAlias = Callable[[str, Location], Problem | None]
"""The problem with a word that is not a rule, at its place."""
_MOST: Final = 1 << 20
_RELEASE: Final = "-version"
"""The ending of settings that name the release of a scheduler."""
_RULES: Final = ("select", "ignore")


def read_settings(path: str, unknown: Unknown) -> LintSettings:
    """The settings in a file, or in one of a revision (``git:REV:FILE``), which may lack it: then nothing is set.

    Raises ``UsageError`` with every mistake in it, and for text that is not YAML; ``FairshareError`` if the file cannot
    be read.
    """
    from kubectl_fairshare.input.own_file import OwnFile

    content = file_at(path, Budget(_MOST)) if is_revision(path) else of_file(path, Budget(_MOST))
    if content is None:
        return LintSettings()
    file = OwnFile(shown_path(path), content, "settings")
    problems = file.problems("see docs/lint.md")
    data = mapping(file.data)
    problems += [problem for word, at in _rules(file, data) if (problem := unknown(word, at)) is not None]
    if problems:
        raise UsageError(*sorted(problems, key=by_place))
    return LintSettings(
        folder_of(path_of(path)),
        tuple(data.get("select", ())),
        tuple(data.get("ignore", ())),
        data.get("fail-on"),
        data.get("complete"),
        {name: value for name, value in data.items() if name.endswith(_RELEASE)},
        data.get("baseline"),
        {word: Severity(value) for word, value in data.get("severity", {}).items()},
        tuple(PerPath(each["path"], tuple(each["ignore"])) for each in data.get("per-path", ())),
    )


def _rules(file: "OwnFile", data: JsonObject) -> Iterator[tuple[str, Location]]:
    """Every word that should name a rule, with its place; values of another type are reported elsewhere."""
    per_path = data.get("per-path")
    holders = [
        ((), data),
        *((("per-path", n), each) for n, each in enumerate(listed(per_path)) if isinstance(each, dict)),
    ]
    for path, holder in holders:
        for name in _RULES:
            for number, word in enumerate(listed(holder, name)):
                if isinstance(word, str):
                    yield word, file.at((*path, name, number))
    for word in mapping(data, "severity"):
        yield word, file.at(("severity", word), at_key=True)
