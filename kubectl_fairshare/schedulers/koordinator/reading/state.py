"""The part of a snapshot that Koordinator's quotas decide on.

Without one of its quotas nothing is read, because a dump of such a cluster may have any number of pods.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from kubectl_fairshare.input.kinds import SCHEDULER_CONFIGURATION
from kubectl_fairshare.input.parts import Material
from kubectl_fairshare.input.text.scheduler_configuration import (
    HOLDERS,
    scheduler_configurations,
    unread_configurations,
)
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.node_demand import NodeDemand, read_demand
from kubectl_fairshare.jobs.pod_surroundings import PRIORITY_CLASS, RUNTIME_CLASS
from kubectl_fairshare.jobs.resource_quotas import creation_quota
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import JsonObject, rows
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.jobs.pods import pod_reader
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import amounts_of
from kubectl_fairshare.schedulers.koordinator.model.names import RENAMED, renamed
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Node, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.reading.annotations import trimmed
from kubectl_fairshare.schedulers.koordinator.reading.arguments import PluginSettings, configured
from kubectl_fairshare.schedulers.koordinator.reading.chart import KoordinatorChart, made_by_chart
from kubectl_fairshare.schedulers.koordinator.reading.gates import gates_in, odd_gates, programs_in
from kubectl_fairshare.schedulers.koordinator.reading.quotas import is_leaving, quota_of, tree_profile_of, with_trees
from kubectl_fairshare.schedulers.koordinator.reading.unknown import unknown_places
from kubectl_fairshare.schedulers.koordinator.reading.unmodelled import KINDS, unmodelled_in
from kubectl_fairshare.schedulers.koordinator.release import MARKS, NAME, Rounding, are_odd, rounding_of, standing_of
from kubectl_fairshare.schedulers.kubescheduler.bounds import pod_bounds
from kubectl_fairshare.schedulers.kubescheduler.reading import budget_of, read_objects, waits

T = TypeVar("T")
QUOTA: Final = (names.GROUP, names.KIND)
READ: Final = frozenset(
    {
        QUOTA,
        (names.PROFILE_GROUP, names.PROFILE_KIND),
        SCHEDULER_CONFIGURATION,
        ("policy", "PodDisruptionBudget"),
        *(("", kind) for kind in ("Pod", "Node")),
        *KINDS,
    }
)
"""The kinds that answers rest on, in addition to those that complete every pod."""


class _Objects(Value):
    """The objects by kind, and their problems, while a state is built."""

    by_kind: ByKind
    problems: list[Problem] = field(default_factory=list)

    def of(self, group: str, kind: str) -> Sequence[Manifest]:
        """The manifests of a kind."""
        return self.by_kind.get((group, kind), ())

    def each(self, group: str, kind: str, read: Callable[[Manifest], T]) -> list[T]:
        """The result of ``read`` for each object of a kind; an unreadable one is left out and recorded."""
        return self.every(self.of(group, kind), read)

    def every(self, manifests: Iterable[Manifest], read: Callable[[Manifest], T]) -> list[T]:
        """The result of ``read`` for each manifest; an unreadable one is left out and recorded."""
        return read_objects(manifests, read, self.problems)


def koordinator_state(material: Material) -> tuple[KoordinatorState, Sequence[Problem]]:
    """The state of manifests, sorted by key, and the problems in them. Raises ``UsageError`` for a bad release."""
    if QUOTA not in material.by_kind:
        return KoordinatorState(unread=material.unread), ()
    objects = _Objects(material.by_kind)
    return _state(objects, material), objects.problems


def _state(objects: _Objects, material: Material) -> KoordinatorState:
    made, named = made_by_chart(material.by_kind), material.releases.get(NAME)
    settings, lacks_settings = _settings(objects, made)
    programs = programs_in(material.by_kind)
    gates_at = made.scheduler.place if made.scheduler is not None and not programs.schedulers else _as_written
    elsewhere = made.elsewhere if lacks_settings or not programs.schedulers else ()
    if lacks_settings:
        elsewhere += unread_configurations(material.by_kind, MARKS, programs.schedulers)
    programs = programs.or_of(made)
    releases = (named,) if named else programs.releases
    classes = [m for kind in (PRIORITY_CLASS, RUNTIME_CLASS) for m in objects.of(*kind)]
    reader = pod_reader(classes, material.pods)
    quotas, doubles = _quotas(objects)
    pods = objects.each("", "Pod", lambda m: reader.read(m.key, m.data, taken=m.stored))
    nodes = objects.each("", "Node", machine_of)
    return KoordinatorState(
        quotas=quotas,
        doubles=doubles,
        ending=tuple(objects.every((m for m in objects.of(*QUOTA) if is_leaving(m)), quota_of)),
        nodes={node.name: node for node in nodes},
        pods=tuple(pod for pod in pods if pod is not None),
        demands=_demands(objects),
        budgets=tuple(objects.each("policy", "PodDisruptionBudget", budget_of)),
        bounds=pod_bounds(objects.each(*RESOURCE_QUOTA, creation_quota)),
        tree_profiles=tuple(objects.each(names.PROFILE_GROUP, names.PROFILE_KIND, tree_profile_of)),
        arguments=settings.chosen,
        gates=gates_in(programs),
        priorities=dict(sorted(material.pods.priority_classes.items())),
        foreign=tuple(Place(m.key) for m in objects.of(names.SCHEDULER_PLUGINS_GROUP, names.KIND)),
        profiles=settings.profiles,
        altered=dict(sorted(settings.altered.items())),
        alone=frozenset(settings.alone),
        early=frozenset(settings.early),
        idle_filters=dict(sorted(settings.idle.items())),
        several_arguments=settings.rival,
        unmodelled=unmodelled_in(objects.of),
        odd_gates={name: gates_at(place) for name, place in odd_gates(programs).items()},
        elsewhere=elsewhere,
        unknown=unknown_places(material.by_kind, made.configuration),
        unread=material.unread,
        moment=_latest(pod.data for pod in objects.of("", "Pod") if is_leaving(pod)),
        rounding=_rounding(releases),
        odd_release=", ".join(releases) if are_odd(releases) else "",
        standing=standing_of(releases),
    )


def _settings(objects: _Objects, made: KoordinatorChart) -> tuple[PluginSettings, bool]:
    """The configuration of the input, otherwise the one that the chart makes; and whether the input lacks one."""
    written = scheduler_configurations(m for kind in HOLDERS for m in objects.of(*kind))
    found = configured(written, objects.problems)
    if found.seen or made.configuration is None:
        return found, not found.seen
    of_chart = configured([root_of(made.configuration.manifest)], objects.problems)
    return of_chart.written_at(made.configuration.place), True


def _as_written(place: Place) -> Place:
    return place


def _rounding(releases: tuple[str, ...]) -> Rounding:
    try:
        return rounding_of(releases[-1]) if releases else Rounding.EACH
    except ValueError as error:
        raise UsageError(Problem(str(error), "--release")) from None


def _quotas(objects: _Objects) -> tuple[dict[str, QuotaGroup], dict[str, tuple[QuotaGroup, ...]]]:
    """The quotas by name, and further ones of the same names. The last by namespace counts."""
    by_name: dict[str, list[QuotaGroup]] = {}
    standing = [m for m in objects.of(*QUOTA) if not is_leaving(m)]
    for quota in objects.every(standing, quota_of):
        by_name.setdefault(quota.name, []).append(quota)
    doubles = {name: tuple(each[:-1]) for name, each in sorted(by_name.items()) if len(each) > 1}
    quotas = {name: each[-1] for name, each in sorted(by_name.items())}
    return with_trees(quotas, {m.key for m in standing if not m.stored}), doubles


def _demands(objects: _Objects) -> dict[ObjectKey, NodeDemand]:
    waiting = [m for m in objects.of("", "Pod") if waits(m)]
    return dict(objects.every(waiting, lambda m: (m.key, read_demand(root_of(m).at("spec")))))


def _latest(leaving: Iterable[JsonObject]) -> int | None:
    """The latest moment at which a pod that is being deleted reports a condition, in nanoseconds since the epoch."""
    found = []
    for text in (c.get("lastTransitionTime") for data in leaving for c in rows(data, "status", "conditions")):
        with suppress(ValueError):
            found.append(nanoseconds(str(text)))
    return max(found, default=None)


def machine_of(manifest: Manifest) -> Node:
    """A node. Raises ``FairshareError`` and ``QuantityError`` for fields that cannot be read."""
    root = root_of(manifest)
    metadata, spec, status = root.at("metadata"), root.at("spec"), root.at("status")
    written = status.at("allocatable")
    amounts = amounts_of((written if written.value is not None else status.at("capacity")).mapping())
    reservation = metadata.at("annotations").texts().get(names.RESERVATION, "")
    conditions = [c for c in status.at("conditions").entries() if c.at("type").value == "Ready"]
    return Node(
        manifest.key,
        metadata.at("labels").texts(),
        tuple(
            Taint(t.at("key").text(), t.at("value").text(), t.at("effect").text()) for t in spec.at("taints").entries()
        ),
        spec.at("unschedulable").flag(),
        renamed(trimmed(amounts, reservation), RENAMED),
        is_leaving(manifest),
        all(c.at("status").value == "True" for c in conditions),
    )
