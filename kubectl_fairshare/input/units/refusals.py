"""What kustomize refuses of kustomizations that are written down whole: fields that it does not decode, and cycles.

Source: kustomize v5.5.0, asked by ``kubectl kustomize``.
Tested in ``tests/unit/input/units/test_refusals.py``.
"""

import os
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.input.units.kustomization_fields import mistakes
from kubectl_fairshare.input.units.kustomizations import Kustomization
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath

_VERSIONS: Final = {
    "Kustomization": "kustomize.config.k8s.io/v1beta1",
    "Component": "kustomize.config.k8s.io/v1alpha1",
}


def refusals(found: Mapping[str, Kustomization]) -> dict[str, list[Problem]]:
    """What is wrong with each kustomization, by its folder; those without a mistake are left out."""
    refused: dict[str, list[Problem]] = {}
    for each in found.values():
        for problem in _undecoded(each):
            refused.setdefault(each.folder, []).append(problem)
    for folder, problem in _cycles(found):
        refused.setdefault(folder, []).append(problem)
    return refused


def _undecoded(each: Kustomization) -> Iterator[Problem]:
    """The fields that kustomize does not know, or not with what they hold."""
    for at, said in mistakes(each.data):
        name = next((f"{part}" for part in reversed(at) if isinstance(part, str)), "")
        what = f"unknown field `{name}`" if said == "unknown field" else f"`{name}` is {said}"
        yield Problem(f"{what}: kustomize does not build it", each.place(at), "correct it, or remove it")
    kind = each.data.get("kind") or "Kustomization"
    version = each.data.get("apiVersion")
    if isinstance(kind, str) and kind not in _VERSIONS:
        message = "the kind is neither Kustomization nor Component: kustomize does not build it"
        yield Problem(message, each.place(("kind",)), "correct it, or leave it out")
    elif isinstance(kind, str) and isinstance(version, str) and version not in ("", _VERSIONS[kind]):
        message = f"the version of a {kind} is {_VERSIONS[kind]}: kustomize does not build another one"
        yield Problem(message, each.place(("apiVersion",)), f"write `apiVersion: {_VERSIONS[kind]}`")


def _cycles(found: Mapping[str, Kustomization]) -> Iterator[tuple[str, Problem]]:
    """The names by which a kustomization reads itself, or a folder that it is in; each with the folder of the name."""
    bases = {folder: [base for base in each.bases() if base[2] in found] for folder, each in found.items()}
    read = {os.path.abspath(path): path for named in bases.values() for _, _, path in named}
    said: set[tuple[str, str]] = set()
    for start in found if read else ():
        around = {read[path] for path in _around(os.path.abspath(start)) if path in read}
        for folder, at, entry in _leading_to(around, start, bases) if around else ():
            if (folder, entry) not in said:
                said.add((folder, entry))
                message = f"`{entry}` leads back to this kustomization: kustomize does not build a cycle"
                yield folder, Problem(message, found[folder].place(at), "remove the name, or name the files themselves")


def _leading_to(
    targets: set[str], start: str, bases: Mapping[str, list[tuple[FieldPath, str, str]]]
) -> Iterator[tuple[str, FieldPath, str]]:
    """The names of ``targets`` in all that a kustomization reads, with their folders and places."""
    seen = {start}
    left = [start]
    while left:
        folder = left.pop()
        for at, entry, path in bases[folder]:
            if path in targets:
                yield folder, at, entry
            if path not in seen:
                seen.add(path)
                left.append(path)


def _around(folder: str) -> Iterator[str]:
    """The folder, and those that it is in."""
    yield folder
    while (above := os.path.dirname(folder)) != folder:
        yield above
        folder = above
