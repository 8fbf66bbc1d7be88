"""Nodes that an option describes: manifests with a text of their own, added to what was read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.objects import Objects
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import Json, JsonObject, mapping
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.nodes import HYPOTHETICAL, NodeGroup
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import replace

OPTION: Final = "--nodes"
"""The option, and the name of the text that holds its Nodes: answers cite it as their place."""
_HOST: Final = "kubernetes.io/hostname"
_ENDED: Final = ("Succeeded", "Failed")
_NEEDED: Final = ("cpu", "memory")
_SHOWN: Final = 3


def with_nodes(base: Reading, groups: Sequence[NodeGroup], schedulers: KnownSchedulers) -> Reading:
    """``base`` and the Nodes of ``groups``, each Ready, schedulable and empty, with a note that names them.

    Raises ``UsageError`` if a Node of that name was read, and if a Pod runs on a Node that is in neither: how much such
    a Pod leaves of the new Nodes is not defined.
    """
    if not groups:
        return base
    text, documents = decode(OPTION, _json_text(groups))
    made = Objects(Texts([text]), schedulers, "default", allow_generate_name=False)
    made.take(OPTION, documents)
    known = {manifest.key for manifest in base.manifests}
    if twice := [manifest.key.name for manifest in made.manifests if manifest.key in known]:
        message = f"the input has Nodes of these names: {some_of(twice, _SHOWN)}"
        raise UsageError(Problem(message, OPTION, "give the new ones another name: `4xcpu=96,name=new`"))
    _check_pods(base.manifests, {m.key.name for m in (*base.manifests, *made.manifests) if m.key[:2] == ("", "Node")})
    return replace(
        base,
        manifests=tuple(sorted([*base.manifests, *made.manifests], key=lambda manifest: manifest.key)),
        texts=Texts([*base.texts.values(), text]),
        notes=(*base.notes, *_notes(groups, [manifest.key.name for manifest in made.manifests])),
    )


def _json_text(groups: Sequence[NodeGroup]) -> bytes:
    """A List with one Node on each line: the n-th Node is on line n + 1."""
    import orjson

    rows = b",\n".join(orjson.dumps(node) for node in _nodes(groups))
    return b'{"apiVersion":"v1","kind":"List","items":[\n' + rows + b"\n]}\n"


def _nodes(groups: Sequence[NodeGroup]) -> Iterator[JsonObject]:
    numbers: Counter[str] = Counter()
    for group in groups:
        for _ in range(group.count):
            numbers[group.name] += 1
            yield _node(f"{group.name}-{numbers[group.name]}", group)


def _node(name: str, group: NodeGroup) -> dict[str, Json]:
    labels: dict[str, Json] = {_HOST: name, **group.labels}
    allocatable: dict[str, Json] = {"pods": "110", **group.allocatable}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": {HYPOTHETICAL: "true"}},
        "status": {"allocatable": allocatable, "conditions": [{"type": "Ready", "status": "True"}]},
    }


def _check_pods(manifests: Iterable[Manifest], nodes: set[str]) -> None:
    """Raises ``UsageError`` if a Pod that has not ended runs on a Node that is not among ``nodes``."""
    for pod in manifests:
        if pod.key[:2] != ("", "Pod") or mapping(pod.data, "status").get("phase") in _ENDED:
            continue
        name = mapping(pod.data, "spec").get("nodeName")
        if isinstance(name, str) and name and name not in nodes:
            message = f"{pod.key} runs on Node `{name}`, which is not in the input"
            remedy = "add the Nodes of the cluster to the input, or remove the Pods that run on them"
            raise UsageError(Problem(message, OPTION, remedy))


def _notes(groups: Sequence[NodeGroup], names: Sequence[str]) -> Iterator[Problem]:
    """A note that the answer rests on these Nodes, and one on amounts that a Pod nearly always requests."""
    shown = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}" if len(groups) == 1 else ", ".join(names)
    if len(names) > _SHOWN and len(groups) > 1:
        shown = some_of(names, _SHOWN)
    yield Problem(f"hypothetical Nodes are added: {shown}", OPTION)
    if missing := [name for name in _NEEDED if any(name not in group.allocatable for group in groups)]:
        remedy = "add them if Pods request them: `cpu=96,memory=1Ti`"
        yield Problem(f"hypothetical Nodes have no {' and no '.join(missing)}", OPTION, remedy)
