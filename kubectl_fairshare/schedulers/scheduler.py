"""The protocol of a scheduler's house, the only interface between houses and everything else.

Commands, lint, conformance, snapshots and permissions use this and the list in ``schedulers``, and name no scheduler.
A house answers every question, or raises ``UnansweredError``, whose words are the same for all schedulers.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol

from kubectl_fairshare.model.demand import Demand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.question import PlanQuestion, Settings, SharesQuestion, WhyQuestion

if TYPE_CHECKING:
    from kubectl_fairshare.answers.answer import Answer
    from kubectl_fairshare.answers.churn import NotedEviction
    from kubectl_fairshare.answers.counts import QueueCounts
    from kubectl_fairshare.answers.cycle import Cycle
    from kubectl_fairshare.answers.details import CycleDetail, PlanDetail, SharesDetail, WhyDetail
    from kubectl_fairshare.answers.fidelity import Gap
    from kubectl_fairshare.answers.shares import Shares
    from kubectl_fairshare.answers.shares_view import SharesView
    from kubectl_fairshare.answers.standing import WhyAnswer
    from kubectl_fairshare.answers.timelines import Timelines
    from kubectl_fairshare.input.text.texts import Text
    from kubectl_fairshare.jobs.history import PastWork
    from kubectl_fairshare.model.manifest import Manifest
    from kubectl_fairshare.schedulers.adoption import Adoption
    from kubectl_fairshare.schedulers.joint import JointQuestion, JointWork
    from kubectl_fairshare.schedulers.recording import Recording
    from kubectl_fairshare.schedulers.replay import ReplayTerms, SchedulerReplay
    from kubectl_fairshare.schedulers.review import Reviewer


OptionKind = Literal["text", "texts", "flag", "number", "path", "choice", "choices"]


class HouseOption(Value, frozen=True):
    """An option that a scheduler has; help shows it under the scheduler's title.

    Several schedulers may have one of the same name, for their releases: that is one option, which help shows once with
    all of their texts. It is for the scheduler that has the value among its ``choices``, otherwise for the one without.
    ``formerly`` is an older spelling, which help does not show.

    ``flags`` is its spelling (``--shard``, or ``--fair-sharing/--classical`` for a flag with its opposite), ``name``
    its key in the settings. Every command that asks the scheduler about a state accepts it, unless ``commands`` names
    the only ones; those in ``also`` accept it, too. ``choices`` are its possible values.
    """

    flags: str
    kind: OptionKind
    help: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    formerly: str = ""

    @property
    def name(self) -> str:
        """The key of the option in the settings: ``fair_sharing``."""
        return self.flags.partition("/")[0].removeprefix("--").replace("-", "_")

    def is_for(self, command: str, *, asks: bool) -> bool:
        """Whether a command accepts it; ``asks``: the command asks the scheduler about a state."""
        return command in self.also or (command in self.commands if self.commands else asks)


def chosen_value(option: HouseOption, value: object, title: str) -> str:
    """The value of an option with choices. Raises ``UsageError`` for another one."""
    text = str(value)
    if text not in option.choices:
        flag = option.flags.partition("/")[0]
        raise UsageError(
            Problem(f"`{text}` cannot be chosen for {title}", flag, f"write {' or '.join(option.choices)}")
        )
    return text


class HouseHelp(Value, frozen=True):
    """A scheduler's part of a command's help: one or two sentences, and examples without the program's name."""

    about: str
    examples: tuple[str, ...] = ()


class Sources(Value, frozen=True):
    """What a house may read besides the snapshot, for options that name a file: standard input; a maximum of bytes."""

    stdin: BinaryIO | None
    max_input: int


class Adjusted(Value, frozen=True):
    """A snapshot with a scheduler's own options applied, notes, and the texts of the files that they name."""

    snapshot: Snapshot
    notes: tuple[Problem, ...] = ()
    read: "tuple[tuple[Manifest, Text], ...]" = ()


class Scheduler(Protocol):
    """One scheduler, as everything outside its house knows it."""

    @property
    def name(self) -> str:
        """Its name on the command line and in documents, as in the list of schedulers."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def version(self) -> str:
        """The release that the house reproduces."""

    @property
    def options(self) -> Sequence[HouseOption]:
        """The options that only this scheduler has."""

    @property
    def helps(self) -> Mapping[str, HouseHelp]:
        """The scheduler's part of each command's help, by command."""

    def most_helped(self, running: int, waiting: int) -> int:
        """The number of waiting workloads for which remedies are found within seconds, in a state of so many."""

    @property
    def recordings(self) -> "Mapping[str, Recording]":
        """The recordings of the real scheduler that can be replayed, by name."""

    @property
    def review(self) -> "Reviewer":
        """What questions about a policy ask of it."""

    def files(self, settings: Settings) -> Sequence[str]:
        """The files that its own options name."""

    def spares(self, settings: Settings) -> frozenset[str]:
        """The kinds that are not needed with these settings."""

    def also_read(self, command: str) -> Collection[str]:
        """The kinds that a command reads in addition to those of every question."""

    def adjusted(self, snapshot: Snapshot, settings: Settings, sources: Sources) -> Adjusted:
        """The snapshot with the scheduler's own options applied.

        Raises ``UsageError`` for options that contradict each other, ``FairshareError`` for unreadable files.
        """

    def holds(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has quotas of this scheduler."""

    def works_on(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has workloads that only this scheduler considers."""

    def unjudged(self, snapshot: Snapshot) -> "tuple[Gap, ...]":
        """A gap for each scheduler that pods of the snapshot wait for, and for which this one does not answer."""

    def shares(self, snapshot: Snapshot, question: SharesQuestion) -> "Shares[SharesDetail]":
        """What each queue holds. Raises ``UsageError`` for an unknown queue, resource or order."""

    def derivation(self, snapshot: Snapshot, queue: str, demand: Demand) -> "SharesView":
        """The derivation of one queue's figures, term by term. Raises ``UsageError`` for an unknown queue."""

    def saturation(self, snapshot: Snapshot, question: SharesQuestion) -> "SharesView | Shares[SharesDetail]":
        """What each queue gets in the end with the demand of a question. Raises ``UsageError`` for an unknown queue."""

    def topologies(self, snapshot: Snapshot, resources: Sequence[str]) -> "SharesView":
        """What is free and used of each domain of each topology, of these resources or of all with a quota."""

    def plan(self, snapshot: Snapshot, question: PlanQuestion) -> "tuple[Answer[PlanDetail], ...]":
        """The decision for each workload, considered alone and now.

        Raises ``UsageError`` and ``FairshareError`` for questions that have no answer.
        """

    def joint(self, snapshot: Snapshot, question: "JointQuestion", now: int) -> "JointWork":
        """Workloads that are asked about together, for replays from ``now`` on in which nothing else waits.

        Raises what ``plan`` raises, and ``UnansweredError`` where the scheduler cannot be played on.
        """

    def cycle(self, snapshot: Snapshot) -> "Cycle[CycleDetail]":
        """The effect of the next cycle on all waiting workloads."""

    def why(self, snapshot: Snapshot, question: WhyQuestion) -> "tuple[WhyAnswer[WhyDetail], ...]":
        """Why each named workload is where it is; without names, all waiting ones."""

    def counts(self, snapshot: Snapshot) -> "QueueCounts":
        """How many workloads run and wait, as the answer about shares has them."""

    def unlisted(self, snapshot: Snapshot, question: WhyQuestion, listed: Collection[ObjectKey]) -> tuple[str, ...]:
        """Counts of workloads that are not ``listed``: ``3 running``, ``2 finished``."""

    def history(self, snapshot: Snapshot, *, evicted: bool = False) -> "PastWork":
        """What became of the jobs of the snapshot: finished, running and waiting ones, by creation.

        ``evicted``: only those that were evicted need be there. Raises ``FairshareError`` for fields of a type that the
        API server would not store.
        """

    def evictions(self, snapshot: Snapshot) -> "Mapping[str, Sequence[NotedEviction]]":
        """What the cluster recorded of evictions beyond their moments, by ``namespace/name`` of the job."""

    def simulate(self, scenario: str, cycles: int | None, settings: Settings, sources: Sources) -> "Timelines":
        """Simulates the queues and jobs of a file for ``cycles``; None: for as many as the file says.

        Raises ``UsageError`` for options that contradict each other, ``FairshareError`` for unreadable files.
        """

    def replay(self, snapshot: Snapshot, terms: "ReplayTerms") -> "SchedulerReplay":
        """The scheduler on a snapshot without work, as time passes.

        Raises ``UsageError`` for a state on which nothing can be simulated.
        """

    def adoption(self, snapshot: Snapshot, now: int) -> "Adoption":
        """The work of the snapshot, as replays take it over that begin ``now``.

        Raises ``UnansweredError`` where the scheduler cannot be played on from a state with work.
        """
