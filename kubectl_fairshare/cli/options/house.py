"""Options that only one scheduler understands, declared in its house; and the choice between schedulers.

Tested in ``tests/unit/cli/commands/test_help.py`` and ``tests/unit/cli/test_main.py``.
"""

import functools
import inspect
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_fairshare.cli.options.origin import keep_typed
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers import ALL, every_scheduler

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.question import Settings
    from kubectl_fairshare.schedulers.scheduler import HouseHelp, HouseOption, Scheduler

_TYPES: Final[dict[str, Any]] = {"number": float, "path": click.Path(readable=False), "paths": None, "flag": None}
RELEASE: Final = "release"
"""The setting that names a scheduler's release, in every house that has several."""
RANGE: Final = ".."
"""Between the two releases that ``diff`` compares."""
_MANY: Final = ("texts", "choices")


class HouseOptions(Value, frozen=True):
    """The scheduler that was requested, if any, and the settings for each scheduler.

    ``file`` is the repository's settings that count; None: those that are found from here.
    """

    scheduler: str | None
    settings: "tuple[tuple[str, Settings], ...]"
    file: str | None = None

    def of(self, scheduler: "Scheduler") -> "Settings":
        """The settings of one scheduler. Raises ``UsageError`` if settings of another one alone are given."""
        from kubectl_fairshare.schedulers.question import is_given

        own = dict(self.settings).get(scheduler.name, {})
        for name, settings in self.settings:
            given = [option for option, value in settings.items() if is_given(value) and value != own.get(option)]
            if given and name != scheduler.name:
                other = next(each for each in every_scheduler() if each.name == name)
                raise UsageError(_of_another(given[0], settings[given[0]], other, scheduler))
        return dict(self.settings).get(scheduler.name, {})

    @property
    def releases(self) -> dict[str, str]:
        """The releases of schedulers that options name, by scheduler."""
        named = {name: settings.get(RELEASE) for name, settings in self.settings}
        return {name: str(release) for name, release in named.items() if release}

    def sides(self) -> "tuple[HouseOptions, HouseOptions] | None":
        """The options of each side where ``--release A..B`` compares two releases; None where it does not.

        Raises ``UsageError`` for a range that lacks an end.
        """
        if not any(RANGE in release for release in self.releases.values()):
            return None
        return self._with_end(0), self._with_end(1)

    def under_each(self) -> "tuple[HouseOptions, ...]":
        """The options for each of the releases that ``--release A,B`` names, or these alone.

        Raises ``UsageError`` for several that are a range, too, and for several of two schedulers.
        """
        texts = {text for text in self.releases.values() if "," in text}  # one of two schedulers is of both
        several = [[each.strip() for each in text.split(",")] for text in texts]
        if not several:
            return (self,)
        if len(several) > 1 or self.sides() is not None:
            raise UsageError(Problem("one list of releases, or one range", "--release", "write `0.16,0.19`"))
        if not all(several[0]):
            raise UsageError(Problem("a release is missing", "--release", "write `0.16,0.19`"))
        return tuple(self._with(functools.partial(_one_of_several, each)) for each in dict.fromkeys(several[0]))

    def _with_end(self, number: int) -> "HouseOptions":
        """The same with one end of each range of releases."""
        return self._with(lambda text: _end(text, number))

    def _with(self, change: Callable[[str], str]) -> "HouseOptions":
        """The same with other releases."""
        settings = tuple(
            (name, {**own, RELEASE: change(str(own[RELEASE]))} if own.get(RELEASE) is not None else own)
            for name, own in self.settings
        )
        return replace(self, settings=settings)

    @property
    def default_releases(self) -> dict[str, str]:
        """The releases of schedulers that the repository's settings name, by scheduler.

        Raises ``UsageError`` for settings that are wrong, ``FairshareError`` if they cannot be read.
        """
        if not any(RELEASE in settings for _, settings in self.settings):
            return {}
        from kubectl_fairshare.input.files.paths import find_settings

        path = self.file or find_settings(os.curdir)
        if path is None:  # then nothing of lint is loaded
            return {}
        from kubectl_fairshare.cli.linting.settings import named_releases

        return named_releases(path)

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


def _of_another(name: str, value: object, other: "Scheduler", scheduler: "Scheduler") -> Problem:
    """What is said of an option, or a release, of another scheduler than the one that decides."""
    flag, remove = f"--{name.replace('_', '-')}", f"remove it, or add `--scheduler {other.name}`"
    own = next((option for option in scheduler.options if option.name == name), None)
    if own is None:
        message = f"`{flag}` is an option for {other.title}, but this input is for {scheduler.title}"
        return Problem(message, help=remove)
    if own.choices:
        message = f"`{value}` cannot be chosen for {scheduler.title}, which this input is for"
        return Problem(message, flag, f"write {' or '.join(own.choices)}")
    message = f"`{flag} {value}` is a release of {other.title}, but this input is for {scheduler.title}"
    return Problem(message, help=remove)


def _owners(text: str, owners: "Sequence[tuple[Scheduler, HouseOption]]") -> list[str]:
    """The schedulers that an option of several may be for: those that know the value by choices, or those without any.

    Which of them it is for, the input says.
    """
    first = text.partition(RANGE)[0].partition(",")[0].strip()
    known = [house.name for house, option in owners if first in option.choices]
    return known or [house.name for house, option in owners if not option.choices]


def _one_of_several(one: str, text: str) -> str:
    """One release where several are named."""
    return one if "," in text else text


def _end(text: str, number: int) -> str:
    """One end of ``A..B``; a single release is both. Raises ``UsageError`` where it is not named."""
    first, _, last = text.partition(RANGE)
    ends = (first, last) if RANGE in text else (text, text)
    if not all(ends):
        raise UsageError(Problem(f"`{text}` lacks a release", "--release", "write two: `--release 0.17..0.19`"))
    return ends[number]


def house_options(command: str, *, asks: bool = True) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Gives a command ``--scheduler`` and the options of every scheduler for it; it gets them as ``house``.

    ``asks``: the command asks a scheduler about a state, so it accepts what changes how the scheduler decides.
    """
    options = [
        (scheduler, [option for option in scheduler.options if option.is_for(command, asks=asks)])
        for scheduler in every_scheduler()
    ]

    named: dict[str, list[tuple[Scheduler, HouseOption]]] = {}
    for house, own in options:
        for option in own:
            named.setdefault(option.name, []).append((house, option))
    shared = {name: owners for name, owners in named.items() if len(owners) > 1 or name == RELEASE}

    def decorated(function: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(function)
        def gathering(*args: Any, scheduler: str | None, **chosen: Any) -> int:
            for name, owners in shared.items():
                _share(name, owners, chosen, scheduler)
            settings = tuple(
                (h.name, {o.name: chosen.pop(_key(h, o, shared)) for o in own}) for h, own in options if own
            )
            return function(*args, house=HouseOptions(scheduler, settings), **chosen)

        made: Callable[..., int] = gathering
        for house, own in reversed(options):
            for option in reversed(own):
                if option.name not in shared:
                    made = _click_option(option, house.title)(made)
                if option.formerly:
                    made = click.option(option.formerly, hidden=True, expose_value=True)(made)
        for owners in shared.values():
            made = _shared_option(owners)(made)
        return _scheduler_option(made)

    return decorated


_scheduler_option = click.option(
    "--scheduler",
    type=click.Choice(ALL),
    help="Which scheduler decides, if the input has quotas of several. [the first of these]",
)


def _key(house: "Scheduler", option: "HouseOption", shared: Collection[str]) -> str:
    """Where the value of an option is among all that were chosen."""
    return f"{house.name} {option.name}" if option.name in shared else option.name


def _share(
    name: str, owners: "Sequence[tuple[Scheduler, HouseOption]]", chosen: dict[str, Any], scheduler: str | None
) -> None:
    """Gives the value of an option of several schedulers to those that it may be for; an older spelling says which.

    It is for the ``scheduler`` that decides, if that was said.
    """
    value = chosen.pop(name)
    asked = scheduler if any(house.name == scheduler for house, _ in owners) else None
    meant = [] if value is None else [asked] if asked else _owners(value, owners)
    for house, option in owners:
        older = chosen.pop(option.formerly.removeprefix("--").replace("-", "_")) if option.formerly else None
        chosen[_key(house, option, (name,))] = value if house.name in meant else older


def _shared_option(
    owners: "Sequence[tuple[Scheduler, HouseOption]]",
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """One option of several schedulers, with what each says of it."""
    return click.option(
        owners[0][1].flags,
        owners[0][1].name,
        cls=HouseClickOption,
        house="Input",
        metavar="X.Y",
        help=f"Release of the scheduler that decides. {' '.join(option.help for _, option in owners)}",
    )


class HouseClickOption(click.Option):
    """An option that help shows under the title of its scheduler."""

    def __init__(self, *args: Any, house: str, **named: Any) -> None:
        super().__init__(*args, **named)
        self.house = house


def _click_option(option: "HouseOption", title: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
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


_RARE: Final = "Rarely used"
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Options": (),
    _RARE: (
        *("checkpoint", "stopping", "ready", "seed", "most", "cycles", "moments", "calibration", "history"),
        *("jobs", "backend", "workers_at", "address", "config", "settings", "output_dir", "processor"),
        "no_changes",
    ),
    "Workload": ("request", "count", "min_count", "priority", "priority_class", "node_selector", "toleration"),
    "Input": (
        *("filename", "kustomize", "namespace", "selector", "overlay", "overlay_delete", "max_input", "helm"),
        *("scheduler", "nodes", "everywhere", "complete", "each"),
    ),
    "Cluster": (
        *("kubeconfig", "context", "cluster", "user", "as_user", "as_groups", "as_group", "token", "server"),
        *("certificate_authority", "insecure", "insecure_skip_tls_verify", "request_timeout"),
    ),
    "Output": (
        *("output", "api", "color", "ascii", "quiet", "no_pager", "brief"),
        *("watch", "interval", "require", "explained"),
    ),
}
"""Groups of options in help, in order; an option of no group is the command's own."""
_OWN: Final = ("Options", "Workload")
"""The groups that ``--help`` shows; ``--help-all`` shows the others, too."""
_WHOLE: Final = f"{__name__}.whole"
_LEAVING: Final = {"is_eager": True, "expose_value": False}


def show_all(ctx: click.Context) -> None:
    """Makes the help of this context have every option."""
    ctx.meta[_WHOLE] = True


def _print_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Prints the help with every option, and leaves."""
    if value:
        show_all(ctx)
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def _group(parameter: click.Parameter) -> str:
    if isinstance(parameter, HouseClickOption):
        return parameter.house
    name = parameter.name or ""
    fallback = "Cluster" if name.endswith("_namespace") else "Options"
    return next((title for title, names in _GROUPS.items() if name in names), fallback)


class SectionedCommand(click.Command):
    """A command whose help has its own options, examples, and how to see those that it shares with other commands.

    ``--help-all`` has the shared groups and what each scheduler adds, too.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """click's, after the words are kept for the commands that an answer ends with."""
        keep_typed(ctx, args)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """click's, with ``--help-all`` if the command shares options with others."""
        params = super().get_params(ctx)
        if all(_group(param) in _OWN for param in self.params if isinstance(param, click.Option)):
            return params
        text = "Show the shared and the rarely used options, too."
        return [*params, click.Option(["--help-all"], is_flag=True, **_LEAVING, callback=_print_all, help=text)]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- click's
        """The text without its examples, which come last."""
        text, _ = self._text_and_examples()
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(text)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options, the shared groups, then what each scheduler adds."""
        options: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                options.setdefault(_group(parameter), []).append(record)
        whole = _is_whole(ctx)
        for title in _GROUPS if whole else _OWN:
            if title in options:
                with formatter.section(title):
                    formatter.write_dl(options[title])
        for scheduler in every_scheduler() if whole else ():
            own, says = options.get(scheduler.title, []), scheduler.helps.get(self.name or "")
            if own or says:
                with formatter.section(f"With {scheduler.title}"):
                    _write_help(formatter, own, says)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples; then how to see the options that this command shares with others."""
        _, examples = self._text_and_examples()
        if examples:
            with formatter.section("Examples"):
                import textwrap

                formatter.write(textwrap.indent(examples, "  ") + "\n")
        shared = {_group(param) for param in self.params if isinstance(param, click.Option)}.difference(_OWN)
        if shared and not _is_whole(ctx):
            groups = [title.lower() for title in _GROUPS if title in shared and title != _RARE]
            groups += ["schedulers"] if shared.difference(_GROUPS) else []
            groups += ["and rare needs"] if _RARE in shared else []
            formatter.write_paragraph()
            formatter.write_text(f"`{ctx.command_path} --help-all`: options for {', '.join(groups)}")

    def _text_and_examples(self) -> tuple[str, str]:
        text, _, examples = inspect.cleandoc(self.help or "").partition("\b\n")
        return text.strip(), examples.strip("\n")


def _is_whole(ctx: click.Context) -> bool:
    return bool(ctx.meta.get(_WHOLE))


def _write_help(formatter: click.HelpFormatter, options: list[tuple[str, str]], says: "HouseHelp | None") -> None:
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
