"""The least that a command has to be permitted, as objects of RBAC.

Source: Kubernetes, RBAC: a Role gives leave in its namespace alone, and no list of what lies in none.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.input.cluster.resources import NAMESPACES, ClusterReads, Resource, needs
from kubectl_fairshare.model.json import Json

RBAC: Final = "rbac.authorization.k8s.io/v1"
Object = dict[str, Json]


def cluster_roles(commands: Sequence[str], schedulers: Sequence[tuple[ClusterReads, str]]) -> list[Object]:
    """For each command a ClusterRole that lists what it reads; for each scheduler a Role that gets its settings,
    and a ClusterRole for CRDs that say which release runs.

    ``schedulers`` are those that are installed, with the namespace that each runs in.
    """
    reads = [each for each, _ in schedulers]
    found = [_role("ClusterRole", command, "", _list_rules(needs(command, reads))) for command in commands]
    for each, namespace in schedulers:
        found.append(_role("Role", "configuration", namespace, _settings_rules(each.deployment, *each.config_maps)))
        if each.definitions:
            rule = _got("apiextensions.k8s.io", "customresourcedefinitions", *each.definitions)
            found.append(_role("ClusterRole", "release", "", [rule]))
    return found


def namespaced_roles(commands: Sequence[str], schedulers: Sequence[ClusterReads], namespace: str) -> list[Object]:
    """For each command a Role with what it reads in one namespace: for partial answers."""
    return [
        _role("Role", command, namespace, [*_list_rules(_within(needs(command, schedulers))), _own(namespace)])
        for command in commands
    ]


def _within(resources: Iterable[Resource]) -> Iterator[Resource]:
    return (r for r in resources if r.namespaced)


def _role(kind: str, command: str, namespace: str, rules: list[Object]) -> Object:
    metadata: Object = {"name": f"kubectl-fairshare-{command}"}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": RBAC, "kind": kind, "metadata": metadata, "rules": rules}


def _list_rules(resources: Iterable[Resource]) -> list[Object]:
    """A rule for each API group, sorted."""
    by_group: dict[str, set[str]] = {}
    for resource in resources:
        by_group.setdefault(resource.group, set()).add(resource.plural)
    return [
        {"apiGroups": [group], "resources": sorted(plurals), "verbs": ["list"]}
        for group, plurals in sorted(by_group.items())
    ]


def _own(namespace: str) -> Object:
    """The namespace itself, for its labels."""
    return _got("", NAMESPACES.plural, namespace)


def _settings_rules(deployment: str, *config_maps: str) -> list[Object]:
    """The configuration of a scheduler, and the Deployment that names its release."""
    apps = _got("apps", "deployments", deployment)
    return [_got("", "configmaps", *config_maps), apps] if config_maps else [apps]


def _got(group: str, plural: str, *names: str) -> Object:
    return {"apiGroups": [group], "resources": [plural], "resourceNames": list(names), "verbs": ["get"]}
