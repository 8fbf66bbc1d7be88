"""KAI's part in questions about a policy."""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.answers.answer import Amount, Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Fidelity, merged_fidelity
from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Entitlement, Exposure, Exposures, at_most
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.asking import session_with, submissions
from kubectl_fairshare.schedulers.kai.explain.groundwork import Groundwork
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.explain.preemptors.takers import held_by, left_below, takers
from kubectl_fairshare.schedulers.kai.explain.what_if import with_endless_requests
from kubectl_fairshare.schedulers.kai.gaps import figures_fidelity
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED, KaiState
from kubectl_fairshare.schedulers.kai.session.jobs import Job, up_for_scheduling
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.cycle import MOST
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of, plan_answer
from kubectl_fairshare.schedulers.question import PlanQuestion, Wishes
from kubectl_fairshare.schedulers.sandbox import Sandbox


class KaiReviewer:
    """KAI's implementation of the interface for questions about a policy."""

    def understood(self, snapshot: Snapshot) -> Mapping[ObjectKey, object]:
        """Queues, shards, nodes and priority classes."""
        state = snapshot.part(KaiState)
        found: dict[ObjectKey, object] = {each.key: each for each in state.queues.values() if each.key is not None}
        found |= {each.key: each for each in state.shards if each.key is not None}
        found |= {each.key: each for each in state.nodes if each.key is not None}
        classes = state.priorities.values.items()
        return found | {ObjectKey("scheduling.k8s.io", "PriorityClass", "", name): value for name, value in classes}

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """The features of the snapshot and its shards that are not modelled."""
        return merged_fidelity([figures_fidelity(session) for session in _sessions(snapshot.part(KaiState))])

    def entitlements(
        self,
        snapshot: Snapshot,
        *,
        saturated: bool = True,
        unlike: Snapshot | None = None,  # noqa: ARG002 -- all of it is found at once
    ) -> Sequence[Entitlement]:
        """What each leaf queue has a right to, by resource."""
        sessions = _sessions(snapshot.part(KaiState))
        return [each for session in sessions for each in entitlements(session, saturated=saturated)]

    def saturation_steps(self, snapshot: Snapshot, unlike: Snapshot) -> int:  # noqa: ARG002
        """None that count."""
        return 0

    def exposures(self, snapshot: Snapshot, numbers: PreemptorNumbers) -> Exposures:
        """Each job that holds nodes, with the queues that may reclaim from it."""
        state = snapshot.part(KaiState)
        of_shards = [exposures(session, numbers) for session in _sessions(state)]
        found = [each for shard in of_shards for each in shard.found]
        doubts = "; ".join(sorted({shard.doubt for shard in of_shards if shard.doubt}))
        return Exposures(sorted(found, key=lambda exposure: exposure.key), doubts)

    def waiting(self, snapshot: Snapshot) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each job with pods that wait, taken up now."""
        state = snapshot.part(KaiState)
        sessions = ((session, Groundwork(session)) for session in _sessions(state))
        return [_answer(session, name, state, known) for session, known in sessions for name in _pending(session)]

    def counted(self, snapshot: Snapshot) -> tuple[int, int]:
        """The jobs that hold nodes, and those with pods that wait."""
        sessions = [*_sessions(snapshot.part(KaiState))]
        return sum(len(_active(each)) for each in sessions), sum(len([*_pending(each)]) for each in sessions)

    def replayed(self, snapshot: Snapshot, given: Reading, namespace: str) -> Sequence[Answer[PlanDetail]]:
        """The outcome of each given job."""
        state = snapshot.part(KaiState)
        jobs = submissions(snapshot, PlanQuestion(given, Wishes(), namespace))
        return [_answer(session_with(state, job), job.group.name, state) for job in jobs]

    def idle(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot without PodGroups and their pods."""
        state = snapshot.part(KaiState)
        groups = {group.name for group in state.pod_groups}
        pods = tuple(pod for pod in state.pods if pod.group not in groups)
        return snapshot.with_part(replace(state, pod_groups=(), pods=pods))

    def work(self, snapshot: Snapshot) -> Sequence[ObjectKey]:
        """PodGroups."""
        return sorted(group.key for group in snapshot.part(KaiState).pod_groups)

    def named(self, snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
        """Leaf queues."""
        sessions = _sessions(snapshot.part(KaiState))
        names = (name for session in sessions for name in session.standings if session.is_leaf(name))
        return {"Queue": sorted(names), "flavor": []}

    def preemption_rules(self, snapshot: Snapshot) -> Sequence[str]:  # noqa: ARG002 -- no setting turns one off
        """The two ways to preempt, by KAI's own names."""
        return ["MaintainFairShare", "GuaranteeDeservedQuota", "priority"]

    def sandbox(self, snapshot: Snapshot) -> Sandbox:
        """The snapshot as a state to which made-up work is submitted."""
        from kubectl_fairshare.schedulers.kai.review.sandbox import opened

        return opened(snapshot)


def _sessions(state: KaiState) -> Iterator[Session]:
    """The session of each shard."""
    return (open_session(state, shard) for shard in state.every_shard)


def _pending(session: Session) -> Iterator[str]:
    return (name for name, job in session.jobs.items() if job.pending and job.known)


def _active(session: Session) -> list[Job]:
    return [job for job in session.jobs.values() if job.active]


def _answer(session: Session, name: str, state: KaiState, groundwork: Groundwork | None = None) -> Answer[PlanDetail]:
    over = not up_for_scheduling(session.jobs[name].group)
    made = plan(session, name, advise=False, over=over, doubts=MOST, groundwork=groundwork)
    return plan_answer(made, state)


def exposures(session: Session, numbers: PreemptorNumbers) -> Exposures:
    """Every job that holds nodes, by name."""
    active = _active(session)
    known = takers(session, numbers, active)
    return Exposures([_exposure(session, job, known.of[job.name]) for job in active], known.doubt)


def _exposure(session: Session, job: Job, takers: Preemptors) -> Exposure:
    holding = held_by(job)
    held = [r for r in range(len(RESOURCES)) if holding[r] > 0]
    holds = tuple(amount_of(r, holding[r]) for r in held)
    borrows = job.known and any(_over(session, job.queue, r) for r in held)
    below = tuple(amount_of(r, less) for r, less in left_below(session, job))
    return Exposure(job.group.key, job.queue, job.priority, holds, borrows, takers, len(job.active), below)


def _over(session: Session, queue: str, r: int) -> bool:
    standing = session.standings[queue]
    return standing.queue.quota[r] != UNLIMITED and standing.allocated[r] > standing.queue.quota[r]


def entitlements(session: Session, *, saturated: bool) -> Iterator[Entitlement]:
    """The rights of each leaf queue of a shard, by name and resource."""
    busy = with_endless_requests(session) if saturated else session
    for name, standing in sorted(session.standings.items()):
        if not session.is_leaf(name):
            continue
        key = standing.queue.key or ObjectKey(QUEUE_GROUP, "Queue", "", name)
        for r, resource in enumerate(RESOURCES):
            share, most = _amount(r, busy.standings[name].fair_share[r]), _amount(r, _most(session, name, r))
            yield Entitlement(
                key,
                resource,
                session.shard.pool or "",
                guaranteed=_amount(r, standing.queue.quota[r]),
                entitled=at_most(share, most) if saturated else None,
                most=most,
            )


def _most(session: Session, queue: str, r: int) -> float:
    """The least of the limits up the tree and of what all nodes have."""
    limits = [above.queue.limit[r] for above in session.chain(queue) if above.queue.limit[r] != UNLIMITED]
    return min([session.totals.total[r], *limits])


def _amount(r: int, value: float) -> Amount | None:
    return None if value == UNLIMITED else amount_of(r, value)
