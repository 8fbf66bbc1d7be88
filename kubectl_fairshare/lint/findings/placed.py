"""A finding with its location: the input of renderers.

Tested in ``tests/unit/lint/formats/test_sarif.py``.
"""

from typing import NamedTuple

from kubectl_fairshare.input.files.charts import chart_of
from kubectl_fairshare.input.files.git import is_revision
from kubectl_fairshare.input.units.written import folder_of
from kubectl_fairshare.lint.run import Reported
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import Value


class Placed(Value, frozen=True):
    """A finding at its line. ``end`` is the column after the marked text, on the same line; ``excerpt`` is that line.

    ``excerpt`` of a very long line is the piece around the place, from ``excerpt_column`` on. ``fingerprint``
    identifies rule, object and field, and does not change when lines move. ``related`` are texts with their locations.
    ``template`` is the file of a chart or a kustomization that the object came from, if that is known;
    ``related_files`` are those of ``related``, empty where none is known.
    ``unit`` is the part of a repository that was judged, if there are several. ``patches`` are the other files whose
    patches change the object. ``releases`` are those in which it is found, where several were asked for.
    ``also_in`` are further units that have the same finding, as of a base that they share. ``fixable``: ``--fix`` would
    fix it; it changes files as they are written, and not what was built of them.
    """

    reported: Reported
    location: Location
    end: int
    excerpt: str
    fingerprint: str
    related: tuple[tuple[str, Location], ...] = ()
    excerpt_column: int = 1
    template: str = ""
    related_files: tuple[str, ...] = ()
    unit: str = ""
    patches: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()
    fixable: bool = False

    @property
    def units(self) -> tuple[str, ...]:
        """All units that have the finding."""
        return (self.unit, *self.also_in) if self.unit else ()


def is_on_disk(source: str) -> bool:
    """Whether a source is a file, and not a stream, a revision, or what kubectl or helm printed."""
    return not (source.startswith("<") or is_revision(source) or folder_of(source) or chart_of(source))


class Replacement(NamedTuple):
    """``text`` replaces the characters from ``start`` to before ``end``, both in one source."""

    start: Location
    end: Location
    text: str
