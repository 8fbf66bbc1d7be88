"""Kueue's part of a snapshot.

Tested in ``tests/unit/schedulers/kueue/test_later_releases.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.model.objects import (
    AdmissionCheck,
    ClusterQueue,
    Cohort,
    Configuration,
    LocalQueue,
    ResourceFlavor,
    cluster_key,
)
from kubectl_fairshare.schedulers.kueue.model.topology import Node, Topology
from kubectl_fairshare.schedulers.kueue.model.uses import uses
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending, SecondPass


class KueueState(Value, frozen=True, dict=True):
    """Kueue's part of a snapshot; every mapping and sequence is sorted by name.

    ``finished`` and ``deactivated`` are counted only: they neither hold nor ask. ``unread`` names the kinds
    of which not all could be read. ``nodes`` are read where a flavor has a topology; ``occupied``, by node, is what
    pods that no topology places take; ``pods_given``: no other pod counts. ``second_pass`` are the holders that need a
    new place. ``moment``, in nanoseconds since the epoch: the state is not from before it; known where a workload
    backs off. ``reclaimed`` are holders that gave pods back, noted for releases that were not measured. ``unknown`` are
    fields, values and names that the reproduced release does not have.
    """

    configuration: Configuration = field(default_factory=Configuration)
    flavors: Mapping[str, ResourceFlavor] = field(default_factory=dict)
    cohorts: Mapping[str, Cohort] = field(default_factory=dict)
    cluster_queues: Mapping[str, ClusterQueue] = field(default_factory=dict)
    local_queues: Mapping[tuple[str, str], LocalQueue] = field(default_factory=dict)
    checks: Mapping[str, AdmissionCheck] = field(default_factory=dict)
    topologies: Mapping[str, Topology] = field(default_factory=dict)
    workload_priorities: Mapping[str, int] = field(default_factory=dict)
    holders: tuple[Holder, ...] = ()
    pending: tuple[Pending, ...] = ()
    finished: int = 0
    deactivated: tuple[ObjectKey, ...] = ()
    unread: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()
    occupied: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    second_pass: tuple[SecondPass, ...] = ()
    pods_given: bool = False
    moment: int = 0
    reclaimed: tuple[ObjectKey, ...] = ()
    unknown: tuple[Place, ...] = ()

    @cached_property
    def often_changed(self) -> Mapping[str, Sequence[Place]]:
        """Where the input uses each feature that patch releases change; asked for by each of thousands of plans."""
        return uses(self)

    @cached_property
    def knows_queues_of_holders(self) -> bool:
        """Whether the input has the ClusterQueue of every workload that holds quota."""
        return all(holder.cluster_queue in self.cluster_queues for holder in self.holders)

    @cached_property
    def named_queues(self) -> Sequence[tuple[ObjectKey, Place]]:
        """The ClusterQueues that LocalQueues and holders name and that the input lacks, each time with the place."""
        return [*self._named_queues()]

    def _named_queues(self) -> Iterator[tuple[ObjectKey, Place]]:
        for local in self.local_queues.values():
            if local.cluster_queue and local.cluster_queue not in self.cluster_queues:
                yield cluster_key("ClusterQueue", local.cluster_queue), Place(local.key, ("spec", "clusterQueue"))
        for holder in self.holders:
            if holder.cluster_queue not in self.cluster_queues:
                at = Place(holder.key, ("status", "admission", "clusterQueue"))
                yield cluster_key("ClusterQueue", holder.cluster_queue), at
