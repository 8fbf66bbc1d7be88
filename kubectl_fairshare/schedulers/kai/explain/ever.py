"""Whether a job can ever get in: what keeps it out whatever ends and whatever else waits, with all nodes in service.

Plans, cycles and what rests on them say "never" by this law alone.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import NO_QUEUES, Fidelity, Gap
from kubectl_fairshare.jobs.node_demand import BarredNodes
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.gaps import (
    NO_NODES,
    PAST_USAGE,
    SEARCH_BUDGET,
    UNDATED,
    class_gaps,
    config_map_gaps,
    default_gaps,
    fidelity_of,
    grouping_gaps,
    placing_gaps,
    queue_gaps,
    without,
)
from kubectl_fairshare.schedulers.kai.model.amounts import plus, within
from kubectl_fairshare.schedulers.kai.model.objects import NOTHING, Allocated
from kubectl_fairshare.schedulers.kai.session.gates import gate
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import PARTS, Misfits, barred, misfits
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.schedulers.kai.solver.layers import Layer
from kubectl_fairshare.schedulers.kai.solver.machines import named_gpus
from kubectl_fairshare.schedulers.kai.solver.predicates import crowd

_NO_HOLDING: Final = Allocated(NOTHING)


class NodeObstacles(NamedTuple):
    """Why nodes never take pods of a job, which its queues would let in.

    ``barred`` are nodes that are large enough for a pod and refuse it, ``crowd`` pods that are equal and more than all
    nodes hold.
    """

    barred: BarredNodes | None
    crowd: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether there is one."""
        return self.barred is not None or bool(self.crowd)


def node_obstacles(session: Session, job: Job, first: Layer) -> NodeObstacles:
    """What nodes do to a job that waits; ``first`` is the state before any action."""
    nodes = barred(session, job.next) if session.state.nodes else None
    return NodeObstacles(nodes, crowd(first, job.name) if nodes is None and session.state.nodes else ())


def too_large(session: Session, job: Job) -> Misfits:
    """The pods that are larger than every node; none without nodes."""
    return misfits(session, job.next) if session.state.nodes else Misfits()


def may_get_in(session: Session, job: Job, chain: Sequence[QueueAttributes], misfitting: Misfits) -> bool:
    """Whether its queues and the sum of the nodes could take the job once nothing else is there."""
    if not chain or not session.is_leaf(job.queue) or misfitting:
        return False
    empty = [replace(standing, allocated=_NO_HOLDING, non_preemptible=_NO_HOLDING) for standing in chain]
    if gate(empty, job.asked, preemptible=job.preemptible) is not None:
        return False
    total, shares = session.totals.total, any(task.pod.gpu.kind in PARTS for task in job.next)
    for node in session.nodes.values():
        total = total if node.unready is None else plus(total, node.allocatable)
        if shares:
            total = total._replace(gpu=total.gpu + max(named_gpus(node) - int(node.allocatable.gpu), 0))
    return not session.state.nodes or within(job.request.total, total)


def is_never(session: Session, job: Job, first: Layer, *, evicts: bool = False) -> bool:
    """Whether a job that waits can never get in, as far as what is modelled decides that.

    One that ``evicts`` others has nodes, and may be kept out all the same: the search takes what a pod holds from its
    queue once for each time that it lists the pod, so a limit lets the job in there which allocate holds it to in each
    cycle. Source: KAI-Scheduler v0.17, ``Statement.Evict``, ``nodeLocalScenarios``.
    """
    if may_get_in(session, job, session.chain(job.queue), too_large(session, job)) and (
        evicts or not node_obstacles(session, job, first)
    ):
        return False
    return never_fidelity(session, job).modelled


def never_fidelity(session: Session, job: Job) -> Fidelity:
    """What a "never" rests on: not on others, on the moment, on past usage or on the order of anything.

    Where no shard serves the job, it rests on the shards alone.
    """
    if session.state.shard_of(job.group.pool) is None:
        return without(fidelity_of(session), NO_NODES, NO_QUEUES, PAST_USAGE)
    known = fidelity_of(session, *placing_gaps(session), *job_gaps(session, job))
    return without(known, NO_NODES, PAST_USAGE, SEARCH_BUDGET, *UNDATED)  # without nodes, queues alone decide


def job_gaps(session: Session, job: Job) -> Iterator[Gap]:
    """What the input lacks or leaves open of the job itself."""
    yield from config_map_gaps(session, job)
    yield from grouping_gaps(job)
    yield from queue_gaps(session, job)
    yield from class_gaps(session, (job,))
    yield from default_gaps(session, job)
