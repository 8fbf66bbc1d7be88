"""What rules look at: everything that was read, judged and, where it can be, understood.

An object that the API server refuses has its causes and nothing else: what else it would mean nobody can say,
so rules about several objects know it by name only. That keeps one mistake one finding.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.lint.machines import Machines
from kubectl_fairshare.lint.suppression import Suppression, Unused
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.model.objects import QUEUE_GROUP, KaiState
from kubectl_fairshare.schedulers.kueue.jobs import Context
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, Configuration
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.rules.submissions import submissions
from kubectl_fairshare.schedulers.kueue.rules.written_quotas import Entry, has_no_number, odd_entries
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, grow

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.elasticquota.rules.quotas import Quotas
    from kubectl_fairshare.schedulers.kai.rules.queues import Queues


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """One object, equal to itself alone.

    ``judgement`` is what the API server would say to its create; None when it has taken it already. ``stored`` is
    its form in the cluster, in the stored version; None when it is refused or cannot be read.
    """

    manifest: Manifest
    judgement: Judgement | None = None
    stored: JsonObject | None = None

    @property
    def key(self) -> ObjectKey:
        """The object's identity."""
        return self.manifest.key

    def at(self, *path: str | int) -> Place:
        """A place in the object."""
        return Place(self.manifest.key, path)


@dataclass(frozen=True, slots=True)
class Configured:
    """Kueue's Configuration as it was written. ``place`` is where it begins: an object, or a text inside a ConfigMap.

    ``view`` is its v1beta2 form with defaults, None when the manager would not start with it, for ``causes``.
    """

    data: JsonObject
    place: Place
    causes: tuple[Cause, ...]
    view: JsonObject | None

    def at(self, *path: str | int) -> Place:
        """A place in the Configuration."""
        return Place(self.place.object, (*self.place.path, *path))


class Scheduler(NamedTuple):
    """A KubeSchedulerConfiguration as it was written. ``place`` is where it begins: an object, or a text inside one."""

    data: JsonObject
    place: Place

    def at(self, *path: str | int) -> Place:
        """A place in the configuration."""
        return Place(self.place.object, (*self.place.path, *path))


@dataclass(frozen=True)
class Given:
    """All that rules may look at; made by ``sources``.

    ``examined`` holds every object of the judged APIs, by key; ``snapshot`` what the accepted ones amount to,
    ``problems`` what could not be read in any, ``unread`` what in the text of a Configuration. ``complete``
    says that nothing lies outside of the input.
    """

    snapshot: Snapshot
    context: Context
    release: Release
    examined: Mapping[ObjectKey, Examined] = field(default_factory=dict)
    configured: tuple[Configured, ...] = ()
    schedulers: tuple[Scheduler, ...] = ()
    unread: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    complete: bool = False
    suppressions: tuple[Suppression, ...] = ()
    unused: tuple[Unused, ...] = ()

    @property
    def kueue(self) -> KueueState:
        """Kueue's part of the snapshot: accepted objects only."""
        return self.snapshot.part(KueueState)

    @property
    def configuration(self) -> Configuration:
        """Kueue's Configuration, defaults where none was given."""
        return self.snapshot.part(KueueState).configuration

    def of(self, kind: str, group: str = GROUP) -> Sequence[Examined]:
        """The objects of a kind, refused ones too, by namespace and name."""
        return self._by_kind.get((group, kind), ())

    def manifests(self, kind: str, group: str = "") -> Sequence[Manifest]:
        """The objects of a kind that is not judged, by namespace and name."""
        return self._unjudged.get((group, kind), ())

    def causes(self, law: str) -> Sequence[tuple[Examined, Cause]]:
        """What the API server refuses under one law, in any object."""
        return self._causes.get(law, ())

    def written(self, kind: str, name: str, namespace: str = "") -> bool:
        """Whether Kueue's object stands in the input, were it one that is refused, be it for its name or its kind."""
        return ObjectKey(GROUP, kind, namespace, name) in self.examined or name in self._misnamed

    def names(self, kind: str) -> frozenset[str]:
        """The names of Kueue's objects of a kind, refused ones too."""
        return frozenset(each.key.name for each in self.of(kind))

    @cached_property
    def forest(self) -> Forest:
        """Cohorts and queues with the quota that each can reach."""
        return grow(self.snapshot.part(KueueState), frozenset())

    @cached_property
    def submitted(self) -> tuple[Pending, ...]:
        """The workloads that wait, or would: jobs of the input, and Workloads whose job is not in it, by source."""
        return submissions(self.snapshot, self.context)

    @cached_property
    def quotas(self) -> "Quotas":
        """ElasticQuotas that count, with the pods that they bind."""
        from kubectl_fairshare.schedulers.elasticquota.rules.quotas import quotas_of

        return quotas_of(self.snapshot, self.context)

    @cached_property
    def queues(self) -> "Queues":
        """KAI's queues that the API server takes."""
        from kubectl_fairshare.schedulers.kai.rules.queues import queues_of

        judged = [*self.of("Queue", QUEUE_GROUP), *self.of("PodGroup", QUEUE_GROUP)]
        refused = frozenset(each.key for each in judged if each.stored is None)
        return queues_of(self.snapshot.part(KaiState), self.snapshot.manifests, refused)

    @cached_property
    def machines(self) -> Machines:
        """The Nodes of the input."""
        return Machines(self.manifests("Node"))

    @cached_property
    def odd_quotas(self) -> tuple[Entry, ...]:
        """The quotas of new ClusterQueues and Cohorts, refused ones too, that are written in no plain way."""
        of_kinds = (*self.of("ClusterQueue"), *self.of("Cohort"))
        return tuple(odd_entries(each.manifest for each in of_kinds if each.judgement is not None))

    @cached_property
    def unmeant_zeros(self) -> frozenset[Place]:
        """The nominalQuotas that count as 0 for being misspelt, left out or without a digit: that is told already."""
        odd = ((each, each.quota.get("nominalQuota")) for each in self.odd_quotas)
        return frozenset(each.at("nominalQuota") for each, value in odd if value is None or has_no_number(value))

    @cached_property
    def _misnamed(self) -> frozenset[str]:
        """The names of objects whose kind is none of Kueue's, or whose name is refused, as they must be meant."""
        unknown = (key.name for key in self.snapshot.manifests if key.group == GROUP and key not in self.examined)
        refused = {each.key.name for each, cause in self._complaints() if cause.path == ("metadata", "name")}
        return frozenset((*unknown, *(name.lower().replace("_", "-") for name in refused)))

    @cached_property
    def _by_kind(self) -> Mapping[tuple[str, str], Sequence[Examined]]:
        found: dict[tuple[str, str], list[Examined]] = {}
        for key, examined in self.examined.items():
            found.setdefault((key.group, key.kind), []).append(examined)
        return found

    @cached_property
    def _unjudged(self) -> Mapping[tuple[str, str], Sequence[Manifest]]:
        found: dict[tuple[str, str], list[Manifest]] = {}
        for key, manifest in self.snapshot.manifests.items():
            if key not in self.examined:
                found.setdefault((key.group, key.kind), []).append(manifest)
        return found

    @cached_property
    def _causes(self) -> Mapping[str, Sequence[tuple[Examined, Cause]]]:
        found: dict[str, list[tuple[Examined, Cause]]] = {}
        for examined, cause in self._complaints():
            found.setdefault(cause.law, []).append((examined, cause))
        return found

    def _complaints(self) -> Iterator[tuple[Examined, Cause]]:
        for examined in self.examined.values():
            judgement = examined.judgement
            if judgement is not None and not judgement.accepted:
                for cause in judgement.all_causes:
                    yield examined, cause
