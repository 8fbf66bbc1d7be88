"""Kueue's reasons as the answer that all schedulers share, and Kueue's own part of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.held_amounts import amount_words
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding
from kubectl_fairshare.schedulers.kueue.jobs.names import shown_name
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.release import NAME
from kubectl_fairshare.schedulers.kueue.why.verdict import HeldBy, Why
from kubectl_fairshare.schedulers.kueue.why.waits import TAKEN
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of, pooled
from kubectl_fairshare.schedulers.kueue.words.limit_words import limit_clause
from kubectl_fairshare.schedulers.kueue.words.plan_answer import (
    binding_limit,
    plan_answer,
    possible_outcomes,
    requested,
)
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import place_range
from kubectl_fairshare.schedulers.kueue.words.screens.why import why_groups
from kubectl_fairshare.schedulers.kueue.words.why_words import deciding, is_settled, reason_clause, subject

_NEEDS: Final = 3
"""The most resources that a first line names."""


class KueueWhyDetail(Value, frozen=True):
    """What only Kueue's reasons have: the record of the cluster, flavors, heads of queues."""

    why: Why
    kueue: KueueState

    @property
    def binds(self) -> str:
        """The limit of the dominant shortage, otherwise the dominant reason."""
        limits = deciding(self.why)
        return limit_clause(limits[0]) if limits and self.why.head is None else reason_clause(self.why)

    @property
    def rank(self) -> tuple[str, int]:
        """The ClusterQueue and the place in it."""
        standing = None if self.why.plan is None else self.why.plan.standing
        return self.why.cluster_queue, 0 if standing is None else standing.position

    def row(self) -> tuple[str, str, str, str, str]:
        """Workload, queue, place, needs, missing."""
        why = self.why
        standing = None if why.plan is None or why.plan.nomination.refused is not None else why.plan.standing
        place = "" if standing is None else f"{place_range(standing, '–')}/{standing.of}"
        binds = deciding(why)[:1] if why.head is None else ()
        needs = "".join(f"{amount(b.pair.resource, b.needed)} {b.pair.resource}" for b in binds)
        short = "".join(amount(b.pair.resource, b.short) for b in binds)
        return shown_name(subject(why), why.jobs), why.cluster_queue, place, needs, short

    def groups(self, now: int | None) -> list[Group]:
        """The blocks below the verdict."""
        return why_groups(self.why, self.kueue, now)

    def document(self) -> WrittenAnswer:
        """The answer as a document."""
        from kubectl_fairshare.schedulers.kueue.documents.why import WHY, why_document

        return WrittenAnswer(WHY, why_document(self.why))

    def listed(self) -> WrittenAnswer:
        """The answer as an entry of a list of workloads that wait."""
        from kubectl_fairshare.schedulers.kueue.documents.waiting import WAITING, waiting_entry

        return WrittenAnswer(WAITING, waiting_entry(self.why))


def _next_commands(why: Why, limits: Sequence[Binding]) -> Iterator[str]:
    """The commands of this program that a person would type next."""
    if why.because.law in TAKEN:
        yield "kubectl fairshare cycle"
    if limits and why.cluster_queue:
        yield f"kubectl fairshare shares --queue {why.cluster_queue}"


def why_answer(why: Why, kueue: KueueState, *, listed: bool = False) -> WhyAnswer[KueueWhyDetail]:
    """The answer for one workload; one that is ``listed`` among others has no limits and remedies of its own."""
    limits, asking = deciding(why), why.asking
    helped = not listed and why.plan is not None and why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    asked = why.then or why.plan
    plan = plan_answer(asked, kueue) if helped and asked is not None and not is_settled(why) else None
    return WhyAnswer(
        scheduler=NAME,
        verdict=why.verdict,
        reason=str(why.reason),
        because=reason_clause(why) if listed else _first_clause(why, kueue),
        facts=why.facts,
        fidelity=why.fidelity,
        detail=KueueWhyDetail(why, kueue),
        key=why.workload,
        job=why.job,
        queue=why.cluster_queue,
        short=tuple(amount_of(limit.pair, limit.short) for limit in limits),
        held=tuple(_held(held, why) for held in why.held),
        since=why.since,
        now=why.now,
        title=shown_name(subject(why), {}),
        priority=None if asking is None else asking.priority,
        needs=() if asking is None else requested(asking),
        binding=tuple(binding_limit(limit) for limit in limits),
        remedies=() if plan is None else plan.remedies,
        next=tuple(_next_commands(why, limits)),
        possible=() if why.plan is None or is_settled(why) else possible_outcomes(why.plan),
        context=("classical preemption" if kueue.configuration.strategies is None else "fair sharing",),
    )


def _first_clause(why: Why, kueue: KueueState) -> str:
    """The dominant reason, after what the workload needs where another one takes it: a screen's first line."""
    if why.because.law not in TAKEN or why.asking is None:
        return reason_clause(why)
    several = pooled(kueue.cluster_queues.get(why.cluster_queue))
    limits = {limit.pair: limit.needed for limit in deciding(why)}
    asked = (_in_flavor(each, limits) for each in requested(why.asking))
    needs = some_of([amount_words(each, several) for each in asked], _NEEDS)
    return f"needs {needs}; {reason_clause(why)}"


def _in_flavor(asked: Amount, needed: Mapping[FlavorResource, int]) -> Amount:
    """The amount with its flavor, where all of it is needed in the only one whose limit binds."""
    pairs = [pair for pair in needed if pair.resource == asked.resource]
    return amount_of(pairs[0], needed[pairs[0]]) if len(pairs) == 1 and needed[pairs[0]] == asked.value else asked


def _held(of: HeldBy, why: Why) -> HeldAmount:
    holder = of.holder
    name, amount = shown_name(holder.key, why.jobs), amount_of(of.pair, of.amount)
    return HeldAmount(holder.key, holder.cluster_queue, amount, of.borrows, name, holder.reserved or None)
