"""Whether the ResourceQuotas of a namespace reject new pods, as an API server does before any scheduler sees them.

Source: Kubernetes 1.35, the admission plugin ResourceQuota and its evaluator of pods; it runs last, on completed pods.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import (
    CHANCE_DEFAULTS,
    CROWDED,
    ENDING_NAMESPACE,
    INVALID,
    REJECTED,
    UNREAD,
    Gap,
)
from kubectl_fairshare.answers.holds import CreationRefusal, Hold, HoldKind
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.limits import takes_chance_default, with_default_limits
from kubectl_fairshare.jobs.pod_classes import class_clauses, missing_class_gaps
from kubectl_fairshare.jobs.pod_surroundings import (
    ENDED,
    PRIORITY_CLASS,
    RUNTIME_CLASS,
    WRONG_SHAPE,
    Surroundings,
    completed_spec,
    unreadable,
)
from kubectl_fairshare.jobs.pod_validation import rejected_amounts
from kubectl_fairshare.jobs.resource_quotas import CreationCheck, CreationQuota, creation_quota, pod_usage
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace

_MOST_PODS: Final = 1_000
"""The pods of one template that ResourceQuotas are asked about: more of them are rejected no later."""
_NOTHING: Final[JsonObject] = {}
_POD: Final = ("", "Pod")
_COUNTING: Final = frozenset({RESOURCE_QUOTA, _POD, PRIORITY_CLASS, RUNTIME_CLASS})


class EqualPods(NamedTuple):
    """``number`` pods of one spec."""

    spec: JsonObject
    number: int


def quota_objects(manifests: Mapping[ObjectKey, Manifest]) -> dict[ObjectKey, Manifest]:
    """The objects by which ResourceQuotas reject pods, of all that are given; none without a ResourceQuota."""
    if all(key[:2] != RESOURCE_QUOTA for key in manifests):
        return {}
    return {key: manifest for key, manifest in manifests.items() if key[:2] in _COUNTING}


def creation_gaps(  # noqa: PLR0913 -- what is known of the input, all by keyword
    manifests: Mapping[ObjectKey, Manifest],
    pods: Iterable[tuple[ObjectKey, JsonObject]],
    around: Surroundings,
    unread_kinds: Collection[str] = (),
    *,
    described: bool = False,
    excludes: Callable[[ObjectKey], bool] | None = None,
    quotas: bool = True,
    bounds: "NewPods | None" = None,
) -> tuple[Gap, ...]:
    """What keeps one of the new ``pods``, created in this order, from being created; empty if an API server takes all.

    That is a namespace that is being deleted, amounts that no pod may have, classes, or ResourceQuotas, of which one
    gap names the bounds; another names those that reject a pod if other new pods of the input are created before it.
    ``manifests`` are the objects of the input, ``pods`` the keys and the specs as users write them. ``unread_kinds``
    are those of which not all objects could be read; ``described``: options describe the pods. ``excludes``: whether an
    object that the input lacks exists nowhere; without it, missing classes are left out.
    ``bounds`` are those of the input, if they were read before; ``quotas`` False leaves them out, for a caller that
    answers them.
    Raises ``FairshareError`` for a field of another type.
    """
    pods = list(pods)
    unread = bool(pods) and RESOURCE_QUOTA[1] in unread_kinds
    asked = None if unread or not quotas else bounds or NewPods(manifests, around)
    places = () if asked is None else refused_places(asked.refusals(pods, described=described))
    crowded = () if asked is None or places else asked.crowding(pods, described=described)
    return (
        *ending_namespace_gaps(manifests, (key.namespace for key, _ in pods)),
        *invalid_pod_gaps(pods, around, described=described),
        *(() if excludes is None else missing_class_gaps(pods, around, unread_kinds, excludes)),
        *_chance_gaps(pods, around),
        *([Gap(REJECTED, places, touches=True)] if places else ()),
        *([Gap(CROWDED, crowded, touches=True)] if crowded else ()),
        *([Gap(UNREAD, (), touches=True, subject=RESOURCE_QUOTA[1])] if unread else ()),
    )


def refused_places(refused: Iterable[Iterable[CreationRefusal]]) -> tuple[Place, ...]:
    """The bounds that reject pods, each once."""
    return tuple(dict.fromkeys(refusal.place for refusals in refused for refusal in refusals))


class NewPods:
    """The new pods of an input next to its ResourceQuotas, which are asked about some of them at a time."""

    def __init__(self, manifests: Mapping[ObjectKey, Manifest], around: Surroundings) -> None:
        """``manifests`` are the objects of the input, ``around`` completes pods."""
        self._manifests, self._around = quota_objects(manifests), around
        self._checks: dict[tuple[str, bool], CreationCheck | None] = {}
        self._namespaces = {key.namespace for key in self._manifests if key[:2] == RESOURCE_QUOTA}
        pods = ((key, pod) for key, pod in self._manifests.items() if key[:2] == _POD)
        self._new = {key: pod for key, pod in pods if not has_been_created(pod)}

    @cached_property
    def idle(self) -> "NewPods":
        """The same bounds where no pods are."""
        objects = {key: _unused(each) for key, each in self._manifests.items() if key[:2] != _POD}
        return NewPods(objects, self._around)

    def limited(self, namespace: str) -> bool:
        """Whether the namespace has a ResourceQuota."""
        return namespace in self._namespaces

    def refusals(
        self, pods: Sequence[tuple[ObjectKey, JsonObject]], *, described: bool = False, last: bool = False
    ) -> list[tuple[CreationRefusal, ...]]:
        """For each of the ``pods``, created in this order, the bounds of ResourceQuotas that reject it.

        ``last``: all other new pods of the input are created before; ``described``: options describe the pods.
        Raises ``FairshareError`` for a field of another type.
        """
        counted = [(key, self._new[key]) for key, _ in pods if last and key in self._new]
        for key, own in counted:
            self._count(key, own.data.get("spec") or _NOTHING, last, -1)
        found = [self._rejected(key, spec, last, described) for key, spec in pods]
        for (key, spec), refused in zip(pods, found, strict=True):
            self._count(key, spec, last, 0 if refused else -1)
        for key, own in counted:
            self._count(key, own.data.get("spec") or _NOTHING, last, 1)
        return found

    def crowding(self, pods: Sequence[tuple[ObjectKey, JsonObject]], *, described: bool = False) -> tuple[Place, ...]:
        """The bounds that reject one of the ``pods`` if all other new pods of the input are created before.

        Raises ``FairshareError`` for a field of another type.
        """
        if not self._new.keys() - {key for key, _ in pods}:
            return ()
        return refused_places(self.refusals(pods, described=described, last=True))

    def _rejected(self, key: ObjectKey, spec: JsonObject, last: bool, described: bool) -> tuple[CreationRefusal, ...]:
        check = self._check(key.namespace, last)
        if check is None:
            return ()
        try:
            return check.rejections(_completed(key, spec, self._around), described=described)
        except WRONG_SHAPE as error:
            raise unreadable(key, {"spec": spec}, error) from error

    def _count(self, key: ObjectKey, spec: JsonObject, last: bool, number: int) -> None:
        check = self._check(key.namespace, last)
        if check is not None and number:
            check.count(_completed(key, spec, self._around), number)

    def _check(self, namespace: str, last: bool) -> CreationCheck | None:
        name = namespace, last
        if name not in self._checks:
            self._checks[name] = _check_of(self._manifests, namespace, self._around)
            for key, pod in self._new.items() if last else ():
                if key.namespace == namespace:  # no status has them
                    self._count(key, pod.data.get("spec") or _NOTHING, last, 1)
        return self._checks[name]


def _unused(manifest: Manifest) -> Manifest:
    """A ResourceQuota of which nothing is used; any other object as it is."""
    status = manifest.data.get("status")
    if manifest.key[:2] != RESOURCE_QUOTA or not isinstance(status, dict) or "used" not in status:
        return manifest
    rest = {name: value for name, value in status.items() if name != "used"}
    return replace(manifest, held_data={**manifest.data, "status": rest})


def _completed(key: ObjectKey, spec: JsonObject, around: Surroundings) -> JsonObject:
    try:
        completed = _with_limits(spec, key.namespace, around)
        pod_usage(completed)
    except WRONG_SHAPE as error:
        raise unreadable(key, {"spec": spec}, error) from error
    return completed


def quota_holds(
    bounds: NewPods, key: ObjectKey, pods: Sequence[EqualPods], there: int = 0, *, described: bool = False
) -> Iterator[Hold]:
    """A hold if the ResourceQuotas of its namespace reject some of the new ``pods`` of an object.

    If the pods differ, it depends on their order how many are created. ``there`` counts the pods that the object has;
    ``described``: options describe it. Raises ``FairshareError`` for a field of another type.
    """
    specs = [(key, each.spec) for each in pods for _ in range(min(each.number, _MOST_PODS))]
    results = bounds.refusals(specs, described=described)
    places = dict.fromkeys(refusal.place for found in results for refusal in found)
    if not places:
        return
    wanted, created = there + sum(each.number for each in pods), there + sum(not found for found in results)
    number = str(created) if len({repr(each.spec) for each in pods}) == 1 else "not all"
    for quota in dict.fromkeys(place.object for place in places):
        own = [place for place in places if place.object == quota]
        names = ", ".join(str(place.path[-1]) for place in own)
        name = f"{quota.namespace}/{quota.name}"
        yield Hold(HoldKind.QUOTA, (name, number, str(wanted), names), own[0])


def _chance_gaps(pods: Iterable[tuple[ObjectKey, JsonObject]], around: Surroundings) -> Iterator[Gap]:
    """A gap if a pod gets a default that LimitRanges set differently."""
    chances = around.context.chance_defaults
    specs = ((key, Field(key, ("spec",), spec)) for key, spec in pods)
    taking = (key for key, spec in specs if takes_chance_default(spec, chances.get(key.namespace, {})))
    first = next(taking, None)
    if first is not None:
        yield Gap(CHANCE_DEFAULTS, (Place(first),), touches=True)


def ending_namespace_gaps(manifests: Mapping[ObjectKey, Manifest], namespaces: Iterable[str]) -> Iterator[Gap]:
    """A gap for each of the ``namespaces`` that is being deleted. Raises ``FairshareError`` for another type."""
    for name in sorted(set(namespaces)):
        manifest = manifests.get(ObjectKey("", "Namespace", "", name))
        if manifest is not None and _is_ending(root_of(manifest)):
            yield Gap(ENDING_NAMESPACE, (Place(manifest.key),), touches=True, subject=name)


def _is_ending(namespace: Field) -> bool:
    deleted = namespace.at("metadata", "deletionTimestamp").value is not None
    return deleted or namespace.at("status", "phase").text() == "Terminating"


def is_created(data: JsonObject) -> bool:
    """Whether an API server has taken the object: it then has a version, a UID, or a time of creation."""
    metadata = data.get("metadata")
    return isinstance(metadata, dict) and any(metadata.get(n) for n in ("resourceVersion", "uid", "creationTimestamp"))


def has_been_created(pod: Manifest) -> bool:
    """Whether an API server has the pod: it says so, or it has a node, a phase, or an object that made it."""
    metadata, spec, status = (pod.data.get(name) for name in ("metadata", "spec", "status"))
    return (
        pod.stored
        or is_created(pod.data)
        or (isinstance(metadata, dict) and bool(metadata.get("ownerReferences")))
        or (isinstance(spec, dict) and bool(spec.get("nodeName")))
        or (isinstance(status, dict) and bool(status.get("phase")))
    )


def invalid_pod_gaps(
    pods: Iterable[tuple[ObjectKey, JsonObject]], around: Surroundings, *, described: bool = False
) -> tuple[Gap, ...]:
    """A gap for each mistake in the amounts and classes of new ``pods`` that no API server takes.

    Limits may be defaults. A priority that options ``described`` is that of some class. Raises ``FairshareError`` for a
    field of another type.
    """
    clauses: dict[str, None] = {}
    for key, spec in pods:
        try:
            completed = _with_limits(spec, key.namespace, around)
            clauses |= dict.fromkeys(rejected_amounts(completed, described=described))
            clauses |= {} if described else dict.fromkeys(class_clauses(key, spec, around))
        except WRONG_SHAPE as error:
            raise unreadable(key, {"spec": spec}, error) from error
    return tuple(Gap(INVALID, (), touches=True, subject=clause) for clause in clauses)


def _check_of(manifests: Mapping[ObjectKey, Manifest], namespace: str, around: Surroundings) -> CreationCheck | None:
    """The ResourceQuotas of a namespace with what the pods use that an API server has; None without one."""
    quotas = _quotas_of(manifests, namespace)
    if not quotas:
        return None
    there = [manifest for key, manifest in manifests.items() if key[:3] == (*_POD, namespace)]
    pods = filter(has_been_created, there)
    specs = (_spec_of(pod, around) for pod in pods if (pod.data.get("status") or _NOTHING).get("phase") not in ENDED)
    return CreationCheck(quotas, specs, _default_class(manifests))


def replayed_check(
    manifests: Mapping[ObjectKey, Manifest], namespace: str, live: Iterable[JsonObject]
) -> CreationCheck | None:
    """The ResourceQuotas of a namespace in which the pods of these specs are ``live`` and no others; None without one.

    Raises ``FairshareError`` for a field of another type.
    """
    quotas = [replace(quota, used={}) for quota in _quotas_of(manifests, namespace)]
    return CreationCheck(quotas, live, _default_class(manifests)) if quotas else None


def _quotas_of(manifests: Mapping[ObjectKey, Manifest], namespace: str) -> list[CreationQuota]:
    return [creation_quota(m) for key, m in manifests.items() if key[:3] == (*RESOURCE_QUOTA, namespace)]


def _default_class(manifests: Mapping[ObjectKey, Manifest]) -> str:
    """The class of pods whose spec has no class; empty without a default."""
    defaults = [m for key, m in manifests.items() if key[:2] == PRIORITY_CLASS and m.data.get("globalDefault") is True]
    lowest = min(defaults, key=lambda m: int(m.data.get("value") or 0), default=None)
    return "" if lowest is None else lowest.key.name


def _spec_of(pod: Manifest, around: Surroundings) -> JsonObject:
    spec = pod.data.get("spec") or _NOTHING
    try:
        completed = spec if pod.stored else _with_limits(spec, pod.key.namespace, around)
        pod_usage(completed)
    except WRONG_SHAPE as error:
        raise unreadable(pod.key, pod.data, error) from error
    return completed


def _with_limits(spec: JsonObject, namespace: str, around: Surroundings) -> JsonObject:
    """The spec as an API server completes it, with the default limits of LimitRanges."""
    limits = around.context.limit_ranges.get(namespace) or {}
    return with_default_limits(completed_spec(spec, namespace, around), limits)
