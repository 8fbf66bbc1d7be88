"""What is said of sources that are not manifests, or give one object twice.

Tested in ``tests/unit/input/test_among_others.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.text.yaml_problems import TemplateError
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.phrases import some_of

SHOWN: Final = 3
"""Sources that one problem names."""
_MANIFEST: Final = (b"apiVersion", b"kind:", b'"kind"')
"""Words that a text has if it was meant to be a manifest."""


class StrangerError(FairshareError):
    """Raised for a text that is not YAML, and was never meant to be a manifest."""


def together(templates: Sequence[Problem]) -> Sequence[Problem]:
    """The problems, or one that names the first of many."""
    if len(templates) <= SHOWN:
        return templates
    return [Problem("templates, not YAML", some_of(list(map(str, places_of(templates))), SHOWN), templates[0].help)]


def in_one_text(twice: Sequence[Problem]) -> Iterator[Problem]:
    """The objects that one text gives twice: kubectl applies the last."""
    return (problem for problem in twice if len(sources_of(problem)) == 1)


def sources_of(problem: Problem) -> set[str]:
    """The texts that a problem is about."""
    places = [problem.place, *(place for _, place in problem.related)]
    return {place.source for place in places if isinstance(place, Location)}


def meant(error: FairshareError, data: bytes) -> FairshareError:
    """The error by what the text was meant to be: a manifest, a template, or the file of another program."""
    if any(mark in data for mark in (b"{{", b"%{", b"{%")):  # Helm's and Go's, Terraform's, Jinja's
        return TemplateError(*error.problems)
    return error if any(word in data for word in _MANIFEST) else StrangerError(*error.problems)


def places_of(problems: Sequence[Problem]) -> tuple[Location, ...]:
    """Where the problems are."""
    return tuple(problem.place for problem in problems if isinstance(problem.place, Location))


def nothing_read(empty: Sequence[str]) -> Problem:
    """What is said of input without any object."""
    remedy = "pass the input: `-f FILE`, `-f DIRECTORY`, `-f -`, `-k DIRECTORY`"
    if not empty:
        return Problem("nothing to read", None, remedy)
    remedy = "name files or folders with manifests: each has an `apiVersion` and a `kind`"
    return Problem("nothing to read: the input contains no object", some_of(empty, SHOWN), remedy)


def by_place(problem: Problem) -> tuple[str, int, int, str]:
    """Problems in the order of the text."""
    place = problem.place
    if isinstance(place, Location):
        return place.source, place.line, place.column, problem.message
    return str(place or ""), 0, 0, problem.message
