"""Manifests from files, directories, globs, standard input and kustomizations."""

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final

from kubectl_fairshare.input.extent import SNAPSHOT, Extent
from kubectl_fairshare.input.files import kustomize, raw_bytes
from kubectl_fairshare.input.files.git import contents, is_revision
from kubectl_fairshare.input.files.paths import STDIN, expand, shown_path
from kubectl_fairshare.input.files.raw_bytes import STDIN_NAME, Budget
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.objects import Objects
from kubectl_fairshare.input.reading import Reading, distinct
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.input.text.yaml_problems import TemplateError, TwiceError, refuse_actions
from kubectl_fairshare.input.text.yaml_scalars import Scalars
from kubectl_fairshare.input.units import kustomizations
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import some_of

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit_readings import UnitReading

MAX_INPUT: Final = 512 << 20
"""The default of ``--max-input``, in bytes."""
_SHOWN: Final = 3
"""Sources that one problem names."""
_ZIP: Final = b"PK\x03\x04"
_MANIFEST: Final = (b"apiVersion", b"kind:", b'"kind"')
"""Words that a text has if it was meant to be a manifest."""


class StrangerError(FairshareError):
    """Raised for a text that is not YAML, and was never meant to be a manifest."""


def read(  # noqa: PLR0913 -- what is read, all by keyword
    filenames: Sequence[str],
    schedulers: KnownSchedulers,
    *,
    kustomizations: Sequence[str] = (),
    stdin: BinaryIO | None = None,
    max_input: int = MAX_INPUT,
    namespace: str = "default",
    allow_generate_name: bool = False,
    root: str = "",
    helm: bool = False,
) -> Reading:
    """Every manifest in the files, directories (recursive), globs and kustomizations; ``-`` is ``stdin``.

    ``git:REF`` and ``git:REF:PATH`` are those of a revision.

    ``max_input`` bounds the bytes of all of them together, decompressed. ``namespace`` is that of objects of
    namespaced kinds without one. With ``allow_generate_name`` an object may have a ``generateName``
    instead of a name; it takes the place of the name in its key.

    With ``root`` a file named the sources: what leads out of that folder is not read (``roots``). With ``helm`` charts
    are rendered.

    A source that holds nothing is passed over (``Reading.empty``) where another holds an object. Raises
    ``FairshareError`` with all problems found, sorted by place; nothing is answered from the rest.
    """
    found, problems = read_what_can_be(
        filenames,
        schedulers,
        kustomizations=kustomizations,
        stdin=stdin,
        max_input=max_input,
        namespace=namespace,
        allow_generate_name=allow_generate_name,
        root=root,
        helm=helm,
    )
    if problems:
        raise FairshareError(*problems)
    return found


def read_what_can_be(  # noqa: PLR0913 -- what is read, all by keyword
    filenames: Sequence[str],
    schedulers: KnownSchedulers,
    *,
    kustomizations: Sequence[str] = (),
    stdin: BinaryIO | None = None,
    max_input: int = MAX_INPUT,
    namespace: str = "default",
    allow_generate_name: bool = False,
    among_others: bool = False,
    known: Mapping[str, bytes] | None = None,
    divided: bool = False,
    root: str = "",
    helm: bool = False,
) -> tuple[Reading, tuple[Problem, ...]]:
    """As ``read``, but returns what could be read beside the problems of the rest, sorted by place.

    With ``among_others`` the files may hold what was never meant to be a manifest: ``Reading.foreign``. ``known``
    are the bytes of sources, by name, that need not be read: they have been, and may have been changed. Where the input
    is to be ``divided``, an object may occur in several of ``Reading.units``. With ``helm`` charts are rendered.
    """
    with _no_garbage_collection():
        sources = _Sources(Budget(max_input), known or {}, schedulers, root, helm)
        sources.read_files(filenames, stdin)
        sources.read_kustomizations(kustomizations)
        folders = [name for name in filenames if os.path.isdir(name)] if divided else None
        return sources.reading(namespace, allow_generate_name, among_others, folders)


class _Sources:
    """The sources read so far, and what is wrong with them."""

    def __init__(
        self, budget: Budget, known: Mapping[str, bytes], schedulers: KnownSchedulers, root: str, helm: bool
    ) -> None:
        self._schedulers = schedulers
        self._budget = budget
        self._known = known
        self._scalars = Scalars()
        self._problems: list[Problem] = []
        self._templates: list[Problem] = []
        self._strangers: list[Problem] = []
        self._named: frozenset[str] = frozenset()
        self._unrendered: frozenset[str] = frozenset()
        self._described: frozenset[str] = frozenset()
        self._unfilled: set[str] = set()
        self._twice: list[Problem] = []
        self._notes: list[Problem] = []
        self._outside: list[Problem] = []
        self._root = root
        self._helm = helm
        self._read: list[tuple[Text, list[Json]]] = []

    def read_files(self, filenames: Sequence[str], stdin: BinaryIO | None) -> None:
        self._named = frozenset(map(shown_path, filenames))
        for word in filter(is_revision, filenames):
            found: Mapping[str, bytes] = {}
            with self._collecting():
                found = contents(word, self._budget)
            self._without_charts(tuple(found), rendered=False)
            for name, data in found.items():
                with self._collecting():
                    self._take(name, data)
        paths = expand([n for n in filenames if not is_revision(n)], self._problems, self._outside, self._root)
        for path in self._without_charts(paths):
            with self._collecting():
                if path == STDIN:
                    self._add(STDIN_NAME, lambda: raw_bytes.of_stdin(stdin, self._budget))
                else:
                    self._add(shown_path(path), partial(raw_bytes.of_file, path, self._budget))

        self._read_generated(filenames, paths)
        if self._outside:
            self._unfilled |= self._schedulers.kinds_read()

    def _read_generated(self, filenames: Sequence[str], paths: Sequence[str]) -> None:
        """Adds the files with a scheduler's configuration of which kustomizations in the folders make ConfigMaps."""
        folders = [name for name in filenames if os.path.isdir(name)]
        found = kustomizations.found_below(folders).values() if folders else ()
        self._outside += [problem for kustomization in found for problem in kustomization.leading_out()]
        files = [path for kustomization in found for path in kustomization.generating_files()]
        known = set(map(os.path.realpath, paths)) if files else set()
        for path in files:
            if (real := os.path.realpath(path)) not in known:
                known.add(real)
                with self._collecting():
                    data = raw_bytes.of_file(path, self._budget)
                    if self._schedulers.configures(data):
                        self._take(shown_path(path), data)

    def _without_charts(self, paths: Sequence[str], *, rendered: bool = True) -> Sequence[str]:
        """The files but those of Helm charts, which are ``rendered``; what is not, or cannot be, is noted."""
        if not any(path.endswith("Chart.yaml") for path in paths):
            return paths
        from kubectl_fairshare.input.files import charts

        found = charts.charts_among(paths)
        if found and not (rendered and self._helm and charts.has_helm()):
            self._notes += charts.unrendered(found, wanted=rendered and self._helm)
            self._unrendered |= charts.templates_among(found)
            self._described |= charts.settings_among(found)
            return paths
        for folder in found:
            try:
                if not charts.is_library(folder):
                    self._add(charts.name_of(folder), partial(charts.render, folder, self._budget))
            except FairshareError as error:
                self._notes.extend(error.problems)
                for path in found[folder]:
                    self._leave_open(path, self._bytes_of(path))
        done = {path for files in found.values() for path in files}
        return [path for path in paths if path not in done]

    def _leave_open(self, name: str, data: bytes) -> None:
        """No answer rests on all objects of the kinds of which a template may make some."""
        from kubectl_fairshare.input.files import charts

        kinds = charts.kinds_in(name, data)
        self._unfilled |= self._schedulers.kinds_read() if kinds is None else kinds

    def _bytes_of(self, path: str) -> bytes:
        with self._collecting():
            return raw_bytes.of_file(path, self._budget)
        return b""

    def read_kustomizations(self, directories: Sequence[str]) -> None:
        for directory in dict.fromkeys(directories):
            with self._collecting():
                self._add(kustomize.name_of(directory), partial(kustomize.build, directory, self._budget))

    @contextmanager
    def _collecting(self) -> Iterator[None]:
        try:
            yield
        except TemplateError as error:
            self._templates.extend(error.problems)
        except StrangerError as error:
            self._strangers.extend(error.problems)
        except FairshareError as error:
            self._problems.extend(error.problems)

    def _add(self, name: str, read: Callable[[], bytes]) -> None:
        data = self._known.get(name)
        data = read() if data is None else data
        if data.startswith(_ZIP) and self._schedulers.archives:
            self._budget.left += len(data)
            data = self._budget.spend(self._schedulers.archives[0].unzipped(name, data, self._budget.left))
        self._take(name, data)

    def _take(self, name: str, data: bytes) -> None:
        """Decodes a text; what only kubectl makes something of is noted."""
        if name in self._described:
            self._leave_open(name, data)
        try:
            if name in self._unrendered:
                refuse_actions(name, data)
            self._read.append(decode(name, data, self._scalars, packs=True))
        except TemplateError:
            self._leave_open(name, data)
            raise
        except TwiceError as error:  # kubectl takes the last
            self._read.append((Text(name, data, "yaml", tuple(error.starts)), error.documents))
            self._twice.extend(error.problems)
        except FairshareError as error:
            raise error if name in self._named else _meant(error, data) from None

    def reading(
        self, namespace: str, allow_generate_name: bool, among_others: bool, folders: Sequence[str] | None
    ) -> tuple[Reading, tuple[Problem, ...]]:
        texts = Texts(text for text, _ in self._read)
        objects = Objects(texts, self._schedulers, namespace, allow_generate_name, among_others)
        for text, documents in self._read:
            objects.take(text.name, documents)
        twice: list[Problem] = []
        manifests, versions = distinct(objects.manifests, texts, twice, self._schedulers, among_others)
        problems = [*self._problems, *objects.problems, *(twice if folders is None else ())]
        units = () if folders is None else self._units(objects.manifests, folders, texts)
        templates: tuple[Location, ...] = ()
        strangers: tuple[Location, ...] = ()
        if among_others and manifests:
            templates, strangers = _places(self._templates), _places(self._strangers)
        else:
            problems += [*_together(self._templates), *self._strangers]
        problems += () if among_others else self._twice
        empty = tuple(text.name for text, documents in self._read if all(d is None for d in documents))
        if not problems and not manifests and (objects.foreign or len(empty) == len(self._read)):
            problems.append(_nothing(tuple(texts)))
        foreign = tuple(objects.foreign)
        reading = Reading(
            tuple(manifests),
            texts,
            tuple(versions),
            empty,
            foreign,
            templates,
            self._extent(),
            self._redacted(),
            units=units,
            strangers=strangers,
            unfilled=frozenset(self._unfilled),
            outside=tuple(self._outside),
            notes=(
                *self._notes,
                *(self._twice if among_others else ()),
                *(() if folders is None else _in_one_text(twice)),
            ),
            releases=self._releases(),
        )
        return reading, tuple(sorted(problems, key=by_place))

    def _units(self, manifests: Sequence[Manifest], folders: Sequence[str], texts: Texts) -> "tuple[UnitReading, ...]":
        """The units of the folders; none where all that was read is one."""
        if not folders and len(texts) == 1:
            return ()
        from kubectl_fairshare.input.units.division import units_among

        units = units_among(manifests, folders, self._schedulers)
        if len(units) == 1 and not (units[0].patches or units[0].namespace):
            return ()
        from kubectl_fairshare.input.units.unit_readings import unit_readings

        return unit_readings(units, manifests, texts, self._schedulers)

    def _extent(self) -> Extent | None:
        """How much of a cluster this is, where a file is a snapshot of one."""
        snapshots = self._snapshots()
        if not snapshots:
            return None
        from kubectl_fairshare.input.snapshot.snapshot_file import extent_of

        return extent_of(snapshots)

    def _releases(self) -> Mapping[str, str]:
        """The releases of schedulers that snapshots among the files name."""
        snapshots = self._snapshots()
        if not snapshots:
            return {}
        from kubectl_fairshare.input.snapshot.snapshot_file import releases_of

        return releases_of(snapshots)

    def _snapshots(self) -> list[Json]:
        return [each for text, documents in self._read if text.begins(SNAPSHOT) for each in documents]

    def _redacted(self) -> str:
        """How names are hidden, where all that was read is one snapshot."""
        if len(self._read) != 1 or not self._read[0][0].begins(SNAPSHOT):
            return ""
        from kubectl_fairshare.input.snapshot.snapshot_file import redaction_of

        return redaction_of(self._read[0][1])


def _together(templates: Sequence[Problem]) -> Sequence[Problem]:
    """The problems, or one that names the first of many."""
    if len(templates) <= _SHOWN:
        return templates
    return [Problem("templates, not YAML", some_of(list(map(str, _places(templates))), _SHOWN), templates[0].help)]


def _in_one_text(twice: Sequence[Problem]) -> Iterator[Problem]:
    """The objects that one text gives twice: kubectl applies the last."""
    for problem in twice:
        places = [problem.place, *(place for _, place in problem.related)]
        if len({place.source for place in places if isinstance(place, Location)}) == 1:
            yield problem


def _meant(error: FairshareError, data: bytes) -> FairshareError:
    """The error by what the text was meant to be: a manifest, a template, or the file of another program."""
    if any(mark in data for mark in (b"{{", b"%{", b"{%")):  # Helm's and Go's, Terraform's, Jinja's
        return TemplateError(*error.problems)
    return error if any(word in data for word in _MANIFEST) else StrangerError(*error.problems)


def _places(problems: Sequence[Problem]) -> tuple[Location, ...]:
    return tuple(problem.place for problem in problems if isinstance(problem.place, Location))


def _nothing(empty: Sequence[str]) -> Problem:
    remedy = "pass the input: `-f FILE`, `-f DIRECTORY`, `-f -`, `-k DIRECTORY`"
    if not empty:
        return Problem("nothing to read", None, remedy)
    remedy = "name files or folders with manifests: each has an `apiVersion` and a `kind`"
    return Problem("nothing to read: the input contains no object", some_of(empty, _SHOWN), remedy)


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
