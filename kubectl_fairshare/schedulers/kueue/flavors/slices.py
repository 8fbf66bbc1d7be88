"""What an elastic job's running slice holds, pod set by pod set: a slice that replaces it pays only the difference.

Example: the old slice holds 4 GPUs, the new one asks for 6, and 2 are free. It fits: only the difference is new.
Source: ``findOldPodSetRequest`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/flavorassigner/flavorassigner.go;
``ReplacedWorkloadSlice`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/workloadslicing/workloadslicing.go; "flavors" in
``docs/laws.md``.
"""

from collections.abc import Mapping

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State


class OldPodSet(Value, frozen=True):
    """What one pod set of the old slice holds: flavors and totals by resource, for ``count`` pods."""

    name: str
    count: int
    flavors: Mapping[str, str]
    requests: Mapping[str, int]


class OldSlice(Value, frozen=True):
    """The slice that leaves as soon as the new one has quota. ``pod_sets`` are in the order of its assignment."""

    holder: Holder
    pod_sets: tuple[OldPodSet, ...]

    def at(self, index: int) -> OldPodSet | None:
        """The pod set at a place, None where the old slice has fewer."""
        return self.pod_sets[index] if index < len(self.pod_sets) else None

    def requests_of(self, name: str) -> Mapping[str, int]:
        """What the pod set of that name holds; nothing where the old slice has none."""
        # By name here and by place in ``at``: Kueue does either, each in its own function.
        return next((p.requests for p in self.pod_sets if p.name == name), {})


def old_slice(state: State, queue: int, workload: Pending) -> OldSlice | None:
    """The slice that the workload replaces; None unless it holds quota in the same ClusterQueue."""
    from kubectl_fairshare.schedulers.kueue.reading.holders import held_pod_sets
    from kubectl_fairshare.schedulers.kueue.reading.workload_fields import WorkloadFields

    if workload.replaces is None:
        return None
    holder = next((h for h in state.holders.of(queue) if h.key == workload.replaces), None)
    manifest = state.snapshot.manifests.get(workload.replaces)
    if holder is None or manifest is None:
        return None
    parts = held_pod_sets(manifest.read_as(WorkloadFields), reclaims=state.configuration.reclaimable_pods)
    return OldSlice(holder, tuple(OldPodSet(*part) for part in parts))
