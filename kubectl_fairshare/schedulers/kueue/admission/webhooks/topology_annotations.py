"""Annotations of pod templates that request a topology, and that Kueue's webhook rejects in a new job.

Source: Kueue v0.19, the checks of jobs on creation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kubectl_fairshare.api.label_syntax import is_label_key
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.numbers import whole_number
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.model.topology import PREFIX, AnnotatedPods

_REQUESTS: Final = ("required-topology", "preferred-topology", "unconstrained-topology")
_SLICE: Final = "slice-required-topology"
_SIZE: Final = "slice-size"
_LAYERS: Final = "slice-required-topology-constraints"
_GATE: Final = "TASMultiLayerTopology"
_GROUP: Final = "group-name"
_BOOLEANS: Final = frozenset(("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"))
_LEVELED: Final = ("required-topology", "preferred-topology", _SLICE)
_UNCHECKED: Final = frozenset(("statefulset", "workload.codeflare.dev/appwrapper"))
_SUBMITTER: Final = ("ray.io/rayjob", "submitter")
_UNCOUNTED: Final = frozenset(("pod", "deployment"))
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
_INT32: Final = range(-(1 << 31), 1 << 31)
_UINT64: Final = range(1 << 64)
_MOST_DIGITS: Final = 20
_MOST_LAYERS: Final = 3
_PAIR: Final = 2


class AnnotationMistake(NamedTuple):
    """An annotation for which the job is rejected: its place, why, and what to write."""

    place: Place
    why: str
    remedy: str


def annotation_mistakes(
    framework: str, templates: Sequence[AnnotatedPods], configuration: Configuration
) -> Iterator[AnnotationMistake]:
    """The first mistake of each pod template of a new job, and one for each group of its pod sets.

    The webhook that looks at a Deployment's pods is that of Pods.
    """
    known = templates if configuration.release.slice_constraints else [*map(_without_layers, templates)]
    checked = [each for each in known if _is_checked(framework, each)]
    yield from _first_mistakes(framework, checked, layered=configuration.slice_layers)
    if framework in _COUNTED:
        yield from _group_mistakes(templates)


def unchecked_mistakes(
    framework: str, templates: Sequence[AnnotatedPods], configuration: Configuration
) -> Iterator[AnnotationMistake]:
    """The first mistake of each pod template that no webhook looks at: Kueue may then make no Workload of the job."""
    unchecked = [each for each in templates if not _is_checked(framework, each)]
    read = unchecked if configuration.slice_layers else map(_without_layers, unchecked)
    return _first_mistakes(framework, read, layered=True)


def _without_layers(pods: AnnotatedPods) -> AnnotatedPods:
    """The pods for a release that does not read lists of layers."""
    annotations = {name: text for name, text in pods.annotations.items() if name != f"{PREFIX}{_LAYERS}"}
    return pods._replace(annotations=annotations)


def _is_checked(framework: str, pods: AnnotatedPods) -> bool:
    return framework not in _UNCHECKED and (framework, pods.name) != _SUBMITTER


def _first_mistakes(
    framework: str, templates: Iterable[AnnotatedPods], *, layered: bool
) -> Iterator[AnnotationMistake]:
    for each in templates:
        found = next(_mistakes(_said(each), None if framework in _UNCOUNTED else each.pods, layered), None)
        if found is not None:
            yield AnnotationMistake(_place(each, found[0]), *found[1:])


def _said(pods: AnnotatedPods) -> Mapping[str, str]:
    return {k.removeprefix(PREFIX): v for k, v in pods.annotations.items() if k.startswith(PREFIX)}


def _place(pods: AnnotatedPods, name: str) -> Place:
    return Place(pods.template.object, (*pods.template.path, "metadata", "annotations", f"{PREFIX}{name}"))


def _mistakes(said: Mapping[str, str], pods: int | None, layered: bool) -> Iterator[tuple[str, str, str]]:
    """What is wrong: the annotation, why it is rejected, and what to write."""
    asked = [name for name in _REQUESTS if name in said]
    if len(asked) > 1:
        names = " and ".join(f"`{PREFIX}{name}`" for name in asked)
        yield asked[1], f"{names} exclude each other", "keep one of the annotations"
    for name in _LEVELED:
        if name in said and not is_label_key(said[name]):
            yield name, f"`{said[name]}` is not a node label", "write the node label of a level"
    free = said.get("unconstrained-topology")
    if free is not None and free not in _BOOLEANS:
        yield "unconstrained-topology", f"`{free}` is not a boolean", 'write `"true"`'
    yield from _slice_mistakes(said, pods, layered)
    group = said.get(_GROUP)
    if group is not None and _is_number(group):
        yield _GROUP, f"group name `{group}` is a number", "write a name with a letter"
    elif group is not None and {_SLICE, _SIZE, _LAYERS} & said.keys():
        yield _GROUP, "a group of pod sets has no slices", "remove the group, or the slices"
    elif group is not None and not {"required-topology", "preferred-topology"} & said.keys():
        yield _GROUP, "a group needs a required or a preferred topology", "add the level for the whole group"


def _is_number(text: str) -> bool:
    return (
        text.isascii()
        and text.isdigit()
        and len(text.lstrip("0")) <= _MOST_DIGITS
        and int(text.lstrip("0") or "0") in _UINT64
    )


def _slice_mistakes(said: Mapping[str, str], pods: int | None, layered: bool) -> Iterator[tuple[str, str, str]]:
    size = said.get(_SIZE)
    if _LAYERS in said and not layered:
        yield _LAYERS, f"a list of layers needs the feature gate `{_GATE}`, which is off", "turn it on"
        return
    if _LAYERS in said:
        if _SLICE in said or _SIZE in said:
            yield _LAYERS, f"`{PREFIX}{_SLICE}` and its size exclude a list of layers", "keep the list alone"
        yield from ((_LAYERS, why, "write one to three layers, the widest first") for why in _layers(said, pods))
        return
    if _SLICE in said and size is None:
        yield _SLICE, "slices need a size", f"add `{PREFIX}{_SIZE}`"
    if size is not None and _SLICE not in said:
        yield _SIZE, "a slice size needs a level for the slices", f"add `{PREFIX}{_SLICE}`"
    number = 1 if size is None else whole_number(size)
    if number is None or number not in _INT32:
        yield _SIZE, f"slice size `{size}` is not a number", "write whole pods, in quotes"
    elif number < 1:
        yield _SIZE, f"slice size `{size}` is below 1", "write at least 1"
    elif size is not None and pods is not None and number > pods:
        yield _SIZE, f"slice size {number} is above the {pods} pods of the pod set", f"write at most {pods}"


def _layers(said: Mapping[str, str], pods: int | None) -> Iterator[str]:
    """Why a list of layers is rejected."""
    import json

    try:
        layers = json.loads(said[_LAYERS])
        sizes = [layer["size"] for layer in layers]
        levels = [layer["topology"] for layer in layers]
    except (ValueError, TypeError, KeyError, RecursionError):
        sizes, levels = [None], []
    if not all(type(size) is int for size in sizes) or not all(isinstance(level, str) for level in levels):
        yield "the layers are not a JSON list of `topology` and `size`"
        return
    if not 1 <= len(sizes) <= _MOST_LAYERS:
        yield f"there are {len(sizes)} layers, not one to three"
    if (odd := next((level for level in levels if not is_label_key(level)), None)) is not None:
        yield f"`{odd}` is not a node label"
    elif any(size < 1 for size in sizes):
        yield f"layer size {min(sizes)} is below 1"
    elif len(set(levels)) < len(levels):
        yield "a level is named by two layers"
    elif any(above % below for above, below in pairwise(sizes)):
        yield "a layer size does not divide the one before it"
    elif sizes and pods is not None and sizes[0] > pods:
        yield f"layer size {sizes[0]} is above the {pods} pods of the pod set"


def _group_mistakes(templates: Sequence[AnnotatedPods]) -> Iterator[AnnotationMistake]:
    groups: dict[str, list[AnnotatedPods]] = {}
    for each in templates:
        said = _said(each)
        if _GROUP in said and _level(said) != (None, None):
            groups.setdefault(said[_GROUP], []).append(each)
    for name, members in groups.items():
        why = _group_mistake(name, members)
        if why:
            remedy = "group two pod sets, workers and one leader, with the same level"
            yield AnnotationMistake(_place(members[-1], _GROUP), why, remedy)


def _level(said: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The required level, or without one the preferred level."""
    required = said.get("required-topology")
    return required, None if required is not None else said.get("preferred-topology")


def _group_mistake(name: str, members: list[AnnotatedPods]) -> str:
    if len(members) != _PAIR:
        return f"group `{name}` does not have 2 pod sets, but {len(members)}"
    if all(member.pods != 1 for member in members):
        return f"group `{name}` has no pod set of one pod, its leader"
    levels = {_level(_said(member)) for member in members}
    return f"the pod sets of group `{name}` request different levels" if len(levels) > 1 else ""
