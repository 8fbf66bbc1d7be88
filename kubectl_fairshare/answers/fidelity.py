"""What of a snapshot an engine does not reproduce: said with every answer, never guessed."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import dataclass

UNREAD: Final = "KindUnread"
NOT_GIVEN: Final = "NotInInput"
"""An object that is named and that the input lacks; it may exist."""
_WORDS: Final = {UNREAD: "not all of kind {0} may be read", NOT_GIVEN: "{0} is not in the input"}


@dataclass(frozen=True, slots=True)
class Gap:
    """One feature that is not modelled, where it is asked for, and whether it can touch the answer given.

    ``subject`` names the object that it is about, where the feature alone does not tell.
    """

    feature: str
    places: tuple[Place, ...]
    touches: bool
    subject: str = ""


def not_given(key: ObjectKey, places: tuple[Place, ...], *, touches: bool) -> Gap:
    """The gap of an object that is named at ``places`` and that the input lacks."""
    name = f"{key.namespace}/{key.name}" if key.namespace else key.name
    return Gap(NOT_GIVEN, places, touches, f"{key.kind} {name}")


def unread_gaps(unread: Iterable[str], deciding: Collection[str]) -> Iterator[Gap]:
    """A gap for each kind of which not all could be read, where it is one of those that decide."""
    for kind in unread:
        if kind in deciding:
            yield Gap(UNREAD, (), touches=True, subject=kind)


@dataclass(frozen=True, slots=True)
class Fidelity:
    """The scheduler and version that an answer reproduces, and what it leaves out; ``words`` say that, by feature."""

    scheduler: str
    version: str
    gaps: tuple[Gap, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def exact(self) -> bool:
        """Whether nothing that is left out can touch the answer."""
        return not any(gap.touches for gap in self.gaps)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is left out and can touch the answer, in clauses."""
        return tuple(dict.fromkeys(self.clause(gap) for gap in self.gaps if gap.touches))

    def clause(self, gap: Gap) -> str:
        """What is left out, in a clause; a setting for which there are no words is named as it is."""
        words = _WORDS.get(gap.feature) or self.words.get(gap.feature, gap.feature)
        return words.format(gap.subject)
