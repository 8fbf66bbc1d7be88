"""Annotations of pod templates that request a topology, and that Kueue's webhook rejects in a new job.

Source: Kueue v0.19, the checks of jobs on creation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kubectl_fairshare.model.json import FieldPath, Json, mapping
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.model.topology import PREFIX
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet

_REQUESTS: Final = ("required-topology", "preferred-topology", "unconstrained-topology")
_SLICE: Final = "slice-required-topology"
_SIZE: Final = "slice-size"
_LAYERS: Final = "slice-required-topology-constraints"
_GROUP: Final = "group-name"
_BOOLEANS: Final = frozenset(("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"))
_UNCHECKED: Final = frozenset(("deployment", "statefulset", "workload.codeflare.dev/appwrapper"))
_COUNTED: Final = frozenset(
    (
        "jobset.x-k8s.io/jobset",
        "leaderworkerset.x-k8s.io/leaderworkerset",
        "kubeflow.org/mpijob",
        "ray.io/raycluster",
        "ray.io/rayjob",
        "ray.io/rayservice",
    )
)
_MOST_LAYERS: Final = 3
_PAIR: Final = 2


class AnnotationMistake(NamedTuple):
    """An annotation for which the job is rejected: its path in the job, why, and what to write."""

    path: FieldPath
    why: str
    remedy: str


def annotation_mistakes(manifest: Manifest, framework: str, workload: Pending) -> Iterator[AnnotationMistake]:
    """The first mistake of each pod template of a new job, and one for each group of pod sets."""
    if framework in _UNCHECKED:
        return
    for pod_set in workload.pod_sets:
        said = {k.removeprefix(PREFIX): v for k, v in _annotations(manifest, pod_set).items() if k.startswith(PREFIX)}
        found = next(_mistakes(said, None if framework == "pod" else pod_set.count), None)
        if found is not None:
            yield AnnotationMistake(_path(pod_set, found[0]), *found[1:])
    if framework in _COUNTED:
        yield from _group_mistakes(workload.pod_sets)


def _path(pod_set: PodSet, name: str) -> FieldPath:
    return (*pod_set.path[:-1], "metadata", "annotations", f"{PREFIX}{name}")


def _annotations(manifest: Manifest, pod_set: PodSet) -> Mapping[str, Json]:
    found: Json = manifest.data
    for part in pod_set.path[:-1]:
        if isinstance(part, int):
            found = found[part] if isinstance(found, list) and part < len(found) else None
        else:
            found = found.get(part) if isinstance(found, dict) else None
    return mapping(found, "metadata", "annotations") if isinstance(found, dict) else {}


def _mistakes(said: Mapping[str, Json], pods: int | None) -> Iterator[tuple[str, str, str]]:
    """What is wrong: the annotation, why it is rejected, and what to write."""
    asked = [name for name in _REQUESTS if name in said]
    if len(asked) > 1:
        names = " and ".join(f"`{PREFIX}{name}`" for name in asked)
        yield asked[1], f"{names} exclude each other", "keep one of the annotations"
    free = said.get("unconstrained-topology")
    if free is not None and free not in _BOOLEANS:
        yield "unconstrained-topology", f"`{free}` is not a boolean", 'write `"true"`'
    yield from _slice_mistakes(said, pods)
    group = said.get(_GROUP)
    if isinstance(group, str) and re.fullmatch(r"[0-9]+", group):
        yield _GROUP, f"group name `{group}` is a number", "write a name with a letter"
    elif group is not None and {_SLICE, _SIZE, _LAYERS} & said.keys():
        yield _GROUP, "a group of pod sets has no slices", "remove the group, or the slices"
    elif group is not None and not {"required-topology", "preferred-topology"} & said.keys():
        yield _GROUP, "a group needs a required or a preferred topology", "add the level for the whole group"


def _slice_mistakes(said: Mapping[str, Json], pods: int | None) -> Iterator[tuple[str, str, str]]:
    size = said.get(_SIZE)
    if _LAYERS in said:
        if _SLICE in said or _SIZE in said:
            yield _LAYERS, f"`{PREFIX}{_SLICE}` and its size exclude a list of layers", "keep the list alone"
        yield from ((_LAYERS, why, "write one to three layers, the widest first") for why in _layers(said, pods))
        return
    if _SLICE in said and size is None:
        yield _SLICE, "slices need a size", f"add `{PREFIX}{_SIZE}`"
    if size is not None and _SLICE not in said:
        yield _SIZE, "a slice size needs a level for the slices", f"add `{PREFIX}{_SLICE}`"
    if size is not None and not (isinstance(size, str) and re.fullmatch(r"[+-]?[0-9]{1,9}", size)):
        yield _SIZE, f"slice size `{size}` is not a number", "write whole pods, in quotes"
    elif isinstance(size, str) and int(size) < 1:
        yield _SIZE, f"slice size `{size}` is below 1", "write at least 1"
    elif isinstance(size, str) and pods is not None and int(size) > pods:
        yield _SIZE, f"slice size {size} is above the {pods} pods of the pod set", f"write at most {pods}"


def _layers(said: Mapping[str, Json], pods: int | None) -> Iterator[str]:
    """Why a list of layers is rejected."""
    import json

    try:
        layers = json.loads(str(said[_LAYERS]))
        sizes = [int(layer["size"]) for layer in layers]
        levels = [str(layer["topology"]) for layer in layers]
    except (ValueError, TypeError, KeyError):
        yield "the layers are not a JSON list of `topology` and `size`"
        return
    if not 1 <= len(sizes) <= _MOST_LAYERS:
        yield f"there are {len(sizes)} layers, not one to three"
    if any(size < 1 for size in sizes):
        yield f"layer size {min(sizes)} is below 1"
    elif len(set(levels)) < len(levels):
        yield "a level is named by two layers"
    elif any(above % below for above, below in pairwise(sizes)):
        yield "a layer size does not divide the one before it"
    elif sizes and pods is not None and sizes[0] > pods:
        yield f"layer size {sizes[0]} is above the {pods} pods of the pod set"


def _group_mistakes(pod_sets: Sequence[PodSet]) -> Iterator[AnnotationMistake]:
    groups: dict[str, list[PodSet]] = {}
    for pod_set in pod_sets:
        if pod_set.group is not None:
            groups.setdefault(pod_set.group, []).append(pod_set)
    for name, members in groups.items():
        why = _group_mistake(name, members)
        if why:
            remedy = "group two pod sets, workers and one leader, with the same level"
            yield AnnotationMistake(_path(members[-1], _GROUP), why, remedy)


def _group_mistake(name: str, members: list[PodSet]) -> str:
    if len(members) != _PAIR:
        return f"group `{name}` has {len(members)} pod sets, not 2"
    if all(member.count != 1 for member in members):
        return f"group `{name}` has no pod set of one pod, its leader"
    asked = [(m.topology.required, m.topology.preferred) for m in members if m.topology is not None]
    return f"the pod sets of group `{name}` request different levels" if len(set(asked)) > 1 else ""
