"""Jobs that are asked about together, on KAI's own sessions.

Tested in ``tests/unit/policy/test_together_pods.py``.
"""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.joint import IN_ORDER, AtRest, JointQuestion, JointWork, at_rest, waits_for
from kubectl_fairshare.schedulers.kai.explain.asking import job_gaps, notes_on, session_with, submissions
from kubectl_fairshare.schedulers.kai.explain.created import created_job
from kubectl_fairshare.schedulers.kai.explain.making import job_making
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission, with_submission
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase
from kubectl_fairshare.schedulers.kai.review.adoption import adoption
from kubectl_fairshare.schedulers.kai.session.jobs import up_for_scheduling
from kubectl_fairshare.schedulers.kai.solver.motion.replay import KaiReplay
from kubectl_fairshare.schedulers.kai.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.replay import SchedulerReplay

_SECOND: Final = 10**9
_WAIT: Final = frozenset({Phase.PENDING, Phase.GATED})


def joint_work(snapshot: Snapshot, question: JointQuestion, now: int, unjudged: Sequence[Gap]) -> JointWork:
    """The jobs of a question next to all that runs. Raises as ``plan`` does."""
    asked, notes, gaps, conditions = _asked(snapshot, question)
    state = _only(snapshot.part(KaiState), question)
    number = len(asked)
    for job in asked:
        group = replace(job.group, created=now - number * _SECOND) if job.group.new else job.group
        state = with_submission(state, replace(job, group=group))
        number -= 1
    work = adoption(snapshot.with_part(state), now, unjudged, asked)
    groups = {f"{group.key.namespace}/{group.name}": group for group in state.pod_groups}

    def rest(replay: SchedulerReplay, unit: str) -> AtRest:
        assert isinstance(replay, KaiReplay)
        group = groups[unit]
        pods = tuple(pod for pod in replay.state.pods if pod.group == group.name)
        if not pods:
            return waits_for(next(each.refused for each in work.jobs if unit in each.units))
        session = session_with(replay.state, Submission(group, pods))
        return at_rest(plan_answer(plan(session, group.name, over=not up_for_scheduling(group)), replay.state))

    assumed = (*conditions, *([IN_ORDER] if len(asked) > 1 else []))
    return JointWork(work, rest, gaps, assumed, notes)


def _asked(
    snapshot: Snapshot, question: JointQuestion
) -> tuple[list[Submission], tuple[Problem, ...], tuple[Gap, ...], tuple[str, ...]]:
    """The jobs with the pods that are created, notes, what is in doubt, and what is assumed of them."""
    if question.asked is None:
        return [], (), (), ()
    given, described = question.asked.given, question.asked.given is None
    jobs = submissions(snapshot, question.asked)
    made = [created_job(snapshot, job, described=described).job for job in jobs]
    making = [job_making(snapshot, job, given) for job in made]
    gaps = tuple(
        gap for job, how in zip(made, making, strict=True) for gap in (*job_gaps(snapshot, job, given), *how.gaps)
    )
    conditions = dict.fromkeys(f"jobs are {how.condition}" for how in making if how.condition)
    notes = notes_on(jobs, given, snapshot.part(KaiState).queue_label)
    return made, notes, gaps, tuple(conditions)


def _only(state: KaiState, question: JointQuestion) -> KaiState:
    """The state without PodGroups that wait and are not asked about."""
    kept = {pod.group for pod in state.pods if pod.key in question.kept}
    kept |= {group.name for group in state.pod_groups if group.key in question.kept}
    running = {pod.group for pod in state.pods if pod.phase not in _WAIT}
    return replace(
        state,
        pods=tuple(pod for pod in state.pods if pod.phase not in _WAIT or pod.group in kept | running),
        pod_groups=tuple(group for group in state.pod_groups if group.name in kept | running),
    )
