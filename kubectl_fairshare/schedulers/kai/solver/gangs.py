"""Whose turn it is in a job: the pods that are placed next, and those that are evicted next.

A job is a tree of sub-groups; pods are counted by their state in the session.
Why a surplus pod before a surplus group: a job of three groups, two of which are needed, has one group with a pod too
many. That pod leaves first, then a whole group, then all the rest.
Source: ``GetTasksToEvict`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/podgroup_info/eviction_info.go,
``GetTasksToAllocate`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/api/podgroup_info/allocation_info.go; "kai gangs" and
"kai solver" in ``docs/laws.md``.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Union

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.model.objects import PodGroup
from kubectl_fairshare.schedulers.kai.session import gangs
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.solver.tasks import Task

Order = tuple[int, float, str]
Counts = Callable[[str], bool]
"""Whether a pod, by its identity, counts."""


class Leaf(Value, frozen=True):
    """Pods that are equal, by identity and in order; ``minimum`` of them run, or none."""

    name: str
    minimum: int
    pods: tuple[str, ...]

    @property
    def wanted(self) -> int:
        """How many must be active for it to be satisfied."""
        return self.minimum

    def active(self, counts: Counts) -> int:
        """How many pods are active."""
        return sum(map(counts, self.pods))


class Branch(Value, frozen=True):
    """A sub-group of others; ``minimum`` of them are needed, all where it is None."""

    name: str
    minimum: int | None
    members: tuple[Union["Branch", Leaf], ...]

    @property
    def wanted(self) -> int:
        """How many members must be satisfied."""
        return len(self.members) if self.minimum is None else self.minimum

    def active(self, counts: Counts) -> int:
        """How many members are satisfied."""
        return sum(member.active(counts) >= member.wanted for member in self.members)

    def leaves(self) -> Iterator[Leaf]:
        """All leaves below."""
        for member in self.members:
            if isinstance(member, Leaf):
                yield member
            else:
                yield from member.leaves()


Member = Branch | Leaf


class Gang(Value, frozen=True):
    """A job with its tree and its pods by identity, as far as nothing changes in a session.

    ``elastic`` says whether some leaf has more pods than its minimum, ``unmodelled`` what of it is not decided here.
    """

    job: Job
    root: Branch
    tasks: Mapping[str, Task]
    elastic: bool
    unmodelled: tuple[str, ...]

    @property
    def name(self) -> str:
        """The PodGroup's name."""
        return self.job.name

    @property
    def group(self) -> PodGroup:
        """The PodGroup."""
        return self.job.group


def tree(member: gangs.Group) -> Branch:
    """The tree of a job as it was read."""
    return Branch(member.name, member.minimum, tuple(map(_member, member.members)))


def _member(member: gangs.Group | gangs.PodSet) -> Member:
    if isinstance(member, gangs.Group):
        return tree(member)
    return Leaf(member.name, member.minimum, tuple(task.pod.uid for task in member.tasks))


def limited(branch: Branch, pods: Collection[str]) -> Branch:
    """The tree with some of its pods."""
    return replace(branch, members=tuple(_limited(member, pods) for member in branch.members))


def _limited(member: Member, pods: Collection[str]) -> Member:
    if isinstance(member, Branch):
        return limited(member, pods)
    return replace(member, pods=tuple(pod for pod in member.pods if pod in pods))


def lowered(branch: Branch) -> Branch:
    """The tree that asks for no more than it has: minimums of leaves with pods, and of branches that state one."""
    members = tuple(lowered(m) if isinstance(m, Branch) else _lowered(m) for m in branch.members)
    if branch.minimum is None:
        return replace(branch, members=members)
    return replace(branch, members=members, minimum=min(branch.minimum, sum(map(_has_pods, members))))


def _lowered(leaf: Leaf) -> Leaf:
    # A leaf without pods in this probe keeps its minimum, so that it does not count as satisfied.
    return replace(leaf, minimum=min(leaf.minimum, len(leaf.pods))) if leaf.pods else leaf


def _has_pods(member: Member) -> bool:
    return any(map(_has_pods, member.members)) if isinstance(member, Branch) else bool(member.pods)


def ordered(branch: Branch, counts: Counts) -> list[Member]:
    """The members, those that lack most first: unsatisfied, then by how far they are above, then optional."""
    return sorted(branch.members, key=lambda member: _rank(member, counts))


def _rank(member: Member, counts: Counts) -> Order:
    active, wanted = member.active(counts), member.wanted
    if active < wanted:
        return (0, 0.0, member.name)
    if wanted == 0:
        return (2, float(active), member.name)
    return (1, active / wanted, member.name)


def ready(member: Member, alive: Counts) -> bool:
    """Whether enough pods are there: in each leaf its minimum, in each branch enough members."""
    if isinstance(member, Leaf):
        return member.active(alive) >= member.minimum
    return sum(ready(one, alive) for one in member.members) >= member.wanted


def next_pods(branch: Branch, active: Counts, waiting: Counts) -> list[str]:
    """The pods that satisfy the branch, or where it is satisfied those of the first member that has one more.

    ``waiting`` are the pods that may be placed.
    """
    members = ordered(branch, active)
    if branch.active(active) < branch.wanted:
        lacking = (m for m in members[: max(branch.wanted, 0)] if m.active(active) < m.wanted)
        return [pod for member in lacking for pod in _next(member, active, waiting)]
    return next(filter(None, (_next(member, active, waiting) for member in members)), [])


def _next(member: Member, active: Counts, waiting: Counts) -> list[str]:
    if isinstance(member, Branch):
        return next_pods(member, active, waiting)
    count = member.active(active)
    most = member.minimum - count if count < member.minimum else 1
    return [pod for pod in member.pods if waiting(pod)][:most]


def next_victims(branch: Branch, active: Counts) -> list[str]:
    """The pods that leave next: a surplus one, otherwise a surplus sub-group, otherwise all."""
    return _surplus(branch, active) or _all(branch, active)


def _surplus(branch: Branch, active: Counts) -> list[str]:
    satisfied = branch.active(active)
    if satisfied == 0:
        return []
    # The order of placing, backwards: the member that is furthest above its need loses first.
    members = ordered(branch, active)[::-1]
    if _has_surplus(branch, active):
        for member in members:
            found = _surplus(member, active) if isinstance(member, Branch) else _one(member, active)
            if found:
                return found
    # Only then may a whole member leave: the branch is satisfied without it.
    if branch.wanted < satisfied:
        return next(filter(None, (_all(member, active) for member in members)), [])
    return []


def _has_surplus(member: Member, active: Counts) -> bool:
    if member.active(active) > member.wanted:
        return True
    return isinstance(member, Branch) and any(_has_surplus(one, active) for one in member.members)


def _one(leaf: Leaf, active: Counts) -> list[str]:
    """The last pod of a leaf that has more than its minimum."""
    if leaf.active(active) <= leaf.minimum:
        return []
    return [next(pod for pod in reversed(leaf.pods) if active(pod))]


def _all(member: Member, active: Counts) -> list[str]:
    """All active pods, the last of each leaf first."""
    leaves = (member,) if isinstance(member, Leaf) else member.leaves()
    return [pod for leaf in leaves for pod in reversed(leaf.pods) if active(pod)]


def elastic_state(branch: Branch, active: Counts) -> int:
    """The elastic key of the job order: 0 below a minimum, 1 exactly at all of them, 2 above."""
    above = False
    for leaf in branch.leaves():
        count = leaf.active(active)
        if count < leaf.minimum:
            return 0
        above = above or count > leaf.minimum
    return 2 if above else 1
