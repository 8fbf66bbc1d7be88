"""Why a pod is where it is, in clauses and lines that do not depend on quotas.

Decides nothing: it has words only.
Tested in ``tests/unit/schedulers/koordinator/test_words.py`` and ``tests/unit/cli/test_elasticquota_commands.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from kubectl_fairshare.answers.blocks import Block, Group, Items, Remark, Table
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.outcome import Outcome, before_clause, unknown_group
from kubectl_fairshare.answers.plan_blocks import fact_blocks, remedy_blocks
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.schedulers.kubescheduler.clauses import PlanWords, any_of, useless_blocks
from kubectl_fairshare.schedulers.kubescheduler.refusals import bound_name, refusal_clause
from kubectl_fairshare.schedulers.kubescheduler.why import PodWhy
from kubectl_fairshare.schedulers.shared_words import pod_record_blocks

_BY_FACT: Final = ("GATED", "SUSPENDED", "FINISHED")
_WAITS: Final = (Verdict.NOT_NOW, Verdict.NEVER)
AnyWhy = TypeVar("AnyWhy", bound=PodWhy)


def _next_preemption(why: PodWhy) -> str:
    victims = count(why.plan.victims, "pod")
    return f"the scheduler's next attempt preempts {victims} on {any_of(why.plan.preempted_on)}"


_CLAUSES: Final[Mapping[str, Callable[[PodWhy], str]]] = {
    "NEXT_ATTEMPT": lambda why: f"the scheduler's next attempt places it on {any_of(why.plan.feasible)}",
    "NEXT_PREEMPTION": _next_preemption,
    "NOT_MODELLED": lambda _: "a feature that is not modelled keeps it out",
    "GATED": lambda why: f"its scheduling gates must be removed first: {', '.join(why.gates)}",
    "REFUSED": lambda why: f"{count(why.missing, 'pod')} not created: {refusal_clause(why.refusals[0])}",
    "PLACED": lambda why: "" if why.pod is None else f"placed on {why.pod.node}",
    "LEAVING": lambda _: "it is being deleted",
    "FINISHED": lambda why: f"it has ended: {why.facts[0].value}",
    "SUSPENDED": lambda _: "it is suspended, so no pod is created",
    "NO_PODS": lambda _: "it has no waiting or running pod",
}
"""The clauses of reasons that a plan does not give."""


class WhyWords(NamedTuple, Generic[AnyWhy]):
    """How a plugin says why: its plans, its name in configurations, and what binds of its quotas, or nothing."""

    plans: PlanWords[Any]
    plugin: str
    binds: Callable[[AnyWhy], str]

    def reason_clause(self, why: AnyWhy) -> str:
        """The reason, with its numbers, and how many pods get in first."""
        if why.verdict is Verdict.UNKNOWN and why.plan is not None and why.plan.outcome is Outcome.UNKNOWN:
            return self.plans.unknown_clause(why.plan) + before_clause(why.before)
        clause = self._clause(why)
        return clause + before_clause(why.before) if why.queued else clause

    def _clause(self, why: AnyWhy) -> str:
        if why.reason.name == "OTHER_SCHEDULER":
            return "" if why.pod is None else f"its scheduler {why.pod.scheduler} has no profile with {self.plugin}"
        if why.reason.name in _CLAUSES:
            return _CLAUSES[why.reason.name](why)
        return "" if why.plan is None else self.plans.obstacle(why.plan)

    def binding_clause(self, why: AnyWhy) -> str:
        """What binds, without the details of single pods; what is not known, if that decides."""
        if why.verdict is Verdict.UNKNOWN and why.plan is not None:
            return unknown_group(self.plans.verdict(why.plan).removeprefix("unknown: "), why.plan.computed)
        if why.reason.name == "REFUSED":
            return bound_name(why.refusals[0])
        if why.reason.name == "NEXT_ATTEMPT":
            return "the scheduler's next attempt places it"
        if why.reason.name == "NEXT_PREEMPTION":
            return "the scheduler's next attempt preempts for it"
        return self.binds(why) or self.reason_clause(why)


def title(why: PodWhy) -> str:
    """The object in question: ``research/train``."""
    key = why.job or why.key
    return "" if key is None else f"{key.namespace}/{key.name}"


def commands(why: PodWhy, key: Any, of_quota: Iterable[str]) -> Iterator[str]:
    """The commands that a person would type next: about the quota, then about the object of ``key``."""
    yield from of_quota
    if why.refusals:
        quota = why.refusals[0].place.object
        yield f"kubectl describe resourcequota {quota.name} -n {quota.namespace}"
    if key is not None:
        yield f"kubectl describe {key.kind.lower()} {key.name} -n {key.namespace}"


def name_text(why: PodWhy) -> str:
    """The object in question, with the number of others that are like it."""
    others = len(why.alike) if why.alike else max(0, why.missing - 1)
    return title(why) + (f" (+{others})" if others else "")


def route_blocks(why: PodWhy, quotas: Iterable[str]) -> Group:
    """The way from the job to the quota."""
    stations = [f"{key.kind} {key.name}" for key in (why.job, why.key) if key is not None]
    if why.alike:
        stations[-1] += f" and {count(len(why.alike), 'equal one')}"
    return [Items("  ", [*stations, *quotas], " → ")]


def ground_blocks(why: PodWhy) -> Group:
    """The fields behind the reason, unless a block below shows them."""
    if why.refusals:
        return [Remark(refusal_clause(each), place=each.place) for each in why.refusals]
    facts = why.facts if why.reason.name in _BY_FACT else ()
    return fact_blocks(facts[: len(why.gates) or 1])


def ahead_blocks(why: PodWhy) -> Group:
    """The waiting pods that the scheduler tries first."""
    if not why.queued or why.verdict is Verdict.NEVER:
        return []
    lines: list[Block] = [
        Items("  tried before it: ", [f"{pod.name} ({pod.priority})" for pod in why.ahead], long=True)
    ]
    if why.equals:
        lines.append(Remark(f"same priority: {count(why.equals, 'other pod')}, in an order that is not recorded"))
    return lines


def remedy_groups(why: PodWhy, remedies: Callable[[], Sequence[Any]]) -> list[Group]:
    """What would help a pod that does not get in."""
    if why.plan is None or why.verdict not in _WAITS:
        return []
    return [remedy_blocks(remedies()), useless_blocks(why.plan)]


def held_blocks(why: PodWhy, *, quotas: bool = False) -> Group:
    """The holders of what is short, with their ``quotas`` where these may be several."""
    if not why.held or why.verdict not in (Verdict.NOT_NOW, Verdict.UNKNOWN):
        return []
    columns = (
        Column("HELD BY", right=False),
        *((Column("QUOTA", right=False),) if quotas else ()),
        Column("PRIORITY", rank=2),
        Column("HOLDS"),
        Column("BORROWS", right=False, kept=False),
        Column("NODE", right=False, rank=1),
    )
    rows = []
    for each in why.held:
        holds = f"{amount(each.resource, each.amount)} {each.resource}"
        cells = (str(each.pod.priority), holds, "yes" if each.borrows else "", each.pod.node)
        rows.append(Row((each.pod.name, *((each.quota,) if quotas else ()), *cells)))
    return [Table(columns, rows, "  ", long=True)]


class WhyScreen(NamedTuple):
    """The blocks of a screen that a plugin says itself.

    They are the way to the quota; what binds of it and of the nodes; who holds what is short; and who can preempt a
    placed pod.
    """

    route: Group
    limits: Iterable[Group]
    held: Group
    placed: Group

    def groups(self, why: PodWhy, remedies: Callable[[], Sequence[Any]], now: int | None) -> list[Group]:
        """All blocks below the verdict."""
        return [
            self.route,
            ground_blocks(why),
            *self.limits,
            self.held,
            self.placed,
            ahead_blocks(why),
            *remedy_groups(why, remedies),
            pod_record_blocks(why.record, now),
        ]
