"""What the classes of a new pod reject: an API server looks its PriorityClass and its RuntimeClass up.

Source: Kubernetes 1.35, the admission plugins Priority and RuntimeClass.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import INVALID, UNREAD, Gap, not_given
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.pod_surroundings import PRIORITY_CLASS, RUNTIME_CLASS, Surroundings
from kubectl_fairshare.model.json import JsonObject, mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest

_FIELDS: Final = {PRIORITY_CLASS: "priorityClassName", RUNTIME_CLASS: "runtimeClassName"}
_NEVER: Final = "Never"
_USUAL: Final = "PreemptLowerPriority"


class MissingClass(NamedTuple):
    """A class that a pod names and the input lacks, and the field that names it."""

    key: ObjectKey
    named_in: Place


def class_clauses(key: ObjectKey, spec: JsonObject, around: Surroundings) -> Iterator[str]:
    """Each field of a new pod that its classes contradict, in a clause; nothing about a class that is not known.

    Raises ``FairshareError`` for a field of another type.
    """
    written = Field(key, ("spec",), spec)
    yield from _priority_clauses(written, around)
    yield from _overhead_clauses(written, around)


def missing_class_gaps(
    pods: Iterable[tuple[ObjectKey, JsonObject]],
    around: Surroundings,
    unread_kinds: Collection[str],
    excludes: Callable[[ObjectKey], bool],
) -> tuple[Gap, ...]:
    """A gap for each class that one of the new ``pods`` names and the input lacks.

    ``unread_kinds`` are those of which not all objects could be read. ``excludes``: whether an object that the input
    lacks exists nowhere; an API server then rejects the pod. Raises ``FairshareError`` for a field of another type.
    """
    gaps = [
        _gap_of(missing, unread_kinds, excludes)
        for key, spec in pods
        for missing in _missing(Field(key, ("spec",), spec), around)
    ]
    return tuple(dict.fromkeys(gaps))


def missing_classes(pods: Iterable[Manifest], context: PodContext) -> Iterator[MissingClass]:
    """The classes that the input lacks, and that decide on the ``pods`` which no API server has completed yet."""
    for manifest in pods:
        spec = mapping({} if manifest.stored else manifest.data, "spec")
        if spec.get("priority") is None:
            yield from _named(manifest.key, spec, PRIORITY_CLASS, context.priority_classes)
        if not spec.get("overhead"):
            yield from _named(manifest.key, spec, RUNTIME_CLASS, context.overheads)


def _named(key: ObjectKey, spec: JsonObject, kind: tuple[str, str], known: Collection[str]) -> Iterator[MissingClass]:
    name = spec.get(_FIELDS[kind])
    if isinstance(name, str) and name and name not in known:
        yield MissingClass(ObjectKey(*kind, "", name), Place(key, ("spec", _FIELDS[kind])))


def _gap_of(missing: MissingClass, unread_kinds: Collection[str], excludes: Callable[[ObjectKey], bool]) -> Gap:
    kind, name = missing.key.kind, missing.key.name
    if kind in unread_kinds:
        return Gap(UNREAD, (), touches=True, subject=kind)
    if excludes(missing.key):
        return Gap(INVALID, (), touches=True, subject=f"its {kind} {name} does not exist")
    return not_given(missing.key, (missing.named_in,), touches=True)


def _missing(spec: Field, around: Surroundings) -> Iterator[MissingClass]:
    known = ((PRIORITY_CLASS, around.context.priority_classes), (RUNTIME_CLASS, around.context.overheads))
    for (group, kind), names in known:
        named = spec.at(_FIELDS[group, kind])
        if named.text() and named.text() not in names:
            yield MissingClass(ObjectKey(group, kind, "", named.text()), named.place)


def _priority_clauses(spec: Field, around: Surroundings) -> Iterator[str]:
    """A new pod may repeat what its class sets, and nothing else; without a class, what the default one sets."""
    name, context = spec.at("priorityClassName").text(), around.context
    if name and name not in context.priority_classes:
        return
    value = context.priority_classes[name] if name else context.default_priority or 0
    source = f"its PriorityClass {name} sets" if name else "a pod without a PriorityClass has"
    written = spec.at("priority")
    if written.value is not None and written.integer(0) != value:
        yield f"priority is {written.integer(0)}, and {source} {value}"
    policy = _NEVER if (name in around.never if name else around.default_never) else _USUAL
    wished = spec.at("preemptionPolicy").text()
    if wished and wished != policy:
        yield f"preemptionPolicy is {wished}, and {source} {policy}"


def _overhead_clauses(spec: Field, around: Surroundings) -> Iterator[str]:
    """A new pod may repeat the overhead that its class sets, and nothing else."""
    name, overhead = spec.at("runtimeClassName").text(), spec.at("overhead").resources(native=True)
    if not overhead or (name and name not in around.context.overheads):
        return
    if not name:
        yield "overhead is set, and it has no RuntimeClass"
    elif overhead != around.context.overheads[name]:
        yield f"overhead is not that of its RuntimeClass {name}"
