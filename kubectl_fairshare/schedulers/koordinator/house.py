"""The house of Koordinator's ElasticQuota: its implementation of the protocol.

Tested in ``tests/unit/schedulers/koordinator/test_house.py``.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, NoReturn

from kubectl_fairshare.model.demand import Demand
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kept import Kept
from kubectl_fairshare.schedulers.koordinator.release import NAME, VERSION, Rounding, standing_of
from kubectl_fairshare.schedulers.kubescheduler.quota_house import QuotaHouse
from kubectl_fairshare.schedulers.question import (
    Settings,
    SharesQuestion,
    WhyQuestion,
    refuse_demand,
    unanswered,
)
from kubectl_fairshare.schedulers.scheduler import Adjusted, HouseHelp, HouseOption, Scheduler, Sources, chosen_value

if TYPE_CHECKING:
    from kubectl_fairshare.answers.shares import Shares
    from kubectl_fairshare.answers.shares_view import SharesView
    from kubectl_fairshare.answers.standing import WhyAnswer
    from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState
    from kubectl_fairshare.schedulers.koordinator.quotas.state import State
    from kubectl_fairshare.schedulers.koordinator.why.verdict import Why
    from kubectl_fairshare.schedulers.koordinator.words.shares_answer import RuntimeSharesDetail
    from kubectl_fairshare.schedulers.kubescheduler.explainer import PodExplainer
    from kubectl_fairshare.schedulers.kubescheduler.plugin import QuotaPlugin
    from kubectl_fairshare.schedulers.kubescheduler.why_answer import PodWhyDetail
    from kubectl_fairshare.schedulers.recording import Recording
    from kubectl_fairshare.schedulers.review import Reviewer

OPTIONS: Final = (
    HouseOption(
        "--release",
        "text",
        f"Koordinator: 1.9 divides without rounding errors. [the installed one; otherwise {Rounding.EACH}]",
        choices=tuple(rounding.value for rounding in Rounding),
        formerly="--koordinator-release",
        also=("simulate",),
    ),
    HouseOption(
        "--koordinator-gate",
        "texts",
        "Feature gate of Koordinator: MultiQuotaTree=true. Repeatable. [as its Deployments say]",
        "NAME=BOOL",
    ),
)

HELPS: Final = {
    "shares": HouseHelp(
        "Min, max, weight, request, runtime and use of every quota, as trees.",
        ("shares -f quotas/ --explain team-a",),
    ),
    "plan": HouseHelp(
        "The decision for a pod if it is considered now, its node and its victims.",
        ("plan -f quotas/ --queue team-a --request cpu=4",),
    ),
}


class KoordinatorQuotas(QuotaHouse):
    """The plugin ElasticQuota of Koordinator. It imports heavy modules when they are needed."""

    name = NAME
    title = "Koordinator"
    version = VERSION
    options = OPTIONS
    helps = HELPS
    part = "KoordinatorState"
    without_quotas = Problem("the input has no ElasticQuota", help="add the ElasticQuotas, and the Nodes")

    @cached_property
    def _explainers(self) -> "Kept[PodExplainer[Why]]":
        return Kept()

    @property
    def plugin(self) -> "QuotaPlugin":
        """What it says about itself."""
        from kubectl_fairshare.schedulers.koordinator.review.plugin import PLUGIN

        return PLUGIN

    def state_of(self, snapshot: Snapshot) -> "KoordinatorState":
        """Its part of a snapshot."""
        return _part(snapshot)

    @property
    def recordings(self) -> "Mapping[str, Recording]":
        """The recordings of the real scheduler that can be replayed."""
        from kubectl_fairshare.schedulers.koordinator.conformance import RECORDINGS

        return RECORDINGS

    @property
    def review(self) -> "Reviewer":
        """Its part in questions about a policy."""
        from kubectl_fairshare.schedulers.koordinator.review.reviewer import RuntimeReviewer

        return RuntimeReviewer()

    def adjusted(self, snapshot: Snapshot, settings: Settings, sources: Sources) -> Adjusted:  # noqa: ARG002
        """The snapshot with the wished release and gates. Raises ``UsageError`` for a gate that decides nothing."""
        release, gates = settings.get("release"), settings.get("koordinator_gate") or ()
        if release is None and not gates:
            return Adjusted(snapshot)
        from kubectl_fairshare.schedulers.koordinator.reading.gates import wished_gates

        assert isinstance(gates, tuple)
        state = _part(snapshot)
        named = None if release is None else chosen_value(OPTIONS[0], release, self.title)
        rounding = state.rounding if named is None else Rounding(named)
        odd = state.odd_release if named is None else ""
        standing = state.standing if named is None else standing_of((named,))
        wished = wished_gates(gates, state.gates)
        changed = replace(state, rounding=rounding, odd_release=odd, standing=standing, gates=wished)
        return Adjusted(snapshot.with_part(changed))

    def shares(self, snapshot: Snapshot, question: SharesQuestion) -> "Shares[RuntimeSharesDetail]":
        """The quotas with their figures. Raises ``UsageError`` for an unknown quota or resource."""
        from kubectl_fairshare.schedulers.koordinator.explain.figures import runtime_table
        from kubectl_fairshare.schedulers.koordinator.words.shares_answer import shares_answer
        from kubectl_fairshare.schedulers.manifests.creation import creation

        table = runtime_table(_state(snapshot), snapshot.skipped, creation(snapshot.manifests))
        return shares_answer(replace(table, fidelity=table.fidelity.with_gaps(self.unjudged(snapshot))), question)

    def derivation(self, snapshot: Snapshot, queue: str, demand: Demand) -> "SharesView":
        """The derivation of one quota's runtime. Raises ``UsageError`` for an unknown quota."""
        refuse_demand(self.title, demand)
        from kubectl_fairshare.schedulers.koordinator.explain.derivation import runtime_derivation
        from kubectl_fairshare.schedulers.koordinator.explain.figures import runtime_table
        from kubectl_fairshare.schedulers.koordinator.words.derivation import derivation_view
        from kubectl_fairshare.schedulers.koordinator.words.shares_answer import quota_called

        state = _state(snapshot)
        table = runtime_table(state, snapshot.skipped)
        name = quota_called(table, queue, "--explain").name
        return derivation_view(runtime_derivation(state, table, name), state.source.rounding)

    def saturation(self, snapshot: Snapshot, question: SharesQuestion) -> "SharesView":
        """What each quota may use with the requests of a question. Raises ``UsageError`` for a malformed request."""
        from kubectl_fairshare.schedulers.koordinator.explain.saturation import saturated_quotas
        from kubectl_fairshare.schedulers.koordinator.jobs.described import described_size
        from kubectl_fairshare.schedulers.koordinator.words.saturation import saturation_view

        return saturation_view(saturated_quotas(_state(snapshot), described_size(question.unit), question.demand))

    def why(self, snapshot: Snapshot, question: WhyQuestion) -> "tuple[WhyAnswer[PodWhyDetail], ...]":
        """Why pods are where they are. Raises ``UsageError`` for a name that matches no object, or several."""
        from kubectl_fairshare.schedulers.koordinator.explain.asking import charged_parts
        from kubectl_fairshare.schedulers.koordinator.why.explainer import explainer
        from kubectl_fairshare.schedulers.koordinator.words.why_answer import why_answer

        state = _state(snapshot)
        explained = self._explainers.of(snapshot, question.now, lambda own: explainer(own, state, question.now))
        stated = explained.statements
        whys = explained.asked(question)
        answers = [stated.with_these(why_answer(why, state), rejected=bool(why.refusals)) for why in whys]
        return tuple(replace(each, parts=tuple(charged_parts(each.parts, state.source))) for each in answers)

    def simulate(
        self,
        scenario: str,  # noqa: ARG002 -- it has no answer
        cycles: int | None,  # noqa: ARG002
        settings: Settings,  # noqa: ARG002
        sources: Sources,  # noqa: ARG002
    ) -> NoReturn:
        """Raises ``UnansweredError``: its quotas have no past usage."""
        reason = "its quotas do not count past usage"
        raise unanswered(self.title, "simulate", reason, "`shares --saturated` shows what each gets when all are busy")


def _state(snapshot: Snapshot) -> "State":
    """The snapshot as the scheduler sees it."""
    from kubectl_fairshare.schedulers.koordinator.explain.asking import state_in

    return state_in(snapshot)


def _part(snapshot: Snapshot) -> "KoordinatorState":
    from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState

    return snapshot.part(KoordinatorState)


HOUSE: Final[Scheduler] = KoordinatorQuotas()
