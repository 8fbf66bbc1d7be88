"""A question to several units of a repository, answered for each alone. Tested in ``tests/strangers``."""

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from kubectl_fairshare.answers.outcome import EXIT_UNREAD, EXIT_USAGE
from kubectl_fairshare.cli.asking.load import Loaded, loaded_from, skipped_note
from kubectl_fairshare.cli.asking.reading import (
    check_inputs,
    picked_units,
    print_notes,
    read_divided,
    read_inputs,
    reading_of_unit,
    without_kinds,
)
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.output import write_parts
from kubectl_fairshare.cli.pager import is_paged
from kubectl_fairshare.cli.streams import Sheet, Streams
from kubectl_fairshare.input.files.files import ReadOnce
from kubectl_fairshare.input.files.git import is_revision
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.units.unit_readings import matching
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, key_texts
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import quoted, some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.question import UnansweredError
from kubectl_fairshare.schedulers.scheduler import Sources
from kubectl_fairshare.schedulers.subjects import AbsentSubjectError

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit_readings import UnitReading

_SEVERAL: Final = 2
_SHOWN: Final = 3
_Units: TypeAlias = "Sequence[UnitReading]"
"""The units of one answer."""


def give_answer_by_unit(
    answer: Callable[[Loaded, Streams], int],
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
    also_read: Collection[str] = (),
) -> int:
    """The highest exit code of the units that ``--each`` matches; on a screen, the name of a unit is above its answer.

    Units that agree have one answer.
    Raises ``UsageError`` where a document would be needed for several units, and what ``load`` raises.
    """
    check_inputs(inputs, house.files)
    sources = Sources(streams.bytes_in, inputs.max_input)
    units = _units(inputs, streams, screen)
    loaded = [(each, loaded_from(each[0].reading, inputs, house, sources, also_read)) for each in units]
    return _answers(answer, loaded, streams, screen)


def answered_among(  # noqa: PLR0913, PLR0917 -- what was asked, and what came of it
    answer: Callable[[Loaded, Streams], int],
    error: FairshareError,
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
    once: ReadOnce,
    also_read: Collection[str] = (),
) -> int:
    """The answer for each unit of folders that do not belong to one cluster, which is what ``error`` says.

    ``once`` holds what was read of them.

    A unit without quotas is left out, unless none has any; one that cannot be read is reported, and the exit code is 3
    at least. Raises ``error`` if the folders cannot be divided, and ``UsageError`` where a document would be needed for
    several units.
    """
    if inputs.live or inputs.overlay or inputs.overlay_delete or not any(map(may_have_units, inputs.filename)):
        raise error
    reading, problems = read_inputs(inputs, streams, divided=True, once=once)
    if problems:
        raise error
    sources = Sources(streams.bytes_in, inputs.max_input)

    def loaded(part: Reading) -> Loaded:
        return loaded_from(part, inputs, house, sources, also_read)

    readable, unread = _readable(_together(reading.units), loaded)
    held = [(each, of) for each, of in readable if of.scheduler.holds(of.snapshot)]
    held = [(each, of) for each, of in held if not each[0].beside] or held
    if unread and not held:
        raise FairshareError(*unread)
    if not held:
        found = _without_quotas(reading, [of for _, of in readable], loaded, error)
        print_notes([] if screen.quiet else found.notes, streams, screen)
        return answer(found, streams)
    _check_output([each for each, _ in held], screen)
    notes = [_note([each for each, _ in held], sum(not each.beside for each in reading.units))]
    notes += [*attached_notes(reading.units), *apart_notes(reading.units)]
    print_notes([] if screen.quiet else notes, streams, screen)
    code = _answers(answer, held, streams, screen)
    print_notes(unread, streams, screen, "error")
    return max(code, EXIT_UNREAD) if unread else code


def read_each(
    inputs: Inputs, streams: Streams, spared_kinds: Collection[str] = ()
) -> tuple[list[tuple[str, Reading]], list[Problem]]:
    """What is read of each unit, with its name, which is empty where the input is one; and notes on what counts where.

    Units that agree are one. Raises ``FairshareError`` with everything that cannot be read.
    """
    reading = read_divided(inputs, streams)
    picked = picked_units(reading, inputs)
    if not picked:
        return [("", without_kinds(reading, spared_kinds))], []
    units = [(some_of([each.unit.name for each in of], _SHOWN), reading_of_unit(reading, of[0])) for of in picked]
    notes = [*attached_notes(reading.units), *apart_notes(reading.units)]
    return [(name, without_kinds(of, spared_kinds)) for name, of in units], notes


def may_have_units(word: str | None) -> bool:
    """Whether a word names a folder or a revision: what is read of others is one."""
    return word is not None and (is_revision(word) or Path(word).is_dir())


def _together(units: "Iterable[UnitReading]") -> "list[_Units]":
    """The units by what is asked of them: those that agree have one reading, and one answer."""
    found: list[_Units] = []
    agreeing: list[UnitReading] = []
    for each in units:
        if not each.agrees:
            found.append([each])
            continue
        if not agreeing:
            found.append(agreeing)
        agreeing.append(each)
    return found


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
    beside = {(m.origin.source, m.key) for each in units if each.beside for m in _own(each)}
    into = {
        each.unit.name: len(each.attached) for each in units if not each.beside and (each.attached or not each.agrees)
    }
    if not beside or not into:
        return []
    sources = some_of(sorted({source for source, _ in beside}), _SHOWN)
    counted = ", ".join(f"{number} in {name}" for name, number in into.items())
    message = f"objects next to the units, {len(beside)} in {sources}, count where their queues are: {counted}"
    return [Problem(message, help="`--each GLOB` picks units")]


def apart_notes(units: "Sequence[UnitReading]") -> list[Problem]:
    """What is said of objects of which the input does not say to which of several clusters they belong."""
    keys = {key for each in units if not (each.agrees or each.beside) for key in each.open}
    keys -= {key for each in units if each.beside for key in each.own}
    if not keys:
        return []
    names = some_of(key_texts(sorted(keys)), _SHOWN)
    belong, them = ("belongs", "it") if len(keys) == 1 else ("belong", "them")
    message = f"{names} {belong} to a cluster that the input does not name: no unit that differs counts {them}"
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
) -> int:
    """Prints the answer for each unit, and returns the highest exit code.

    A unit that lacks the object in question is left out. A unit whose scheduler has no answer is reported after the
    others, and the exit code is 2 at least. Raises ``UnansweredError`` if no unit has an answer.
    """
    codes: list[int] = []
    refused: list[Problem] = []
    absent: list[Problem] = []
    written: list[str] = []
    kept = screen.is_text and is_paged(streams, screen)  # for the pager, if all together is longer than the screen
    skipped = _skipped(units) if len(units) > 1 else {}
    if skipped and not screen.quiet:
        print_notes([skipped_note(skipped)], streams, screen)
    for each, loaded in units:
        own = skipped_note(loaded.skipped) if skipped else None
        notes = [] if screen.quiet else [note for note in loaded.notes if note != own]
        sheet = Sheet(streams.stdout)
        if screen.is_text:
            between = "\n" if codes else ""
            sheet.write(f"{between}{_title(each)}\n")
        try:
            part = replace(loaded, unit=each[0].unit.name)
            code = answer(part, replace(streams, stdout=sheet, in_part=True))
        except AbsentSubjectError as error:
            absent += [replace(problem, place=_title(each)) for problem in error.problems]
            continue
        except UnansweredError as error:
            refused += [replace(problem, place=_title(each)) for problem in error.problems]
            continue
        print_notes(notes, streams, screen)
        codes.append(code)
        written.append(sheet.getvalue())
        if not kept:
            sheet.pour(streams.stdout)
    if not codes:
        raise UnansweredError(*refused) if refused else AbsentSubjectError(*absent)
    write_parts("".join(written), streams, screen, View(streams.width), written=not kept)
    print_notes(refused, streams, screen, "error")
    return max(*codes, EXIT_USAGE) if refused else max(codes)


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
                counts[kind].add((manifest.origin.source, manifest.key))
                if kind not in loaded.skipped:
                    del counts[kind]
    return {kind: len(found) for kind, found in counts.items()}


def _units(inputs: Inputs, streams: Streams, screen: ScreenOptions) -> "list[_Units]":
    reading, problems = read_inputs(inputs, streams, divided=True)
    if problems:
        raise FairshareError(*problems)
    if not reading.units:
        raise UsageError(Problem("the input is one unit", "--each", "leave it out"))
    picked = matching(reading.units, inputs.each)
    units = _together([each for each in picked if not each.beside] or picked)
    _check_output(units, screen)
    return units


def _check_output(units: "Sequence[_Units]", screen: ScreenOptions) -> None:
    """Raises ``UsageError`` for a document about several units."""
    if len(units) > 1 and not screen.is_text:
        names = quoted(each[0].unit.name for each in units)
        raise UsageError(Problem(f"`-o {screen.output}` is for one unit", "--each", f"name one of {names}"))
