"""What was made for the last snapshot that was asked about: there are usually several questions about one.

Tested in ``tests/unit/schedulers/test_kept.py``.
"""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import ref

from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace

Made = TypeVar("Made")


class Kept(Generic[Made]):
    """One value, made for a snapshot and a term of a question; it is forgotten with that snapshot."""

    def __init__(self) -> None:
        self._last: tuple[ref[Snapshot], Hashable, Made] | None = None

    def of(self, snapshot: Snapshot, term: Hashable, make: Callable[[Snapshot], Made]) -> Made:
        """The value for the snapshot and the term, made if the last one is of others.

        ``make`` gets an equal snapshot, an object of its own: the value would keep what it is kept by.
        """
        last = self._last
        if last is not None and last[0]() is snapshot and last[1] == term:
            return last[2]
        made = make(replace(snapshot))
        self._last = ref(snapshot, self._forget), term, made
        return made

    def _forget(self, gone: "ref[Snapshot]") -> None:
        if self._last is not None and self._last[0] is gone:
            self._last = None
