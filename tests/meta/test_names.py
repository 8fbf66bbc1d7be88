"""A class name means one thing in the whole package, and a folder is small enough to be looked through."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.meta.repository import PACKAGE, ROOT, here, python_files, tree

SIBLINGS = 40
"""Folders of fewer made neighbours that are one thought strangers: what a reader meets together may lie together."""

SAME: dict[str, str] = {
    "Assumption": "what a simulation takes for granted",
    "ChangePart": "one field that a remedy changes, in a document",
    "Derivation": "the figures of one queue, derived term by term",
    "Explainer": "answers why for the workloads of one snapshot",
    "HeldBy": "who holds what a waiting workload needs",
    "Law": "the laws of one scheduler",
    "Ledger": "what is in use, queue by queue",
    "Load": "what the pods of a node request",
    "Newcomers": "work of a queue that is made up, to find what it takes",
    "Node": "a node of the cluster as the scheduler reads it",
    "Plan": "the decision for one workload",
    "Pod": "a pod as the scheduler reads it",
    "PodSet": "pods of one job that are alike",
    "Reason": "the reason that decides",
    "Remedy": "a change that helps",
    "RemedyKind": "what a remedy changes",
    "Sayings": "how the facts of a simulation are put in words",
    "State": "a snapshot as the scheduler sees it",
    "VictimPart": "who is preempted, in a document",
    "Why": "why one workload is where it is",
    "_Operands": "the operands of a step by name, as text",
}
"""Names that houses share, and the one meaning that they have there."""


def classes() -> dict[str, list[str]]:
    """The classes of the package at the top of their modules: by name, the modules that define one."""
    places: dict[str, list[str]] = {}
    for path in python_files("kubectl_fairshare"):
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    return places


@cache
def several() -> dict[str, list[str]]:
    """The names that are defined more than once."""
    return {name: places for name, places in sorted(classes().items()) if len(places) > 1}


def siblings(folder: Path) -> int:
    """The modules, files and folders beside each other in a folder."""
    return sum(path.name not in ("__init__.py", "__pycache__") for path in folder.iterdir())


def _of_module_alone(module: ast.Module) -> Iterator[str]:
    """The private functions, classes and constants at the top of a module."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def unused(text: str, module: ast.Module) -> list[str]:
    """The private names of a module that it has once, where they are defined: no other module may use them."""
    names = (name for name in _of_module_alone(module) if name.startswith("_") and not name.startswith("__"))
    words = Counter(re.findall(r"\w+", text))
    return [name for name in names if words[name] == 1]


def test_a_private_name_is_used_in_its_module() -> None:
    found = {here(path): unused(path.read_text("utf-8"), tree(path)) for path in python_files(PACKAGE.name)}
    assert {path: names for path, names in found.items() if names} == {}
    planted = "_A: int = 1\ndef _b() -> None: ...\nprint(_A)\n"
    assert unused(planted, ast.parse(planted)) == ["_b"]


def test_a_class_name_has_one_meaning() -> None:
    assert {name: places for name, places in several().items() if name not in SAME} == {}


def test_a_shared_meaning_is_defined_once_in_each_house() -> None:
    for name, places in several().items():
        if name in SAME:
            rooms = [place.split("/")[:2] if place.startswith("schedulers/") else place for place in places]
            assert len(rooms) == len({str(room) for room in rooms}), (name, places)


def test_no_folder_has_too_many_siblings() -> None:
    folders = [path for top in ("kubectl_fairshare", "tests") for path in sorted((ROOT / top).rglob("*/"))]
    folders = [folder for folder in folders if folder.is_dir() and folder.name != "__pycache__"]
    sizes = {folder.relative_to(ROOT).as_posix(): siblings(folder) for folder in folders}
    assert {name: size for name, size in sizes.items() if size > SIBLINGS} == {}


NO_FIELDS = {("TriedChange", "admin")}
"""Words of docstrings that are a value of a field."""
CLAIM = re.compile(r"``([a-z_]+)``(?=:| (?:is|are|was|were|counts|names|holds|has|have|says|describes)\b)")


def identifiers(of: ast.ClassDef) -> Iterator[str]:
    """Every name in the body of a class, and those that documents have of its fields (``field(name=…)``)."""
    for node in ast.walk(of):
        if isinstance(node, ast.keyword) and node.arg == "name" and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
        for kind, name in ((ast.Name, "id"), (ast.Attribute, "attr"), (ast.arg, "arg"), (ast.FunctionDef, "name")):
            if isinstance(node, kind):
                yield getattr(node, name)


def unknown_fields(paths: Iterable[Path]) -> list[str]:
    """The fields that a class's docstring explains, and that neither the class nor a class it inherits from has."""
    found = [(path, node) for path in paths for node in tree(path).body]
    classes_of = [(path, node) for path, node in found if isinstance(node, ast.ClassDef)]
    members: dict[str, set[str]] = {}
    for _, node in classes_of:
        members.setdefault(node.name, set()).update(identifiers(node))
    return [
        f"{path.name}: {node.name}.{word}"
        for path, node in classes_of
        for word in CLAIM.findall(" ".join((ast.get_docstring(node) or "").split()))
        if word not in members[node.name] and (node.name, word) not in NO_FIELDS
        if all(
            word not in members.get(ast.unparse(base).partition("[")[0].rpartition(".")[2], ()) for base in node.bases
        )
    ]


def test_a_docstring_explains_only_fields_that_exist() -> None:
    assert unknown_fields(python_files("kubectl_fairshare")) == []


def test_a_missing_field_is_noticed(tmp_path: Path) -> None:
    module = tmp_path / "planted.py"
    module.write_text('class Figure:\n    """``unit`` is its unit, ``size`` its size."""\n\n    size: int\n')
    assert unknown_fields([module]) == ["planted.py: Figure.unit"]


def test_a_shared_name_is_shared() -> None:
    assert [name for name in SAME if name not in several()] == []
