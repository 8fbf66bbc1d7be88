"""``demo``: a pending job, all that waits, a plan that preempts and a plan that waits, on the embedded example."""

import shlex
import sys
from contextlib import chdir
from pathlib import Path
from shutil import Error, copytree, which
from typing import Final

import click

from kubectl_fairshare.cli.main import PROGRAM
from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.shipped import demo


class _Scene(Value, frozen=True):
    """A command of the demo: its title, its arguments, and the exit code that it must have."""

    title: str
    args: tuple[str, ...]
    code: int = 0


_SCENES: Final = (
    _Scene(
        "A pending job needs 4 GPUs, and 4 are free. Why does it not start?",
        ("why", "sweep-3", "-n", "vision", "-f", "org", "--brief"),
    ),
    _Scene("What else waits, the worst first?", ("why", "-f", "org")),
    _Scene(
        "Would this new job run now? Yes, after preempting two others.",
        ("plan", "-f", "org", "-w", "jobs/finetune.yaml", "--brief"),
    ),
    _Scene(
        "And this one? No: what binds, and which change would help.",
        ("plan", "-f", "org", "-w", "jobs/reindex.yaml", "--brief"),
        code=4,
    ),
)
"""Each fits on a terminal of 24 lines."""
_MORE: Final = (
    "why sweep-3 -n vision -f org",
    "shares -f org",
    "shares -f org --explain vision",
    "shares -f org --saturated",
    "cycle -f org",
    "plan -f org -w jobs/reindex.yaml",
)
_PAUSE: Final = "Enter: the next one · q: stop "


@click.command(cls=SectionedCommand, short_help="try everything on a built-in example")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour. [auto]")
@click.option(
    "--into", metavar="DIR", type=click.Path(readable=False), help="Copy the example to this new folder first."
)
@click.pass_context
def command(ctx: click.Context, color: str, into: str | None) -> int:
    """Answers four questions about an example organisation: a pending job, all that waits, and two new jobs.

    The manifests are installed with the program and have comments. Each screen is the output of the command
    above it; on a terminal, there is a pause after each. With --into the example is yours to change.

    \b
    kubectl fairshare demo --into example
    """  # noqa: D301 -- click wants the character
    streams = ctx.find_object(Streams)
    if streams is None:
        raise LookupError("streams")
    folder, program = demo(), _program(ctx.find_root().info_name or "")
    if into is not None:
        folder = _copied(folder, Path(into))
    here = f"cd {shlex.quote(str(folder))} && {program}"
    streams.stdout.write("An example organisation. Each command can be pasted as it is, in any folder.\n")
    with chdir(folder):  # so that places in screens are those of the commands as printed
        for scene in _SCENES:
            code = _play(scene, here, ctx, streams, ScreenOptions(color=color))
            if code != scene.code:
                return code
            if scene is not _SCENES[-1] and not _goes_on(streams):
                return 0
    streams.stdout.write("\n# More to try\n" + "".join(f"$ {here} {command}\n" for command in _MORE))
    return 0


def _copied(example: Path, folder: Path) -> Path:
    """The example in a new folder. Raises ``UsageError`` if there is one, or if it cannot be written."""
    try:
        copytree(example, folder)
    except FileExistsError:
        raise UsageError(Problem(f"`{folder}` exists", "--into", "name a folder that does not exist yet")) from None
    except (OSError, Error) as error:
        raise UsageError(Problem(f"`{folder}` cannot be written: {error}", "--into", "name another folder")) from None
    return folder.absolute()


def _goes_on(streams: Streams) -> bool:
    """Whether to show the next screen: on a terminal the reader decides."""
    if streams.height is None or streams.stdin is None or not streams.stdin.isatty():
        return True
    streams.stdout.write(f"\n{_PAUSE}")
    streams.stdout.flush()
    return not streams.stdin.readline().strip().lower().startswith("q")


def _program(name: str) -> str:
    """The program as a shell finds it: by ``name``, otherwise by the path of this installation."""
    installed = Path(sys.argv[0]).absolute()
    if installed.name != PROGRAM or which(PROGRAM):
        return name if not name.startswith("kubectl ") or which("kubectl") else PROGRAM
    return shlex.quote(str(installed))


def _play(scene: _Scene, here: str, ctx: click.Context, streams: Streams, screen: ScreenOptions) -> int:
    """Prints a command and runs it as if a user typed it."""
    from kubectl_fairshare.cli.program import run

    name = ctx.find_root().info_name or ""
    streams.stdout.write(f"\n# {scene.title}\n$ {here} {' '.join(scene.args)}\n\n")
    return run((*scene.args, "-o", "text", "--color", screen.color, "--no-pager"), streams, name)
