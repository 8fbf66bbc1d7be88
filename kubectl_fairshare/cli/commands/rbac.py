"""``rbac``: the least that each command has to be permitted in a cluster."""

import click

from kubectl_fairshare.cli.options.shared import ScreenOptions, screen_options
from kubectl_fairshare.cli.output import write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.cluster.access import KUEUE_NAMESPACE, SCHEDULER_NAMESPACE
from kubectl_fairshare.input.cluster.resources import NEEDS, Scheduler
from kubectl_fairshare.input.cluster.roles import cluster_roles, namespaced_roles


@click.command(short_help="the least permissions that a command needs")
@click.argument("commands", nargs=-1, type=click.Choice(list(NEEDS)), metavar="[COMMAND]...")
@click.option(
    "-n", "--namespace", metavar="NAME", help="A Role for one namespace instead of a ClusterRole: half of the answer."
)
@click.option(
    "--scheduler",
    multiple=True,
    type=click.Choice([each.value for each in Scheduler]),
    default=(Scheduler.KUEUE.value,),
    help="Whose objects; may be repeated. [kueue]",
)
@click.option(
    "--kueue-namespace",
    metavar="NAME",
    default=KUEUE_NAMESPACE,
    help=f"Where Kueue's manager runs. [{KUEUE_NAMESPACE}]",
)
@click.option(
    "--scheduler-namespace",
    metavar="NAME",
    default=SCHEDULER_NAMESPACE,
    help=f"Where CapacityScheduling's scheduler runs. [{SCHEDULER_NAMESPACE}]",
)
@screen_options("yaml", "json")
@click.pass_obj
def command(
    streams: Streams,
    /,
    commands: tuple[str, ...],
    namespace: str | None,
    scheduler: tuple[str, ...],
    kueue_namespace: str,
    scheduler_namespace: str,
    screen: ScreenOptions,
) -> int:
    """Prints the least ClusterRole that each COMMAND needs; without one, those of all.

    Every one of them only lists; of the namespace of a scheduler two objects at most are got: its configuration and
    its release. With less, answers name what they cannot know. Nothing is asked of any cluster.

    \b
    kubectl fairshare rbac shares plan | kubectl apply -f -
    kubectl create clusterrolebinding fairshare-plan \\
        --clusterrole kubectl-fairshare-plan --group on-call
    kubectl fairshare rbac why -n team-b
    """  # noqa: D301 -- click wants the character
    wanted = tuple(dict.fromkeys(commands)) or tuple(NEEDS)
    schedulers = [each for each in Scheduler if each.value in scheduler]
    if namespace is not None:
        roles = namespaced_roles(wanted, schedulers, namespace)
    else:
        roles = cluster_roles(wanted, schedulers, kueue_namespace, scheduler_namespace)
    if screen.output == "json":
        write_document(streams, screen, {"apiVersion": "v1", "kind": "List", "items": roles})
        return 0
    from kubectl_fairshare.report.yaml_text import yaml_text

    streams.stdout.write("---\n".join(map(yaml_text, roles)))
    return 0
