"""What of a snapshot an engine does not reproduce: said with every answer, never guessed."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import dataclass

UNREAD: Final = "KindUnread"


@dataclass(frozen=True, slots=True)
class Gap:
    """One feature that is not modelled, where it is asked for, and whether it can touch the answer given.

    ``subject`` names the object that it is about, where the feature alone does not tell.
    """

    feature: str
    places: tuple[Place, ...]
    touches: bool
    subject: str = ""


def unread_gaps(unread: Iterable[str], deciding: Collection[str]) -> Iterator[Gap]:
    """A gap for each kind of which not all could be read, where it is one of those that decide."""
    for kind in unread:
        if kind in deciding:
            yield Gap(UNREAD, (), touches=True, subject=kind)


@dataclass(frozen=True, slots=True)
class Fidelity:
    """The scheduler and version that an answer reproduces, and what it leaves out."""

    scheduler: str
    version: str
    gaps: tuple[Gap, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether nothing that is left out can touch the answer."""
        return not any(gap.touches for gap in self.gaps)
