"""The sources that were named, read once: files, standard input, revisions, kustomizations, charts.

Tested in ``tests/unit/input/files/test_files.py`` and ``tests/unit/input/files/test_charts.py``.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final

from kubectl_fairshare.input.extent import SNAPSHOT, Extent
from kubectl_fairshare.input.files import kustomize, raw_bytes
from kubectl_fairshare.input.files.git import is_revision
from kubectl_fairshare.input.files.made_before import MadeBefore
from kubectl_fairshare.input.files.open_charts import OpenCharts
from kubectl_fairshare.input.files.paths import STDIN, expand, shown_path
from kubectl_fairshare.input.files.raw_bytes import STDIN_NAME, Budget
from kubectl_fairshare.input.files.unreadable import (
    StrangerError,
    by_place,
    in_one_text,
    meant,
    nothing_read,
    places_of,
    together,
)
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.objects import Objects
from kubectl_fairshare.input.reading import Reading, distinct
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.input.text.yaml_problems import TemplateError, TwiceError, refuse_actions
from kubectl_fairshare.input.units import kustomizations
from kubectl_fairshare.input.units.applications import Installers
from kubectl_fairshare.input.units.unit import RefusedUnit, digest_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.checkout import Checkout
    from kubectl_fairshare.input.units.unit_readings import UnitReading

_ZIP: Final = b"PK\x03\x04"


class InputSources:
    """The sources read so far, and what is wrong with them."""

    def __init__(
        self,
        budget: Budget,
        known: Mapping[str, bytes],
        schedulers: KnownSchedulers,
        root: str,
        made: MadeBefore,
        helm: bool,
        builds: bool,
    ) -> None:
        self._schedulers = schedulers
        self._budget = budget
        self._known = known
        self._made = made
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
        self._builds = builds
        self._checkouts: list[Checkout] = []
        self._folders = kustomizations.KustomizedFolders()
        self._read: list[tuple[Text, list[Json]]] = []
        self._objects: tuple[Texts, Objects] | None = None
        self._units: tuple[UnitReading, ...] = ()
        self._refused: dict[str, list[Problem]] = {}
        self._open = OpenCharts(made.documents)

    def check_out(self, words: Sequence[str], held: ExitStack) -> list[str]:
        """The words; a revision becomes a folder for as long as ``held`` is open."""
        return [path for word in words for path in ([word] if not is_revision(word) else self._checked_out(word, held))]

    def _checked_out(self, word: str, held: ExitStack) -> Iterator[str]:
        from kubectl_fairshare.input.units.checkout import checked_out

        with self._collecting():
            checkout = held.enter_context(checked_out(word, self._budget, self._made.texts))
            self._checkouts.append(checkout)
            yield checkout.named

    def with_names(self, reading: Reading, problems: tuple[Problem, ...]) -> tuple[Reading, tuple[Problem, ...]]:
        """The same with the names that files of revisions have there."""
        if not self._checkouts:
            return reading, problems
        from kubectl_fairshare.input.units.renaming import Renaming

        renaming = Renaming(self._checkouts)
        return renaming.reading(reading), renaming.problems(problems)

    def read_files(self, filenames: Sequence[str], stdin: BinaryIO | None) -> None:
        """Adds files, those in folders, and what the kustomizations in these name."""
        self._named = frozenset(map(shown_path, filenames))
        names = [name for name in filenames if os.path.isdir(name)]
        paths = expand(filenames, self._problems, self._outside, self._root)
        if names:
            files = self._named.difference(map(shown_path, names))
            self._folders = replace(kustomizations.folders_from(names, self._made.texts), files=files)
            paths += self._named_elsewhere(paths)
        if self._builds:
            from kubectl_fairshare.input.units.building import patches_alone

            self._problems += patches_alone([path for path in paths if path != STDIN], self._folders.found)
        for path in self._without_charts(paths):
            with self._collecting():
                if path == STDIN:
                    self._add(STDIN_NAME, lambda: raw_bytes.of_stdin(stdin, self._budget))
                else:
                    self._add(shown_path(path), partial(raw_bytes.of_file, path, self._budget))

        self._read_generated(paths)
        if self._folders.found or self._folders.refused:
            self._read_built()
        if self._outside:
            self._unfilled |= self._schedulers.kinds_read()

    def _named_elsewhere(self, paths: Sequence[str]) -> list[str]:
        """The files that kustomizations name and that are not among those of the folders."""
        named = [path for each in self._folders.found.values() for path in each.files()]
        known = set(map(os.path.realpath, paths)) if named else set()
        further = {real: path for path in named if (real := os.path.realpath(path)) not in known}
        return list(further.values())

    def _read_generated(self, paths: Sequence[str]) -> None:
        """Adds the files with a scheduler's configuration of which kustomizations in the folders make ConfigMaps."""
        found = self._folders.found.values()
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

    def _read_built(self) -> None:
        """Adds what another program builds of kustomizations that are not applied as they are written."""
        from kubectl_fairshare.input.units.building import installed_releases, needs

        texts = {os.path.normpath(text.name): text.data for text, _ in self._read}
        built: dict[str, str] = {}
        remote: dict[str, Sequence[str]] = {}
        for need in needs(self._folders, texts, self._schedulers):
            self._refuse(need.folder, need.missing)
            if need.templates:
                self._templates += (each for each in need.templates if each not in self._templates)
                self._unfilled |= self._schedulers.kinds_read()
            if not self._builds:
                continue
            self._notes += need.remote
            if need.remote and not need.installs:
                self._refuse(need.folder, [need.not_built()] if need.fields else ())
                self._unfilled |= self._schedulers.kinds_read()
                remote[need.folder] = [each.message for each in need.remote]
            if need.is_built:
                name = kustomize.name_of(need.folder)
                try:
                    self._add(name, partial(self._built, need.folder))
                    built[need.folder] = name
                except FairshareError as error:
                    self._refuse(need.folder, error.problems)
        releases = installed_releases(self._folders, self._schedulers)
        self._folders = replace(self._folders, built=built, remote=remote, releases=releases)

    def _built(self, folder: str) -> bytes:
        """What another program builds of a kustomization that was found: once for all versions that read the same."""
        from kubectl_fairshare.input.units.content import content_of

        build = partial(kustomize.build, folder, self._budget, found=True)
        return self._made.built(content_of(folder, self._folders), build, self._budget)

    def _refuse(self, folder: str, problems: Iterable[Problem]) -> None:
        """Takes what keeps a kustomization from being built; other units are answered all the same."""
        found = list(problems)
        if found:
            self._problems += found
            self._refused.setdefault(folder, []).extend(found)

    def _without_charts(self, paths: Sequence[str]) -> Sequence[str]:
        """The files but those of Helm charts, which are rendered; what is not, or cannot be, is noted."""
        if not any(path.endswith("Chart.yaml") for path in paths):
            return paths
        from kubectl_fairshare.input.files import charts

        found = charts.charts_among(paths)
        if found and not (self._helm and charts.has_helm()):
            self._notes += charts.unrendered(found, wanted=self._helm)
            self._unrendered |= charts.templates_among(found)
            self._described |= charts.settings_among(found)
            self._open.add(found)
            return paths
        for folder in found:
            try:
                if not charts.is_library(folder):
                    self._add(charts.name_of(folder), partial(charts.render, folder, self._budget))
            except FairshareError as error:
                self._notes.extend(error.problems)
                self._open.add([folder])
                for path in found[folder]:
                    self._open.leave_open(path, self._bytes_of(path), self._schedulers.kinds_read())
        done = {path for files in found.values() for path in files}
        return [path for path in paths if path not in done]

    def _bytes_of(self, path: str) -> bytes:
        with self._collecting():
            return raw_bytes.of_file(path, self._budget)
        return b""

    def read_kustomizations(self, directories: Sequence[str]) -> None:
        """Adds what kubectl builds of each."""
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
            self._open.leave_open(name, data, self._schedulers.kinds_read())
        try:
            if name in self._unrendered:
                refuse_actions(name, data)
            self._read.append(self._made.texts.decoded(name, data, packs=True))
        except TemplateError:
            self._open.leave_open(name, data, self._schedulers.kinds_read())
            raise
        except TwiceError as error:  # kubectl takes the last
            self._read.append((Text(name, data, "yaml", tuple(error.starts)), error.documents))
            self._twice.extend(error.problems)
        except FairshareError as error:
            raise error if name in self._named else meant(error, data) from None

    def reading(
        self, namespace: str, allow_generate_name: bool, among_others: bool, *, divided: bool, lone: bool
    ) -> tuple[Reading, tuple[Problem, ...]]:
        """What was read, as one or divided. It may be asked for both, with the same of all other parameters."""
        texts, objects = self._taken(namespace, allow_generate_name, among_others)
        twice: list[Problem] = []
        manifests, versions = distinct(objects.manifests, texts, twice, self._schedulers, among_others)
        units = self._units
        installers = self._installers(objects.manifests) if self._open else None
        kinds = self._open.kinds(installers) if installers is not None else frozenset()
        astray: list[Problem] = []
        if divided or self._folders.found:
            from kubectl_fairshare.input.units import dividing

            units = units or dividing.opened(
                dividing.divided(self._folders, objects.manifests, texts, self._schedulers, self._refused, lone=lone),
                kinds,
            )
            for name, problem in dividing.astray(self._folders, units):
                astray.append(problem)
                self._refused.setdefault(name, []).append(problem)
            self._units = units if len(units) > 1 else ()
        if not divided and units:
            twice = dividing.twice_among(self._folders, units, twice)
            if not twice:
                manifests, versions = list(units[0].reading.manifests), list(units[0].reading.versions)
                texts = Texts({**texts, **units[0].reading.texts}.values())
        problems = [*self._problems, *astray, *objects.problems, *(() if divided else twice)]
        spared = bool(among_others and manifests)
        templates, strangers = (places_of(each if spared else ()) for each in (self._templates, self._strangers))
        problems += () if spared else [*together(self._templates), *self._strangers]
        problems += () if among_others else self._twice
        empty = tuple(text.name for text, documents in self._read if all(d is None for d in documents))
        if not problems and not manifests and (objects.foreign or len(empty) == len(self._read)):
            problems += self._outside or [nothing_read(tuple(texts))]
        foreign = tuple(objects.foreign)
        extent, releases, redacted, unfilled = self._of_snapshots()
        reading = Reading(
            tuple(manifests),
            texts,
            tuple(versions),
            empty,
            foreign,
            templates,
            extent,
            redacted,
            units=units if divided else (),
            strangers=strangers,
            unfilled=unfilled | self._unfilled | kinds,
            outside=tuple(self._outside),
            notes=(
                *self._notes,
                *(self._twice if among_others else ()),
                *(in_one_text(twice) if divided else ()),
            ),
            releases={**self._schedulers.installed(self._folders.releases.get("", {}), manifests), **releases},
            refused=self._refusals(texts),
            unread=b"" if installers is None else self._unread(installers, texts, foreign, objects.manifests),
        )
        return reading, tuple(sorted(dict.fromkeys(problems), key=by_place))

    def _installers(self, manifests: Sequence[Manifest]) -> Installers:
        """What says which charts and templates are applied."""
        inflates = any(each.inflates for each in self._folders.found.values())
        return Installers(manifests, self._folders.names, inflates=inflates)

    def _unread(
        self, installers: Installers, texts: Texts, foreign: Iterable[Origin], manifests: Sequence[Manifest]
    ) -> bytes:
        """What decides what charts make: their own files, and documents that may be values; empty without a chart."""
        known = kustomizations.patch_files(self._folders.found)
        sources = dict.fromkeys(each.source for each in foreign if os.path.normpath(each.source) not in known)
        values = {source: texts[source].data for source in sources}
        return self._open.digest(installers, self._schedulers.kinds_read(), values, manifests)

    def _refusals(self, texts: Texts) -> dict[str, RefusedUnit]:
        """The units that are not built, each with a digest of what there is of it."""
        if not self._refused:
            return {}
        from kubectl_fairshare.input.units.building import held_of

        data = {os.path.normpath(name): text.data for name, text in texts.items()}
        return {
            folder: RefusedUnit(tuple(dict.fromkeys(problems)), digest_of(held_of(folder, data, self._folders)))
            for folder, problems in self._refused.items()
        }

    def _taken(self, namespace: str, allow_generate_name: bool, among_others: bool) -> tuple[Texts, Objects]:
        """The texts, and the objects in them, which are taken once."""
        if self._objects is None:
            texts = Texts(text for text, _ in self._read)
            objects = Objects(texts, self._schedulers, namespace, allow_generate_name, among_others)
            for text, documents in self._read:
                objects.take(text.name, documents)
            self._objects = texts, objects
        return self._objects

    def _of_snapshots(self) -> tuple[Extent | None, Mapping[str, str], str, frozenset[str]]:
        """How much of a cluster snapshots among the files hold, the releases that they name, and how names are hidden.

        The latter where all that was read is one snapshot. Last, the kinds of which they may lack objects.
        """
        snapshots = [each for text, documents in self._read if text.begins(SNAPSHOT) for each in documents]
        if not snapshots:
            return None, {}, "", frozenset()
        from kubectl_fairshare.input.snapshot.snapshot_file import extent_of, redaction_of, releases_of, unfilled_of

        alone = len(self._read) == 1
        redacted = redaction_of(self._read[0][1]) if alone else ""
        return extent_of(snapshots), releases_of(snapshots), redacted, unfilled_of(snapshots)
