"""What an answer must offer to be printed, and the parts that a scheduler adds to answers that all share.

Printing code depends on these protocols, not on a scheduler. The scheduler's own part is ``detail`` of the answer.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from kubectl_fairshare.answers import details
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.trace import Step

Places = details.Places
Document = details.Document
SharesDetail = details.SharesDetail
Block = Sequence[str]
"""Lines of a screen that belong together; a blank line separates blocks."""


class Printable(Protocol):
    """An answer in every form in which the program prints answers."""

    @property
    def exit_code(self) -> int:
        """What the program exits with."""

    def screen(self, view: View) -> str:
        """The answer as text for people."""

    def document(self, places: Places) -> Document:
        """The answer as a document for programs, with a schema."""

    def names(self) -> Iterable[str]:
        """What the answer names, as kubectl names objects, each once."""

    def csv(self) -> str:
        """The answer as comma-separated values with a line of titles."""


@runtime_checkable
class Portable(Printable, Protocol):
    """An answer that is also Markdown."""

    def markdown(self, view: View) -> str:
        """The answer for a ticket, a pull request or a chat."""


@runtime_checkable
class Summed(Portable, Protocol):
    """An answer that also has a short form."""

    def brief(self, view: View) -> str:
        """The verdict, what binds, and the best remedy."""


@runtime_checkable
class Lined(Printable, Protocol):
    """An answer that is also a sequence of small documents."""

    def records(self) -> Iterable[Document]:
        """A document for each line of JSON."""


class Pictured(Printable, Protocol):
    """An answer that is a picture as well."""

    def svg(self) -> str:
        """The answer as a picture."""

    def html(self) -> str:
        """The answer as a page that loads nothing from elsewhere."""


class PlanDetail(Protocol):
    """A scheduler's own part of the answer to ``plan``."""

    def reasons(self, view: View) -> Iterable[Block]:
        """Blocks between the way of the workload and what binds: gates, flavors."""

    def findings(self, view: View) -> Iterable[Block]:
        """Blocks between the other workloads and what would help: flavors passed over, nodes, place in the queue."""

    def records(self, view: View) -> Iterable[Block]:
        """Blocks at the end: what the scheduler writes."""

    def sentence(self, step: Step) -> str:
        """What a step says, in one clause."""

    def document(self, places: Places) -> Document:
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

    def blocks(self, view: View) -> Sequence[Block]:
        """The blocks below the verdict; the first one follows it without a blank line."""

    def document(self, places: Places) -> Document:
        """The answer as a document."""

    def listed(self, places: Places) -> Document:
        """The answer as an entry of a list of workloads that wait."""
