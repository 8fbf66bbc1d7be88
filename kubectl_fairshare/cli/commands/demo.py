"""``demo``: shares, a plan that preempts and a plan that is refused, on the embedded example."""

from contextlib import chdir
from pathlib import Path
from typing import Final

import click

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.shipped import demo


@dataclass(frozen=True, slots=True)
class _Scene:
    """A command of the demo: its title, its arguments, and the exit code that it must have."""

    title: str
    args: tuple[str, ...]
    code: int = 0


_SCENES: Final = (
    _Scene("Which queue holds what, and which is over its share?", ("shares", "-f", "org")),
    _Scene(
        "Would this job run now? Yes, after preempting two others.",
        ("plan", "-f", "org", "-w", "jobs/finetune.yaml"),
    ),
    _Scene(
        "And this one? No: what binds, and which change would help.",
        ("plan", "-f", "org", "-w", "jobs/reindex.yaml"),
        code=4,
    ),
)


_MORE: Final = (
    "shares -f org --explain vision",
    "shares -f org --saturated",
    "cycle -f org",
    "plan -f org -w jobs/reindex.yaml -o json",
)


@click.command(short_help="try everything on a built-in example")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour. [auto]")
@click.pass_context
def command(ctx: click.Context, color: str) -> int:
    """Answers three questions about an example organisation: its shares, and two jobs.

    The manifests are installed with the program and have comments. Each screen is the output of the command
    above it. The demo only reads.
    """
    streams = ctx.find_object(Streams)
    if streams is None:
        raise LookupError("streams")
    folder = demo()
    streams.stdout.write(f"An example organisation. Change it as you like:\n\n  cd {_shown(folder)}\n")
    with chdir(folder):  # so that the screens are those of the commands as printed, wherever the folder is
        for scene in _SCENES:
            code = _play(scene, ctx, streams, ScreenOptions(color=color))
            if code != scene.code:
                return code
    name = ctx.find_root().info_name or ""
    streams.stdout.write("\n# More to try there\n" + "".join(f"$ {name} {command}\n" for command in _MORE))
    return 0


def _shown(folder: Path) -> str:
    """The folder as a user would type it: relative if it is below the current folder."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)


def _play(scene: _Scene, ctx: click.Context, streams: Streams, screen: ScreenOptions) -> int:
    """Prints a command and runs it as if a user typed it."""
    from kubectl_fairshare.cli.program import run

    name = ctx.find_root().info_name or ""
    streams.stdout.write(f"\n# {scene.title}\n$ {name} {' '.join(scene.args)}\n\n")
    return run((*scene.args, "--color", screen.color), streams, name)
