"""A question to several units of a repository, answered for each alone. Tested in ``tests/strangers``."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from kubectl_fairshare.cli.asking.load import Loaded, loaded_from
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_inputs
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.units.unit_readings import matching
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit_readings import UnitReading


def answered_by_unit(
    answer: Callable[[Loaded], int],
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
    codes: list[int] = []
    for each in _units(inputs, streams, screen):
        loaded = loaded_from(each.reading, inputs, house, sources, also_read)
        if not screen.quiet:
            print_notes(loaded.notes, streams, screen)
        if screen.is_text:
            between = "\n" if codes else ""
            streams.stdout.write(f"{between}unit {each.unit.name} ({each.unit.kind})\n")
        codes.append(answer(loaded))
    return max(codes)


def _units(inputs: Inputs, streams: Streams, screen: ScreenOptions) -> "list[UnitReading]":
    reading, problems = read_inputs(inputs, streams, divided=True)
    if problems:
        raise FairshareError(*problems)
    if not reading.units:
        raise UsageError(Problem("the input is one unit", "--each", "leave it out"))
    units = list(matching(reading.units, inputs.each))
    if len(units) > 1 and not screen.is_text:
        names = quoted(each.unit.name for each in units)
        raise UsageError(Problem(f"`-o {screen.output}` is for one unit", "--each", f"name one of {names}"))
    return units
