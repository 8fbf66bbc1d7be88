"""``fairshare-test.yaml``: found, read, and run on what its ``given`` names."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.answers.suite import SuiteResult, TestResult, TestStatus
from kubectl_fairshare.cli.asking.load import Loaded, loaded_from, placing_problems
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.linting.rule_choice import rules_to_run
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.nodes_option import node_group
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.input.files.files import ReadOnce, read_what_can_be
from kubectl_fairshare.input.files.paths import KUSTOMIZATIONS, outside, shown_path
from kubectl_fairshare.input.files.paths import TESTS as NAME
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.input.files.roots import is_within, root_for, root_of
from kubectl_fairshare.input.objects import Objects
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.own_file import OwnFile
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.unit_readings import agreeing
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, listed, mapping
from kubectl_fairshare.model.location import Location, Origin
from kubectl_fairshare.model.nodes import NodeGroup
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.diff.findings import rule_findings
from kubectl_fairshare.policy.suite.circumstances import errors_at
from kubectl_fairshare.policy.suite.expansion import cases
from kubectl_fairshare.policy.suite.run import Exercised, TestBed, coverage, result_of
from kubectl_fairshare.schedulers import ALL, known_schedulers, lint_houses
from kubectl_fairshare.schedulers.scheduler import Sources

_MOST: Final = 4 << 20


def suite_files(paths: Sequence[str]) -> list[str]:
    """The files of tests that paths name: themselves, and in directories those called ``fairshare-test.yaml``.

    Raises ``UsageError`` where there are none.
    """
    found: list[str] = []
    for path in paths or (os.curdir,):
        if os.path.isdir(path):
            walked = (os.path.join(top, NAME) for top, _, names in sorted(os.walk(path)) if NAME in names)
            found += [os.path.normpath(each) for each in walked]
        else:
            found.append(path)
    for path in found:
        if path not in paths and not is_within(path, root := root_of(os.path.dirname(path))):
            raise UsageError(outside(path, root))
    if not found:
        where = ", ".join(paths) or "this directory"
        raise UsageError(Problem(f"{where} has no `{NAME}`", help="name the file of tests, or see docs/test.md"))
    return list(dict.fromkeys(found))


class _Change(NamedTuple):
    """An object or file that a test puts over the policy, as JSON, with its place; or what it deletes, after ``-``."""

    text: str
    path: FieldPath = ()


_Base: TypeAlias = Callable[[tuple[_Change, ...]], TestBed]
"""What makes the ground for changes."""


class SuiteFile:
    """One file of tests. Raises ``UsageError`` with all that is wrong in it, each at its line.

    ``content`` is that of a file which is not written yet.
    """

    def __init__(self, path: str, inputs: Inputs, content: bytes | None = None) -> None:
        self.path = path
        self.content = of_file(path, Budget(_MOST)) if content is None else content
        self._file = OwnFile(shown_path(path), self.content, "test")
        if problems := self._file.problems("see docs/test.md"):
            raise UsageError(*problems)
        self._data: JsonObject = mapping(self._file.data)
        self._inputs = inputs
        self._folder = os.path.dirname(path)

    def run(self, only: str = "") -> tuple[SuiteResult, ...]:
        """Runs the tests whose names contain ``only``, on each unit of what is given.

        Raises ``UsageError`` for what is wrong in one of them.
        """
        grounds = [(names, reading, self._base(reading)) for names, reading in self._given_readings()]
        held = [of for of in grounds if (bed := of[2](())).scheduler.holds(bed.snapshot)]
        return tuple(self._run(*of, only) for of in held or grounds[:1])

    def _run(self, units: tuple[str, ...], reading: Reading, base: "_Base", only: str) -> SuiteResult:
        exercised, problems = Exercised(), list[Problem]()
        results: list[TestResult] = []
        for number, test in enumerate(listed(self._data, "tests")):
            if only.lower() not in test["name"].lower():
                continue
            try:
                results += self._results(number, test, base, exercised)
            except UsageError as error:
                problems += error.problems
        if problems:
            raise UsageError(*problems)
        ground = base(())
        rules = ground.scheduler.review.preemption_rules(ground.snapshot)
        reached = replace(coverage(ground.sandbox, exercised, rules), lint=self._unexpected_rules(reading))
        return SuiteResult(shown_path(self.path), ground.scheduler.name, tuple(results), reached, units)

    @property
    def units(self) -> tuple[tuple[str, ...], ...]:
        """The names of the given units with quotas, by what has one answer; none are named where it is one."""
        grounds = [(names, self._base(reading)(())) for names, reading in self._given_readings()]
        return tuple(names for names, bed in grounds if bed.scheduler.holds(bed.snapshot)) or (grounds[0][0],)

    @property
    def bed(self) -> TestBed:
        """What its tests run on, if that is one unit."""
        return self._one_base()(())

    def passing(self) -> frozenset[int]:
        """The numbers of the tests that pass in all their cases; one that is wrong does not."""
        base, exercised, found = self._one_base(), Exercised(), set[int]()
        for number, test in enumerate(listed(self._data, "tests")):
            try:
                results = list(self._results(number, test, base, exercised))
            except UsageError:
                continue
            if all(result.status is TestStatus.PASSED for result in results):
                found.add(number)
        return frozenset(found)

    def _one_base(self) -> "_Base":
        return self._base(self._given_readings()[0][1])

    def _unexpected_rules(self, reading: Reading) -> tuple[str, ...] | None:
        """The rules of lint that check this policy and that no test expects; None if no test expects any."""
        tests = [mapping(test, "then") for test in listed(self._data, "tests")]
        expected = {str(rule) for then in tests for rule in listed(then, "findings")}
        if not any("findings" in then for then in tests):
            return None
        rules = rules_to_run((), (), {}, reading.mentions)
        return tuple(rule.id for rule in rules if not expected & {rule.id, rule.name})

    def _results(self, number: int, test: JsonObject, base: "_Base", exercised: Exercised) -> Iterator[TestResult]:
        locate = partial(self._locate, number)
        ground = base(())
        names = ground.scheduler.review.named(ground.snapshot)
        for case in cases(number, test, names, self._locate(number)):
            when = mapping(case.data, "when")
            added = [
                _Change(orjson.dumps(each).decode(), ("tests", number, "when", "overlay", n))
                for n, each in enumerate(listed(when, "overlay"))
            ]
            changes = (*added, *(_Change(f"-{each}") for each in listed(when, "delete")))
            if changes:
                with errors_at(locate("when", "overlay" if added else "delete")):
                    ground = base(changes)
            yield result_of(case, ground if changes else base(()), locate, exercised)

    def _locate(self, number: int, *path: str | int) -> Location:
        """The line of a field of a test; of one with variables in its path, the nearest field around it."""
        whole: FieldPath = ("tests", number, *path)
        for length in range(len(whole), 1, -1):
            try:
                return self._file.at(whole[:length])
            except (KeyError, IndexError, TypeError, LookupError):
                continue
        return self._file.at(("tests",))

    def _base(self, reading: Reading) -> "_Base":
        """What makes the ground for changes of a unit: each set of changes is applied once."""
        given = mapping(self._data, "given")

        @cache
        def ground(changes: tuple[_Change, ...]) -> TestBed:
            return self._ground(self._changed(reading, changes), given)

        return ground

    @cache  # noqa: B019 -- a file lives as long as its run
    def _given_readings(self) -> tuple[tuple[tuple[str, ...], Reading], ...]:
        """What ``given`` names, read once: the units by their names, or all of it if that is one."""
        given = mapping(self._data, "given")
        built = [self._kustomized(given["kustomize"])] if "kustomize" in given else []
        words = [*listed(given, "paths"), *built, *([given["snapshot"]] if "snapshot" in given else [])]
        overlaid = self._read(listed(given, "overlay")) if listed(given, "overlay") else None
        found = []
        for names, reading in self._units(words or [self._folder or os.curdir], listed(given, "each")):
            if built and reading.outside:
                raise UsageError(*reading.outside)
            found.append((names, reading if overlaid is None else overlay(reading, overlaid, (), known_schedulers())))
        return tuple(found)

    def _units(self, words: Sequence[str], each: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Reading]]:
        """The units of files that ``each`` matches; all as one if that is not given, and they have one answer.

        Raises ``UsageError`` for globs that match none, and ``FairshareError`` for what cannot be read.
        """
        with ReadOnce() as once:
            problems: tuple[Problem, ...] = ()
            if not each:
                whole, problems = self._read_what_can_be(words, once, divided=False)
                if not problems:
                    yield (), whole
                    return
            divided, others = self._read_what_can_be(words, once, divided=True)
            if others or not divided.units:
                raise FairshareError(*(others or problems))
            units = [unit for unit in divided.units if not unit.beside] or divided.units
            named = {os.path.relpath(unit.unit.name, self._folder or os.curdir): unit for unit in units}
            picked = [unit for name, unit in named.items() if not each or any(fnmatchcase(name, one) for one in each)]
            if not picked:
                at = self._file.at(("given", "each"))
                raise UsageError(Problem(f"{quoted(each)} matches no unit", at, f"units are {quoted(named)}"))
            for alike in agreeing(picked):
                yield tuple(unit.unit.name for unit in alike), alike[0].reading

    def _kustomized(self, folder: str) -> str:
        """The folder of a kustomization, which is read as kustomize builds it. Raises ``UsageError`` if it has none."""
        names = (os.path.join(self._folder, folder, name) for name in KUSTOMIZATIONS)
        if not any(map(os.path.isfile, names)):
            at = self._file.at(("given", "kustomize"))
            raise UsageError(Problem(f"`{folder}` has no `{KUSTOMIZATIONS[0]}`", at, "name its folder, or use `paths`"))
        return folder

    def _read(self, words: Sequence[str]) -> Reading:
        with ReadOnce() as once:
            reading, problems = self._read_what_can_be(words, once, divided=False)
        if problems:
            raise FairshareError(*problems)
        return reading

    def _read_what_can_be(
        self, words: Sequence[str], once: ReadOnce, *, divided: bool
    ) -> tuple[Reading, tuple[Problem, ...]]:
        paths = [word if os.path.isabs(word) else os.path.join(self._folder, word) for word in words]
        return read_what_can_be(
            paths,
            known_schedulers(),
            namespace=self._inputs.namespace,
            max_input=self._inputs.max_input,
            root=root_for(self._folder, paths),
            among_others=True,
            divided=divided,
            lone=divided,
            once=once,
        )

    def _changed(self, reading: Reading, changes: tuple[_Change, ...]) -> Reading:
        """The reading with objects of a test, files that it names, and without what it deletes."""
        deleted = [change.text[1:] for change in changes if change.text.startswith("-")]
        values = [(orjson.loads(c.text), c.path) for c in changes if not c.text.startswith("-")]
        if files := [value for value, _ in values if isinstance(value, str)]:
            reading = overlay(reading, self._read(files), (), known_schedulers())
        if objects := {path: value for value, path in values if isinstance(value, dict)}:
            reading = overlay(reading, self._objects(objects), (), known_schedulers())
        return overlay(reading, Reading((), Texts()), deleted, known_schedulers()) if deleted else reading

    def _objects(self, objects: Mapping[FieldPath, Json]) -> Reading:
        """Objects of the test itself, by their place in the file."""
        texts = Texts([self._file.text])
        taken = Objects(texts, known_schedulers(), self._inputs.namespace, False, False)
        for path, each in objects.items():
            taken.take_one(each, Origin(self._file.text.name, 0, path))
        if taken.problems:
            raise UsageError(*(replace(p, place=self._file.at(("tests",))) for p in taken.problems))
        return Reading(tuple(taken.manifests), texts)

    def _ground(self, reading: Reading, given: JsonObject) -> TestBed:
        settings = {name.replace("-", "_"): _setting(value) for name, value in mapping(given, "settings").items()}
        wished = given.get("scheduler")
        if wished not in (None, *ALL):
            at = self._file.at(("given", "scheduler"))
            raise UsageError(Problem(f"there is no scheduler `{wished}`", at, f"schedulers are {quoted(ALL)}"))
        nodes = (*self._inputs.nodes, *self._nodes(given))
        plain = replace(self._inputs, complete=given.get("complete", self._inputs.complete), nodes=nodes)
        loaded = self._loaded(reading, plain, HouseOptions(wished, ()))
        if settings:
            options = HouseOptions(loaded.scheduler.name, ((loaded.scheduler.name, settings),))
            loaded = self._loaded(reading, plain, options)
        release = given.get("release")
        if release is not None and str(release).lstrip("v") != loaded.scheduler.version.lstrip("v"):
            message = f"this reproduces release {loaded.scheduler.version}, not `{release}`"
            raise UsageError(
                Problem(
                    message,
                    self._file.at(("given", "release")),
                    "take the line out, or another release of this program",
                )
            )
        review = loaded.scheduler.review
        snapshot = review.idle(loaded.snapshot) if given.get("idle") else loaded.snapshot
        fidelity = review.fidelity(snapshot)
        sandbox = review.sandbox(snapshot)
        return TestBed(loaded.scheduler, snapshot, sandbox, loaded.places, cache(partial(_rules, reading)), fidelity)

    def _nodes(self, given: JsonObject) -> Iterator[NodeGroup]:
        """The hypothetical Nodes of ``given``. Raises ``UsageError`` for a text that describes none."""
        for number, text in enumerate(listed(given, "nodes")):
            with errors_at(self._file.at(("given", "nodes", number))):
                yield node_group(str(text))

    def _loaded(self, reading: Reading, inputs: Inputs, house: HouseOptions) -> Loaded:
        return loaded_from(reading, inputs, house, Sources(None, inputs.max_input))


def _setting(value: Json) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _rules(reading: Reading) -> tuple[RuleFinding, ...]:
    """What lint finds."""
    with placing_problems(Places(reading.manifests, reading.texts)):
        return rule_findings(reading, rules_to_run((), (), {}, reading.mentions), lint_houses())[0]
