"""kubectl's options for the cluster that is asked, as every command takes them.

Tested in ``tests/unit/cli/options/test_shared.py``.
"""

from typing import Any, Final

import click

from kubectl_fairshare.input.cluster.access import Access, seconds
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.schedulers import known_schedulers

_TIMEOUT: Final = "30s"
_FILE: Final = click.Path(readable=False)
HOMES: Final = tuple(each.home for each in known_schedulers() if each.home.option)
"""The namespaces of schedulers that options name."""


def _patience(_: click.Context, param: click.Parameter, value: str) -> float:
    """A duration in seconds; raises ``BadParameter`` for any other text."""
    try:
        return seconds(value)
    except FairshareError as error:
        problem = error.problems[0]
        raise click.BadParameter(f"{problem.message}; {problem.help}", param=param) from None


CLUSTER_OPTIONS: Final = (
    click.option(
        "-A", "--all-namespaces", "everywhere", is_flag=True, help="Read all namespaces; fail if that is not allowed."
    ),
    click.option(
        "--kubeconfig", type=_FILE, metavar="FILE", help="Path of the kubeconfig. [KUBECONFIG, ~/.kube/config]"
    ),
    click.option("--context", metavar="NAME", help="Context in the kubeconfig. [the current one]"),
    click.option("--cluster", metavar="NAME", help="Cluster in the kubeconfig. [the context's]"),
    click.option("--user", metavar="NAME", help="User in the kubeconfig. [the context's]"),
    click.option("--as", "as_user", metavar="USER", help="Impersonate this user."),
    click.option("--as-group", multiple=True, metavar="GROUP", help="Impersonate this group. Repeatable."),
    click.option("--token", metavar="TOKEN", help="Bearer token."),
    click.option("-s", "--server", metavar="ADDRESS", help="Address and port of the API server."),
    click.option(
        "--certificate-authority", type=_FILE, metavar="FILE", help="File with the certificate authority of the server."
    ),
    click.option("--insecure-skip-tls-verify", "insecure", is_flag=True, help="Accept any server certificate."),
    click.option(
        "--request-timeout",
        metavar="TIME",
        default=_TIMEOUT,
        callback=_patience,
        help=f"Longest wait for one response; 0 means no limit. [{_TIMEOUT}]",
    ),
    *(
        click.option(home.option, metavar="NAME", help=f"Namespace of {home.program}. [{home.namespace}]")
        for home in HOMES
    ),
)
_NAMES: Final = (
    *("everywhere", "kubeconfig", "context", "cluster", "user", "as_user", "as_group", "token", "server"),
    *("certificate_authority", "insecure", "request_timeout"),
)


def access_of(chosen: dict[str, Any], namespace: str | None) -> Access:
    """What the options say, which are taken out of ``chosen``. Raises ``UsageError`` for a group without a user."""
    values = {name: chosen.pop(name) for name in _NAMES}
    groups = values.pop("as_group")
    if groups and values["as_user"] is None:
        raise UsageError(Problem("needs `--as`", "--as-group", "add `--as NAME`"))
    return Access(namespace=namespace, as_groups=groups, namespaces=namespaces_of(chosen), **values)


def namespaces_of(chosen: dict[str, Any]) -> dict[str, str]:
    """The namespaces that schedulers are said to run in, by their names; the options are taken out of ``chosen``."""
    given = {each.name: chosen.pop(each.home.parameter) for each in known_schedulers() if each.home.option}
    return {name: namespace for name, namespace in given.items() if namespace is not None}


def asks_cluster(access: Access) -> bool:
    """Whether any of the options is given that only a cluster has a use for."""
    return access != Access(namespace=access.namespace, everywhere=access.everywhere)
