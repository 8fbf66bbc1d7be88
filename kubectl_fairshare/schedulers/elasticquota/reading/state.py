"""The part of a snapshot that CapacityScheduling decides on: ElasticQuotas and the scheduler's other input.

Without an ElasticQuota nothing is read, because a dump of such a cluster may have any number of pods.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from kubectl_fairshare.input.text.scheduler_configuration import (
    HOLDERS,
    scheduler_configurations,
    unread_configurations,
)
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.node_demand import read_demand
from kubectl_fairshare.jobs.pod_surroundings import PRIORITY_CLASS, RUNTIME_CLASS, Surroundings, surroundings
from kubectl_fairshare.jobs.resource_quotas import creation_quota
from kubectl_fairshare.model.errors import FIX_THE_FIELD, FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.quantity import QuantityError
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import read_pod
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND, KOORDINATOR_GROUP
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, ElasticQuotaState, Hard, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector, amount, is_held, vector_of
from kubectl_fairshare.schedulers.elasticquota.reading.chart import PluginsChart
from kubectl_fairshare.schedulers.elasticquota.reading.profiles import Alterations, profiles_of
from kubectl_fairshare.schedulers.elasticquota.reading.unknown import unknown_places
from kubectl_fairshare.schedulers.elasticquota.release import MARKS, scheduler_programs
from kubectl_fairshare.schedulers.kubescheduler.bounds import pod_bounds
from kubectl_fairshare.schedulers.kubescheduler.reading import budget_of, odd_amount, read_objects, stored_form, waits

T = TypeVar("T")


class _Reading(Value):
    """The objects by kind, and their problems, while a state is built."""

    by_kind: ByKind
    problems: list[Problem] = field(default_factory=list)

    def each(self, group: str, kind: str, read: Callable[[Manifest], T]) -> list[T]:
        """The result of ``read`` for each object of a kind; an unreadable one is left out and recorded."""
        return read_objects(self.by_kind.get((group, kind), ()), read, self.problems)


def elasticquota_state(
    manifests: ByKind, context: PodContext, made: PluginsChart
) -> tuple[ElasticQuotaState, Sequence[Problem]]:
    """The state of manifests, sorted by key, and of what a chart makes; and the problems in them."""
    foreign = tuple(Place(m.key) for m in manifests.get((KOORDINATOR_GROUP, KIND), ()))
    if (GROUP, KIND) not in manifests:
        return ElasticQuotaState(foreign=foreign), ()
    reading = _Reading(manifests)
    return _state(reading, context, foreign, made), reading.problems


def _state(reading: _Reading, context: PodContext, foreign: tuple[Place, ...], made: PluginsChart) -> ElasticQuotaState:
    classes = [m for kind in (PRIORITY_CLASS, RUNTIME_CLASS) for m in reading.by_kind.get(kind, ())]
    around = surroundings(classes, context)
    profiles, altered, elsewhere = _profiles(reading, made)
    by_namespace: dict[str, list[ElasticQuota]] = {}
    for quota in reading.each(GROUP, KIND, _quota):
        by_namespace.setdefault(quota.namespace, []).append(quota)
    pods = reading.each("", "Pod", lambda m: _pod(m, around))
    waiting = [m for m in reading.by_kind.get(("", "Pod"), ()) if waits(m)]
    demands = _Reading({("", "Pod"): waiting}, reading.problems).each(
        "", "Pod", lambda m: (m.key, read_demand(root_of(m).at("spec")))
    )
    return ElasticQuotaState(
        quotas={namespace: quotas[0] for namespace, quotas in by_namespace.items()},
        others={namespace: tuple(quotas[1:]) for namespace, quotas in by_namespace.items() if len(quotas) > 1},
        nodes={node.name: node for node in reading.each("", "Node", _node)},
        pods=tuple(pod for pod in pods if pod is not None),
        demands=dict(demands),
        budgets=tuple(reading.each("policy", "PodDisruptionBudget", budget_of)),
        hards=tuple(reading.each("", "ResourceQuota", _hard)),
        bounds=pod_bounds(_Reading(reading.by_kind).each("", "ResourceQuota", creation_quota)),
        priorities=dict(sorted(context.priority_classes.items())),
        foreign=foreign,
        profiles=profiles,
        altered=altered,
        elsewhere=elsewhere,
        unknown=unknown_places(reading.by_kind, made.configuration),
    )


def _profiles(reading: _Reading, made: PluginsChart) -> tuple[tuple[str, ...] | None, Alterations, tuple[Place, ...]]:
    """The profiles of the input, else of the chart; and the settings of the chart that cannot be read, if it counts."""
    holders = (manifest for kind in HOLDERS for manifest in reading.by_kind.get(kind, ()))
    profiles, altered = profiles_of(scheduler_configurations(holders), reading.problems)
    if profiles is not None:
        return profiles, altered, ()
    lacks = (*made.elsewhere, *unread_configurations(reading.by_kind, MARKS, scheduler_programs(reading.by_kind)))
    chart = made.configuration
    if chart is None:
        return None, {}, lacks
    problems: list[Problem] = []
    profiles, altered = profiles_of([root_of(chart.manifest)], problems)
    unread = (chart.place(each.place) for each in problems if isinstance(each.place, Place))
    return profiles, {name: chart.place(at) for name, at in altered.items()}, (*lacks, *unread)


def _quota(manifest: Manifest) -> ElasticQuota:
    root = root_of(manifest)
    spec = (root if manifest.stored else Field(manifest.key, (), _stored_form(manifest))).at("spec")
    least, most, used = spec.at("min"), spec.at("max"), root.at("status", "used")
    return ElasticQuota(
        key=manifest.key,
        min=_vector(least),
        max=_vector(most),
        written_min=least.mapping(),
        written_max=most.mapping(),
        status_used=None if used.value is None else {r: amount(r, v) for r, v in used.mapping().items() if is_held(r)},
    )


def _stored_form(manifest: Manifest) -> JsonObject | None:
    """The quota as an API server would store it. Raises ``FairshareError`` with everything that it would reject."""
    from kubectl_fairshare.schedulers.elasticquota.admission.judge import judge
    from kubectl_fairshare.schedulers.elasticquota.admission.kinds import VERSION

    return stored_form(manifest, "scheduler-plugins", VERSION, judge)


def _vector(amounts: Field) -> Vector | None:
    """The amounts of a list; None for a missing list. Raises ``FairshareError``, ``QuantityError``."""
    if amounts.value is None:
        return None
    try:
        return vector_of(amounts.mapping())
    except QuantityError as error:
        raise FairshareError(Problem(str(error), odd_amount(amounts, vector_of).place, FIX_THE_FIELD)) from None


def _pod(manifest: Manifest, around: Surroundings) -> Pod | None:
    return read_pod(manifest.key, manifest.data, around, taken=manifest.stored)


def _node(manifest: Manifest) -> Node:
    root = root_of(manifest)
    spec, status = root.at("spec"), root.at("status")
    amounts = status.at("allocatable")
    return Node(
        manifest.key,
        root.at("metadata", "labels").texts(),
        tuple(
            Taint(t.at("key").text(), t.at("value").text(), t.at("effect").text()) for t in spec.at("taints").entries()
        ),
        spec.at("unschedulable").flag(),
        _vector(amounts if amounts.value is not None else status.at("capacity")) or Vector(),
    )


def _hard(manifest: Manifest) -> Hard:
    root = root_of(manifest)
    spec = root.at("spec")
    scoped = bool(spec.at("scopes").entries() or spec.at("scopeSelector").mapping())
    bounds: Json = root.at("status", "hard").mapping()
    path = ("status", "hard") if bounds else ("spec", "hard")
    for resource, value in (bounds or spec.at("hard").mapping()).items():
        amount(resource, value)
    return Hard(manifest.key, bounds or spec.at("hard").mapping(), scoped, path)
