"""A lint result as data: the mistake, its place, the numbers, and the fix.

Places are symbolic and become line and column when they are printed. A place may name fields of the stored version,
or fields as written.

Tested in ``tests/unit/lint/findings/test_placing.py``.
"""

from enum import StrEnum
from typing import Final, TypeAlias

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value


class Severity(StrEnum):
    """The severity of a finding; ``rank`` orders them, 0 is the most severe."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for an error, 1 for a warning, 2 for information."""
        return _ORDER.index(self)

    @property
    def milder(self) -> "Severity":
        """The next lower severity; information stays information."""
        return _ORDER[min(self.rank + 1, len(_ORDER) - 1)]


_ORDER: Final = tuple(Severity)


class Rename(Value, frozen=True):
    """Renames the key at the end of ``place``; its value stays."""

    place: Place
    key: str


class Replace(Value, frozen=True):
    """Replaces the value at ``place`` by ``value``."""

    place: Place
    value: Json


class Remove(Value, frozen=True):
    """Removes the entry of a mapping, or the item of a list, at ``place``, with its key."""

    place: Place


class Insert(Value, frozen=True):
    """Adds an entry to the mapping at ``place``, which does not have this key yet."""

    place: Place
    key: str
    value: Json


class Reorder(Value, frozen=True):
    """Reorders the list at ``place``: ``order[i]`` is the present index of the item that becomes the ``i``-th."""

    place: Place
    order: tuple[int, ...]


Edit: TypeAlias = Rename | Replace | Remove | Insert | Reorder


class Remedy(Value, frozen=True):
    """The fix: a sentence, and, if it is mechanical, the edits, which belong together.

    ``safe`` edits keep everything that the author can have intended; others need a review.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    safe: bool = False


class Related(Value, frozen=True):
    """Another place that the finding rests on, and what is there: ``defined here``."""

    text: str
    place: Place


class Finding(Value, frozen=True):
    """One mistake. ``message`` describes it with its numbers, lower case, user values in backticks, no final period.

    ``evidence`` are named amounts, as written or computed. ``elsewhere`` names an object that would resolve the finding
    if it exists outside the input (``ResourceFlavor a100``); unless the input is complete, the finding is reported one
    severity lower. ``severity`` is set if it differs from the rule's own. ``about_key``: the mistake at ``place`` is
    the key, not its value.
    """

    place: Place
    message: str
    remedy: Remedy
    evidence: tuple[tuple[str, str], ...] = ()
    related: tuple[Related, ...] = ()
    elsewhere: str = ""
    severity: Severity | None = None
    about_key: bool = False
