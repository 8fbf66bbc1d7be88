"""Manifests from files, directories, globs, standard input and kustomizations."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO, Final

from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.sources import kustomize, raw_bytes
from kubectl_fairshare.sources.decoding import decode
from kubectl_fairshare.sources.objects import Objects
from kubectl_fairshare.sources.paths import STDIN, expand, shown
from kubectl_fairshare.sources.raw_bytes import STDIN_NAME, Budget
from kubectl_fairshare.sources.reading import Reading, distinct
from kubectl_fairshare.sources.texts import Text, Texts

MAX_INPUT: Final = 512 << 20
"""The default of ``--max-input``, in bytes."""


def read(
    filenames: Sequence[str],
    *,
    kustomizations: Sequence[str] = (),
    stdin: BinaryIO | None = None,
    max_input: int = MAX_INPUT,
    namespace: str = "default",
    allow_generate_name: bool = False,
) -> Reading:
    """Every manifest in the files, directories (recursive), globs and kustomizations; ``-`` is ``stdin``.

    ``max_input`` bounds the bytes of all of them together, decompressed. ``namespace`` is that of objects of
    namespaced kinds that name none. With ``allow_generate_name`` an object may have a ``generateName``
    instead of a name; it stands for the name in its key.

    A source that holds nothing is passed over (``Reading.empty``) where another holds an object. Raises
    ``FairshareError`` with all problems found, sorted by place; nothing is answered from the rest.
    """
    with _no_garbage_collection():
        sources = _Sources(Budget(max_input))
        sources.read_files(filenames, stdin)
        sources.read_kustomizations(kustomizations)
        return sources.reading(namespace, allow_generate_name)


class _Sources:
    """The sources read so far, and what is wrong with them."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._problems: list[Problem] = []
        self._read: list[tuple[Text, list[Json]]] = []

    def read_files(self, filenames: Sequence[str], stdin: BinaryIO | None) -> None:
        for path in expand(filenames, self._problems):
            with self._collected():
                if path == STDIN:
                    self._add(STDIN_NAME, raw_bytes.of_stdin(stdin, self._budget))
                else:
                    self._add(shown(path), raw_bytes.of_file(path, self._budget))

    def read_kustomizations(self, directories: Sequence[str]) -> None:
        for directory in dict.fromkeys(directories):
            with self._collected():
                self._add(kustomize.name_of(directory), kustomize.build(directory, self._budget))

    @contextmanager
    def _collected(self) -> Iterator[None]:
        try:
            yield
        except FairshareError as error:
            self._problems.extend(error.problems)

    def _add(self, name: str, data: bytes) -> None:
        self._read.append(decode(name, data))

    def reading(self, namespace: str, allow_generate_name: bool) -> Reading:
        texts = Texts(text for text, _ in self._read)
        objects = Objects(texts, namespace, allow_generate_name)
        for text, documents in self._read:
            objects.take(text.name, documents)
        problems = [*self._problems, *objects.problems]
        manifests, versions = distinct(objects.manifests, texts, problems)
        empty = tuple(text.name for text, documents in self._read if all(d is None for d in documents))
        if not problems and len(empty) == len(self._read):
            problems.append(_nothing(empty))
        if problems:
            raise FairshareError(*sorted(problems, key=by_place))
        return Reading(tuple(manifests), texts, tuple(versions), empty)


def _nothing(empty: Sequence[str]) -> Problem:
    remedy = "name what to read: `-f FILE`, `-f DIRECTORY`, `-f -`, `-k DIRECTORY`"
    if not empty:
        return Problem("nothing to read", None, remedy)
    return Problem("nothing to read: no object stands in it", ", ".join(empty), remedy)


def by_place(problem: Problem) -> tuple[str, int, int, str]:
    """Problems in the order of the text."""
    place = problem.place
    if isinstance(place, Location):
        return place.source, place.line, place.column, problem.message
    return str(place or ""), 0, 0, problem.message


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Loading makes no garbage, only much that a collector would look through again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
