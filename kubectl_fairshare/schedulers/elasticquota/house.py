"""The house of ElasticQuota of scheduler-plugins: its implementation of the protocol."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, NoReturn

from kubectl_fairshare.model.demand import Demand
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics
from kubectl_fairshare.schedulers.elasticquota.release import VERSION
from kubectl_fairshare.schedulers.kept import Kept
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
    from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
    from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
    from kubectl_fairshare.schedulers.elasticquota.why.verdict import Why
    from kubectl_fairshare.schedulers.elasticquota.words.shares_answer import QuotaSharesDetail
    from kubectl_fairshare.schedulers.kubescheduler.explainer import PodExplainer
    from kubectl_fairshare.schedulers.kubescheduler.plugin import QuotaPlugin
    from kubectl_fairshare.schedulers.kubescheduler.why_answer import PodWhyDetail
    from kubectl_fairshare.schedulers.recording import Recording
    from kubectl_fairshare.schedulers.review import Reviewer

OPTIONS: Final = (
    HouseOption(
        "--release",
        "text",
        f"CapacityScheduling: its version of Kubernetes. [the installed one; otherwise {Semantics.K8S_1_35}]",
        choices=tuple(version.value for version in Semantics),
        formerly="--kubernetes",
        also=("simulate",),
    ),
)


HELPS: Final = {
    "shares": HouseHelp("Minimum, maximum and use, by namespace."),
    "plan": HouseHelp(
        "The decision for a pod if it is considered now, and its node.",
        ("plan -f quotas/ -n team-b --request nvidia.com/gpu=2",),
    ),
}


class ElasticQuotas(QuotaHouse):
    """The plugin CapacityScheduling of scheduler-plugins. It imports heavy modules when they are needed."""

    name = "elasticquota"
    title = "ElasticQuota"
    version = VERSION
    options = OPTIONS
    helps = HELPS
    part = "ElasticQuotaState"
    without_quotas = Problem("the input has no ElasticQuota", help="add the ElasticQuotas, and the Nodes")

    @cached_property
    def _explainers(self) -> "Kept[PodExplainer[Why]]":
        return Kept()

    @property
    def plugin(self) -> "QuotaPlugin":
        """What it says about itself."""
        from kubectl_fairshare.schedulers.elasticquota.review.plugin import PLUGIN

        return PLUGIN

    def state_of(self, snapshot: Snapshot) -> "ElasticQuotaState":
        """Its part of a snapshot."""
        return _part(snapshot)

    @property
    def recordings(self) -> "Mapping[str, Recording]":
        """The recordings of the real scheduler that can be replayed."""
        from kubectl_fairshare.schedulers.elasticquota.conformance import RECORDINGS

        return RECORDINGS

    @property
    def review(self) -> "Reviewer":
        """Its part in questions about a policy."""
        from kubectl_fairshare.schedulers.elasticquota.review.reviewer import QuotaReviewer

        return QuotaReviewer()

    def adjusted(self, snapshot: Snapshot, settings: Settings, sources: Sources) -> Adjusted:  # noqa: ARG002
        """The snapshot, with the wished version of Kubernetes as the one that decides."""
        wished = settings.get("release")
        if wished is None:
            return Adjusted(snapshot)
        state = _part(snapshot)
        return Adjusted(
            snapshot.with_part(replace(state, semantics=Semantics(chosen_value(OPTIONS[0], wished, self.title))))
        )

    def shares(self, snapshot: Snapshot, question: SharesQuestion) -> "Shares[QuotaSharesDetail]":
        """The quotas with their figures. Raises ``UsageError`` for an unknown quota or resource."""
        from kubectl_fairshare.schedulers.elasticquota.explain.shares import shares
        from kubectl_fairshare.schedulers.elasticquota.words.shares_answer import shares_answer
        from kubectl_fairshare.schedulers.manifests.creation import creation

        table = shares(_state(snapshot), snapshot.skipped, creation(snapshot.manifests))
        return shares_answer(replace(table, fidelity=table.fidelity.with_gaps(self.unjudged(snapshot))), question)

    def derivation(self, snapshot: Snapshot, queue: str, demand: Demand) -> "SharesView":
        """The derivation of one namespace's figures. Raises ``UsageError`` for a namespace without a quota."""
        refuse_demand(self.title, demand)
        from kubectl_fairshare.schedulers.elasticquota.explain.derivation import derivation
        from kubectl_fairshare.schedulers.elasticquota.explain.shares import shares
        from kubectl_fairshare.schedulers.elasticquota.words.derivation import derivation_view
        from kubectl_fairshare.schedulers.elasticquota.words.shares_answer import quota_named

        state = _state(snapshot)
        table = shares(state, snapshot.skipped)
        return derivation_view(derivation(state, table, quota_named(table, queue, "--explain")))

    def saturation(self, snapshot: Snapshot, question: SharesQuestion) -> NoReturn:  # noqa: ARG002
        """Raises ``UnansweredError``: the split depends on the order of requests."""
        texts = " ".join(question.demand.texts)
        reason = "quotas have no weights: the first to ask borrows, so no split lasts"
        remedy = "REACHABLE of `shares` is the most that each can use, `simulate` plays jobs one after the other"
        raise unanswered(self.title, f"shares --demand {texts}", reason, remedy)

    def why(self, snapshot: Snapshot, question: WhyQuestion) -> "tuple[WhyAnswer[PodWhyDetail], ...]":
        """Why pods are where they are. Raises ``UsageError`` for a name that matches no object, or several."""
        from kubectl_fairshare.schedulers.elasticquota.why.explainer import explainer
        from kubectl_fairshare.schedulers.elasticquota.words.why_answer import why_answer

        state = _state(snapshot)
        explained = self._explainers.of(snapshot, question.now, lambda own: explainer(own, state, question.now))
        stated, whys = explained.statements, explained.asked(question)
        return tuple(stated.with_these(why_answer(why, state), rejected=bool(why.refusals)) for why in whys)

    def simulate(
        self,
        scenario: str,  # noqa: ARG002 -- it has no answer
        cycles: int | None,  # noqa: ARG002
        settings: Settings,  # noqa: ARG002
        sources: Sources,  # noqa: ARG002
    ) -> NoReturn:
        """Raises ``UnansweredError``: it simulates jobs on a state, not a file of queues."""
        reason = "a file of queues is not its input"
        raise unanswered(self.title, "simulate", reason, "pass its objects with `-f`, and `--scenario` or `--trace`")


def _state(snapshot: Snapshot) -> "State":
    """The snapshot as the scheduler sees it."""
    from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of

    return state_of(_part(snapshot))


def _part(snapshot: Snapshot) -> "ElasticQuotaState":
    from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState

    return snapshot.part(ElasticQuotaState)


HOUSE: Final[Scheduler] = ElasticQuotas()
