"""KAI on one state to which made-up jobs are submitted: its own actions decide on the nodes, and what they do is done.

A cycle opens a session and runs all actions. Pods that it binds run at once, pods that it evicts leave at once and wait
again. Where past usage counts (k above 0), each cycle adds a sample, and cycles go on after nothing moves: shares may
still change. Source: KAI-Scheduler v0.17; "kai solver" and "kai usage" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model import amounts, quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kai.explain.groundwork import Groundwork
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.fairness import saturation
from kubectl_fairshare.schedulers.kai.gaps import (
    TERMINATING_SINCE,
    WAITING_JOBS,
    delay_gaps,
    eviction_gaps,
    placing_gaps,
)
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, submission_of, with_submission
from kubectl_fairshare.schedulers.kai.jobs.labels import labels_of
from kubectl_fairshare.schedulers.kai.model.objects import (
    DEFAULT_SCHEDULER,
    RESOURCES,
    UNLIMITED,
    Deserved,
    KaiState,
    MaxAllowed,
    Resources,
)
from kubectl_fairshare.schedulers.kai.review.cycles import (
    MAP_ORDER,
    History,
    SandboxCycles,
    carried_out,
    undecided,
    without_leaving,
)
from kubectl_fairshare.schedulers.kai.session.room import room_of
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.cycle import MOST
from kubectl_fairshare.schedulers.kai.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kai.words.why_words import shortage
from kubectl_fairshare.schedulers.sandbox import (
    MOST_SESSION_STEPS,
    Aftermath,
    CountedOneByOne,
    MadeUpWork,
    PromisedQuotas,
    Ruling,
    Site,
    ruling_of,
)

NAMESPACE: Final = "fairshare-sandbox"
_TOP: Final = "quota of the top queues"
_NAMES: Final = {"cpu": "cpu", "memory": "memory", "gpu": "nvidia.com/gpu"}
"""What pods request, by KAI's own names of resources."""
_AT: Final = {_NAMES[resource]: i for i, resource in enumerate(RESOURCES)}
_SETTLED: Final = (Outcome.ADMITTED, Outcome.NEVER)
"""Outcomes to which no eviction leads."""
_SECOND: Final = 10**9
_MOST_COPIES: Final = 100
_LEAST_COPIES: Final = 5
_ALL_COPIES: Final = 300
"""Copies of all figures together: some seconds."""
_COPIED_OBJECTS: Final = 50_000
"""Those copies, times the objects of the state."""


def opened(snapshot: Snapshot) -> "KaiSandbox":
    """The sandbox of a snapshot, with all shards. Raises ``UsageError`` without a Node: KAI divides what nodes have."""
    state = snapshot.part(KaiState)
    if not state.nodes:
        raise UsageError(
            Problem(
                "no Node is in the input, and KAI divides what nodes have",
                help="add the Nodes, or describe some: `--nodes 4xnvidia.com/gpu=8,cpu=96,memory=1Ti`",
            )
        )
    moments = (moment for group in state.pod_groups for moment in (group.created, group.last_start or 0))
    created = max(moments, default=0) + _SECOND  # before its last start, a running job is protected
    first = [open_session(state, shard) for shard in state.every_shard]
    undated = {each.shard.name: _without_moment(each) for each in first}
    created = max(created, state.now or 0)
    state = replace(state, now=created)
    sessions = [open_session(state, each.shard, before=each) for each in first]
    alone = any(Groundwork(each).backlog.long for each in sessions)
    terminating = dict.fromkeys(gap for always, _ in undated.values() for gap in always)
    return KaiSandbox(
        tuple(site for each in sessions for site in _sites(each)),
        state,
        next(each for each in sessions if each.shard == state.shard),
        created,
        {},
        (),
        doubts=(*terminating, *(Gap(WAITING_JOBS, (), touches=True) for _ in range(alone))),
        undated={name: evicting for name, (_, evicting) in undated.items()},
        largest={each.shard.name: _largest(each) for each in sessions},
        alone=alone,
    )


def _largest(session: Session) -> Mapping[tuple[str, str], tuple[int, ...]]:
    """The most of each resource that is idle on one node, and that one node has."""
    idle = [amounts for _, amounts in room_of(session).by_node]
    whole = [node.allocatable for node in session.nodes.values() if node.unready is None]
    return {
        ("", _NAMES[r]): tuple(int(max((amounts[i] for amounts in each), default=0.0)) for each in (idle, whole))
        for i, r in enumerate(RESOURCES)
    }


def _without_moment(session: Session) -> tuple[tuple[Gap, ...], tuple[Gap, ...]]:
    """What is not known if the input has no moment, which is then made up: always, and where pods are evicted."""
    evicting = (*eviction_gaps(session), *delay_gaps(session, session.jobs.values()))
    always = (gap for gap in placing_gaps(session) if gap.feature == TERMINATING_SINCE)
    return tuple(replace(gap, places=()) for gap in always), tuple(replace(gap, places=()) for gap in evicting)


def _sites(session: Session) -> Iterator[Site]:
    for name, standing in sorted(session.standings.items()):
        if not session.is_leaf(name):
            continue
        quota, chain = standing.queue.quota, session.chain(name)
        guaranteed = {("", _NAMES[r]): int(quota[i]) for i, r in enumerate(RESOURCES) if quota[i] != UNLIMITED}
        most: dict[tuple[str, str], int | None] = {}
        for i, resource in enumerate(RESOURCES):
            limits = [each.queue.limit[i] for each in chain if each.queue.limit[i] != UNLIMITED]
            most["", _NAMES[resource]] = int(min([session.totals.total[i], *limits]))
        unbounded = tuple(pair for pair in most if pair not in guaranteed and session.totals.total[_AT[pair[1]]])
        yield Site(name, guaranteed, most, prioritised=False, unbounded=unbounded)


class KaiSandbox(CountedOneByOne, Value, frozen=True):
    """One state. ``loads`` are all jobs that were submitted, ``history`` what queues held in the cycles so far.

    ``session`` is of this state, or of an earlier one: whatever is the same is taken from there. Each question is
    about the shard of its queue; the others are at rest.

    ``undated`` are what evictions rest on, as the input does not know the moment. ``largest``: amounts
    that one node has, or has left, by resource; where to look for room. Both are by shard.
    """

    sites: tuple[Site, ...]
    state: KaiState
    session: Session
    clock: int
    loads: Mapping[str, MadeUpWork]
    history: History
    notes: tuple[str, ...] = field(default=())
    doubts: tuple[Gap, ...] = ()
    undated: Mapping[str, tuple[Gap, ...]] = field(default_factory=dict)
    largest: Mapping[str, Mapping[tuple[str, str], tuple[int, ...]]] = field(default_factory=dict)
    alone: bool = False

    @property
    def single_pods(self) -> bool:
        """No: it places jobs whole, down to their minimum."""
        return False

    @property
    def most_figures(self) -> int:
        """As many as come to a bounded number of objects: each figure goes through queues, pods and nodes."""
        return max(1, MOST_SESSION_STEPS // self._objects)

    def most_copies(self, figures: int) -> int:
        """A hundred, fewer for many figures or objects: each is decided in a session with all before it."""
        all_copies = min(_ALL_COPIES, _COPIED_OBJECTS // self._objects)
        return min(_MOST_COPIES, max(_LEAST_COPIES, all_copies // max(1, figures)))

    @property
    def _objects(self) -> int:
        return len(self.state.queues) + len(self.state.pods) + len(self.state.nodes)

    @property
    def promised(self) -> PromisedQuotas:
        """The quotas of the queues at the top; for one without a bound, the quotas of those below it."""
        sessions = [open_session(self.state, shard, before=self.session) for shard in self.state.every_shard]
        standings = {name: each for session in sessions for name, each in session.standings.items()}
        below: dict[str, list[str]] = {}
        for name, standing in standings.items():
            below.setdefault(standing.queue.parent, []).append(name)
        sums: dict[str, int] = {}
        names: dict[str, str] = {}
        for i, resource in enumerate(RESOURCES):
            ahead = [name for name, each in standings.items() if each.queue.parent not in standings]
            for name in ahead:
                quota, under = standings[name].queue.quota[i], below.get(name, ())
                if quota == UNLIMITED and under:
                    ahead += under
                    names[_NAMES[resource]] = f"{_TOP}, or of those below one without a bound"
                else:
                    more = amounts.UNLIMITED if quota == UNLIMITED else int(quota)
                    sums[_NAMES[resource]] = amounts.add(sums.get(_NAMES[resource], 0), more)
        return PromisedQuotas(_TOP, sums, names)

    def submitted(self, name: str, load: MadeUpWork) -> Aftermath:
        """The state once the job has arrived and cycles have run to rest."""
        state = self._with(self._job(name, load))
        play = SandboxCycles(state, self.session, self.history, self.undated.get(state.shard.name, ()))
        rests = play.run()
        loads = {**self.loads, name: load}
        doubts = tuple(dict.fromkeys((*self.doubts, *play.doubts)))
        after = replace(
            self,
            state=play.state,
            session=play.session,
            clock=self.clock + _SECOND,
            loads=loads,
            history=play.history,
            doubts=doubts,
        )
        return Aftermath(after, tuple(play.removals), rests, play.cycles, frozenset(play.ran), loop=play.loop)

    def queue_called(self, name: str) -> str | None:
        """The leaf queue of that name."""
        return name if any(site.queue == name for site in self.sites) else None

    def placed(self, name: str, load: MadeUpWork, pool: str = "") -> "KaiSandbox":  # noqa: ARG002 -- a shard has one pool
        """The state in which the job runs where KAI puts it. Raises ``UsageError`` if KAI does not let it in."""
        after = self.submitted(name, load)
        if after.removals or name in after.sandbox.waiting():
            message = f"KAI does not start `{name}` without preemption"
            raise UsageError(Problem(message, help="name running work in an order in which it fits, or ask for less"))
        changed = ("state", "session", "clock", "loads", "history", "doubts")
        return replace(self, **{each: getattr(after.sandbox, each) for each in changed})

    def copies(self, load: MadeUpWork, pool: str, most: int) -> int:  # noqa: ARG002 -- a shard has one pool
        """Each is decided with those before it on their nodes."""
        state, session = self._about(load.queue), self.session
        for number in range(most):
            job = self._job(f"copy-{number + 1}", load)
            state = with_submission(replace(state, now=self.clock), job)
            session = open_session(state, before=session)
            known = Groundwork(session)
            found = plan(session, job.group.name, advise=False, groundwork=known, alone=self.alone)
            if found.computed is not Outcome.ADMITTED:
                return number
            if found.placement is None:
                raise undecided(", ".join(gap.subject for gap in found.fidelity.gaps if gap.feature == "Placement"))
            if found.placement.waiting:
                state = without_leaving(state, known.first)
            placed = (*found.placement.bound, *found.placement.waiting)
            keys = {task.name: task.pod.key for task in found.job.tasks}
            state = carried_out(state, {keys[pod.pod]: pod.node for pod in placed})
        return most

    def answer(self, load: MadeUpWork) -> Answer[PlanDetail]:
        """The outcome of the job if it is taken up now."""
        job = self._job("submitted", load)
        state = self._with(job)
        return plan_answer(
            plan(self._opened(state), job.group.name, advise=False, doubts=MOST, alone=self.alone), state
        )

    def share(self, queue: str) -> float | None:
        """The largest part of its fair share that the queue holds of any resource."""
        standing = self._opened(self._about(queue)).standings[queue]
        return max(saturation(standing.allocated[r], standing.fair_share[r]) for r in range(len(RESOURCES)))

    def ruling(self, load: MadeUpWork, pool: str = "") -> Ruling:  # noqa: ARG002 -- a shard has one pool
        """The outcome of the job if it is taken up now."""
        job = self._job("asked", load)
        state = self._with(job)
        made = plan(self._opened(state), job.group.name, advise=False, alone=self.alone)
        answer = plan_answer(made, state)
        undated = () if answer.computed in _SETTLED else self.undated.get(state.shard.name, ())
        ruling = ruling_of(answer, (each.queue for each in answer.victims))
        ruling = ruling._replace(chance=lambda: (*self.doubts_about(load), *undated))
        if answer.binding:
            return ruling
        return ruling._replace(what_binds=lambda: shortage(made) or ruling.what_binds())

    def doubts_about(self, load: MadeUpWork) -> tuple[Gap, ...]:
        """Those of the way to this state, and the order of Go maps, where it decides."""
        job = self._job("asked", load)
        state = self._with(job)
        found = plan(self._opened(state), job.group.name, advise=False, doubts=MOST, alone=self.alone)
        tied = found.computed is not Outcome.ADMITTED and not found.fidelity.defined
        orders = (gap for gap in found.fidelity.gaps if gap in MAP_ORDER)
        return (*self.doubts, *(MAP_ORDER if tied else orders))

    def hints(self, queue: str) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """Where one pod ends: it has to fit on a node."""
        return self.largest[self._about(queue).shard.name]

    def used(self, queue: str) -> Mapping[tuple[str, str], int]:
        """What a queue holds, by resource."""
        held = self._opened(self._about(queue)).standings[queue].allocated
        return {("", _NAMES[r]): int(held[i]) for i, r in enumerate(RESOURCES) if held[i]}

    def is_entitled(self, load: MadeUpWork) -> bool:
        """Whether the queue stays within its deserved quota with the job."""
        standing = self._opened(self._about(load.queue)).standings[load.queue]
        asked = [load.total.get(_NAMES[r], 0) for r in RESOURCES]
        pairs = zip(standing.allocated, asked, standing.queue.quota, strict=True)
        return all(quota == UNLIMITED or not wanted or held + wanted <= quota for held, wanted, quota in pairs)

    def raised(self, queue: str, more: Mapping[tuple[str, str], int]) -> "KaiSandbox":
        """The state with more deserved quota, and a limit at least as large, without jobs that wait."""
        known = self.state.queues[queue]
        added = Resources(*(more.get(("", _NAMES[r]), 0) for r in RESOURCES))
        quota = Resources(*(q if q == UNLIMITED else q + a for q, a in zip(known.quota, added, strict=True)))
        pairs = zip(known.limit, quota, added, strict=True)
        limit = Resources(*(max(most, own) if plus and most != UNLIMITED else most for most, own, plus in pairs))
        raised = replace(known, quota=Deserved(quota), limit=MaxAllowed(limit))
        held = {pod.group for pod in self.state.pods if pod.node}
        state = replace(
            self.state,
            queues={**self.state.queues, queue: raised},
            pod_groups=tuple(group for group in self.state.pod_groups if group.name in held),
            pods=tuple(pod for pod in self.state.pods if pod.node or not pod.group),
        )
        return replace(self, state=state, loads={name: w for name, w in self.loads.items() if f"pg-{name}" in held})

    def waiting(self) -> Mapping[str, MadeUpWork]:
        """The submitted jobs of which no pod is placed, by name."""
        placed = {pod.group for pod in self.state.pods if pod.node}
        return {name: load for name, load in self.loads.items() if f"pg-{name}" not in placed}

    def idle(self) -> "KaiSandbox":
        """The same queues and nodes without jobs."""
        groups = {group.name for group in self.state.pod_groups}
        pods = tuple(pod for pod in self.state.pods if pod.group not in groups)
        state = replace(self.state, pod_groups=(), pods=pods)
        sessions = {shard.name: open_session(state, shard) for shard in state.every_shard}
        return replace(
            self,
            state=state,
            session=sessions[state.shard.name],
            loads={},
            history=(),
            doubts=(),
            undated={},
            largest={name: _largest(each) for name, each in sessions.items()},
        )

    def _about(self, queue: str) -> KaiState:
        """The state, for a question about the shard of a queue."""
        known = self.state.queues.get(queue)
        shard = None if known is None else self.state.shard_of(known.pool)
        return self.state if shard in (None, self.state.shard) else replace(self.state, asked=shard.name)

    def _with(self, job: Submission) -> KaiState:
        """The state to which a job is submitted now, for a question about it."""
        return with_submission(replace(self._about(job.group.queue), now=self.clock), job)

    def _opened(self, state: KaiState) -> Session:
        return self.session if state is self.session.state else open_session(state, before=self.session)

    def _job(self, name: str, load: MadeUpWork) -> Submission:
        requests = {resource: quantity.text(resource, amount) for resource, amount in load.request.items()}
        container = {"name": "main", "resources": {"requests": requests, "limits": requests}}
        tolerations = [
            {name: text for name in ("key", "operator", "value", "effect") if (text := getattr(each, name))}
            for each in load.tolerations
        ]
        spec = {"containers": [container], "schedulerName": DEFAULT_SCHEDULER, "tolerations": tolerations}
        metadata = {
            "namespace": NAMESPACE,
            "name": name,
            "labels": labels_of(self.state, load.queue),
            "annotations": {"kai.scheduler/batch-min-member": str(load.count)},
        }
        data = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": metadata,
            "spec": {"parallelism": load.count, "template": {"spec": spec}},
        }
        manifest = Manifest(ObjectKey("batch", "Job", NAMESPACE, name), "v1", data, Origin("", 0))
        made = submission_of(manifest, self.state)
        return replace(made, group=replace(made.group, created=self.clock))
