"""The command line: its commands, loaded on demand. Tested in ``tests/unit/cli/test_main.py``."""

from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import Final

import click

from kubectl_fairshare import __version__
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted

GROUPS: Final = {
    "Ask": {
        "why": "why a job waits or runs: what binds, who holds it, what would help",
        "plan": "would it run: admitted or not, its victims, what would help",
        "shares": "which queue holds what: quota, usage, borrowing, fair shares",
        "cycle": "what the next scheduling cycle decides for each queue's head",
        "report": "one HTML page: tree of queues, waiting and running work",
    },
    "Check a change": {
        "lint": "find mistakes in manifests, and fix them",
        "diff": "what a change of policy does to rights, running and waiting work",
        "test": "check a policy against its tests, over all loads",
        "search": "look for a load that breaks an invariant, and make it small",
    },
    "Plan ahead": {
        "forecast": "when waiting jobs start, and what they wait for",
        "capacity": "what each queue has room for: now, after preemption, ever",
        "simulate": "play jobs forward in time, under this policy",
        "trace": "save what became of every job, to replay it",
    },
    "Set up": {
        "demo": "try everything on a built-in example",
        "snapshot": "save all that an answer needs in one file, to read with -f",
        "rbac": "print the minimal cluster permissions for each command",
        "help": "explain a command, a word of the field, a law or a rule",
        "completion": "print the completion script for your shell",
        "mcp": "answer an agent's calls: the questions as tools",
        "conformance": "compare our answers with recorded ones of real schedulers",
    },
}
"""The commands by what a reader wants, in the order in which a reader meets them."""
COMMANDS: Final = {name: about for commands in GROUPS.values() for name, about in commands.items()}
_OLDER: Final = ("rule",)
"""Names that calls may still have: `help K041` is `rule K041`."""
_SHORT: Final = 1
"""Commands of the last group that the help lists with what they are for; it names the others."""


class Commands(click.Group):
    """A group whose commands are modules; a command's help needs only its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """The commands in the order in which a reader meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now; None for an unknown name."""
        if cmd_name not in COMMANDS and cmd_name not in _OLDER:
            return None
        with without_collector():
            command = import_module(f"kubectl_fairshare.cli.commands.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` begins with; raises ``UsageError`` with near names for an unknown one."""
        if args and not args[0].startswith("-") and args[0] not in (*COMMANDS, *_OLDER):
            remedy = did_you_mean(likely(args[0], COMMANDS, 2)) or f"the commands are {quoted(COMMANDS)}"
            raise UsageError(Problem(f"unknown command `{args[0]}`", help=remedy))
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, instead of options: the help fits on one screen."""
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The commands by group, each with what it is for; the last ones by name alone."""
        *_, last = GROUPS
        for title, commands in GROUPS.items():
            listed = list(commands.items())
            names = ", ".join(name for name, _ in listed[_SHORT:])
            shown = listed if title != last else [*listed[:_SHORT], ("more", names)]
            formatter.write(f"{title}\n")
            formatter.write("".join(f"  {name:<8}  {about}\n" for name, about in shown))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """How to go on."""
        formatter.write("COMMAND --help has its options, `help WORD` explains a word, --version\n")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="kubectl-fairshare %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """\b
    Explains and predicts quota decisions, exactly as the scheduler makes them.
    Reads a cluster or files; writes only files that you name. Try `demo` first.
    """  # noqa: D301 -- click wants the character
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(args: Sequence[str], streams: Streams, name: str) -> int:
    """Runs a command line and returns its exit code. Raises ``FairshareError`` for what could not be answered."""
    with redirect_stdout(streams.stdout), redirect_stderr(streams.stderr):  # where click prints its helps
        try:
            with program.make_context(name, list(args), obj=streams) as ctx:
                code = program.invoke(ctx)
        except click.exceptions.Exit as leaving:
            return leaving.exit_code
        except click.ClickException as error:
            raise UsageError(_misused(error, args)) from None
    return code if isinstance(code, int) else 0


def _misused(error: click.ClickException, args: Sequence[str]) -> Problem:
    """What click says about a call, as a problem; for a typical slip with the line to write."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    from kubectl_fairshare.cli.slips import meant

    remedy = meant(args, error) or (f"see `{ctx.command_path} --help`" if ctx is not None else None)
    if isinstance(error, click.NoSuchOption):
        remedies = (did_you_mean(sorted(error.possibilities or ())), remedy)
        return Problem(f"no such option `{error.option_name}`", help=" ".join(filter(None, remedies)))
    message = " ".join(error.format_message().split()).rstrip(".")
    return Problem(message[:1].lower() + message[1:].replace("'", "`"), help=remedy)
