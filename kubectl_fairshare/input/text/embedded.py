"""YAML text inside a field of an object: its documents, each with its place in that object."""

from collections.abc import Iterator

from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import ColumnPart, Json, LinePart
from kubectl_fairshare.model.location import Location, Place


def embedded_documents(text: str, place: Place) -> Iterator[tuple[Place, Json]]:
    """The YAML documents of the text at ``place``, each with its own place: all but the first at their line.

    Raises ``FairshareError`` with problems at the lines of the text.
    """
    try:
        read, decoded = decode(str(place.path[-1]), text.encode())
    except FairshareError as error:
        raise FairshareError(*(_inside(p, place) for p in error.problems)) from None
    lines = Lines(read.characters)
    for number, (start, document) in enumerate(zip(read.starts, decoded, strict=True)):
        yield (below(place, LinePart(lines.place(start)[0])) if number else place), document


def below(place: Place, *parts: str | int) -> Place:
    """A place inside another."""
    return Place(place.object, (*place.path, *parts))


def _inside(problem: Problem, place: Place) -> Problem:
    at = problem.place
    where = below(place, LinePart(at.line), ColumnPart(at.column)) if isinstance(at, Location) else place
    return Problem(f"`{place.path[-1]}`: {problem.message}", where, problem.help)
