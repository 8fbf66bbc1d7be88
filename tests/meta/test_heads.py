"""What the head of a law or a search says: why not the obvious one, and where the scheduler has it.

In a house, a folder is one of laws unless it is among those that every house has for reading, for words and the like.
"""

import ast
import re
from pathlib import Path

from tests.meta.repository import PACKAGE, here, tree

AROUND_LAWS = {
    "admission",
    "conformance",
    "documents",
    "explain",
    "jobs",
    "model",
    "reading",
    "release",
    "review",
    "rules",
    "why",
    "words",
}
"""The folders of a house that read, show or check what its laws decide."""
LAWS_OF_A_HOUSE = {"laws.py", "fairness.py", "accounting.py"}
OF_NO_HOUSE = ("schedulers/kubescheduler",)
SEARCHES = ("policy/search", "policy/capacity", "policy/forecast")
"""These follow no scheduler, so they have a reason and no source."""
REASON = re.compile(r"\bWhy\b|\b[Cc]ounter-example\b|\bExample: |\bProblem: ")
ADDRESS = re.compile(r"https://github\.com/[\w-]+/[\w-]+/(?:blob|tree)/(?:v\d+\.\d+\.\d+|[0-9a-f]{7,40})\b")
NO_LAW = "Decides nothing: "


def houses() -> list[Path]:
    """The folders of the schedulers that have laws."""
    return sorted(path.parent for path in (PACKAGE / "schedulers").glob("*/laws.py"))


def law_folders() -> list[Path]:
    """Every folder of laws, without those below it."""
    inside = (path for house in houses() for path in house.iterdir() if path.is_dir())
    return [
        *(folder for folder in inside if (folder / "__init__.py").exists() and folder.name not in AROUND_LAWS),
        *(PACKAGE / folder for folder in OF_NO_HOUSE),
    ]


def law_modules() -> list[Path]:
    """Every module of a law."""
    alone = (path for house in houses() for path in house.glob("*.py") if path.name in LAWS_OF_A_HOUSE)
    found = (path for folder in law_folders() for path in folder.rglob("*.py") if path.name != "__init__.py")
    return sorted((*alone, *found))


def search_modules() -> list[Path]:
    """Every module of a search."""
    found = (path for folder in SEARCHES for path in (PACKAGE / folder).rglob("*.py"))
    return sorted(path for path in found if path.name != "__init__.py")


def lacks(head: str, *, sourced: bool) -> str:
    """What a head lacks; empty for nothing."""
    if NO_LAW in head:
        return ""
    if REASON.search(head) is None:
        return "no reason"
    _, source, after = head.partition("Source:")
    return "no address of a release" if sourced and not (source and ADDRESS.search(after)) else ""


def lacking(modules: list[Path], *, sourced: bool) -> dict[str, str]:
    """The modules whose heads lack something."""
    found = {here(path): lacks(ast.get_docstring(tree(path)) or "", sourced=sourced) for path in modules}
    return {path: what for path, what in found.items() if what}


def test_laws_say_why_and_link_their_source() -> None:
    assert lacking(law_modules(), sourced=True) == {}


def test_searches_say_why() -> None:
    assert lacking(search_modules(), sourced=False) == {}


def test_all_houses_are_looked_at() -> None:
    folders = {path.relative_to(PACKAGE / "schedulers").as_posix() for path in law_folders()}
    assert {"kueue/preemption", "kai/solver", "elasticquota/quotas", "koordinator/quotas"} <= folders
    assert len(law_modules()) > 120


def test_heads_that_lack_something_are_seen() -> None:
    address = "https://github.com/o/n/blob/v1.2.3/pkg/a.go"
    assert lacks("A law.", sourced=True) == "no reason"
    assert lacks(f"A law.\nSource: {address}.", sourced=True) == "no reason"
    assert lacks("A law.\nExample: 3 of 4.", sourced=True) == "no address of a release"
    assert lacks(f"A law, see {address}.\nExample: 3 of 4.", sourced=True) == "no address of a release"
    latest = address.replace("v1.2.3", "main")
    assert lacks(f"A law.\nExample: 3 of 4.\nSource: {latest}.", sourced=True) == "no address of a release"
    assert lacks(f"A law.\nExample: 3 of 4.\nSource: {address}.", sourced=True) == ""
    assert lacks("A search.\nWhy not all: too many.", sourced=False) == ""
    assert lacks("Words.\n\nDecides nothing: it has words only.", sourced=True) == ""
