"""Kueue's real manager, next to a live API server: its webhooks, its conversion, its scheduler."""

import base64
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Final

import yaml

from tests.live.stage.server import ASSETS, Api, Object, Server, free_port, process, wait_until

KUEUE: Final = "/apis/kueue.x-k8s.io/v1beta2"
NAMESPACE: Final = "kueue-system"
_METRICS_CERTIFICATES: Final = Path("/etc/kueue/metrics/certs")
_CONVERTED: Final = frozenset(
    {"clusterqueues", "cohorts", "localqueues", "multikueueclusters", "resourceflavors", "workloads"}
)
JOBS_ALONE: Final = ("batch/job",)
_ASKED: Final = ("kueue-x-k8s-io", "batch-v1-job")

KINDS: Final = {
    "cohorts": "Cohort",
    "clusterqueues": "ClusterQueue",
    "localqueues": "LocalQueue",
    "resourceflavors": "ResourceFlavor",
    "workloads": "Workload",
    "workloadpriorityclasses": "WorkloadPriorityClass",
    "admissionchecks": "AdmissionCheck",
    "topologies": "Topology",
}


def certificates(folder: Path) -> None:
    """Writes a self-signed certificate for 127.0.0.1: ``tls.crt``, ``tls.key``, ``ca.crt``."""
    folder.mkdir(parents=True, exist_ok=True)
    name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *name]
    subprocess.run(
        [*command, "-keyout", folder / "tls.key", "-out", folder / "tls.crt"], check=True, capture_output=True
    )
    (folder / "ca.crt").write_bytes((folder / "tls.crt").read_bytes())


def configuration(webhook: int, folder: Path, *, fair: bool, frameworks: Sequence[str] = JOBS_ALONE) -> Object:
    """The manager's Configuration."""
    gates = {"VisibilityOnDemand": False, "SparkApplicationIntegration": "sparkoperator" in " ".join(frameworks)}
    found: Object = {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "namespace": NAMESPACE,
        "health": {"healthProbeBindAddress": f"127.0.0.1:{free_port()}"},
        "metrics": {"bindAddress": f"127.0.0.1:{free_port()}"},
        "webhook": {"port": webhook, "certDir": str(folder)},
        "leaderElection": {"leaderElect": False},
        "clientConnection": {"qps": 500, "burst": 1000},
        "internalCertManagement": {"enable": False},
        "integrations": {"frameworks": [*frameworks]},
        "featureGates": gates,
    }
    if fair:
        strategies = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]
        found["fairSharing"] = {"preemptionStrategies": strategies}
    return found


def _certify_metrics() -> None:
    """The certificate that each manager wants in one place; several stages may start at once."""
    _METRICS_CERTIFICATES.mkdir(parents=True, exist_ok=True)
    with (_METRICS_CERTIFICATES / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (_METRICS_CERTIFICATES / "ca.crt").exists():
            certificates(_METRICS_CERTIFICATES)


def client_of(port: int, authority: bytes) -> Object:
    """How the API server calls a webhook on loopback."""
    return {"url": f"https://127.0.0.1:{port}", "caBundle": base64.b64encode(authority).decode()}


def _crd(file: Path, client: Object) -> Object:
    crd: Object = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
    if crd["spec"]["names"]["plural"] in _CONVERTED:
        crd["spec"]["conversion"] = {
            "strategy": "Webhook",
            "webhook": {
                "conversionReviewVersions": ["v1"],
                "clientConfig": {**client, "url": f"{client['url']}/convert"},
            },
        }
    return crd


def part(name: str, release: str = "") -> str:
    """The name of a part of Kueue among the assets; a ``release`` before the usual one has parts of its own."""
    return f"{name}-{release}" if release else name


def _webhooks(client: Object, frameworks: Sequence[str], release: str) -> Iterator[Object]:
    """The webhook configurations for Kueue's kinds and batch Jobs, or all jobs, pointed at loopback."""
    text = (ASSETS / part("kueue-config", release) / "webhooks.yaml").read_text(encoding="utf-8")
    for found in yaml.load_all(text, yaml.CSafeLoader):
        kept = []
        for hook in found["webhooks"]:
            path = hook["clientConfig"]["service"]["path"]
            if frameworks != JOBS_ALONE or any(part in path for part in _ASKED):
                kept.append({**hook, "clientConfig": {**client, "url": f"{client['url']}{path}"}})
        yield {**found, "webhooks": kept}


_USUAL: Final = "0.19.2"


def install(
    server: Server, webhook: int, authority: bytes, frameworks: Sequence[str] = JOBS_ALONE, release: str = ""
) -> None:
    """Creates Kueue's CRDs, its webhook configurations, its namespace, and what names its release."""
    client = client_of(webhook, authority)
    files = sorted((ASSETS / part("kueue-config", release)).glob("kueue*.yaml"))
    server.apply_crds([_crd(file, client) for file in files])
    server.api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    server.api.create(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments", _deployment(release or _USUAL))
    for hooks in _webhooks(client, frameworks, release):
        server.api.create(f"/apis/admissionregistration.k8s.io/v1/{hooks['kind'].lower()}s", hooks)


@contextmanager
def manager(
    server: Server,
    *,
    fair: bool,
    frameworks: Sequence[str] = JOBS_ALONE,
    verbosity: int = 2,
    release: str = "",
    **settings: object,
) -> Iterator[None]:
    """Installs Kueue and runs its manager while the block does. The CRDs of ``frameworks`` are there already.

    ``settings`` are laid over the Configuration. ``release`` names one before the usual one: ``0.17.1``.
    """
    folder, webhook = server.folder / "webhook", free_port()
    certificates(folder)
    _certify_metrics()
    install(server, webhook, (folder / "ca.crt").read_bytes(), frameworks, release)
    config = configuration(webhook, folder, fair=fair, frameworks=frameworks) | settings
    if release:
        config["featureGates"].pop("SparkApplicationIntegration")  # older ones may not know it
    path = server.folder / "kueue.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    data = {"controller_manager_config.yaml": path.read_text(encoding="utf-8")}
    server.api.create(
        f"/api/v1/namespaces/{NAMESPACE}/configmaps", {"metadata": {"name": "kueue-manager-config"}, "data": data}
    )
    command = [str(ASSETS / part("kueue-manager", release)), f"--config={path}", f"--zap-log-level={verbosity}"]
    environment = {"KUBECONFIG": str(server.kubeconfig), "PATH": "/usr/bin:/bin"}
    with process(server.folder, "kueue", *command, env=environment):
        probe = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "probe"}}
        wait_until(lambda: server.api.create(f"{KUEUE}/resourceflavors?dryRun=All", probe), "Kueue's webhooks answer")
        yield


def _deployment(release: str) -> Object:
    """What says in a cluster which release runs; nothing here makes pods of it."""
    container = {"name": "manager", "image": f"registry.k8s.io/kueue/kueue:v{release}"}
    labels = {"control-plane": "controller-manager"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    metadata = {"name": "kueue-controller-manager", "namespace": NAMESPACE}
    return {"metadata": metadata, "spec": {"selector": {"matchLabels": labels}, "template": template}}


def with_samples(given: bytes, api: Api) -> bytes:
    """The state ``given`` with the past usage of LocalQueues as stored now; ``given`` if that is the same."""
    told, now = json.loads(given), {q["metadata"]["uid"]: q for q in api.get(f"{KUEUE}/localqueues")["items"]}
    sampled = False
    for item in told["items"]:
        found = now.get(item["metadata"].get("uid"))
        if item["kind"] == "LocalQueue" and found is not None:
            before, after = (each.get("status", {}).get("fairSharing") for each in (item, found))
            if before != after:
                item["status"]["fairSharing"] = after
                sampled = True
    return json.dumps(told).encode() if sampled else given


def state(api: Api) -> bytes:
    """All that Kueue knows, as ``kubectl get -o json`` would give it: one List."""
    items = [
        *api.items("/api/v1/namespaces", "v1", "Namespace"),
        *api.items(f"/api/v1/namespaces/{NAMESPACE}/configmaps", "v1", "ConfigMap"),
        *api.items("/api/v1/nodes", "v1", "Node"),
        *api.items("/api/v1/pods", "v1", "Pod"),
        *api.items("/api/v1/limitranges", "v1", "LimitRange"),
        *api.items("/apis/batch/v1/jobs", "batch/v1", "Job"),
        *api.items("/apis/apps/v1/deployments", "apps/v1", "Deployment"),
        *api.items("/apis/scheduling.k8s.io/v1/priorityclasses", "scheduling.k8s.io/v1", "PriorityClass"),
    ]
    for plural, kind in KINDS.items():
        items += api.items(f"{KUEUE}/{plural}", "kueue.x-k8s.io/v1beta2", kind)
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()
