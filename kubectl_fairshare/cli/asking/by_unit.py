"""A question to several units of a repository, answered for each alone. Tested in ``tests/strangers``."""

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.answers.outcome import EXIT_UNREAD
from kubectl_fairshare.cli.asking.load import Loaded, loaded_from
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_inputs
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.output import write_hint
from kubectl_fairshare.cli.streams import Sheet, Streams
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.units.unit_readings import matching
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit_readings import UnitReading

_SEVERAL: Final = 2


def give_answer_by_unit(
    answer: Callable[[Loaded, Streams], int],
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
    also_read: Collection[str] = (),
) -> int:
    """The highest exit code of the units that ``--each`` matches; on a screen, the name of a unit is above its answer.

    Raises ``UsageError`` where a document would be needed for several units, and what ``load`` raises.
    """
    check_inputs(inputs, house.files)
    sources = Sources(streams.bytes_in, inputs.max_input)
    units = _units(inputs, streams, screen)
    loaded = ((each, loaded_from(each.reading, inputs, house, sources, also_read)) for each in units)
    return _answers(answer, loaded, streams, screen)


def answered_among(
    answer: Callable[[Loaded, Streams], int],
    error: FairshareError,
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
    also_read: Collection[str] = (),
) -> int:
    """The answer for each unit of folders that do not belong to one cluster, which is what ``error`` says.

    A unit without quotas is left out, unless none has any; one that cannot be read is reported, and the exit code is 3
    at least. Raises ``error`` if the folders cannot be divided, and ``UsageError`` where a document would be needed for
    several units.
    """
    if inputs.live or inputs.overlay or inputs.overlay_delete or not any(Path(f).is_dir() for f in inputs.filename):
        raise error
    reading, problems = read_inputs(inputs, streams, divided=True)
    if problems:
        raise error
    sources = Sources(streams.bytes_in, inputs.max_input)

    def loaded(part: Reading) -> Loaded:
        return loaded_from(part, inputs, house, sources, also_read)

    readable, unread = _readable(reading.units, loaded)
    held = [(each, of) for each, of in readable if of.scheduler.holds(of.snapshot)]
    if unread and not held:
        raise FairshareError(*unread)
    if not held:
        found = _without_quotas(reading, [of for _, of in readable], loaded, error)
        print_notes([] if screen.quiet else found.notes, streams, screen)
        return answer(found, streams)
    _check_output([each for each, _ in held], screen)
    print_notes([] if screen.quiet else [_note([each for each, _ in held])], streams, screen)
    code = _answers(answer, held, streams, screen)
    print_notes(unread, streams, screen, "error")
    return max(code, EXIT_UNREAD) if unread else code


def _readable(
    units: "Iterable[UnitReading]", loaded: Callable[[Reading], Loaded]
) -> "tuple[list[tuple[UnitReading, Loaded]], list[Problem]]":
    """The units that can be read, and the problems of the others."""
    readable: list[tuple[UnitReading, Loaded]] = []
    unread: list[Problem] = []
    for each in units:
        try:
            readable.append((each, loaded(each.reading)))
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


def _note(units: "Sequence[UnitReading]") -> Problem:
    """What is said of the units that have quotas."""
    if len(units) < _SEVERAL:
        return Problem(f"files give objects differently: this answer is about unit `{units[0].unit.name}` alone")
    note = f"the input holds {len(units)} units that give objects differently: each is answered alone"
    return Problem(note, help="`--each GLOB` picks some of them")


def _answers(
    answer: Callable[[Loaded, Streams], int],
    units: "Iterable[tuple[UnitReading, Loaded]]",
    streams: Streams,
    screen: ScreenOptions,
) -> int:
    """Prints the answer for each unit, and returns the highest exit code."""
    codes: list[int] = []
    written: list[str] = []
    for each, loaded in units:
        if not screen.quiet:
            print_notes(loaded.notes, streams, screen)
        sheet = Sheet(streams.stdout)
        if screen.is_text:
            between = "\n" if codes else ""
            sheet.write(f"{between}unit {each.unit.name} ({each.unit.kind})\n")
        try:
            codes.append(answer(loaded, replace(streams, stdout=sheet, in_part=True)))
        finally:
            written.append(sheet.getvalue())
            sheet.pour(streams.stdout)
    write_hint("".join(written), streams, screen, View(streams.width))
    return max(codes)


def _units(inputs: Inputs, streams: Streams, screen: ScreenOptions) -> "list[UnitReading]":
    reading, problems = read_inputs(inputs, streams, divided=True)
    if problems:
        raise FairshareError(*problems)
    if not reading.units:
        raise UsageError(Problem("the input is one unit", "--each", "leave it out"))
    units = list(matching(reading.units, inputs.each))
    _check_output(units, screen)
    return units


def _check_output(units: "Sequence[UnitReading]", screen: ScreenOptions) -> None:
    """Raises ``UsageError`` for a document about several units."""
    if len(units) > 1 and not screen.is_text:
        names = quoted(each.unit.name for each in units)
        raise UsageError(Problem(f"`-o {screen.output}` is for one unit", "--each", f"name one of {names}"))
