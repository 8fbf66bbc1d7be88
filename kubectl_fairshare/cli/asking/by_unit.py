"""A question to several units of a repository, answered for each alone. Tested in ``tests/strangers``."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from kubectl_fairshare.answers.outcome import EXIT_UNREAD, EXIT_USAGE
from kubectl_fairshare.cli.asking.load import Loaded, skipped_note, unread_notes
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.reading import (
    print_notes,
    read_divided,
    read_inputs,
    reading_of_unit,
    units_picked,
    without_kinds,
)
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.output import write_parts
from kubectl_fairshare.cli.pager import is_paged
from kubectl_fairshare.cli.streams import Sheet, Streams
from kubectl_fairshare.input.files.files import ReadOnce
from kubectl_fairshare.input.files.git import is_revision
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.unit_readings import agreeing, picked_units
from kubectl_fairshare.model.errors import AbsentSubjectError, FairshareError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, key_texts
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import quoted, some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.printable import Printable
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.units import UnitAnswer, UnitAnswers
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.question import UnansweredError

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit_readings import UnitReading

_SEVERAL: Final = 2
_SHOWN: Final = 3
_ABOUT_ONE: Final = ("html", "parquet")
"""Forms that do not hold the answers of several units."""
_Units: TypeAlias = "Sequence[UnitReading]"
"""The units of one answer."""


def give_answer_by_unit(
    answer: Callable[[Loaded, Streams], int],
    inputs: Inputs,
    loaded: Callable[[Reading], Loaded],
    streams: Streams,
    screen: ScreenOptions,
) -> int:
    """The highest exit code of the units that ``--each`` matches; on a screen, the name of a unit is above its answer.

    ``loaded`` makes the state of a reading. Units that agree have one answer.
    Raises what ``loaded`` raises, and ``UsageError`` for globs that match no unit.
    """
    units, unread = _units(inputs, streams, screen)
    code = _answers(answer, [(each, loaded(each[0].reading)) for each in units], streams, screen, unread)
    print_notes(unread, streams, screen, "error")
    return max(code, EXIT_UNREAD) if unread else code


def answered_among(
    answer: Callable[[Loaded, Streams], int],
    error: FairshareError,
    inputs: Inputs,
    loaded: Callable[[Reading], Loaded],
    streams: Streams,
    screen: ScreenOptions,
    once: ReadOnce,
) -> int:
    """The answer for each unit of folders that do not belong to one cluster, which is what ``error`` says.

    ``loaded`` as above, ``once`` holds what was read of the folders.

    A unit without quotas is left out, unless none has any; one that cannot be read is reported, and the exit code is 3
    at least. Raises ``error`` if the folders cannot be divided.
    """
    if inputs.live or inputs.overlay or inputs.overlay_delete or not any(map(may_have_units, inputs.filename)):
        raise error
    reading, problems = read_inputs(inputs, streams, divided=True, once=once)
    if reading.in_general(problems) or (reading.refused and not reading.built):
        raise error
    readable, unread = _readable(agreeing(reading.built), loaded)
    unread += problems
    held = [(each, of) for each, of in readable if of.scheduler.holds(of.snapshot)]
    held = [(each, of) for each, of in held if not each[0].beside] or held
    if unread and not held:
        raise FairshareError(*unread)
    if not held:
        found = _without_quotas(reading, [of for _, of in readable], loaded, error)
        print_notes([] if screen.quiet else found.notes, streams, screen)
        return answer(found, streams)
    notes = [_note([each for each, _ in held], sum(not each.beside for each in reading.units))]
    apart = apart_notes(reading.units, (unit for each, _ in held for unit in each))
    notes += [*unread_notes(reading), *attached_notes(reading.units), *apart]
    print_notes([] if screen.quiet else notes, streams, screen)
    code = _answers(answer, held, streams, screen, unread)
    print_notes(unread, streams, screen, "error")
    return max(code, EXIT_UNREAD) if unread else code


def read_each(
    inputs: Inputs, streams: Streams, spared_kinds: Collection[str] = ()
) -> tuple[list[tuple[str, Reading]], list[Problem]]:
    """What is read of each unit, with its name, which is empty where the input is one; and notes on what counts where.

    Units that agree are one. Raises ``FairshareError`` with everything that cannot be read.
    """
    reading = read_divided(inputs, streams)
    picked = units_picked(reading, inputs)
    if not picked:
        return [("", without_kinds(reading, spared_kinds))], []
    units = [(some_of([each.unit.name for each in of], _SHOWN), reading_of_unit(reading, of[0])) for of in picked]
    notes = [*attached_notes(reading.units), *apart_notes(reading.units)]
    return [(name, without_kinds(of, spared_kinds)) for name, of in units], notes


def may_have_units(word: str | None) -> bool:
    """Whether a word names a folder or a revision: what is read of others is one."""
    return word is not None and (is_revision(word) or Path(word).is_dir())


def _readable(
    units: "Iterable[_Units]", loaded: Callable[[Reading], Loaded]
) -> "tuple[list[tuple[_Units, Loaded]], list[Problem]]":
    """The units that can be read, and the problems of the others."""
    readable: list[tuple[_Units, Loaded]] = []
    unread: list[Problem] = []
    for each in units:
        try:
            readable.append((each, loaded(each[0].reading)))
        except FairshareError as failure:
            unread += failure.problems
    return readable, unread


def _without_quotas(
    reading: Reading, units: Sequence[Loaded], loaded: Callable[[Reading], Loaded], error: FairshareError
) -> Loaded:
    """The state where no unit has quotas: which of two objects of one name counts then makes no difference.

    It is that of the first unit where all together cannot be read, as they have the settings of several clusters.
    Raises ``error`` without a unit, and if all units together have quotas.
    """
    try:
        found = loaded(reading)
    except FairshareError:
        if not units:
            raise error from None
        found = units[0]
    if found.scheduler.holds(found.snapshot):
        raise error
    return found


def _note(units: "Sequence[_Units]", number: int) -> Problem:
    """What is said of the units that are answered, of so many."""
    if len(units) < _SEVERAL:
        names = some_of([f"`{each.unit.name}`" for each in units[0]], _SHOWN)
        unit = "unit" if len(units[0]) == 1 else "units"
        return Problem(f"files define an object in different ways: this answer uses {unit} {names} alone")
    answered = sum(map(len, units))
    alone = "each alone" if answered == len(units) else "those that agree together"
    which = f"the {answered} with quotas are answered" if answered < number else "all are answered"
    note = f"{number} units define objects in different ways: {which}, {alone}"
    return Problem(note, help="`--each GLOB` picks some of them")


def attached_notes(units: "Sequence[UnitReading]") -> list[Problem]:
    """What is said of objects next to the units: how many there are, and in which units they count."""
    beside = {(m.source, m.key) for each in units if each.beside for m in _own(each)}
    into = {
        each.unit.name: len(each.attached) for each in units if not each.beside and (each.attached or not each.agrees)
    }
    if not beside or not into:
        return []
    sources = some_of(sorted({source for source, _ in beside}), _SHOWN)
    counted = ", ".join(f"{number} in {name}" for name, number in into.items())
    message = f"objects next to the units, {len(beside)} in {sources}, count where their queues are: {counted}"
    return [Problem(message, help="`--each GLOB` picks units")]


def apart_notes(units: "Iterable[UnitReading]", answered: "Iterable[UnitReading] | None" = None) -> list[Problem]:
    """What is said of objects of which the input does not say to which of several clusters they belong.

    ``answered`` are the units in question; all of them, unless they are given.
    """
    every = list(units)
    concerned = [each for each in (every if answered is None else answered) if not (each.agrees or each.beside)]
    counted = frozenset().union(*(each.own for each in every if each.beside))
    left = {each.unit.name: each.open - counted for each in concerned}
    keys = frozenset().union(*left.values())
    if not keys:
        return []
    names = some_of(key_texts(sorted(keys)), _SHOWN)
    of = some_of([f"`{name or os.curdir}`" for name, without in left.items() if without], _SHOWN)
    belong, them, are = ("belongs", "it", "it is") if len(keys) == 1 else ("belong", "them", "they are")
    message = f"the input does not say whether {names} {belong} to the cluster of {of}: {are} not counted there"
    return [Problem(message, help=f"name {them} in the kustomization of each cluster, or read its folders alone")]


def _own(unit: "UnitReading") -> "Iterable[Manifest]":
    """The objects of a unit itself, as far as answers can rest on them."""
    own = (manifest for manifest in unit.reading.manifests if manifest.key in unit.own)
    return (manifest for manifest in own if known_schedulers().decides(manifest.key.group, manifest.key.kind))


def _answers(
    answer: Callable[[Loaded, Streams], int],
    units: "Sequence[tuple[_Units, Loaded]]",
    streams: Streams,
    screen: ScreenOptions,
    unread: Sequence[Problem] = (),
) -> int:
    """Prints the answer for each unit, and returns the highest exit code; ``unread`` are problems of further units.

    A unit that lacks the object in question is left out. A unit whose scheduler has no answer is reported after the
    others, and the exit code is 2 at least. On a screen each is printed when it is there; other formats have all of
    them in one document. Raises ``UnansweredError`` if no unit has an answer.
    """
    codes: list[int] = []
    refused: list[Problem] = []
    absent: list[Problem] = []
    written: list[str] = []
    kept = screen.is_text and is_paged(streams, screen)  # for the pager, if all together is longer than the screen
    together: list[UnitAnswer] | None = None if screen.is_text or len(units) == 1 else []
    skipped = _first_note(units, streams, screen)
    for each, loaded in units:
        own = skipped_note(loaded.skipped) if skipped else None
        notes = [] if screen.quiet else [note for note in loaded.notes if note != own]
        sheet = Sheet(streams.stdout)
        if screen.is_text:
            between = "\n" if codes else ""
            sheet.write(f"{between}{_title(each)}\n")
        collected: list[tuple[Printable, Places]] | None = None if together is None else []
        try:
            part = replace(loaded, unit=each[0].unit.name, of=len(units))
            code = answer(part, replace(streams, stdout=sheet, in_part=True, collected=collected))
        except AbsentSubjectError as error:
            absent += [replace(problem, place=_title(each)) for problem in error.problems]
            continue
        except UnansweredError as error:
            refused += [replace(problem, place=_title(each)) for problem in error.problems]
            continue
        print_notes(notes, streams, screen)
        codes.append(code)
        if together is not None and collected is not None:
            together += (_unit_answer(each, found, code) for found in collected)
        written.append(sheet.getvalue())
        if not kept:
            sheet.pour(streams.stdout)
    if not codes:
        print_notes(unread, streams, screen, "error")
        raise UnansweredError(*refused) if refused else AbsentSubjectError(*absent)
    code = max(*codes, EXIT_USAGE) if refused else max(codes)
    if together:
        _write_together(together, max(code, EXIT_UNREAD) if unread else code, unread, refused, streams, screen)
    write_parts("".join(written), streams, screen, View(streams.width), written=not kept)
    print_notes(refused, streams, screen, "error")
    return code


def _first_note(units: "Sequence[tuple[_Units, Loaded]]", streams: Streams, screen: ScreenOptions) -> Mapping[str, int]:
    """The kinds without effect on any of several answers, which are noted once, before them.

    Raises ``UsageError`` for a form that is about one state.
    """
    _check_output([each for each, _ in units], screen)
    skipped = _skipped(units) if len(units) > 1 else {}
    if skipped and not screen.quiet:
        print_notes([skipped_note(skipped)], streams, screen)
    return skipped


def _unit_answer(units: "_Units", found: "tuple[Printable, Places]", code: int) -> UnitAnswer:
    return UnitAnswer(tuple(each.unit.name for each in units), _title(units), *found, code)


def _write_together(
    answers: Sequence[UnitAnswer],
    code: int,
    unread: Iterable[Problem],
    refused: Iterable[Problem],
    streams: Streams,
    screen: ScreenOptions,
) -> None:
    """Writes one document with the answers of all units."""
    found = UnitAnswers(tuple(answers), code, tuple(map(placed, unread)), tuple(map(placed, refused)))
    show(found, Places((), Texts()), streams, replace(screen, require=None))


def placed(problem: Problem) -> str:
    """A problem with its place, on one line."""
    return f"{problem.place}: {problem.message}" if problem.place else problem.message


def _title(units: "_Units") -> str:
    """The line above an answer."""
    if len(units) == 1:
        return f"unit {units[0].unit.name} ({units[0].unit.kind})"
    return f"units {some_of([each.unit.name for each in units], _SHOWN)}, which agree"


def _skipped(units: "Sequence[tuple[_Units, Loaded]]") -> dict[str, int]:
    """The kinds without effect on any of the answers, with the number of all their objects."""
    kinds = {kind for _, loaded in units for kind in loaded.skipped}
    counts: dict[str, set[tuple[str, ObjectKey]]] = {kind: set() for kind in kinds}
    for (each, *_), loaded in units:
        for manifest in each.reading.manifests:
            kind = f"{manifest.data.get('apiVersion')} {manifest.key.kind}"
            if kind in counts:
                counts[kind].add((manifest.source, manifest.key))
                if kind not in loaded.skipped:
                    del counts[kind]
    return {kind: len(found) for kind, found in counts.items()}


def _units(inputs: Inputs, streams: Streams, screen: ScreenOptions) -> "tuple[Sequence[_Units], Sequence[Problem]]":
    """The units that are picked, and the problems of those that are not built."""
    reading, problems = read_inputs(inputs, streams, divided=True)
    if general := reading.in_general(problems):
        raise FairshareError(*general)
    if not reading.units:
        raise UsageError(Problem("the input is one unit", "--each", "leave it out"))
    picked, unread = picked_units(reading, inputs.each)
    if not picked:
        raise FairshareError(*unread)
    print_notes([] if screen.quiet else [*unread_notes(reading)], streams, screen)
    return agreeing([each for each in picked if not each.beside] or picked), unread


def _check_output(units: "Sequence[_Units]", screen: ScreenOptions) -> None:
    """Raises ``UsageError`` for a form that is about one state, and several units."""
    if len(units) > 1 and screen.output in _ABOUT_ONE:
        names = quoted(each[0].unit.name for each in units)
        raise UsageError(Problem(f"`-o {screen.output}` is for one unit", "--each", f"name one of {names}"))
