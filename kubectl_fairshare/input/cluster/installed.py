"""What a cluster serves and what runs in it, as far as we may know: APIs, releases, ConfigMaps."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_fairshare.input.cluster.connection import Connection, Refused
from kubectl_fairshare.input.cluster.lists import document_at
from kubectl_fairshare.input.units.running import release_of
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import JsonObject, inside, mappings
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release

CONFIG_MAP: Final = "ConfigMap"
Changes: TypeAlias = Mapping[Release, Sequence[str]]
"""By release, what it changed of decisions."""


def served_versions(connection: Connection) -> Mapping[str, tuple[str, ...]] | None:
    """The versions of each API group; None where we may not know. Raises ``FairshareError`` for no answer."""
    try:
        document = document_at(connection, "/apis")
    except Refused:
        return None
    return {
        str(group.get("name")): tuple(str(each.get("version")) for each in mappings(group.get("versions")))
        for group in mappings(document.get("groups"))
    }


def kubernetes(connection: Connection) -> str:
    """The server's version: ``v1.35.4``; empty if we may not read it."""
    try:
        return str(document_at(connection, "/version").get("gitVersion") or "")
    except Refused:
        return ""


def config_maps(
    connection: Connection, namespace: str, usual: str, is_meant: Callable[[Manifest], bool]
) -> Iterator[Manifest]:
    """The ConfigMap under its ``usual`` name, otherwise all of the namespace that are meant.

    Raises ``Refused`` where the usual one may not be got.
    """
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    try:
        found = config_map(document_at(connection, f"{path}/{usual}"))
    except Refused as refused:
        if refused.status != 404:
            raise
    else:
        if is_meant(found):
            yield found
            return
    try:
        items = mappings(document_at(connection, path).get("items"))
    except Refused:
        return
    yield from filter(is_meant, map(config_map, items))


def config_map(data: JsonObject) -> Manifest:
    """A ConfigMap as a manifest."""
    namespace, name = (str(inside(data, "metadata", part) or "") for part in ("namespace", "name"))
    key = ObjectKey("", CONFIG_MAP, namespace, name)
    return Manifest(key, "v1", {"apiVersion": "v1", "kind": CONFIG_MAP, **data}, Origin("configmaps", 0))


def release_at(connection: Connection, namespace: str, name: str, image: str) -> str:
    """The release of the Deployment of that name, by its container of such an image; empty if we may not read it."""
    deployment = deployment_at(connection, namespace, name)
    return "" if deployment is None else release_of(deployment.data, image)


def deployment_at(connection: Connection, namespace: str, name: str) -> Manifest | None:
    """The Deployment of that name; None if we may not read it."""
    try:
        data = document_at(connection, f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}")
    except Refused:
        return None
    document = {"apiVersion": "apps/v1", "kind": "Deployment", **data}
    return Manifest(ObjectKey("apps", "Deployment", namespace, name), "v1", document, Origin("deployments", 0))


def definition_at(connection: Connection, name: str) -> JsonObject:
    """The CustomResourceDefinition of that name. Raises ``Refused`` where it may not be got, or is not there."""
    return document_at(connection, f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}")


def mismatch(release: str, scheduler: str, modelled: Release, changes: Changes) -> Iterator[Problem]:
    """A note where another release runs than the one that answers are those of, with what lies between them."""
    if not release:
        return
    runs = Release.parse(release.partition("-")[0])
    if runs == modelled:
        return
    low, high = sorted((runs, modelled))
    message = f"the cluster runs {scheduler} {release}; answers are for v{modelled}"
    between = [f"since v{at}: {'; '.join(what)}" for at, what in changes.items() if low < at <= high]
    remedy = ". ".join(between) if between else "the differences between the two are not known; check important answers"
    yield Problem(message, None, remedy)
