"""The options that commands share: what to read, what to change of it, and how to show the answer."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final

import click

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.kueue import FINAL_SHARE, INITIAL_SHARE

_DEFAULT_MAX_INPUT: Final = "512Mi"
_PATH: Final = click.Path(readable=False)  # what cannot be read is told with all the rest, and is no wrong call


def size(_: click.Context, param: click.Parameter, value: str) -> int:
    """A number of bytes, with any suffix of a quantity; raises ``BadParameter`` for what is none or not above 0."""
    try:
        found = quantity.units(value)
    except quantity.QuantityError:
        raise click.BadParameter(f"`{value}` is not a size; write `512Mi` or `2Gi`", param=param) from None
    if found <= 0:
        raise click.BadParameter(f"`{value}` leaves nothing to read", param=param)
    return found


@dataclass(frozen=True, slots=True)
class Inputs:
    """What to read, and what to change of it. ``fair_sharing`` None leaves it as configured."""

    filename: tuple[str, ...] = ()
    kustomize: tuple[str, ...] = ()
    namespace: str = "default"
    overlay: tuple[str, ...] = ()
    overlay_delete: tuple[str, ...] = ()
    fair_sharing: bool | None = None
    preemption_strategy: tuple[str, ...] = ()
    max_input: int = 512 << 20


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """How to show the answer; ``quiet`` leaves notes out."""

    output: str = "text"
    color: str = "auto"
    quiet: bool = False

    @property
    def is_text(self) -> bool:
        """Whether the answer is for people."""
        return self.output in ("text", "wide")


_INPUT_OPTIONS: Final = (
    click.option(
        "-f",
        "--filename",
        multiple=True,
        type=_PATH,
        help="File, directory (recursive), glob, or - for standard input; may be repeated. YAML, JSON, lists, gzip.",
    ),
    click.option(
        "-k",
        "--kustomize",
        multiple=True,
        type=click.Path(file_okay=False, readable=False),
        help="Kustomize directory, built by your kubectl; may be repeated.",
    ),
    click.option(
        "-n", "--namespace", default="default", metavar="NAME", help="Namespace of objects that name none. [default]"
    ),
    click.option(
        "--overlay",
        multiple=True,
        type=_PATH,
        help="Lay changed or new objects over what was read: the what-if of a pull request; may be repeated.",
    ),
    click.option(
        "--overlay-delete",
        multiple=True,
        metavar="KIND/NAME",
        help="Take an object away before answering; may be repeated.",
    ),
    click.option(
        "--fair-sharing/--classical",
        default=None,
        help="Decide with or without fair sharing, whatever Kueue's Configuration in the input says.",
    ),
    click.option(
        "--preemption-strategy",
        multiple=True,
        type=click.Choice([FINAL_SHARE, INITIAL_SHARE]),
        help="Fair sharing's preemption strategies in order; implies --fair-sharing; may be repeated.",
    ),
    click.option(
        "--max-input",
        callback=size,
        metavar="SIZE",
        default=_DEFAULT_MAX_INPUT,
        help=f"Read no more than this, decompressed. [{_DEFAULT_MAX_INPUT}]",
    ),
)


def input_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command the options that say what to read; it gets them as ``inputs``."""
    return _gathered(command, _INPUT_OPTIONS, "inputs", Inputs)


def screen_options(*formats: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Gives a command ``-o`` with ``formats`` (the first is the default), ``--color``, ``-q``; it gets ``screen``."""
    options = (
        click.option(
            "-o",
            "--output",
            type=click.Choice(formats),
            default=formats[0],
            help=f"Format of the answer. [{formats[0]}]",
        ),
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            help="Colour: auto is on a terminal without NO_COLOR. [auto]",
        ),
        click.option("-q", "--quiet", is_flag=True, help="No notes on standard error."),
    )
    return lambda command: _gathered(command, options, "screen", ScreenOptions)


def _gathered(
    command: Callable[..., int], options: tuple[Callable[..., Any], ...], name: str, kind: type[Any]
) -> Callable[..., int]:
    """``command`` with ``options``, whose values reach it as one ``kind`` under ``name``."""
    names = [field.name for field in fields(kind)]

    @functools.wraps(command)
    def gathering(*args: Any, **chosen: Any) -> int:
        chosen[name] = kind(**{n: chosen.pop(n) for n in names})
        return command(*args, **chosen)

    found: Callable[..., int] = gathering
    for option in reversed(options):
        found = option(found)
    return found
