"""Options that only one scheduler understands, declared in its house; and the choice between schedulers."""

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

import click

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers import ALL, every_scheduler
from kubectl_fairshare.schedulers.question import Settings, is_given
from kubectl_fairshare.schedulers.scheduler import HouseHelp, HouseOption, Scheduler

_TYPES: Final[dict[str, Any]] = {"number": float, "path": click.Path(readable=False), "paths": None, "flag": None}
_MANY: Final = ("texts", "choices")


@dataclass(frozen=True, slots=True)
class HouseOptions:
    """The scheduler that was requested, if any, and the settings for each scheduler."""

    scheduler: str | None
    settings: tuple[tuple[str, Settings], ...]

    def of(self, scheduler: Scheduler) -> Settings:
        """The settings of one scheduler. Raises ``UsageError`` if settings of another one are given."""
        for name, settings in self.settings:
            given = [option for option in settings if is_given(settings[option])]
            if given and name != scheduler.name:
                other = next(each for each in every_scheduler() if each.name == name)
                flag = f"--{given[0].replace('_', '-')}"
                message = f"`{flag}` is an option for {other.title}, but this input is for {scheduler.title}"
                raise UsageError(Problem(message, help=f"remove it, or add `--scheduler {name}`"))
        return dict(self.settings).get(scheduler.name, {})

    @property
    def files(self) -> list[str]:
        """The files that settings name."""
        houses = {scheduler.name: scheduler for scheduler in every_scheduler()}
        return [path for name, settings in self.settings for path in houses[name].files(settings)]

    @property
    def spared_kinds(self) -> frozenset[str]:
        """The kinds that are not needed with these settings."""
        houses = {scheduler.name: scheduler for scheduler in every_scheduler()}
        return frozenset().union(*(houses[name].spares(settings) for name, settings in self.settings))


def house_options(command: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Gives a command ``--scheduler`` and the options of every scheduler for it; it gets them as ``house``."""
    options = [(scheduler, [o for o in scheduler.options if command in o.commands]) for scheduler in every_scheduler()]

    def decorated(function: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(function)
        def gathering(*args: Any, scheduler: str | None, **chosen: Any) -> int:
            settings = tuple((house.name, {o.name: chosen.pop(o.name) for o in own}) for house, own in options if own)
            return function(*args, house=HouseOptions(scheduler, settings), **chosen)

        made: Callable[..., int] = gathering
        for house, own in reversed(options):
            for option in reversed(own):
                made = _click_option(option, house.title)(made)
        return _scheduler_option(made)

    return decorated


_scheduler_option = click.option(
    "--scheduler",
    type=click.Choice(ALL),
    help="Which scheduler decides, if the input has quotas of several. [the first of these]",
)


class HouseClickOption(click.Option):
    """An option that help shows under the title of its scheduler."""

    def __init__(self, *args: Any, house: str, **named: Any) -> None:
        super().__init__(*args, **named)
        self.house = house


def _click_option(option: HouseOption, title: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    choices = click.Choice(option.choices) if option.choices else _TYPES.get(option.kind)
    return click.option(
        option.flags,
        option.name,
        cls=HouseClickOption,
        house=title,
        type=choices,
        is_flag=option.kind == "flag",
        multiple=option.kind in _MANY,
        default=None,
        metavar=option.metavar or None,
        help=option.help,
    )


class SectionedCommand(click.Command):
    """A command whose help shows what each scheduler adds, its options and examples, under its title."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options that all schedulers understand, then what each of them adds."""
        options: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                title = parameter.house if isinstance(parameter, HouseClickOption) else ""
                options.setdefault(title, []).append(record)
        with formatter.section("Options"):
            formatter.write_dl(options.pop("", []))
        for scheduler in every_scheduler():
            own, says = options.get(scheduler.title, []), scheduler.helps.get(self.name or "")
            if own or says:
                with formatter.section(f"With {scheduler.title}"):
                    _write_help(formatter, own, says)


def _write_help(formatter: click.HelpFormatter, options: list[tuple[str, str]], says: HouseHelp | None) -> None:
    """What a command does with one scheduler, its own options, and examples."""
    if says is not None and says.about:
        formatter.write_text(says.about)
    if options:
        formatter.write_paragraph()
        formatter.write_dl(options)
    if says is not None and says.examples:
        formatter.write_paragraph()
        for example in says.examples:
            formatter.write_text(f"kubectl fairshare {example}")


def also_read(command: str) -> Collection[str]:
    """The kinds that a command reads for some scheduler besides those that all need."""
    kinds: list[Sequence[str]] = [tuple(scheduler.also_read(command)) for scheduler in every_scheduler()]
    return frozenset(kind for some in kinds for kind in some)
