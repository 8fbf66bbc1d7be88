"""The state of a cluster that questions are asked about: frozen, sorted, every object with its origin."""

from collections.abc import Mapping
from dataclasses import field

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kueue.model.objects import (
    AdmissionCheck,
    ClusterQueue,
    Cohort,
    Configuration,
    LocalQueue,
    ResourceFlavor,
)
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending


@dataclass(frozen=True, slots=True)
class KueueState:
    """Kueue's part of a snapshot; every mapping and sequence is sorted by name.

    ``finished`` and ``inactive_workloads`` are counted only: they neither hold nor ask. ``unread`` names the kinds
    of which not all could be read.
    """

    configuration: Configuration = field(default_factory=Configuration)
    flavors: Mapping[str, ResourceFlavor] = field(default_factory=dict)
    cohorts: Mapping[str, Cohort] = field(default_factory=dict)
    cluster_queues: Mapping[str, ClusterQueue] = field(default_factory=dict)
    local_queues: Mapping[tuple[str, str], LocalQueue] = field(default_factory=dict)
    checks: Mapping[str, AdmissionCheck] = field(default_factory=dict)
    topologies: frozenset[str] = frozenset()
    workload_priorities: Mapping[str, int] = field(default_factory=dict)
    holders: tuple[Holder, ...] = ()
    pending: tuple[Pending, ...] = ()
    finished: int = 0
    deactivated: int = 0
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that an answer may rest on.

    ``namespaces`` maps name to labels. ``manifests`` holds every object that was read, by key;
    ``skipped`` counts the objects of kinds that are not read, by ``apiVersion kind``.
    """

    manifests: Mapping[ObjectKey, Manifest] = field(default_factory=dict)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    kueue: KueueState = field(default_factory=KueueState)
    elasticquota: ElasticQuotaState = field(default_factory=ElasticQuotaState)
    skipped: Mapping[str, int] = field(default_factory=dict)
    kai: KaiState = field(default_factory=KaiState)
