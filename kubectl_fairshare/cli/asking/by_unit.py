"""A question to several units of a repository, answered for each alone. Tested in ``tests/strangers``."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.answers.outcome import EXIT_UNREAD
from kubectl_fairshare.cli.asking.load import Loaded, loaded_from
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_inputs
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.output import write_hint
from kubectl_fairshare.cli.streams import Sheet, Streams
from kubectl_fairshare.input.units.unit_readings import matching
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit_readings import UnitReading

_SEVERAL: Final = 2


def answered_by_unit(
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

    A unit without quotas is left out; one that cannot be read is reported, and the exit code is 3 at least. Raises
    ``error`` if the folders cannot be divided, and ``UsageError`` where a document would be needed for several units.
    """
    if inputs.live or inputs.overlay or inputs.overlay_delete or not any(Path(f).is_dir() for f in inputs.filename):
        raise error
    reading, problems = read_inputs(inputs, streams, divided=True)
    if problems or len(reading.units) < _SEVERAL:
        raise error
    sources = Sources(streams.bytes_in, inputs.max_input)
    held: list[tuple[UnitReading, Loaded]] = []
    unread: list[Problem] = []
    for each in reading.units:
        try:
            loaded = loaded_from(each.reading, inputs, house, sources, also_read)
        except FairshareError as failure:
            unread += failure.problems
        else:
            held += [(each, loaded)] if loaded.scheduler.holds(loaded.snapshot) else []
    if not held:
        raise FairshareError(*unread) if unread else error
    _check_output([each for each, _ in held], screen)
    if not screen.quiet:
        note = f"the input holds {len(held)} units that give objects differently: each is answered alone"
        print_notes([Problem(note, help="`--each GLOB` picks some of them")], streams, screen)
    code = _answers(answer, held, streams, screen)
    print_notes(unread, streams, screen, "error")
    return max(code, EXIT_UNREAD) if unread else code


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
            sheet.pour(streams.stdout)
        written.append(sheet.getvalue())
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
