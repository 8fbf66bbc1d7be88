"""The house of ElasticQuota of scheduler-plugins: its implementation of the protocol."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, NoReturn

from kubectl_fairshare.model.demand import Demand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics
from kubectl_fairshare.schedulers.elasticquota.release import VERSION
from kubectl_fairshare.schedulers.pod_house import SinglePodHouse, unlisted_pods
from kubectl_fairshare.schedulers.question import (
    PlanQuestion,
    Settings,
    SharesQuestion,
    WhyQuestion,
    refuse_demand,
    unanswered,
)
from kubectl_fairshare.schedulers.scheduler import Adjusted, HouseHelp, HouseOption, Scheduler, Sources, chosen_value

if TYPE_CHECKING:
    from kubectl_fairshare.answers.answer import Answer
    from kubectl_fairshare.answers.fidelity import Gap
    from kubectl_fairshare.answers.shares import Shares
    from kubectl_fairshare.answers.shares_view import SharesView
    from kubectl_fairshare.answers.standing import WhyAnswer
    from kubectl_fairshare.jobs.history import PastWork
    from kubectl_fairshare.schedulers.adoption import Adoption
    from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
    from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
    from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import QuotaPlanDetail
    from kubectl_fairshare.schedulers.elasticquota.words.shares_answer import QuotaSharesDetail
    from kubectl_fairshare.schedulers.elasticquota.words.why_answer import QuotaWhyDetail
    from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
    from kubectl_fairshare.schedulers.recording import Recording
    from kubectl_fairshare.schedulers.replay import ReplayTerms, SchedulerReplay
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


class ElasticQuotas(SinglePodHouse):
    """The plugin CapacityScheduling of scheduler-plugins. It imports heavy modules when they are needed."""

    name = "elasticquota"
    title = "ElasticQuota"
    version = VERSION
    options = OPTIONS
    helps = HELPS

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

    def holds(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has an ElasticQuota."""
        return snapshot.has_part("ElasticQuotaState") and bool(_part(snapshot).quotas)

    def replay(self, snapshot: Snapshot, terms: "ReplayTerms") -> "SchedulerReplay":
        """The scheduler's own cycles on a state that pods enter and leave. Raises ``UsageError`` without a quota."""
        from kubectl_fairshare.schedulers.elasticquota.motion import QuotaMotion
        from kubectl_fairshare.schedulers.elasticquota.words.sentences import RULES
        from kubectl_fairshare.schedulers.pod_replay import PodReplay

        if not self.holds(snapshot):
            raise UsageError(Problem("the input has no ElasticQuota", help="add the ElasticQuotas, and the Nodes"))
        return PodReplay(QuotaMotion(lambda law: RULES.get(law, str(law))), snapshot, terms)

    def adoption(self, snapshot: Snapshot, now: int) -> "Adoption":
        """The pods of the snapshot, by their jobs, for replays that begin with them."""
        from kubectl_fairshare.schedulers.elasticquota.review.adoption import QuotaPods
        from kubectl_fairshare.schedulers.pod_adoption import pod_adoption

        self._check_quotas(snapshot)
        return pod_adoption(snapshot, now, QuotaPods(snapshot, self.unjudged(snapshot)))

    def joint(self, snapshot: Snapshot, question: "JointQuestion", now: int) -> "JointWork":
        """Jobs that are asked about together: all their pods. Raises ``UsageError`` without quotas."""
        from kubectl_fairshare.schedulers.elasticquota.review.joint import joint_work

        self._check_quotas(snapshot)
        return joint_work(snapshot, question, now, self.unjudged(snapshot))

    def _check_quotas(self, snapshot: Snapshot) -> None:
        if not self.holds(snapshot):
            raise UsageError(Problem("the input has no ElasticQuota", help="add the ElasticQuotas, and the Nodes"))

    def unjudged(self, snapshot: Snapshot) -> "tuple[Gap, ...]":
        """A gap for each scheduler of waiting pods that does not run the plugin."""
        from kubectl_fairshare.schedulers.elasticquota.gaps import answers_for
        from kubectl_fairshare.schedulers.other_schedulers import unjudged_gaps

        state = _part(snapshot)
        return unjudged_gaps(snapshot.manifests.values(), lambda name: answers_for(state, name), snapshot)

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

    def plan(self, snapshot: Snapshot, question: PlanQuestion) -> "tuple[Answer[QuotaPlanDetail], ...]":
        """The decision for each pod, considered alone and now, and its end after the pods that wait before it."""
        from kubectl_fairshare.schedulers.elasticquota.explain.asking import pod_questions
        from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited_objects
        from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
        from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
        from kubectl_fairshare.schedulers.elasticquota.words.plan_turn import in_turn

        answers = []
        questions, notes = pod_questions(snapshot, question)
        for number, asked in enumerate(questions):
            planned = plan(asked.state, asked.pod, asked.demand, asked.origin)
            answer = plan_answer(planned, asked.state, cited_objects(asked.state, planned))
            answer = answer.with_parts(asked.origin.parts).with_holds(asked.origin.holds)
            answer = replace(answer, in_turn=in_turn(asked, planned.outcome, snapshot.manifests))
            answers.append(answer if number else replace(answer, notes=(*answer.notes, *notes)))
        return tuple(answers)

    def why(self, snapshot: Snapshot, question: WhyQuestion) -> "tuple[WhyAnswer[QuotaWhyDetail], ...]":
        """Why pods are where they are. Raises ``UsageError`` for a name that matches no object, or several."""
        from kubectl_fairshare.schedulers.elasticquota.why.explainer import Explainer
        from kubectl_fairshare.schedulers.elasticquota.words.why_answer import why_answer

        state = _state(snapshot)
        explainer = Explainer(snapshot, state, question.now).pods
        stated, whys = explainer.statements, explainer.asked(question)
        return tuple(stated.with_these(why_answer(why, state), rejected=bool(why.refusals)) for why in whys)

    def unlisted(self, snapshot: Snapshot, question: WhyQuestion, listed: Collection[ObjectKey]) -> tuple[str, ...]:
        """The number of pods on a node, and the number of waiting pods in other namespaces."""
        return unlisted_pods(_part(snapshot).pods, question, listed)

    def history(self, snapshot: Snapshot) -> "PastWork":
        """What became of the jobs of the snapshot, by creation."""
        from kubectl_fairshare.schedulers.elasticquota.jobs.history import history

        return history(snapshot)

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
