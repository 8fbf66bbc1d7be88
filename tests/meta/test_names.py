"""A class name means one thing in the whole package, and a folder is small enough to be looked through."""

import ast
from pathlib import Path

from tests.meta.repository import PACKAGE, ROOT, python_files, tree

SIBLINGS = 25

SAME: dict[str, str] = {
    "Assumption": "what a simulation takes for granted",
    "ChangePart": "one field that a remedy changes, in a document",
    "ConditionPart": "a condition that the scheduler writes, in a document",
    "Derivation": "the figures of one queue, derived term by term",
    "EventPart": "an Event about the waiting workload, in a document",
    "Explainer": "answers why for the workloads of one snapshot",
    "GroundPart": "a field that an answer rests on, in a document",
    "HeldBy": "who holds what a waiting workload needs",
    "Lack": "what keeps a pod off a node",
    "Law": "the laws of one scheduler",
    "Ledger": "what is in use, queue by queue",
    "Load": "what the pods of a node request",
    "Node": "a node of the cluster as the scheduler reads it",
    "Plan": "the decision for one workload",
    "Pod": "a pod as the scheduler reads it",
    "PodSet": "pods of one job that are alike",
    "Preemptor": "the workload that needs what others hold",
    "PreemptorPart": "for whom a workload goes, in a document",
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


def several() -> dict[str, list[str]]:
    """The names that are defined more than once."""
    return {name: places for name, places in sorted(classes().items()) if len(places) > 1}


def siblings(folder: Path) -> int:
    """The modules, files and folders beside each other in a folder."""
    return sum(path.name not in ("__init__.py", "__pycache__") for path in folder.iterdir())


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
