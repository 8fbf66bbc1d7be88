"""``completion``: shell completion by click's own machinery."""

import click
from click.shell_completion import get_completion_class, shell_complete

from kubectl_fairshare.cli.streams import Streams

PROGRAM = "kubectl-fairshare"
VARIABLE = "_KUBECTL_FAIRSHARE_COMPLETE"


@click.command(short_help="print the completion script for a shell")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_obj
def command(streams: Streams, /, shell: str) -> int:
    """Prints the completion script of kubectl-fairshare for a shell.

    \b
    kubectl-fairshare completion bash \\
        > ~/.local/share/bash-completion/completions/kubectl-fairshare
    kubectl-fairshare completion zsh > "${fpath[1]}/_kubectl-fairshare"
    kubectl-fairshare completion fish \\
        > ~/.config/fish/completions/kubectl-fairshare.fish
    """  # noqa: D301 -- click wants the character
    from kubectl_fairshare.cli.commands import program

    kind = get_completion_class(shell)
    if kind is None:
        raise LookupError(shell)
    script = kind(program, {}, PROGRAM, VARIABLE)
    # Not source(): it starts the shell to ask for its version.
    streams.stdout.write(script.source_template % script.source_vars())
    return 0


def complete(instruction: str, variable: str) -> int:
    """Answers a shell that is completing: words come and completions go by its protocol."""
    from kubectl_fairshare.cli.commands import program

    return shell_complete(program, {}, PROGRAM, variable, instruction)
