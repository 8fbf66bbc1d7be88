"""What a scheduler adds to the answers that all schedulers share: ``detail`` of an answer. It prints nothing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from kubectl_fairshare.answers.blocks import CsvColumns, Grid, Group, Layout
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.model.location import Location, Place

if TYPE_CHECKING:
    from kubectl_fairshare.answers.answer import Answer

Places = Mapping[Place, Location]
"""Where the fields of objects are written."""
Document = Mapping[str, object]


class SharesDetail(Protocol):
    """A scheduler's own part of the answer about shares: what it says, not how that is printed."""

    def layout(self) -> Layout:
        """What is on the screen, below its first line and above its last."""

    def columns(self) -> CsvColumns | Grid:
        """What CSV has of the queues; or its titles and rows, where it is not about queues."""

    def document(self) -> WrittenAnswer:
        """The fields that only this scheduler has; ``queues`` extend those of all schedulers."""


class CycleDetail(Protocol):
    """A scheduler's own part of the answer to ``cycle``."""

    def layout(self) -> Layout:
        """What is on the screen, below its first line and above its last."""

    def document(self) -> WrittenAnswer:
        """The cycle as a document."""


class PlanDetail(Protocol):
    """A scheduler's own part of the answer to ``plan``."""

    def reasons(self) -> Iterable[Group]:
        """Groups of blocks between the way of the workload and what binds: gates, flavors."""

    def findings(self) -> Iterable[Group]:
        """Groups between the other workloads and what would help: flavors passed over, nodes, place in the queue."""

    def records(self) -> Iterable[Group]:
        """Groups of blocks at the end: what the scheduler writes."""

    def document(self, answer: "Answer[Any]") -> WrittenAnswer:
        """The fields that only this scheduler has; entries of lists that all schedulers share are extended."""


class WhyDetail(Protocol):
    """A scheduler's own part of the answer to ``why``."""

    @property
    def binds(self) -> str:
        """What binds, in a clause: workloads with the same one are listed together."""

    @property
    def rank(self) -> tuple[str, int]:
        """The order among workloads that the same thing binds: queue and place."""

    def row(self) -> tuple[str, str, str, str, str]:
        """Workload, queue, place, needs, missing: the cells of a list."""

    def groups(self, now: int | None) -> Sequence[Group]:
        """What is below the verdict; the first group follows it without a blank line. Ages count to ``now``."""

    def document(self) -> WrittenAnswer:
        """The answer as a document."""

    def listed(self) -> WrittenAnswer:
        """The answer as an entry of a list of workloads that wait."""
