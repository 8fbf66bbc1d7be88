"""One cycle of KAI as the answer that all schedulers share, and KAI's own part of it."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Victim
from kubectl_fairshare.answers.blocks import Layout
from kubectl_fairshare.answers.cycle import Cycle, CycleEntry
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.documents.cycle import CYCLE, cycle_document
from kubectl_fairshare.schedulers.kai.explain.cycle import KaiCycle
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.solver.attempts import Action, Tried
from kubectl_fairshare.schedulers.kai.words.cycle_rows import RULES, moved_to, rule_of
from kubectl_fairshare.schedulers.kai.words.plan_answer import SCHEDULER, amount_of
from kubectl_fairshare.schedulers.kai.words.screens.cycle import cycle_layout

_LAWS: Final = {
    Action.CONSOLIDATION: Law.PLACEMENT,
    Action.PREEMPT: Law.IN_QUEUE_PRIORITY,
}


class KaiCycleDetail(Value, frozen=True):
    """What only KAI's cycles have: actions, attempts that were dropped, and what KAI writes."""

    cycle: KaiCycle

    def layout(self) -> Layout:
        """The attempts in KAI's order, by action."""
        return cycle_layout(self.cycle)

    def document(self) -> WrittenAnswer:
        """The cycle as a document."""
        return WrittenAnswer(CYCLE, cycle_document(self.cycle))


def cycle_answer(cycle: KaiCycle) -> Cycle[KaiCycleDetail]:
    """The answer about one cycle: an entry for each job that an action tries, in the order of the first attempts."""
    order = dict.fromkeys(one.job for one in cycle.tried)
    left_out = {one.job.name for one in cycle.waiting if one.unready} | {*cycle.never} - {*order}
    return Cycle(
        scheduler=SCHEDULER,
        entries=tuple(_entry(cycle, name) for name in order),
        fidelity=cycle.fidelity,
        detail=KaiCycleDetail(cycle),
        behind=tuple(job.group.key for job in cycle.jobs if job.name not in order and job.name not in left_out),
        left_out=tuple(job.group.key for job in cycle.jobs if job.name in left_out),
        never=frozenset(job.group.key for job in cycle.jobs if job.name in cycle.never),
    )


def _entry(cycle: KaiCycle, name: str) -> CycleEntry:
    attempts = [one for one in cycle.tried if one.job == name]
    job = attempts[0].ground.gangs[name].job
    victims = tuple(victim for one in attempts for victim in _victims(one))
    return CycleEntry(job.group.key, job.queue, cycle.outcome(name), victims)


def _victims(tried: Tried) -> Iterator[Victim]:
    """The jobs that lose or move pods for an attempt, in the order of eviction."""
    by_job: dict[str, list[str]] = {}
    for eviction in tried.evictions:
        by_job.setdefault(tried.ground.tasks[eviction.victim.pod].job, []).append(eviction.victim.pod)
    for name, pods in by_job.items():
        yield _victim(tried, name, pods)


def _victim(tried: Tried, name: str, pods: Sequence[str]) -> Victim:
    job, rule = tried.ground.gangs[name].job, rule_of(tried, name)
    gpus = sum(tried.ground.tasks[pod].pod.request.total.gpu for pod in pods)
    law = _LAWS.get(tried.action, Law.OVER_SHARE if tried.rules.get(name, True) else Law.OVER_QUOTA)
    moves = sum(bool(moved_to(tried, pod)) for pod in pods)
    clause = f"{count(len(pods), 'pod')}, {moves} of them moved: {RULES[rule]}"
    return Victim(job.group.key, job.queue, job.priority, (amount_of(2, gpus),) if gpus else (), law, clause, rule)
