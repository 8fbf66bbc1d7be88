"""What is installed: which APIs are served, which Kueue runs with which Configuration, as far as we may know.

Source: Kueue v0.19, its manifests and chart; its feature gates, of which each release changed some.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.sources.cluster.connection import Connection, Refused
from kubectl_fairshare.sources.cluster.lists import document_at
from kubectl_fairshare.sources.configuration import holds_configuration

MODELLED: Final = Release(0, 19)
CONFIGURATION: Final = "kueue-manager-config"
MANAGER: Final = "kueue-controller-manager"
_VERSION_LABEL: Final = "app.kubernetes.io/version"
_CHANGES: Final = {
    Release(0, 15): ("kueue.x-k8s.io/v1beta2 is served", "admission fair sharing is on by default"),
    Release(0, 17): (
        "within nominal quota borrowed quota is taken back without comparing shares (FairSharingPreemptWithinNominal)",
        "workloads that need not borrow go first (FairSharingPrioritizeNonBorrowing)",
    ),
    Release(0, 18): ("workloads of the same shape are requeued together (SchedulingEquivalenceHashing)",),
    Release(0, 19): (
        "the search of flavors goes on where it was (FlavorFungibilityPreserveScanProgress)",
        "resources without quota can be let through (QuotaCheckStrategy)",
    ),
}
"""By release, what it changed of decisions; as far as its feature gates tell."""


@dataclass(frozen=True, slots=True)
class Manager:
    """Kueue's manager: the ConfigMap with its Configuration, its release as text; empty or None where not known.

    ``hidden`` says that the ConfigMap may not be read, ``missing`` that it is not where it was looked for.
    """

    configuration: Manifest | None = None
    release: str = ""
    hidden: bool = False
    missing: bool = False


def served(connection: Connection) -> Mapping[str, tuple[str, ...]] | None:
    """The versions of each API group; None where we may not know. Raises ``FairshareError`` for no answer."""
    try:
        document = document_at(connection, "/apis")
    except Refused:
        return None
    groups = document.get("groups") or ()
    return {g["name"]: tuple(v["version"] for v in g.get("versions") or ()) for g in groups}


def kubernetes(connection: Connection) -> str:
    """The server's version: ``v1.35.4``; empty where we may not know."""
    try:
        return str(document_at(connection, "/version").get("gitVersion") or "")
    except Refused:
        return ""


def manager(connection: Connection, namespace: str) -> Manager:
    """Kueue's manager in ``namespace``."""
    found, hidden, missing = None, False, False
    try:
        found = _configuration(connection, namespace)
        missing = found is None
    except Refused as refused:
        hidden = refused.status in (401, 403)
        missing = not hidden
    return Manager(found, _release(connection, namespace), hidden, missing)


def _configuration(connection: Connection, namespace: str) -> Manifest | None:
    """The manager's ConfigMap under its usual name, else whichever of the namespace holds a Configuration of Kueue."""
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    try:
        return _config_map(document_at(connection, f"{path}/{CONFIGURATION}"))
    except Refused as refused:
        if refused.status != 404:
            raise
    try:
        items = document_at(connection, path).get("items") or ()
    except Refused:
        return None
    found = (_config_map(item) for item in items)
    return next((each for each in found if each is not None), None)


def _config_map(data: dict[str, Json]) -> Manifest | None:
    metadata = data["metadata"]
    key = ObjectKey("", "ConfigMap", metadata["namespace"], metadata["name"])
    manifest = Manifest(key, "v1", {"apiVersion": "v1", "kind": "ConfigMap", **data}, Origin("configmaps", 0))
    return manifest if holds_configuration(manifest) else None


def _release(connection: Connection, namespace: str) -> str:
    try:
        deployment = document_at(connection, f"/apis/apps/v1/namespaces/{namespace}/deployments/{MANAGER}")
    except Refused:
        return ""
    return release_of(deployment)


def release_of(deployment: JsonObject) -> str:
    """The release that a Deployment runs: of its image's tag, else of its label."""
    template = (deployment.get("spec") or {}).get("template") or {}
    for container in (template.get("spec") or {}).get("containers") or ():
        image, _, tag = str(container.get("image") or "").partition("@")[0].rpartition(":")
        if "kueue" in image and _is_release(tag):
            return tag
    label = ((deployment.get("metadata") or {}).get("labels") or {}).get(_VERSION_LABEL)
    return str(label) if label and _is_release(str(label)) else ""


def _is_release(text: str) -> bool:
    try:
        Release.parse(text.partition("-")[0])
    except ValueError:
        return False
    return True


def mismatch(release: str) -> Iterator[Problem]:
    """A note where another release runs than the one that answers are those of, with what lies between them."""
    if not release:
        return
    runs = Release.parse(release.partition("-")[0])
    if runs == MODELLED:
        return
    message = f"Kueue {release} runs in the cluster, and answers are those of v{MODELLED}"
    between = [f"since v{at}: {'; '.join(what)}" for at, what in _CHANGES.items() if runs < at <= MODELLED]
    remedy = ". ".join(between) if between else "what lies between the two is not known here: take answers with care"
    yield Problem(message, None, remedy)
