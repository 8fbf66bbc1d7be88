"""The house of KAI-Scheduler: its implementation of the protocol."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Never

from kubectl_fairshare.jobs.kinds import POD_MAKERS
from kubectl_fairshare.model.demand import Demand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.release import VERSION
from kubectl_fairshare.schedulers.kept import Kept
from kubectl_fairshare.schedulers.question import (
    PlanQuestion,
    Settings,
    SharesQuestion,
    WhyQuestion,
    is_given,
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
    from kubectl_fairshare.answers.standing import WhyAnswer
    from kubectl_fairshare.answers.timelines import Timelines
    from kubectl_fairshare.jobs.history import PastWork
    from kubectl_fairshare.schedulers.adoption import Adoption
    from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
    from kubectl_fairshare.schedulers.kai.model.objects import KaiState
    from kubectl_fairshare.schedulers.kai.session.session import Session
    from kubectl_fairshare.schedulers.kai.why.explainer import Explainer
    from kubectl_fairshare.schedulers.kai.words.cycle_answer import KaiCycleDetail
    from kubectl_fairshare.schedulers.kai.words.plan_answer import KaiPlanDetail
    from kubectl_fairshare.schedulers.kai.words.shares_answer import KaiSharesDetail
    from kubectl_fairshare.schedulers.kai.words.why_answer import KaiWhyDetail
    from kubectl_fairshare.schedulers.recording import Recording
    from kubectl_fairshare.schedulers.replay import ReplayTerms, SchedulerReplay
    from kubectl_fairshare.schedulers.review import Reviewer

_MAKERS: Final = frozenset({"Event", "PodTemplate", *(each.kind for each in POD_MAKERS if each.grouped)})
OPTIONS: Final = (
    HouseOption(
        "--shard", "text", "The SchedulingShard. [the one without a node pool]", "NAME", commands=("shares", "cycle")
    ),
    HouseOption(
        "--usage",
        "texts",
        "Past usage, as fractions of the capacity: team=gpu=0.3, or a file of `team: {gpu: 0.3}`. Repeatable.",
        "FILE|QUEUE=R=F,…",
    ),
    HouseOption("--prometheus", "text", "Past usage from this server, as the shard counts it.", "URL"),
    HouseOption("--prometheus-token", "text", "Prometheus: bearer token, or @FILE that holds it.", "TOKEN"),
    HouseOption("--prometheus-ca", "path", "Prometheus: CA of its certificate. [the system's]", "FILE"),
    HouseOption("--prometheus-insecure", "flag", "Prometheus: trust any certificate."),
    HouseOption(
        "--now",
        "text",
        "The moment of the question, RFC 3339. [--prometheus: now]",
        "TIME",
        commands=("shares", "plan", "cycle"),
    ),
    HouseOption("--k-value", "number", "How much past usage counts. [as the shard says]", "K", also=("simulate",)),
    HouseOption(
        "--time-aware",
        "choice",
        "Weight of past usage: n + k(n − usage), as KAI does, or the proposal's max(n − usage, 0). [kai]",
        choices=("kai", "proposal"),
        also=("simulate",),
    ),
    HouseOption(
        "--release",
        "text",
        f"KAI: {VERSION.lstrip('v')}, or with a patch level. [the installed one; otherwise {VERSION.lstrip('v')}]",
        "X.Y",
        also=("simulate",),
    ),
)


HELPS: Final = {
    "shares": HouseHelp(
        "Quota, limit, weight, request, holding and fair share of every queue.",
        (
            "shares -f kai/ --explain vision --demand vision=20",
            "shares -f kai/ --usage usage.yaml --time-aware proposal",
            "shares -f kai/ --prometheus http://localhost:9090",
        ),
    ),
    "plan": HouseHelp(
        "The decision for a job if KAI tries it now: gates, idle capacity, reclaim.",
        ("plan -f kai/ -w train.yaml --usage usage.yaml",),
    ),
    "cycle": HouseHelp(
        "The actions in order: where pods are bound, which pods are evicted or moved by which rule, what KAI writes.",
        ("cycle -f kai/ --shard a100",),
    ),
    "simulate": HouseHelp(
        "One file of queues and jobs has Cycles, WindowSize, HalfLifePeriod, KValue, Nodes, Queues and Jobs. Further "
        "fields: MinRuntime (cycles); Limit of a queue; MinMember, Start, Duration (cycles) and Preemptible of Jobs, "
        "which may be a list. Each entry of Nodes is one node.",
        ("simulate -f two-queues.yaml --k-value 4 -o html > t.html",),
    ),
}


class Kai:
    """KAI-Scheduler with hierarchical queues, time-based fair share and reclaim."""

    name = "kai"
    title = "KAI"
    version = VERSION
    options = OPTIONS
    helps = HELPS

    @cached_property
    def _explainers(self) -> "Kept[Explainer]":
        return Kept()

    _last: "tuple[Snapshot, Session] | None" = None

    @property
    def recordings(self) -> "Mapping[str, Recording]":
        """The recordings of the real scheduler that can be replayed."""
        from kubectl_fairshare.schedulers.kai.conformance import RECORDINGS

        return RECORDINGS

    @property
    def review(self) -> "Reviewer":
        """Its part in questions about a policy."""
        from kubectl_fairshare.schedulers.kai.review.reviewer import KaiReviewer

        return KaiReviewer()

    def files(self, settings: Settings) -> Sequence[str]:
        """The files of ``--usage``."""
        if not settings.get("usage"):
            return ()
        from kubectl_fairshare.schedulers.kai.reading.past_usage import usage_sources

        return usage_sources(settings).files

    def spares(self, settings: Settings) -> frozenset[str]:  # noqa: ARG002 -- no setting replaces an object
        """No kinds: every kind that decides is needed."""
        return frozenset()

    def also_read(self, command: str) -> Collection[str]:
        """For commands about jobs: the objects that create pods, and Events."""
        return _MAKERS if command in ("why", "trace", "forecast") else ()

    def adjusted(self, snapshot: Snapshot, settings: Settings, sources: Sources) -> Adjusted:
        """The snapshot with the shard, formula, moment and past usage of the options."""
        if not any(map(is_given, settings.values())):
            return Adjusted(snapshot)
        from kubectl_fairshare.schedulers.kai.reading.settings import adjusted

        return adjusted(snapshot, settings, sources)

    def holds(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has a Queue."""
        return snapshot.has_part("KaiState") and bool(_state(snapshot).queues)

    def replay(self, snapshot: Snapshot, terms: "ReplayTerms") -> "SchedulerReplay":
        """KAI's own sessions on a state that jobs enter and leave. Raises ``UsageError`` without queues or Nodes."""
        from kubectl_fairshare.schedulers.kai.solver.motion.replay import KaiReplay
        from kubectl_fairshare.schedulers.kai.words.simulation import sayings

        self._check_playable(snapshot)
        return KaiReplay(snapshot, terms, sayings())

    def adoption(self, snapshot: Snapshot, now: int) -> "Adoption":
        """The PodGroups of the snapshot, for replays that begin with them. Raises ``UsageError`` as ``replay`` does."""
        from kubectl_fairshare.schedulers.kai.review.adoption import adoption

        self._check_playable(snapshot)
        return adoption(snapshot, now, self.unjudged(snapshot))

    def _check_playable(self, snapshot: Snapshot) -> None:
        """Raises ``UsageError`` without queues or Nodes."""
        if not self.holds(snapshot):
            raise UsageError(Problem("the input has no Queue of KAI", help="add the Queues, and the Nodes"))
        if not _state(snapshot).nodes:
            remedy = "add the Nodes, or describe some: `--nodes 4xnvidia.com/gpu=8,cpu=96,memory=1Ti`"
            raise UsageError(Problem("no Node is in the input, and KAI divides what nodes have", help=remedy))

    def _session(self, snapshot: Snapshot) -> "Session":
        """The session that KAI would open on the snapshot; that of the last one is kept for further questions."""
        from kubectl_fairshare.schedulers.kai.session.session import open_session

        if self._last is None or self._last[0] is not snapshot:
            self._last = snapshot, open_session(_state(snapshot))
        return self._last[1]

    def _supposing(self, snapshot: Snapshot, demand: Demand, queues: Iterable[str]) -> "Session":
        """The session with the requests of a demand. Raises ``UsageError`` for a queue that KAI does not know."""
        from kubectl_fairshare.schedulers.kai.explain.what_if import with_requests
        from kubectl_fairshare.schedulers.kai.reading.demand import requests_of
        from kubectl_fairshare.schedulers.kai.words.shares_answer import check_queue

        session = self._session(snapshot)
        for name in (*demand.queues, *queues):
            check_queue(session, name)
        return with_requests(session, requests_of(demand), endless=demand.unlimited) if demand.given else session

    def works_on(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has a PodGroup or a Pod of it."""
        return snapshot.has_part("KaiState") and bool(_state(snapshot).pod_groups)

    def unjudged(self, snapshot: Snapshot) -> "tuple[Gap, ...]":
        """A gap for each other scheduler of waiting pods, and for each PodGroup that pods name and the input lacks."""
        from kubectl_fairshare.schedulers.kai.gaps import missing_groups
        from kubectl_fairshare.schedulers.other_schedulers import unjudged_gaps

        state, session = _state(snapshot), self._session(snapshot)
        others = unjudged_gaps(snapshot.manifests.values(), lambda name: name == state.scheduler, snapshot)
        return (*others, *missing_groups(session, state.pods))

    def shares(self, snapshot: Snapshot, question: SharesQuestion) -> "Shares[KaiSharesDetail]":
        """The tree of queues. Raises ``UsageError`` for an unknown queue or resource."""
        from kubectl_fairshare.schedulers.kai.gaps import figures_fidelity
        from kubectl_fairshare.schedulers.kai.session.report import shares_of
        from kubectl_fairshare.schedulers.kai.words.shares_answer import shares_answer

        session = self._supposing(snapshot, question.demand, (question.queue,) if question.queue else ())
        found = shares_of(session, figures_fidelity(session), question.demand.clause)
        return shares_answer(replace(found, fidelity=found.fidelity.with_gaps(self.unjudged(snapshot))), question)

    def derivation(self, snapshot: Snapshot, queue: str, demand: Demand) -> "SharesView":
        """The fair share of a queue, term by term. Raises ``UsageError`` for an unknown queue."""
        from kubectl_fairshare.schedulers.kai.explain.derivation import derive
        from kubectl_fairshare.schedulers.kai.gaps import figures_fidelity
        from kubectl_fairshare.schedulers.kai.words.derivation import derivation_view

        session = self._supposing(snapshot, demand, (queue,))
        return derivation_view(derive(session, queue), session, figures_fidelity(session))

    def saturation(self, snapshot: Snapshot, question: SharesQuestion) -> "Shares[KaiSharesDetail]":
        """The tree of queues with the requests of the question: KAI divides amounts, so there are no steps to play."""
        if question.unit:
            reason = "it divides amounts among queues, not workloads"
            raise unanswered(self.title, "shares --request", reason, "leave `--request` out")
        return self.shares(snapshot, question)

    def topologies(self, snapshot: Snapshot, resources: Sequence[str]) -> Never:  # noqa: ARG002 -- it has no answer
        """Raises ``UnansweredError``: places by topology are not modelled for it."""
        reason = "places by topology are not modelled"
        raise unanswered(self.title, "shares --topology", reason, "`plan` shows the nodes of a job without one")

    def history(self, snapshot: Snapshot, *, evicted: bool = False) -> "PastWork":  # noqa: ARG002 -- all are there
        """What became of the jobs of the snapshot, by creation."""
        from kubectl_fairshare.schedulers.kai.why.past import history

        return history(snapshot)

    def evictions(self, snapshot: Snapshot) -> "Mapping[str, Sequence[NotedEviction]]":  # noqa: ARG002 -- no record
        """Nothing: a PodGroup has the moment of its last eviction, and no object says for whom."""
        return {}

    def simulate(self, scenario: str, cycles: int | None, settings: Settings, sources: Sources) -> "Timelines":
        """A simulation of queues and jobs over time, with past usage."""
        from kubectl_fairshare.schedulers.kai.reading.scenario import read_scenario
        from kubectl_fairshare.schedulers.kai.reading.settings import adjusted_scenario
        from kubectl_fairshare.schedulers.kai.simulation.simulation import simulate
        from kubectl_fairshare.schedulers.kai.words.timelines import timelines

        read = read_scenario(scenario, sources.stdin, sources.max_input)
        return timelines(simulate(adjusted_scenario(read, cycles, settings)))

    def plan(self, snapshot: Snapshot, question: PlanQuestion) -> "tuple[Answer[KaiPlanDetail], ...]":
        """The decision for each job now, with all jobs that wait."""
        from kubectl_fairshare.schedulers.kai.explain.asking import (
            job_gaps,
            notes_on,
            session_with,
            submissions,
        )
        from kubectl_fairshare.schedulers.kai.explain.citation import cited
        from kubectl_fairshare.schedulers.kai.explain.created import created_job, parts_of_job
        from kubectl_fairshare.schedulers.kai.explain.decision import with_gaps
        from kubectl_fairshare.schedulers.kai.explain.making import job_making
        from kubectl_fairshare.schedulers.kai.explain.planning import plan
        from kubectl_fairshare.schedulers.kai.session.jobs import up_for_scheduling
        from kubectl_fairshare.schedulers.kai.words.plan_answer import plan_answer
        from kubectl_fairshare.schedulers.pod_making import conditional_answer

        state = _state(snapshot)
        answers, jobs = [], submissions(snapshot, question)
        for number, asked in enumerate(jobs):
            job, holds = created_job(snapshot, asked, described=question.given is None)
            session = session_with(state, job)
            found = plan(session, job.group.name, over=not up_for_scheduling(job.group))
            making = job_making(snapshot, job, question.given)
            planned = with_gaps(found, (*job_gaps(snapshot, job, question.given), *making.gaps))
            notes = () if number else notes_on(jobs, question.given, state.queue_label)
            answer = plan_answer(planned, state, cited(session, planned), notes, job.source)
            answer = answer.with_parts(parts_of_job(snapshot, job, question.given)).with_holds(holds)
            answers.append(conditional_answer(answer, making.condition))
        return tuple(answers)

    def joint(self, snapshot: Snapshot, question: "JointQuestion", now: int) -> "JointWork":
        """Jobs that are asked about together. Raises ``UsageError`` as ``replay`` does."""
        from kubectl_fairshare.schedulers.kai.review.joint import joint_work

        self._check_playable(snapshot)
        return joint_work(snapshot, question, now, self.unjudged(snapshot))

    def cycle(self, snapshot: Snapshot) -> "Cycle[KaiCycleDetail]":
        """The effect of the next cycle of the shard. Raises ``UsageError`` if the input has no nodes."""
        from kubectl_fairshare.schedulers.kai.explain.cycle import kai_cycle
        from kubectl_fairshare.schedulers.kai.words.cycle_answer import cycle_answer

        session = self._session(snapshot)
        if not session.nodes:
            reason = "it places pods on nodes, and the input has no nodes of the shard"
            remedy = "add the nodes, `kubectl get nodes -o yaml`, or describe some: `--nodes 4xnvidia.com/gpu=8,cpu=96`"
            raise unanswered(self.title, "cycle", reason, remedy)
        return cycle_answer(kai_cycle(session))

    def most_helped(self, running: int, waiting: int) -> int:
        """None in a large state: each remedy is a session with all that waits."""
        return 80_000 // (max(1, running + waiting) * max(40, waiting))

    def why(self, snapshot: Snapshot, question: WhyQuestion) -> "tuple[WhyAnswer[KaiWhyDetail], ...]":
        """Why jobs are where they are. Raises ``UsageError`` for a name that matches no object, or several."""
        from kubectl_fairshare.schedulers.kai.why.explainer import Explainer
        from kubectl_fairshare.schedulers.kai.why.statements import JobStatements
        from kubectl_fairshare.schedulers.kai.words.why_answer import why_answer

        stated = JobStatements(snapshot)
        explainer = self._explainers.of(snapshot, question.now, lambda own: Explainer(own, question.now))
        return tuple(stated.with_these(why_answer(why), why) for why in explainer.whys(question))

    def counts(self, snapshot: Snapshot) -> "QueueCounts":
        """How many workloads run and wait, as the answer about shares has them."""
        return self.shares(snapshot, SharesQuestion()).counts

    def unlisted(self, snapshot: Snapshot, question: WhyQuestion, listed: Collection[ObjectKey]) -> tuple[str, ...]:
        """The number of running or finished jobs, and of jobs in other namespaces."""
        groups, namespace = _state(snapshot).pod_groups, question.namespace
        here = sum(namespace in (None, group.key.namespace) and group.key not in listed for group in groups)
        running = f"{here} running or finished"
        elsewhere = sum(namespace not in (None, group.key.namespace) for group in groups)
        return (running, f"{elsewhere} in other namespaces (-A)") if elsewhere else (running,)


def _state(snapshot: Snapshot) -> "KaiState":
    from kubectl_fairshare.schedulers.kai.model.objects import KaiState

    return snapshot.part(KaiState)


HOUSE: Final[Scheduler] = Kai()
