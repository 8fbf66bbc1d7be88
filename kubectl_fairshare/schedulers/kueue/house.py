"""Kueue, as everything outside its house knows it.

Tested in ``tests/unit/cli/asking/test_load.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Never

from kubectl_fairshare.model.demand import Demand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.release import DEFAULT
from kubectl_fairshare.schedulers.question import (
    PlanQuestion,
    Settings,
    SharesQuestion,
    WhyQuestion,
    refuse_demand,
    unanswered,
)
from kubectl_fairshare.schedulers.scheduler import Adjusted, HouseHelp, HouseOption, Scheduler, Sources

if TYPE_CHECKING:
    from kubectl_fairshare.answers.answer import Answer
    from kubectl_fairshare.answers.churn import NotedEviction
    from kubectl_fairshare.answers.counts import QueueCounts
    from kubectl_fairshare.answers.cycle import Cycle
    from kubectl_fairshare.answers.fidelity import Gap
    from kubectl_fairshare.answers.shares import Shares
    from kubectl_fairshare.answers.shares_view import SharesView
    from kubectl_fairshare.jobs.history import PastWork
    from kubectl_fairshare.schedulers.adoption import Adoption
    from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
    from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
    from kubectl_fairshare.schedulers.kueue.why.verdict import Inquiry, Why
    from kubectl_fairshare.schedulers.kueue.words.cycle_answer import KueueCycleDetail
    from kubectl_fairshare.schedulers.kueue.words.listing import Listed
    from kubectl_fairshare.schedulers.kueue.words.plan_answer import KueuePlanDetail
    from kubectl_fairshare.schedulers.kueue.words.shares_answer import KueueSharesDetail
    from kubectl_fairshare.schedulers.recording import Recording
    from kubectl_fairshare.schedulers.replay import ReplayTerms, SchedulerReplay
    from kubectl_fairshare.schedulers.review import Reviewer

OPTIONS: Final = (
    HouseOption(
        "--fair-sharing/--classical",
        "flag",
        "Decide with or without fair sharing, and ignore this setting of Kueue's Configuration in the input.",
        also=("simulate",),
    ),
    HouseOption(
        "--preemption-strategy",
        "choices",
        "Fair sharing's preemption strategies in order; implies --fair-sharing; may be repeated.",
        choices=(FINAL_SHARE, INITIAL_SHARE),
        also=("simulate",),
    ),
    HouseOption(
        "--release",
        "text",
        f"Kueue: 0.16 to 0.20, or with a patch level. [the manager's; otherwise {DEFAULT.text.lstrip('v')}]",
        metavar="X.Y",
        also=("simulate",),
    ),
)


HELPS: Final = {
    "shares": HouseHelp(
        "The cohort forest: weight, fair share and workloads of each node; then a tree for each flavor and resource, "
        "and who could be asked to give back what.",
        (
            "shares -f org/ --queue team-a/main --resource nvidia.com/gpu",
            "shares -f org/ --demand unlimited --demand vision=0 --demand search=20",
        ),
    ),
    "plan": HouseHelp(
        "As if the workload were the head of its queue now.",
        ("plan -f org/ --queue team-b/main --request cpu=4 --count 4",),
    ),
    "why": HouseHelp("", ("why -f dump.json team-b/workload/job-train-6dbb4",)),
    "cycle": HouseHelp(
        "The head of every queue is nominated against the same state; then they are taken one after another. Reasons "
        "and messages are Kueue's own. Where Kueue leaves the order to chance, the screen says so.",
        ("cycle -f org/ --classical -o json",),
    ),
}


class Kueue:
    """Hierarchical cohorts, fair sharing and classical preemption. Nothing heavy is imported before it is asked for."""

    name = "kueue"
    title = "Kueue"
    version = DEFAULT.text
    options = OPTIONS
    helps = HELPS

    @cached_property
    def engine(self) -> "KueueEngine":
        """The engine, with the state of the snapshot asked about last."""
        from kubectl_fairshare.schedulers.kueue.engine import KueueEngine

        return KueueEngine()

    @property
    def recordings(self) -> "Mapping[str, Recording]":
        """What of the real scheduler was recorded and can be replayed."""
        from kubectl_fairshare.schedulers.kueue.conformance import RECORDINGS

        return RECORDINGS

    @property
    def review(self) -> "Reviewer":
        """What questions about a policy ask of it."""
        from kubectl_fairshare.schedulers.kueue.review.reviewer import KueueReviewer

        return KueueReviewer()

    def files(self, settings: Settings) -> Sequence[str]:  # noqa: ARG002 -- none of its options names a file
        """No files."""
        return ()

    def spares(self, settings: Settings) -> frozenset[str]:
        """The Configuration, if options set the kind of preemption."""
        return frozenset() if _strategies(settings) is None else frozenset({"Configuration"})

    def also_read(self, command: str) -> Collection[str]:
        """Jobs and their related objects, for commands about jobs; what nodes can allocate, for capacity."""
        if command == "capacity":
            return frozenset({"Node"})
        if command not in ("plan", "why", "trace", "forecast"):
            return frozenset()
        from kubectl_fairshare.schedulers.kueue.jobs.kinds.runtimes import RUNTIMES

        runtimes = frozenset(kind for _, kind in RUNTIMES)
        if command == "plan":
            return runtimes
        from kubectl_fairshare.schedulers.kueue.jobs.kinds.every_kind import ALL_KINDS

        return runtimes | {"Event", "ReplicaSet", *(k.kind for k in ALL_KINDS)}

    def adjusted(self, snapshot: Snapshot, settings: Settings, sources: Sources) -> Adjusted:  # noqa: ARG002
        """The snapshot with the kind of preemption from the options.

        Raises ``UsageError`` if the options contradict each other.
        """
        from kubectl_fairshare.schedulers.kueue.reading.state import with_configuration

        strategies = _strategies(settings)
        if strategies is None:
            return Adjusted(snapshot)
        configured = snapshot.part(KueueState).configuration.strategies
        if settings.get("fair_sharing") and not settings.get("preemption_strategy"):
            strategies = configured or strategies
        return Adjusted(with_configuration(snapshot, lambda found: replace(found, strategies=strategies or None)))

    def holds(self, snapshot: Snapshot) -> bool:
        """Whether there is a ClusterQueue, a Cohort or a LocalQueue."""
        state = snapshot.part(KueueState)
        return bool(state.cluster_queues or state.cohorts or state.local_queues)

    def works_on(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has a Workload."""
        state = snapshot.part(KueueState)
        return bool(state.holders or state.pending or state.finished)

    def unjudged(self, snapshot: Snapshot) -> "tuple[Gap, ...]":
        """A gap for each scheduler of pods without quota here: Kueue decides about those that it manages."""
        from kubectl_fairshare.schedulers.kueue.explain.creating import unmanaged_gaps

        return unmanaged_gaps(snapshot)

    def shares(self, snapshot: Snapshot, question: SharesQuestion) -> "Shares[KueueSharesDetail]":
        """The cohort forest. Raises ``UsageError`` for an unknown queue, resource or flavor."""
        from kubectl_fairshare.schedulers.kueue.words.selection import selection_of, shown_tree
        from kubectl_fairshare.schedulers.kueue.words.shares_answer import shares_answer

        selection = selection_of(snapshot, question)
        tree = shown_tree(self.engine.shares(snapshot), selection)
        return shares_answer(replace(tree, fidelity=tree.fidelity.with_gaps(self.unjudged(snapshot))), question)

    def derivation(self, snapshot: Snapshot, queue: str, demand: Demand) -> "SharesView":
        """Every figure of a ClusterQueue or Cohort, term by term."""
        refuse_demand(self.title, demand)
        from kubectl_fairshare.schedulers.kueue.words.derivation import derivation_view
        from kubectl_fairshare.schedulers.kueue.words.selection import queue_named

        name, _ = queue_named(snapshot.part(KueueState), queue, "--explain")
        try:
            derived = self.engine.explain(snapshot, name)
        except KeyError:
            message, remedy = (
                f"`{name}` has no figures: its cohorts form a cycle",
                "fix `parentName` of one of them",
            )
            raise UsageError(Problem(message, "--explain", remedy)) from None
        fair = snapshot.part(KueueState).configuration.strategies is not None
        return derivation_view(derived, self.engine.fidelity(snapshot), fair=fair)

    def saturation(self, snapshot: Snapshot, question: SharesQuestion) -> "SharesView":
        """What each queue holds in the end, with backlogs of one unit workload."""
        from kubectl_fairshare.schedulers.kueue.words.backlog import backlogs
        from kubectl_fairshare.schedulers.kueue.words.saturation import saturation_view

        tree = self.engine.shares(snapshot)
        found = backlogs(self.engine.state(snapshot), tree, question.demand, question.unit)
        return saturation_view(tree, self.engine.saturation(snapshot, found.shape, found.units), found.reason)

    def topologies(self, snapshot: Snapshot, resources: Sequence[str]) -> "SharesView":
        """What is free and used of each domain of each topology."""
        from kubectl_fairshare.schedulers.kueue.explain.occupation import occupation
        from kubectl_fairshare.schedulers.kueue.words.occupation import occupation_view

        return occupation_view(occupation(self.engine.state(snapshot), resources))

    def plan(self, snapshot: Snapshot, question: PlanQuestion) -> "tuple[Answer[KueuePlanDetail], ...]":
        """The plan for each workload as the head of its queue now."""
        from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending
        from kubectl_fairshare.schedulers.kueue.explain.asking import candidacies
        from kubectl_fairshare.schedulers.kueue.explain.decision import with_gaps
        from kubectl_fairshare.schedulers.kueue.words.plan_answer import plan_answer

        candidates, notes = candidacies(snapshot, question)
        answers = []
        for number, candidate in enumerate(candidates):
            asked = with_pending(snapshot, [candidate.workload], candidate.replaced)
            plan = with_gaps(self.engine.plan(asked, candidate.workload), candidate.gaps)
            rests_on = self.engine.cited_objects(asked, plan)
            answer = plan_answer(plan, snapshot.part(KueueState), rests_on, () if number else notes)
            answers.append(answer.with_parts(candidate.parts).with_holds(candidate.holds))
        return tuple(answers)

    def joint(self, snapshot: Snapshot, question: "JointQuestion", now: int) -> "JointWork":
        """Workloads that are asked about together."""
        from kubectl_fairshare.schedulers.kueue.review.joint import joint_work

        return joint_work(snapshot, question, now)

    def cycle(self, snapshot: Snapshot) -> "Cycle[KueueCycleDetail]":
        """What the next cycle does with the head of every queue."""
        from kubectl_fairshare.schedulers.kueue.words.cycle_answer import cycle_answer

        return cycle_answer(self.engine.cycle(snapshot))

    def most_helped(self, running: int, waiting: int) -> int:
        """One in any state: an attempt takes as long as there are workloads."""
        return max(1, 40_000 // max(1, running + waiting))

    def why(self, snapshot: Snapshot, question: WhyQuestion) -> "tuple[Listed, ...]":
        """Why workloads wait, run or never start. Raises ``UsageError`` for an unknown or ambiguous name."""
        from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending
        from kubectl_fairshare.schedulers.kueue.why.subjects import Asking
        from kubectl_fairshare.schedulers.kueue.words.listing import WaitingAnswers
        from kubectl_fairshare.schedulers.kueue.words.why_answer import why_answer

        asking, state = Asking(snapshot), snapshot.part(KueueState)
        if not question.names:

            def briefly(asked: "Iterable[Inquiry]", *, grounded: bool) -> "Iterator[Why]":
                return self.engine.why(snapshot, asked, question.now, briefly=True, grounded=grounded)

            return WaitingAnswers(asking, briefly, state).of(question)
        answers = []
        for asked in asking.named(question):
            new = [each.pending for each in asked if each.workload is None]
            whys = self.engine.why(with_pending(snapshot, new) if new else snapshot, asked, question.now)
            answers += [
                asking.with_statements(why_answer(why, state), each, why) for each, why in zip(asked, whys, strict=True)
            ]
        return tuple(answers)

    def counts(self, snapshot: Snapshot) -> "QueueCounts":
        """How many workloads hold quota and wait."""
        from kubectl_fairshare.answers.counts import QueueCounts

        state = snapshot.part(KueueState)
        return QueueCounts(len(state.holders), len(state.pending))

    def unlisted(self, snapshot: Snapshot, question: WhyQuestion, listed: Collection[ObjectKey]) -> tuple[str, ...]:
        """How many run or have finished, or wait in other namespaces."""
        state, namespace = snapshot.part(KueueState), question.namespace
        holders = [h for h in state.holders if namespace in (None, h.key.namespace) and h.key not in listed]
        running = f"{len(holders)} running"
        if namespace is None:
            return running, f"{state.finished} finished"
        elsewhere = sum(w.key.namespace != namespace for w in state.pending)
        return (running, f"{elsewhere} waiting in other namespaces (-A)") if elsewhere else (running,)

    def history(self, snapshot: Snapshot, *, evicted: bool = False) -> "PastWork":
        """What became of the jobs of the snapshot, by creation."""
        from kubectl_fairshare.schedulers.kueue.jobs.history import history

        return history(snapshot, evicted=evicted)

    def evictions(self, snapshot: Snapshot) -> "Mapping[str, Sequence[NotedEviction]]":
        """For whom, in which queues and by which field of the policy Workloads were evicted."""
        from kubectl_fairshare.schedulers.kueue.why.churn import evictions

        return evictions(snapshot)

    def simulate(
        self,
        scenario: str,  # noqa: ARG002 -- it has no answer
        cycles: int | None,  # noqa: ARG002
        settings: Settings,  # noqa: ARG002
        sources: Sources,  # noqa: ARG002
    ) -> Never:
        """Raises ``UnansweredError``: fairness over time is not modelled for it."""
        reason = "fairness over time (usage-based ordering) is not modelled"
        raise unanswered(self.title, "simulate", reason, "`cycle` and `shares --saturated` show what comes next")

    def replay(self, snapshot: Snapshot, terms: "ReplayTerms") -> "SchedulerReplay":
        """Kueue's own cycles on a state that jobs enter and leave. Raises ``UsageError`` without a ClusterQueue."""
        from kubectl_fairshare.schedulers.kueue.cycle.motion.replay import KueueReplay
        from kubectl_fairshare.schedulers.kueue.words.simulation import sayings

        _check_queues(snapshot)
        return KueueReplay(snapshot, terms, sayings())

    def adoption(self, snapshot: Snapshot, now: int) -> "Adoption":
        """The work of the snapshot, for replays from ``now`` on."""
        from kubectl_fairshare.schedulers.kueue.review.adoption import adoption

        return adoption(snapshot, now)


def _check_queues(snapshot: Snapshot) -> None:
    if not snapshot.part(KueueState).cluster_queues:
        remedy = "add the ClusterQueues, LocalQueues and ResourceFlavors"
        raise UsageError(Problem("the input has no ClusterQueue", help=remedy))


def _strategies(settings: Settings) -> tuple[str, ...] | None:
    """The strategies from the options, empty for classical preemption; None without such options."""
    wished, fair = settings.get("preemption_strategy") or (), settings.get("fair_sharing")
    assert isinstance(wished, tuple)
    strategies = tuple(dict.fromkeys(wished))
    if strategies and fair is False:
        raise UsageError(Problem("`--preemption-strategy` needs fair sharing", help="leave `--classical` out"))
    if strategies == (INITIAL_SHARE, FINAL_SHARE):
        remedy = f"write `{FINAL_SHARE}` first, if you use both"
        raise UsageError(Problem("Kueue does not accept the strategies in this order", help=remedy))
    if strategies:
        return strategies
    if fair is None:
        return None
    return (FINAL_SHARE, INITIAL_SHARE) if fair else ()


HOUSE: Final[Scheduler] = Kueue()
