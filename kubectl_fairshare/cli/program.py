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

COMMANDS: Final = {
    "shares": "which queue holds what: quota, usage, borrowing, fair shares",
    "plan": "would it run: admitted or not, its victims, what binds, what would help",
    "why": "why a job is pending or running: what binds, which workload holds it, what would help",
    "cycle": "what the next scheduling cycle decides for the head of every queue",
    "diff": "what a policy change does: rights, running work at risk, waiting work that flips",
    "capacity": "what each queue has room for: now, after preemption, ever, and what binds",
    "test": "check a policy against its tests: outcomes, victims, invariants over all loads",
    "search": "look for a load that breaks an invariant of a policy, and make it small",
    "report": "one HTML page: tree of queues, waiting and running work, findings",
    "snapshot": "save everything that an answer needs in one file, to read with -f",
    "trace": "save what became of every job, to replay it under another policy",
    "rbac": "print the minimal cluster permissions for each command",
    "simulate": "play jobs forward in time, under this policy",
    "lint": "find mistakes that the API server rejects, the controllers ignore, or the quotas do not allow",
    "help": "explain a command, a term, a law or a rule",
    "rule": "what one lint rule checks, with examples",
    "demo": "try everything on a built-in example",
    "conformance": "compare our answers with recorded decisions of the real scheduler",
    "mcp": "answer an agent's calls: the questions as tools, over standard input",
    "completion": "print the completion script for your shell",
}


class Commands(click.Group):
    """A group whose commands are modules; a command's help needs only its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """The commands in the order in which a reader meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        with without_collector():
            command = import_module(f"kubectl_fairshare.cli.commands.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` begins with; raises ``UsageError`` with near names for an unknown one."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            remedy = did_you_mean(likely(args[0], COMMANDS, 2)) or f"the commands are {quoted(COMMANDS)}"
            raise UsageError(Problem(f"unknown command `{args[0]}`", help=remedy))
        return super().resolve_command(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The schedulers, each with the release that is reproduced."""
        from kubectl_fairshare.schedulers import every_scheduler

        with formatter.section("Schedulers"):
            formatter.write_dl([(each.title, each.version) for each in every_scheduler()])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The commands with what each is for."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="kubectl-fairshare %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Explains and predicts batch quota decisions on Kubernetes, exactly as the scheduler makes them.

    The quotas in the input select the scheduler.

    Reads a cluster, manifests or a dump. It changes nothing, except files with `lint --fix`.

    \b
    kubectl fairshare demo
    kubectl fairshare why job/train -n team-b
    kubectl fairshare shares -f org/
    kubectl fairshare plan -f org/ -w train.yaml
    kubectl fairshare snapshot -o cluster.json.gz
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
