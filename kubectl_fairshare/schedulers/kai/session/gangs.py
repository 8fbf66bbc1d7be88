"""Gangs: the pods of a job in their sub-groups, and which of them are placed next.

A job has a tree of sub-groups with pod sets as leaves; one without sub-groups has a single pod set.
Why a gang's next pods and not all: minimum 3 of 8 pods. KAI places three at once, or none, and then one after the
other; a job that asks for all eight at once would wait for room that it does not need.
Source: ``GetTasksToAllocate`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/podgroup_info/allocation_info.go,
https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/api/podgroup_info/subgroup_info; "kai gangs" in
``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SUB_GROUP, Charge, Phase, Pod, PodGroup

ALLOCATED: Final = frozenset({Phase.BINDING, Phase.BOUND, Phase.RUNNING})
USED: Final = ALLOCATED | {Phase.RELEASING}
ALIVE: Final = ALLOCATED | {Phase.PENDING, Phase.GATED}
Order = tuple[int, float, str]


class GangPod(Value, frozen=True):
    """A pod of a job. ``accepted`` is what it holds on its node; nothing if the shard does not have the node."""

    pod: Pod
    phase: Phase
    accepted: Charge
    placed: bool

    @property
    def name(self) -> str:
        """The pod's name."""
        return self.pod.key.name


class PodSet(Value):
    """Equal pods: at least ``minimum`` of them run, or none. ``tasks`` are in order."""

    name: str
    minimum: int
    tasks: list[GangPod] = field(default_factory=list)

    def count(self, phases: frozenset[Phase]) -> int:
        """The number of pods in one of ``phases``."""
        return sum(task.phase in phases for task in self.tasks)

    @property
    def active(self) -> int:
        """The number of pods that are placed and not being evicted."""
        return self.count(ALLOCATED)

    @property
    def wanted(self) -> int:
        """The number of active pods that satisfy it."""
        return self.minimum

    @property
    def ready(self) -> bool:
        """Whether it has enough pods without scheduling gates."""
        return self.count(ALIVE - {Phase.GATED}) >= self.minimum

    @property
    def elastic(self) -> bool:
        """Whether it has more pods than its minimum, in any phase."""
        return self.minimum < len(self.tasks)

    def next_tasks(self) -> list[GangPod]:
        """The pending pods up to its minimum, or one more."""
        active = self.active
        # Above its minimum one more at a time, so that other jobs come in between.
        most = self.minimum - active if active < self.minimum else 1
        return [task for task in self.tasks if task.phase is Phase.PENDING][:most]


class Group(Value):
    """A sub-group of other sub-groups; ``minimum`` of its members are needed, all of them if it is None."""

    name: str
    minimum: int | None
    members: list["Group | PodSet"] = field(default_factory=list)

    @property
    def active(self) -> int:
        """The number of satisfied members."""
        return sum(member.active >= member.wanted for member in self.members)

    @property
    def wanted(self) -> int:
        """The number of members that must be satisfied."""
        return len(self.members) if self.minimum is None else self.minimum

    @property
    def ready(self) -> bool:
        """Whether enough members are ready."""
        return sum(member.ready for member in self.members) >= self.wanted

    def pod_sets(self) -> Iterator[PodSet]:
        """All pod sets below it."""
        for member in self.members:
            if isinstance(member, PodSet):
                yield member
            else:
                yield from member.pod_sets()

    def next_tasks(self) -> list[GangPod]:
        """The pods that satisfy it; if it is satisfied, those of the first member with more."""
        members = sorted(self.members, key=_order)
        if self.active < self.wanted:
            # The first members in order, and of these only those that lack something.
            needed = (m for m in members[: max(self.wanted, 0)] if m.active < m.wanted)
            return [task for member in needed for task in member.next_tasks()]
        # One member grows at a time.
        return next(filter(None, (member.next_tasks() for member in members)), [])


def _order(member: Group | PodSet) -> Order:
    """Unsatisfied members come first, then those least above their need, then optional ones."""
    active, wanted = member.active, member.wanted
    if active < wanted:
        return (0, 0.0, member.name)
    if wanted == 0:
        # A member of which nothing is needed comes last; KAI has no ratio for it.
        return (2, float(active), member.name)
    return (1, active / wanted, member.name)


def gang_of(group: PodGroup) -> Group:
    """The tree of sub-groups, without pods; if KAI cannot interpret it, one pod set with a minimum of at least one."""
    root = _tree(group)
    if root is None:
        return Group("", None, [PodSet(DEFAULT_SUB_GROUP, 1)])
    if not any(True for _ in root.pod_sets()):
        # Absent means 1; 0 may be written in releases after v0.17.0.
        minimum = 1 if group.min_member is None else group.min_member
        root.members.append(PodSet(DEFAULT_SUB_GROUP, minimum))
    return root


def _tree(group: PodGroup) -> Group | None:
    stated = {one.name: one for one in group.sub_groups}
    if len(stated) < len(group.sub_groups):
        return None
    parents = {(one.parent or "").lower() for one in group.sub_groups}
    root = Group("", group.min_sub_group)
    made: dict[str, Group | PodSet] = {
        name: Group(name, one.min_sub_group) if name in parents else PodSet(name, max(one.min_member or 0, 0))
        for name, one in sorted(stated.items())
    }
    for name, member in made.items():
        parent = (stated[name].parent or "").lower()
        above = root if parent == "" else made.get(parent)
        if not isinstance(above, Group):
            return None
        above.members.append(member)
    return root


def pod_sets_with(root: Group, tasks: Sequence[GangPod]) -> dict[str, PodSet]:
    """Puts each pod into its pod set, in order, and drops pods of unknown sub-groups. Returns the pod sets by name."""
    sets: dict[str, PodSet] = {pod_set.name: pod_set for pod_set in root.pod_sets()}
    for task in tasks:
        found = sets.get(task.pod.sub_group or DEFAULT_SUB_GROUP)
        if found is not None:
            found.tasks.append(task)
    return sets


def state(pod_sets: Mapping[str, PodSet]) -> int:
    """A key of the job order: 0 if a pod set is below its minimum, 1 if all are exactly at it, 2 if one is above."""
    above = False
    for pod_set in pod_sets.values():
        active = pod_set.active
        if active < pod_set.minimum:
            return 0
        above = above or active > pod_set.minimum
    return 2 if above else 1
