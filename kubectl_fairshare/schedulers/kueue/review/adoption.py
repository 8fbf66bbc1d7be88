"""The work of a snapshot for forecasts: its Workloads by the jobs behind them, and the replay that takes them over.

Tested in ``tests/unit/policy/forecast/test_plays.py``.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.jobs.stated_limits import StatedLimit, stated_limits
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.adoption import Adoption, StandingJob
from kubectl_fairshare.schedulers.kueue.cycle.motion.readiness import Readied
from kubectl_fairshare.schedulers.kueue.cycle.motion.replay import KueueReplay
from kubectl_fairshare.schedulers.kueue.cycle.motion.standing import StandingWork, standing_work
from kubectl_fairshare.schedulers.kueue.cycle.nominate import refusal
from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report
from kubectl_fairshare.schedulers.kueue.jobs.history import traced_job
from kubectl_fairshare.schedulers.kueue.jobs.lineage import Family
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload, record_of
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.review.advancing import work_changes
from kubectl_fairshare.schedulers.kueue.review.reviewer import considered
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.subjects import Asking
from kubectl_fairshare.schedulers.kueue.words.simulation import sayings
from kubectl_fairshare.schedulers.replay import ReplayTerms


def adoption(snapshot: Snapshot, now: int) -> Adoption:
    """The work of the snapshot ``now``. Raises ``FairshareError`` for what cannot be read."""
    state = considered(snapshot)
    changes = partial(work_changes, state, taken=partial(adoption, now=now))
    return replace(work_of(snapshot, state, now), gaps=tuple(_gaps(state)), changes=changes)


def work_of(snapshot: Snapshot, state: State, now: int) -> Adoption:
    """The same without what the snapshot leaves in doubt; ``state`` is ``considered`` of it."""
    work = standing_work(state, now)
    known = _JobObjects(state)
    jobs = [*(known.holding(each.holder, each.waiting.workload, each.since) for each in work.running)]
    jobs += [known.waiting(each.waiting.workload) for each in work.leaving]
    jobs += [known.waiting(workload) for workload in work.pending()]
    idle = snapshot.with_part(replace(snapshot.part(KueueState), holders=(), pending=()))
    return Adoption(
        jobs=tuple(sorted(jobs, key=lambda each: (each.job.created, each.job.key))),
        replay=partial(_replay, idle, work),
        subjects=Asking(snapshot).subjects,
        owners=known.owners(),
    )


def _replay(idle: Snapshot, work: StandingWork, terms: ReplayTerms) -> KueueReplay:
    found = KueueReplay(idle, terms, sayings())
    found.adopt(work, terms.start, _earlier(idle))
    return found


def _earlier(snapshot: Snapshot) -> Mapping[str, Readied]:
    """What the status of each Workload says of readiness: only where there is something."""
    found = {}
    for key in filter(is_workload, snapshot.manifests):
        record = record_of(snapshot.manifests[key])
        ready = record.condition("PodsReady")
        holds, lacks = ready is not None and ready.holds, ready is not None and not ready.holds
        lost = None if ready is None or holds or ready.reason != "WaitForRecovery" else ready.moment
        if record.requeues or ready is not None:
            found[f"{key.namespace}/{key.name}"] = Readied(record.requeues, holds, lacks, lost)
    return found


def _gaps(state: State) -> Iterator[Gap]:
    """What the next cycle leaves in doubt, pods that end apart, and nodes, where pods are placed."""
    yield from cycle_report(state).fidelity.gaps
    manifests = state.snapshot.manifests
    running = [holder.key for holder in state.kueue.holders]
    apart = [key for key in running if inside(manifests[key].data, "status", "reclaimablePods")]
    if apart and state.configuration.reclaimable_pods:
        yield Gap("PodsEndApart", tuple(Place(key, ("status", "reclaimablePods")) for key in apart), touches=True)
    placing = [flavor for flavor in state.kueue.flavors.values() if flavor.topology is not None]
    if placing:
        yield Gap("NodesOverTime", tuple(Place(each.key, ("spec", "topologyName")) for each in placing), touches=True)


class _JobObjects:
    """The objects behind the Workloads of one state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._manifests = state.snapshot.manifests
        self._family = Family(self._manifests.values())
        self._refusal = sayings().refusal

    def owners(self) -> Mapping[str, str]:
        """What makes the job of each Workload again and again, by the name of the Workload."""
        workloads = (key for key in self._manifests if is_workload(key))
        found = ((f"{key.namespace}/{key.name}", self._above(key)[1]) for key in workloads)
        return {name: owner for name, owner in found if owner}

    def holding(self, holder: Holder, again: Pending, since: int) -> StandingJob:
        """A Workload that runs."""
        return self._standing(again, holder.cluster_queue, {again.name: since})

    def waiting(self, workload: Pending) -> StandingJob:
        """A Workload that waits, or a job without one."""
        return self._standing(workload, self._state.cluster_queue_of(workload), {})

    def _standing(self, workload: Pending, queue: str, since: Mapping[str, int]) -> StandingJob:
        keys, owner = self._above(workload.key if workload.key in self._manifests else workload.source or workload.key)
        refused = None if since else refusal(self._state, workload)
        return StandingJob(
            job=replace(traced_job(workload, workload.key), lacks=()),
            keys=tuple(dict.fromkeys((*keys, workload.key))),
            units=(workload.name,),
            queue=queue,
            group=self._tree(queue),
            since=since,
            refused="" if refused is None else self._refusal(refused, workload),
            owner=owner,
            limits=self._limits((*keys, workload.key)),
        )

    def _above(self, key: ObjectKey) -> tuple[tuple[ObjectKey, ...], str]:
        """The job of a Workload and the Workload; and what owns that job, empty where nothing does."""
        kin = self._family.kin(key)
        above = [] if kin is None else [each.key for each in self._family.ancestors(kin)]
        chain = above if is_workload(key) else [key, *above]
        owner = f"{chain[-1].kind} {chain[-1].namespace}/{chain[-1].name}" if len(chain) > 1 else ""
        return tuple(chain[:1]) or (key,), owner

    def _limits(self, keys: tuple[ObjectKey, ...]) -> tuple[StatedLimit, ...]:
        return stated_limits(self._manifests[key] for key in dict.fromkeys(keys) if key in self._manifests)

    def _tree(self, queue: str) -> str:
        """The name of the tree of a ClusterQueue, with which it shares quota."""
        forest = self._state.forest
        node = forest.queue_ids.get(queue)
        return queue if node is None else forest.nodes[forest.root(node)].name
