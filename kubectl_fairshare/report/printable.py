"""What an answer must offer to be printed. Printing code depends on these protocols, not on a scheduler."""

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.report.text.view import View

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
