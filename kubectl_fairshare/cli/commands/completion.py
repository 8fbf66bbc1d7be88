"""``completion``: the scripts by which shells, and kubectl, complete the program's words."""

import click

from kubectl_fairshare.cli.completing.scripts import SCRIPTS
from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.streams import Streams


@click.command(cls=SectionedCommand, short_help="print the completion script for a shell")
@click.argument("shell", type=click.Choice(list(SCRIPTS)))
@click.pass_obj
def command(streams: Streams, /, shell: str) -> int:
    """Prints the script that completes commands, options and names, for a shell or for kubectl.

    kubectl completes `kubectl fairshare` once kubectl_complete-fairshare is on the PATH. pip installs it there;
    after krew, the last of these commands does.

    \b
    kubectl-fairshare completion bash \\
        > ~/.local/share/bash-completion/completions/kubectl-fairshare
    kubectl-fairshare completion zsh > "${fpath[1]}/_kubectl-fairshare"
    kubectl-fairshare completion fish \\
        > ~/.config/fish/completions/kubectl-fairshare.fish
    kubectl-fairshare completion kubectl \\
        > ~/.krew/bin/kubectl_complete-fairshare
    chmod +x ~/.krew/bin/kubectl_complete-fairshare
    """  # noqa: D301 -- click wants the character
    streams.stdout.write(SCRIPTS[shell])
    return 0
