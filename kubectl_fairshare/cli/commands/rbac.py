"""``rbac``: the minimal permissions for each command in a cluster."""

from collections.abc import Callable

import click

from kubectl_fairshare.cli.options.cluster_options import HOMES, namespaces_of
from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.shared import ScreenOptions, screen_options
from kubectl_fairshare.cli.output import write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.cluster.resources import COMMANDS
from kubectl_fairshare.input.cluster.roles import cluster_roles, namespaced_roles
from kubectl_fairshare.schedulers import known_schedulers


def home_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options for the namespaces of schedulers."""
    for home in reversed(HOMES):
        text = f"Namespace of {home.program}. [{home.namespace}]"
        command = click.option(home.option, metavar="NAME", help=text)(command)
    return command


@click.command(cls=SectionedCommand, short_help="the minimal permissions for each command")
@click.argument("commands", nargs=-1, type=click.Choice(COMMANDS), metavar="[COMMAND]...")
@click.option(
    "-n",
    "--namespace",
    metavar="NAME",
    help="Print a Role for one namespace, not a ClusterRole. Answers are then partial.",
)
@click.option(
    "--scheduler",
    multiple=True,
    type=click.Choice([each.name for each in known_schedulers()]),
    default=(next(iter(known_schedulers())).name,),
    help=f"Scheduler whose objects are read. Repeatable. [{next(iter(known_schedulers())).name}]",
)
@home_options
@screen_options("yaml", "json")
@click.pass_obj
def command(
    streams: Streams,
    /,
    commands: tuple[str, ...],
    namespace: str | None,
    scheduler: tuple[str, ...],
    screen: ScreenOptions,
    **homes: str | None,
) -> int:
    """Prints the minimal ClusterRole for each COMMAND, or for all commands.

    The roles contain `list`, and `get` for at most two objects per scheduler: its configuration and its
    Deployment, which names the release. With fewer permissions, answers say what they cannot know. This command
    contacts no cluster.

    \b
    kubectl fairshare rbac shares plan | kubectl apply -f -
    kubectl create clusterrolebinding fairshare-plan \\
        --clusterrole kubectl-fairshare-plan --group on-call
    kubectl fairshare rbac why -n team-b
    """  # noqa: D301 -- click wants the character
    wanted = tuple(dict.fromkeys(commands)) or COMMANDS
    chosen = [each for each in known_schedulers() if each.name in scheduler]
    given = namespaces_of(dict(homes))
    if namespace is not None:
        roles = namespaced_roles(wanted, [each.cluster() for each in chosen], namespace)
    else:
        homes_of = ((each.cluster(), given.get(each.name, each.home.namespace)) for each in chosen)
        roles = cluster_roles(wanted, tuple(homes_of))
    if screen.output == "json":
        write_document(streams, screen, {"apiVersion": "v1", "kind": "List", "items": roles})
        return 0
    from kubectl_fairshare.report.yaml_text import yaml_text

    streams.stdout.write("---\n".join(map(yaml_text, roles)))
    return 0
