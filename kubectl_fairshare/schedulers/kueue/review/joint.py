"""Workloads that are asked about together, as the only ones that wait, on Kueue's own cycles.

Tested in ``tests/unit/policy/test_together.py``.
"""

from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.joint import IN_ORDER, AtRest, JointQuestion, JointWork, at_rest, waits_for
from kubectl_fairshare.schedulers.kueue.cycle.motion.replay import KueueReplay
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_only_pending, with_pending
from kubectl_fairshare.schedulers.kueue.explain.asking import Candidacy, candidacies
from kubectl_fairshare.schedulers.kueue.explain.cycle import cycle_report
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.review.adoption import work_of
from kubectl_fairshare.schedulers.kueue.review.reviewer import considered
from kubectl_fairshare.schedulers.kueue.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.replay import SchedulerReplay

_SECOND: Final = 10**9


def joint_work(snapshot: Snapshot, question: JointQuestion, now: int) -> JointWork:
    """The workloads of a question next to all that runs. Raises as ``plan`` does."""
    candidates: list[Candidacy]
    notes: tuple[Problem, ...]
    candidates, notes = ([], ()) if question.asked is None else candidacies(snapshot, question.asked)
    dated = [_dated(each.workload, number) for number, each in enumerate(candidates)]
    gone = [key for each in candidates for key in each.replaced]
    added = with_pending(snapshot, dated, gone)
    asked = with_only_pending(added, [each.key for each in (*dated, *_kept(snapshot, question))])
    state = considered(asked)
    work = replace(work_of(asked, state, now), gaps=cycle_report(state).fidelity.gaps)
    waiting = {each.name: each for each in asked.part(KueueState).pending}
    in_order = any(not each.workload.uid for each in candidates) and len(candidates) > 1
    gaps = tuple(gap for each in candidates for gap in each.gaps)
    return JointWork(work, _Reasons(waiting).of, gaps, (IN_ORDER,) if in_order else (), notes)


def _kept(snapshot: Snapshot, question: JointQuestion) -> list[Pending]:
    pending = snapshot.part(KueueState).pending
    return [each for each in pending if {each.key, each.source} & question.kept]


def _dated(workload: Pending, number: int) -> Pending:
    """A workload that is not there yet, created so many seconds after the first of them."""
    if workload.uid:
        return workload
    later = number * _SECOND
    return replace(workload, created=workload.created + later, queued=workload.queued + later, undated=False)


class _Reasons:
    """Why Workloads wait at rest. Those of a queue that ask for the same, at the same priority, share the reason."""

    def __init__(self, waiting: dict[str, Pending]) -> None:
        self._waiting = waiting
        self._known: list[tuple[object, AtRest]] = []

    def of(self, replay: SchedulerReplay, unit: str) -> AtRest:
        """Why one waits: as its plan says it on the state at rest, or for the head of its StrictFIFO queue."""
        assert isinstance(replay, KueueReplay)
        workload = self._waiting.get(unit) or replay.waiting_workload(unit)
        if workload is None:
            return waits_for("its queue does not take it")
        shape = replay.state.cluster_queue_of(workload), workload.priority, workload.pod_sets, workload.blocks
        found = next((rest for known, rest in self._known if known == shape), None)
        if found is None:
            found = self._planned(replay, workload)
            self._known.append((shape, found))
        head = replay.head_before(workload)
        if found.outcome is Outcome.WAITS and head:
            return waits_for(f"behind {head}, the head of its StrictFIFO queue")
        return found

    def _planned(self, replay: KueueReplay, workload: Pending) -> AtRest:
        return at_rest(plan_answer(plan(replay.state, workload, briefly=True, queues={}), replay.state.kueue))
