"""What a scheduler's house offers: the one protocol between houses and everything else.

Commands, lint, conformance, snapshots and permissions know this and the list in ``schedulers``, and no scheduler.
A house answers every question, or says in the same words as all others that it does not (``UnansweredError``).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import BinaryIO, Literal, Protocol

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.cycle import Cycle
from kubectl_fairshare.answers.shares import Shares
from kubectl_fairshare.answers.standing import WhyAnswer
from kubectl_fairshare.input.text.texts import Text
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.printable import CycleDetail, Pictured, PlanDetail, Printable, SharesDetail, WhyDetail
from kubectl_fairshare.schedulers.question import PlanQuestion, Settings, SharesQuestion, WhyQuestion
from kubectl_fairshare.schedulers.recording import Recording
from kubectl_fairshare.schedulers.review import Reviewer

OptionKind = Literal["text", "texts", "flag", "number", "path", "choice", "choices"]


@dataclass(frozen=True, slots=True)
class HouseOption:
    """An option that only one scheduler understands; help shows it under the scheduler's title.

    ``flags`` is how it is written (``--shard``, or ``--fair-sharing/--classical`` for a flag with its opposite),
    ``name`` by what the settings know it. ``commands`` are those that take it. ``choices`` are all that it may be.
    """

    flags: str
    kind: OptionKind
    help: str
    commands: tuple[str, ...]
    metavar: str = ""
    choices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The option by what the settings know it: ``fair_sharing``."""
        return self.flags.partition("/")[0].removeprefix("--").replace("-", "_")


@dataclass(frozen=True, slots=True)
class HouseHelp:
    """What a command's help says of one scheduler: a sentence or two, and examples without the program's name."""

    about: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sources:
    """What a house may read besides the snapshot, for options that name a file: standard input, and so many bytes."""

    stdin: BinaryIO | None
    max_input: int


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A snapshot as a scheduler's own options want it, with notes, and the texts that they named."""

    snapshot: Snapshot
    notes: tuple[Problem, ...] = ()
    read: tuple[tuple[Manifest, Text], ...] = ()


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
        """The release that is reproduced."""

    @property
    def options(self) -> Sequence[HouseOption]:
        """The options that only this scheduler understands."""

    @property
    def helps(self) -> Mapping[str, HouseHelp]:
        """What the help of commands says of this scheduler, by command."""

    @property
    def recordings(self) -> Mapping[str, Recording]:
        """What of the real scheduler was recorded and can be replayed, by name."""

    @property
    def review(self) -> Reviewer:
        """What questions about a policy ask of it."""

    def files(self, settings: Settings) -> Sequence[str]:
        """The files that its own options name."""

    def spares(self, settings: Settings) -> frozenset[str]:
        """The kinds that need not be known with these settings."""

    def also_read(self, command: str) -> Collection[str]:
        """The kinds that a command reads besides those that every question needs."""

    def adjusted(self, snapshot: Snapshot, settings: Settings, sources: Sources) -> Adjusted:
        """The snapshot with its own options laid over it.

        Raises ``UsageError`` for options that contradict each other, ``FairshareError`` for what cannot be read.
        """

    def holds(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot has quotas of this scheduler."""

    def shares(self, snapshot: Snapshot, question: SharesQuestion) -> Shares[SharesDetail]:
        """Who holds what. Raises ``UsageError`` for a queue, a resource or an order that there is not."""

    def derivation(self, snapshot: Snapshot, queue: str) -> Printable:
        """How the figures of one queue come about, term by term. Raises ``UsageError`` for an unknown queue."""

    def saturation(self, snapshot: Snapshot, request: Sequence[str]) -> Printable:
        """What each queue would hold if all had an endless backlog of a unit workload, which ``request`` describes."""

    def plan(self, snapshot: Snapshot, question: PlanQuestion) -> tuple[Answer[PlanDetail], ...]:
        """What becomes of each workload, considered alone and now.

        Raises ``UsageError`` and ``FairshareError`` for what cannot be asked.
        """

    def together(self, snapshot: Snapshot, question: PlanQuestion) -> Cycle[CycleDetail]:
        """What one cycle does in which these workloads are all that waits."""

    def cycle(self, snapshot: Snapshot) -> Cycle[CycleDetail]:
        """What the next cycle does with everything that waits."""

    def why(self, snapshot: Snapshot, question: WhyQuestion) -> tuple[WhyAnswer[WhyDetail], ...]:
        """Why each of the named workloads is where it is; of no names, why each that waits does."""

    def unlisted(self, snapshot: Snapshot, question: WhyQuestion, listed: Collection[ObjectKey]) -> tuple[str, ...]:
        """How many workloads are not among those ``listed``: ``3 running``, ``2 finished``."""

    def simulate(self, scenario: str, cycles: int | None, settings: Settings, sources: Sources) -> Pictured:
        """Queues and jobs of a file, played forward for so many cycles; None: for as many as the file says.

        Raises ``UsageError`` for options that contradict each other, ``FairshareError`` for what cannot be read.
        """

    def foreign_quotas(self, snapshot: Snapshot, /) -> tuple[Problem, ...]:
        """A problem for each quota that looks like this scheduler's and is another's."""
