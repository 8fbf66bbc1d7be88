"""A lint result as data: what is wrong where, the numbers, and what would mend it.

Places are symbolic and become line and column only when somebody prints them. A place may be given in the
fields of the stored version or as the object is written.
"""

from enum import StrEnum
from typing import Final, TypeAlias

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import dataclass


class Severity(StrEnum):
    """How bad a finding is; ``rank`` orders them, 0 the worst."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for an error, 1 for a warning, 2 for mere information."""
        return _ORDER.index(self)

    @property
    def milder(self) -> "Severity":
        """The next severity down; information stays what it is."""
        return _ORDER[min(self.rank + 1, len(_ORDER) - 1)]


_ORDER: Final = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Rename:
    """The key at the end of ``place`` gets another name; its value stays."""

    place: Place
    key: str


@dataclass(frozen=True, slots=True)
class Replace:
    """The value at ``place`` becomes ``value``."""

    place: Place
    value: Json


@dataclass(frozen=True, slots=True)
class Remove:
    """The entry of a mapping, or the item of a list, at ``place`` goes, with its key."""

    place: Place


@dataclass(frozen=True, slots=True)
class Insert:
    """The mapping at ``place`` gets another entry, which it does not have yet."""

    place: Place
    key: str
    value: Json


@dataclass(frozen=True, slots=True)
class Reorder:
    """The list at ``place`` gets another order: ``order[i]`` is the present index of the item that comes ``i``-th."""

    place: Place
    order: tuple[int, ...]


Edit: TypeAlias = Rename | Replace | Remove | Insert | Reorder


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would mend it: a sentence, and where that is mechanical, the edits, which belong together.

    ``safe`` edits change nothing of what the author can have meant; others need a look.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that the finding rests on, and what is there: ``defined here``."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake. ``message`` tells it with its numbers, lower case, user values in backticks, no final period.

    ``evidence`` are named amounts, as written or computed. ``elsewhere`` names what, lying outside of the
    input, would make the finding void (``ResourceFlavor a100``): unless the input is complete, the finding is
    reported one severity down. ``severity`` is set where it differs from the rule's own. ``about_key``: what is
    wrong at ``place`` is the key, not its value.
    """

    place: Place
    message: str
    remedy: Remedy
    evidence: tuple[tuple[str, str], ...] = ()
    related: tuple[Related, ...] = ()
    elsewhere: str = ""
    severity: Severity | None = None
    about_key: bool = False
