"""The options of ``simulate`` for several simulations. Tested in ``tests/unit/policy/simulation/test_comparing.py``."""

import functools
from collections.abc import Callable
from typing import Any, Final

import click

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.model.values import Value

_OPTIONS: Final = (
    click.argument("what", required=False, type=click.Choice(["sweep"]), metavar="[sweep]"),
    click.option("--seeds", type=click.IntRange(1, 10_000), default=1, help="Number of seeds, from --seed on. [1]"),
    click.option(
        "--overlay-set",
        "overlay_sets",
        multiple=True,
        metavar="NAME=PATH",
        help="Compare with the input with this overlay. Repeatable; files of one name go together.",
    ),
    click.option("--calibrate", is_flag=True, help="Compare the simulation with what the trace recorded."),
    click.option(
        "--vary",
        multiple=True,
        metavar="KEY=VALUES",
        help="sweep: an axis: arrivals=1,1.2, option.NAME=A,B or KIND/NAME:FIELD=1,2. Repeatable.",
    ),
    click.option(
        "--results",
        type=click.Path(readable=False, file_okay=False),
        metavar="FOLDER",
        help="sweep: where results are, and it continues.",
    ),
    click.option("--jobs", type=click.IntRange(1, 4096), help="sweep: processes. [one for each core]"),
    click.option(
        "--backend",
        type=click.Choice(["loky", "dask", "ray"]),
        default="loky",
        help="sweep: where processes run. [loky: here]",
    ),
    click.option(
        "--workers-at",
        "address",
        metavar="ADDRESS",
        default="",
        help="sweep: address of the Dask or Ray cluster. [one of its own, here]",
    ),
)


_NAMES: Final = (*("what", "seeds", "overlay_sets", "calibrate", "vary", "results", "jobs", "backend", "address"),)


class Several(Value, frozen=True):
    """What options say of several simulations: ``what`` is ``sweep`` or nothing.

    ``vary`` are axes as texts, ``results`` is where results go; ``jobs``, ``backend`` and ``address`` say who runs
    them.
    """

    what: str | None
    seeds: int
    overlay_sets: tuple[str, ...]
    calibrate: bool
    vary: tuple[str, ...]
    results: str | None
    jobs: int | None
    backend: str
    address: str


def several_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command the options of comparisons, calibrations and sweeps; it receives them as ``several``."""

    @functools.wraps(command)
    def gathering(*args: Any, **chosen: Any) -> int:
        own = {name: chosen.pop(name) for name in _NAMES}
        return command(*args, several=Several(**own), **chosen)

    made: Callable[..., int] = gathering
    for option in reversed(_OPTIONS):
        made = option(made)
    return made


def is_about_several(several: Several, screen: ScreenOptions) -> bool:
    """Whether the options ask for more than one simulation, or for an output that only comparisons have."""
    asked = several.what or several.overlay_sets or several.calibrate or several.vary or several.results
    return bool(asked) or several.seeds > 1 or screen.output in ("html", "svg", "parquet")
