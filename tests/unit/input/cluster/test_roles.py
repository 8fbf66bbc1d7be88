"""The role that is printed for a command is what the command asks for, no less and no more."""

from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.connection import Patience
from kubectl_fairshare.input.cluster.read import Query, read_cluster
from kubectl_fairshare.input.cluster.resources import COMMANDS, ClusterReads, needs
from kubectl_fairshare.input.cluster.roles import cluster_roles, namespaced_roles
from kubectl_fairshare.input.known import Reads
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.reads import READS as ELASTICQUOTA
from kubectl_fairshare.schedulers.kai.reads import READS as KAI
from kubectl_fairshare.schedulers.kueue.reads import READS as KUEUE
from tests.sampling import sampled
from tests.unit.input.cluster.served import organisation, schedulers_settings, serving

Leave = tuple[str, str, str, str]
ALL: Final = (KUEUE, KAI, ELASTICQUOTA)


MANAGER = "/apis/apps/v1/namespaces/kueue-system/deployments/kueue-controller-manager"


def at_home(schedulers: tuple[Reads, ...]) -> list[tuple[ClusterReads, str]]:
    return [(each.cluster(), each.home.namespace) for each in schedulers]


def asked_for(command: str, schedulers: tuple[Reads, ...], folder: Path) -> set[Leave]:
    """Verb, group, plural and name of all that is asked for in a cluster that has everything."""
    served = organisation()
    for need in needs("snapshot", [each.cluster() for each in ALL]):
        served.groups.setdefault(need.group, []).append(need.versions[0])
        for version in need.versions:
            served.lists.setdefault(need.path(version), [])
            served.lists.setdefault(need.path(version, "team"), [])
    for each in ALL:
        if each not in schedulers:
            del served.groups[each.cluster().group]
    for version, plural in (
        ("scheduling.run.ai/v2", "queues"),
        ("scheduling.x-k8s.io/v1alpha1", "elasticquotas"),
        ("kueue.x-k8s.io/v1beta2", "topologies"),
    ):
        served.lists[f"/apis/{version}/{plural}"] = [{"metadata": {"name": "some", "namespace": "team"}}]
    served.single |= schedulers_settings()
    with serving(served):
        access = Access(kubeconfig=served.kubeconfig(folder))
        query = Query(command, 1 << 20, patience=Patience(first=0.001))
        read_cluster(access, query, schedulers=known_schedulers())
        served.single.pop(MANAGER)  # where it may not be read, CRDs say which line of releases runs
        read_cluster(access, query, schedulers=known_schedulers())
    return {_leave(path) for path in served.paths if path not in ("/apis", "/version")}


def _leave(path: str) -> Leave:
    parts = path.strip("/").split("/")
    group, rest = ("", parts[2:]) if parts[0] == "api" else (parts[1], parts[3:])
    if rest[0] == "namespaces" and len(rest) > 2:
        rest = rest[2:]
    return ("get" if len(rest) > 1 else "list", group, rest[0], rest[1] if len(rest) > 1 else "")


def given(roles: list[dict[str, Json]]) -> set[Leave]:
    return {
        (verb, group, plural, name)
        for role in roles
        for rule in role["rules"]
        for verb in rule["verbs"]
        for group in rule["apiGroups"]
        for plural in rule["resources"]
        for name in rule.get("resourceNames", [""])
    }


@pytest.mark.parametrize("command", sampled(COMMANDS, 4))
@pytest.mark.parametrize("schedulers", [(KUEUE,), (KAI,), (ELASTICQUOTA,), ALL])
def test_a_role_gives_leave_for_what_is_asked(command: str, schedulers: tuple[Reads, ...], tmp_path: Path) -> None:
    assert given(cluster_roles([command], at_home(schedulers))) == asked_for(command, schedulers, tmp_path)


def test_nothing_but_get_and_list_is_asked_for() -> None:
    assert {verb for verb, *_ in given(cluster_roles(COMMANDS, at_home(ALL)))} == {"get", "list"}


def test_secrets_are_never_asked_for() -> None:
    assert not {leave for leave in given(cluster_roles(COMMANDS, at_home(ALL))) if leave[2] == "secrets"}


def test_a_role_of_a_namespace_holds_what_lies_in_one() -> None:
    (role,) = namespaced_roles(["shares"], [KUEUE.cluster()], "team")
    assert (role["kind"], role["metadata"]) == ("Role", {"name": "kubectl-fairshare-shares", "namespace": "team"})
    kueue: dict[str, Any] = next(r for r in role["rules"] if r["apiGroups"] == ["kueue.x-k8s.io"])
    assert kueue["resources"] == ["localqueues", "workloads"]
    assert ("get", "", "namespaces", "team") in given([role])
