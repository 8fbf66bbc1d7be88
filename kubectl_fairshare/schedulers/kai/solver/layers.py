"""A state of the session that is built on another: what each pod does, what each node has left, what each queue holds.

A layer begins as a copy of the tables below it and is filled on its own. What it tries is kept whole, by going on with
the layer, or dropped whole; the state below never changes.
Why a layer is not a plain copy that is thrown away: KAI undoes a simulation step by step, and a shared GPU that lost
and got back its pods may count as in use once more than before. The next scenario sees that.
Source: https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/framework/statement.go; "kai solver" in
``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kai.model.amounts import charged, minus, plus
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.session.jobs import Job, request_sum
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Totals
from kubectl_fairshare.schedulers.kai.solver import gangs
from kubectl_fairshare.schedulers.kai.solver.gangs import Branch, Gang
from kubectl_fairshare.schedulers.kai.solver.ledgers import Copy, NodeLedger, added, charge_on, removed
from kubectl_fairshare.schedulers.kai.solver.statuses import ACTIVE, ALIVE, Status
from kubectl_fairshare.schedulers.kai.solver.tasks import Task
from kubectl_fairshare.schedulers.kai.solver.views import (
    Ground,
    JobView,
    ListedVictim,
    NodeStep,
    PodEviction,
    PodState,
    StepKind,
    Trail,
)

NEW_GPU: Final = "new-"
"""What the names of shared GPUs that a session makes begin with; a number follows."""


class Layer(Value):
    """One state. Only who began it fills it.

    ``made`` is the number of the newest shared GPU that a session made, this one or one before it. ``stale`` are
    jobs of which the view counts pods as next that are evicted for good by now, ``undone`` those that a simulation
    took from their new places again.
    """

    ground: Ground
    ledgers: dict[str, NodeLedger]
    pod_states: dict[str, PodState]
    copies: dict[tuple[str, str], Copy]
    standings: dict[str, QueueAttributes]
    trail: Trail = Trail()
    entries: dict[ListedVictim, Status] = field(default_factory=dict)
    views: dict[str, JobView] = field(default_factory=dict)
    made: int = 0
    started_now: frozenset[str] = frozenset()
    evicted_now: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    undone: frozenset[str] = frozenset()

    def above(self) -> "Layer":
        """A new layer on this one."""
        return Layer(
            self.ground,
            dict(self.ledgers),
            dict(self.pod_states),
            dict(self.copies),
            dict(self.standings),
            self.trail,
            dict(self.entries),
            dict(self.views),
            self.made,
            self.started_now,
            self.evicted_now,
            self.stale,
            self.undone,
        )

    def job(self, gang: Gang) -> Job:
        """The job with the start that this session gave it."""
        if gang.name not in self.started_now:
            return gang.job
        return replace(gang.job, group=replace(gang.group, last_start=self.ground.session.now))

    @property
    def totals(self) -> Totals:
        """The cluster's amounts."""
        return self.ground.session.totals

    def is_leaf(self, queue: str) -> bool:
        """Whether no other queue has it for a parent."""
        return self.ground.session.is_leaf(queue)

    def active(self, pod: str) -> bool:
        """Whether a pod is placed and not on its way out."""
        return self.pod_states[pod].status in ACTIVE

    def waiting(self, pod: str) -> bool:
        """Whether a pod may be placed: it waits, or the session takes it off its node."""
        pod_state = self.pod_states[pod]
        # A victim of this session may be placed again; one that really ends may not.
        return pod_state.status is Status.PENDING or (pod_state.status is Status.RELEASING and pod_state.passing)

    def alive(self, pod: str) -> bool:
        """Whether a pod is placed, or may be: one that leaves is not, nor is one with a scheduling gate."""
        return self.pod_states[pod].status in ALIVE

    def pending(self, pod: str) -> bool:
        """Whether a pod waits."""
        return self.pod_states[pod].status is Status.PENDING

    def waits(self, pod: str) -> bool:
        """Whether the session has found a place for the pod that is not free yet."""
        return self.pod_states[pod].status is Status.PIPELINED

    def chain(self, queue: str) -> list[QueueAttributes]:
        """The queue and its ancestors in this state."""
        found = []
        standing = self.standings.get(queue)
        while standing is not None:
            found.append(standing)
            standing = self.standings.get(standing.queue.parent)
        return found

    def view(self, name: str) -> JobView:
        """A job in this state."""
        known = self.views.get(name)
        if known is None:
            gang = self.ground.gangs[name]
            known = self.views[name] = self.viewed(gang, gang.root)
        return known

    def viewed(self, gang: Gang, root: Branch) -> JobView:
        """A job with the tree ``root`` in this state."""
        following = tuple(gangs.next_pods(root, self.active, self.waiting))
        active = [pod for leaf in root.leaves() for pod in leaf.pods if self.active(pod)]
        priority, _, created, name = gang.job.order
        tasks = self.ground.tasks
        return JobView(
            gang,
            root,
            following,
            request_sum((tasks[pod].pod for pod in following), self.ground.memories.smallest),
            # What only waits for room holds nothing yet in the order of victims.
            charged([tasks[pod].pod.request for pod in active if not self.waits(pod)]).total,
            (priority, gangs.elastic_state(root, self.active), created, name),
            len(active),
        )

    def _set(self, pod: str, pod_state: PodState) -> None:
        self.pod_states[pod] = pod_state
        self.entries[pod_state.entry] = pod_state.status
        job = self.ground.tasks[pod].job
        self.views.pop(job, None)
        if job in self.stale:
            self.stale -= {job}

    def _charge(self, task: Task, held: Resources, change: int) -> None:
        gang = self.ground.gangs[task.job]
        add = plus if change > 0 else minus
        for standing in self.chain(gang.job.queue):
            fixed = standing.non_preemptible if gang.job.preemptible else add(standing.non_preemptible, held)
            self.standings[standing.queue.name] = QueueAttributes(
                standing.queue,
                standing.request,
                add(standing.allocated, held),
                fixed,
                standing.usage,
                standing.fair_share,
                standing.allocatable,
            )

    def _put(self, node: str, copy: Copy) -> None:
        """The node knows the pod as ``copy`` from now on."""
        key = node, copy.task.uid
        ledger, old = self.ledgers[node], self.copies.get(key)
        if old is not None:
            ledger = removed(ledger, old)
        self.ledgers[node] = added(ledger, copy)
        self.copies[key] = copy

    def evict(self, victim: ListedVictim, first: PodState) -> None:
        """Takes a pod off its node; ``first`` is its state according to this entry of the list."""
        task = self.ground.tasks[victim.pod]
        self._set(victim.pod, first._replace(status=Status.RELEASING, passing=True, entry=victim))
        self._put(first.node, Copy(task, Status.RELEASING, first.groups))
        self._charge(task, first.held, -1)
        self.trail = self.trail._replace(evictions=(*self.trail.evictions, PodEviction(victim, first)))
        self._note(StepKind.EVICT, victim.pod, first.node, first)

    def put_back(self, pod: str) -> None:
        """Undoes the first eviction of the pod that is not undone yet."""
        evictions = list(self.trail.evictions)
        place = next(i for i, e in enumerate(evictions) if e.victim.pod == pod and not e.undone)
        victim, before, _ = evictions[place]
        evictions[place] = PodEviction(victim, before, undone=True)
        self.trail = self.trail._replace(evictions=tuple(evictions))
        self._note(StepKind.PUT_BACK, pod, before.node, before)
        task = self.ground.tasks[pod]
        self._set(pod, before._replace(entry=victim))
        self._put(before.node, Copy(task, before.status, before.groups))
        self._charge(task, before.held, 1)

    def wait_on(self, pod: str, node: str, groups: tuple[str, ...], *, simulated: bool) -> None:
        """Has the pod wait for room on a node. One that is evicted from there in a simulation is put back instead."""
        task, there = self.ground.tasks[pod], self.copies.get((node, pod))
        shifts = there is not None and task.shares and bool(groups) and groups != there.groups
        # Back where it was, the pod has not moved: its eviction is undone.
        if there is not None and simulated and not shifts:
            self.put_back(pod)
            return
        self._place(task, Status.PIPELINED, node, groups)
        copy = Copy(task, Status.PIPELINED, groups)
        if shifts:  # the old copy stays until the pod is gone
            self.ledgers[node] = added(self.ledgers[node], copy)
            self.copies[(node, pod)] = copy
        else:
            self._put(node, copy)

    def bind(self, pod: str, node: str, groups: tuple[str, ...]) -> None:
        """Places the pod on a node."""
        task = self.ground.tasks[pod]
        self._place(task, Status.ALLOCATED, node, groups)
        self._put(node, Copy(task, Status.ALLOCATED, groups))

    def _place(self, task: Task, status: Status, node: str, groups: tuple[str, ...]) -> None:
        held = charge_on(task, self.ledgers[node].machine).total
        was = self.pod_states[task.uid]
        self._note(StepKind.PLACE, task.uid, node)
        self._set(task.uid, PodState(status, node, groups, True, held, was.entry))
        self._charge(task, held, 1)

    def _note(self, step: StepKind, pod: str, node: str, before: PodState | None = None) -> None:
        self.trail = self.trail._replace(steps=(*self.trail.steps, NodeStep(step, pod, node, before)))

    def unbind(self, pod: str) -> PodState:
        """Undoes ``bind``; returns the state of the pod before it."""
        task, was = self.ground.tasks[pod], self.pod_states[pod]
        self._set(pod, was._replace(status=Status.PENDING, node="", passing=True))
        ledger = self.ledgers[was.node]
        self.ledgers[was.node] = removed(ledger, self.copies.pop((was.node, pod)))
        self._charge(task, was.held, -1)
        return was

    def new_groups(self, groups: Iterable[str]) -> tuple[str, ...]:
        """The GPUs by name, each new one with a name of its own."""
        found = []
        for group in groups:
            if not group:
                self.made += 1
            found.append(group or f"{NEW_GPU}{self.made}")
        return tuple(found)

    def committed(self) -> "Layer":
        """The same state as the new start: evictions are real, the trail begins anew.

        A victim that could not be placed again keeps the pods that would be placed next, evicted ones among them:
        KAI counts them once, until a pod of the job changes.
        """
        found = self.above()
        for eviction in self.trail.evictions:
            pod_state = self.pod_states[eviction.victim.pod]
            if not eviction.undone and pod_state.entry == eviction.victim:
                found.pod_states[eviction.victim.pod] = pod_state._replace(passing=False)
        found.views = {}
        found.views = dict(found._stale_views(self))
        found.stale, found.undone = frozenset(found.views), frozenset()
        found.trail, found.entries = Trail(), {}
        return found

    def _stale_views(self, before: "Layer") -> Iterator[tuple[str, JobView]]:
        """The victims that found no place, as they were counted then and as far as that differs now.

        What a job asks for is counted anew where some of its pods had found a place for a while.
        """
        evicted = {self.ground.tasks[eviction.victim.pod].job for eviction in before.trail.evictions}
        for name in sorted(evicted | before.stale):
            was = before.views.get(name)
            gang = self.ground.gangs[name]
            now = self.viewed(gang, gang.root)
            if was is not None and was.next and was.next != now.next:
                waiting = (self.ground.tasks[pod].pod for pod in was.next if self.pending(pod))
                anew = request_sum(waiting, self.ground.memories.smallest)
                yield name, replace(now, next=was.next, request=anew if name in before.undone else was.request)

    def abandoned(self) -> "Layer":
        """The same state, of which nothing is carried out and nothing is undone."""
        found = self.above()
        found.trail, found.entries = Trail(), {}
        return found

    def after_dropping(self, dropped: "Layer") -> "Layer":
        """This state once a layer on it has been dropped.

        The next pods of a job are counted anew once any of its pods had changed. KAI goes back step by step: what
        shared GPUs count by then may be more than they began with.
        """
        steps = dropped.trail.steps[len(self.trail.steps) :]
        shared = any(self.ground.tasks[done.pod].shares for done in steps)
        changed = self.stale - dropped.stale
        if not shared and not changed:
            return self
        found = self.above()
        found.stale &= dropped.stale
        for name in sorted(changed):
            del found.views[name]
        if shared:
            found.ledgers, found.copies = dict(dropped.ledgers), dict(dropped.copies)
            for done in reversed(steps):
                found._go_back(done)
        return found

    def _go_back(self, done: NodeStep) -> None:
        """Undoes a step in what the nodes count."""
        key, task = (done.node, done.pod), self.ground.tasks[done.pod]
        if done.step is StepKind.PLACE:
            copy = self.copies.pop(key, None)
            if copy is not None:
                self.ledgers[done.node] = removed(self.ledgers[done.node], copy)
        elif done.before is not None:
            status = done.before.status if done.step is StepKind.EVICT else Status.RELEASING
            self._put(done.node, Copy(task, status, done.before.groups))
