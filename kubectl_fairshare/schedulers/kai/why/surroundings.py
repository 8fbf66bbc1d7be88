"""What is between a job and its request: holders, earlier jobs, jobs that a minimum runtime protects."""

from collections.abc import Iterator
from functools import cached_property

from kubectl_fairshare.schedulers.kai.explain.decision import Plan, failing_step
from kubectl_fairshare.schedulers.kai.explain.groundwork import Groundwork
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.map_orders import OverMapOrders
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import passes_filter, reclaim_min_runtime
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import queue_passes
from kubectl_fairshare.schedulers.kai.session.job_order import taken_up
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.schedulers.kai.why.standing import HoldingJob, SafeUntil, Turn

_BELOW = frozenset({Law.LIMIT, Law.NON_PREEMPTIBLE_QUOTA, Law.WITHIN_SHARE, Law.WITHIN_QUOTA})
"""Laws about one queue and its descendants; every other law is about the whole shard."""
_FIXED = frozenset({Law.NON_PREEMPTIBLE_QUOTA, Law.WITHIN_QUOTA})
"""Laws that count non-preemptible jobs only."""


class SessionOrder:
    """One session, as its jobs see each other. The order of jobs is computed once."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.groundwork = Groundwork(session)
        self._held: dict[int, list[tuple[HoldingJob, frozenset[str]]]] = {}

    @cached_property
    def _order(self) -> OverMapOrders[tuple[Job, ...]]:
        return taken_up(self.session)

    def holding(self, plan: Plan) -> tuple[HoldingJob, ...]:
        """The holders of what the job lacks, largest first: in the queue that binds, otherwise in the shard."""
        step = failing_step(plan)
        law = None if step is None else Law(step.law)
        within = str(step.operand("queue")) if step is not None and law in _BELOW else ""
        return tuple(
            each
            for each, queues in self._holding_jobs(_short_resource(plan))
            if (not within or within in queues)
            and each.job.name != plan.job.name
            and not (law in _FIXED and each.job.preemptible)
        )

    def _holding_jobs(self, r: int) -> list[tuple[HoldingJob, frozenset[str]]]:
        """The holders of a resource, largest first, each with its queue and all queues above."""
        if r not in self._held:
            found = list(self._held_of(r))
            self._held[r] = sorted(found, key=lambda one: (-one[0].amount, one[0].job.group.key))
        return self._held[r]

    def _held_of(self, r: int) -> Iterator[tuple[HoldingJob, frozenset[str]]]:
        for job in self.session.jobs.values():
            amount = sum(task.accepted.total[r] for task in job.active)
            if amount:
                chain = self.session.chain(job.queue)
                borrows = bool(chain) and _borrows(chain[0], r)
                yield HoldingJob(job, r, amount, borrows), frozenset(standing.queue.name for standing in chain)

    def turn(self, job: Job) -> Turn | None:
        """The position of a job among the waiting jobs; None for a job that KAI does not try."""
        order = self._order.value
        names = [each.name for each in order]
        if job.name not in names:
            return None
        place, queue = names.index(job.name), [each for each in order if each.queue == job.queue]
        ahead = tuple(each.group.key for each in order[:place] if each.queue == job.queue)
        return Turn(len(ahead) + 1, len(queue), place + 1, len(names), ahead, self._order.defined)

    def safe(self, job: Job) -> tuple[SafeUntil, ...]:
        """The jobs that only their minimum runtime keeps from being victims, sorted by its end."""
        session = self.session
        if session.now is None or not session.chain(job.queue):
            return ()
        request = job.request.total
        others = (
            each for each in session.jobs.values() if each.queue != job.queue and each.preemptible and each.active
        )
        safe = (
            _safe_until(session, job, each)
            for each in others
            if queue_passes(session, job.queue, request, each.queue) and not passes_filter(session, job.queue, each)
        )
        return tuple(sorted(safe, key=lambda each: (each.until, each.job.group.key)))


def _borrows(standing: QueueAttributes, r: int) -> bool:
    quota = standing.queue.quota[r]
    return quota != UNLIMITED and standing.allocated[r] > quota


def _safe_until(session: Session, job: Job, victim: Job) -> SafeUntil:
    span, source = reclaim_min_runtime(session, job.queue, victim.queue)
    return SafeUntil(victim, (victim.group.last_start or 0) + span, source)


def _short_resource(plan: Plan) -> int:
    """The resource of the last failing test, otherwise the scarcest requested one."""
    failing = [step for step in plan.proof if not step.holds and "resource" in dict(step.operands)]
    if failing:
        return RESOURCES.index(str(failing[-1].operand("resource")))
    return next((r for r in (2, 0, 1) if plan.job.request.total[r]), 2)
