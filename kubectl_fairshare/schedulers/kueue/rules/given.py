"""The input of Kueue's rules."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.jobs import Context
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, Configuration
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.reading.written_settings import (
    ConfigurationSearch,
    WrittenConfiguration,
    configurations,
)
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease
from kubectl_fairshare.schedulers.kueue.rules.quotas.written import QuotaEntry, has_no_number, odd_entries
from kubectl_fairshare.schedulers.kueue.rules.submissions import read_jobs, submissions
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, grow


class Configured(Value, frozen=True):
    """Kueue's Configuration as it was written. ``place`` is its start: an object, or a text inside a ConfigMap.

    ``view`` is its v1beta2 form with defaults, None if the manager does not start with it because of ``causes``.
    """

    data: JsonObject
    place: Place
    causes: tuple[Cause, ...]
    view: JsonObject | None

    def at(self, *path: str | int) -> Place:
        """A place in the Configuration."""
        return Place(self.place.object, (*self.place.path, *path))


class KueueGiven(Given, frozen=True, eq=False, dict=True):
    """Everything that was read, with Kueue's queues, its Configuration, and the workloads that wait."""

    @property
    def context(self) -> Context:
        """The context for reading jobs."""
        return self.snapshot.part(Context)

    @property
    def kueue(self) -> KueueState:
        """Kueue's part of the snapshot: accepted objects only."""
        return self.snapshot.part(KueueState)

    @property
    def configuration(self) -> Configuration:
        """Kueue's Configuration, or the defaults if the input has none."""
        return self.kueue.configuration

    @property
    def release(self) -> KueueRelease:
        """The release of Kueue that the input is for."""
        return self.configuration.release

    @cached_property
    def configured(self) -> tuple[Configured, ...]:
        """Every Configuration of the input."""
        release = DEFAULT if self.release.deduced else self.release
        return tuple(_configuration(each, release) for each in self._configurations.written)

    @property
    def unread(self) -> tuple[Problem, ...]:
        """The problems in the text of a Configuration."""
        return self._configurations.problems

    def of(self, kind: str, group: str = GROUP) -> Sequence[Examined]:
        """The objects of a kind, including rejected ones, by namespace and name."""
        return super().of(kind, group)

    def is_written(self, kind: str, name: str, namespace: str = "") -> bool:
        """Whether Kueue's object is in the input, even if its name or kind is invalid."""
        key = ObjectKey(GROUP, kind, namespace, name)
        return key in self.examined or key in self.elsewhere or name in self._misnamed_objects

    def names(self, kind: str) -> frozenset[str]:
        """The names of Kueue's objects of a kind, including rejected ones."""
        return frozenset(each.key.name for each in self.of(kind))

    def known_names(self, kind: str) -> frozenset[str]:
        """The same with those of other units, which may be in the same cluster."""
        others = (key.name for key in self.elsewhere if (key.group, key.kind) == (GROUP, kind))
        return self.names(kind).union(others)

    @cached_property
    def forest(self) -> Forest:
        """Cohorts and queues with the quota that each can use."""
        return grow(self.kueue, frozenset())

    @cached_property
    def read_jobs(self) -> Mapping[ObjectKey, Pending | FairshareError]:
        """The workload of every job that has not ended, or why it cannot be read."""
        return read_jobs(self.snapshot, self.context)

    @cached_property
    def submitted(self) -> tuple[Pending, ...]:
        """The workloads that wait, or would: jobs of the input, and Workloads whose job is not in it, by source."""
        return submissions(self.snapshot, self.read_jobs)

    @cached_property
    def odd_quotas(self) -> tuple[QuotaEntry, ...]:
        """The quotas of new ClusterQueues and Cohorts, including rejected ones, that have an unusual form."""
        of_kinds = (*self.of("ClusterQueue"), *self.of("Cohort"))
        return tuple(odd_entries(each.manifest for each in of_kinds if each.judgement is not None))

    @cached_property
    def unmeant_zeros(self) -> frozenset[Place]:
        """The nominalQuotas that count as 0 because they are misspelt, missing or without a digit, for other rules."""
        odd = ((each, each.quota.get("nominalQuota")) for each in self.odd_quotas)
        return frozenset(each.at("nominalQuota") for each, value in odd if value is None or has_no_number(value))

    @cached_property
    def _misnamed_objects(self) -> frozenset[str]:
        """The names of objects with an unknown kind or an invalid name: references to them are not mistakes."""
        unknown = (key.name for key in self.snapshot.manifests if key.group == GROUP and key not in self.examined)
        refused = {each.key.name for each, cause in self.complaints() if cause.path == ("metadata", "name")}
        return frozenset((*unknown, *(name.lower().replace("_", "-") for name in refused)))

    @cached_property
    def _configurations(self) -> ConfigurationSearch:
        found = configurations([each for each in self.snapshot.manifests.values() if each.key.group != GROUP])
        return replace(found, written=tuple(each for each in found.written if not each.computed))


def _configuration(written: WrittenConfiguration, release: KueueRelease) -> Configured:
    from kubectl_fairshare.schedulers.kueue.admission.configuration import judge_configuration

    judgement = judge_configuration(written.at_home, release)
    view = judgement.configuration if judgement.accepted else None
    return Configured(written.data, written.place, judgement.causes, view)
