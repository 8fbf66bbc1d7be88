"""A law that releases of Kueue changed: its sentence, where it is known from, and its value in each release.

Tested in ``tests/unit/schedulers/kueue/test_laws_by_release.py``.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kubectl_fairshare.model.values import Value

Number = tuple[int, int, int]


class ReleaseLaw(Value, frozen=True):
    """One row of a table of laws by release.

    ``field`` is its name in the value that the table fills. It has the value ``before`` until the first of ``changes``,
    and from each of these on its value: a line starts with what the last patch of the line before it has, and a change
    that went into several lines is one for each. ``source`` are change numbers of Kueue, or what was looked at.
    ``gate``: it holds only where this feature gate is on, too.
    """

    field: str
    sentence: str
    source: str
    before: Any
    changes: Mapping[str, Any]
    gate: str = ""

    def at(self, number: Number) -> Any:
        """Its value in a release."""
        value = self.before
        for text, later in self.changes.items():
            if numbered(text) > number:
                break
            value = later
        return value


def numbered(text: str) -> Number:
    """The number of a release that is written ``0.17.6``."""
    major, minor, patch = map(int, text.split("."))
    return major, minor, patch


def values_at(laws: Iterable[ReleaseLaw], number: Number) -> dict[str, Any]:
    """The values of a table's laws in a release, by field."""
    return {law.field: law.at(number) for law in laws}
