"""A gate before Kueue's scheduler: while it is shut, the scheduler stands still, and all else goes on.

A workload that never fits is put into a queue of its own. Kueue's scheduler writes so into its status, and waits for
the API server, which asks a webhook of ours first: that answers once the gate opens.
"""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Final

from tests.live.stage.kueue import KUEUE, certificates, client_of
from tests.live.stage.organisation import API
from tests.live.stage.server import Api, Object, Server, wait_until

NAMESPACE: Final = "gate"
_JOBS: Final = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"
_LONGEST: Final = 28.0


class Gate:
    """Open at first."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._number = 0
        self._plug = ""
        self._held = Event()
        self._open = Event()
        self._stood = True

    def hold(self, review: Object) -> None:
        """Waits while the gate is shut, if this is what the scheduler says of the plug."""
        conditions = review["request"]["object"].get("status", {}).get("conditions") or ()
        names = review["request"]["name"].startswith(f"job-{self._plug}-")
        if self._plug and names and any("insufficient quota" in c.get("message", "") for c in conditions):
            self._held.set()
            self._stood = self._open.wait(_LONGEST)

    def shut(self) -> None:
        """Returns when the scheduler stands still: in the last act of a cycle."""
        self._number += 1
        self._stood = True
        self._held.clear()
        self._open.clear()
        self._plug = f"plug-{self._number}"
        container = {"name": "main", "image": "none", "resources": {"requests": {"cpu": str(self._number)}}}
        labels = {"kueue.x-k8s.io/queue-name": NAMESPACE}
        spec = {"suspend": True, "template": {"spec": {"restartPolicy": "Never", "containers": [container]}}}
        body = {"apiVersion": "batch/v1", "kind": "Job", "spec": spec}
        self._api.create(_JOBS, {**body, "metadata": {"namespace": NAMESPACE, "name": self._plug, "labels": labels}})
        assert self._held.wait(60), "the scheduler did not come to the gate"

    def remove_plug(self) -> None:
        """Takes the plug away behind the scheduler's back: it never comes up again."""
        path = f"{KUEUE}/namespaces/{NAMESPACE}/workloads"
        self._api.delete(f"{_JOBS}/{self._plug}?propagationPolicy=Background")
        for found in self._api.get(path)["items"]:
            self._api.merge(f"{path}/{found['metadata']['name']}", {"metadata": {"finalizers": None}})
            self._api.delete(f"{path}/{found['metadata']['name']}")

    def open(self) -> bool:
        """Lets the scheduler go on; false where it had not waited for that."""
        self._plug = ""
        self._open.set()
        return self._stood


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    gate: Gate

    def log_message(self, *_: Any) -> None:
        return

    def do_POST(self) -> None:
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.gate.hold(review)
        response = {"uid": review["request"]["uid"], "allowed": True}
        body = json.dumps({"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def gate(server: Server) -> Iterator[Gate]:
    """Builds a gate before the scheduler of the Kueue that runs on ``server``."""
    folder = server.folder / "gate"
    certificates(folder)
    made = Gate(server.api)
    listener = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"gate": made}))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "tls.crt", folder / "tls.key")
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    thread = Thread(target=listener.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        _install(server.api, client_of(listener.server_address[1], (folder / "ca.crt").read_bytes()))
        yield made
    finally:
        made.open()
        listener.shutdown()
        listener.server_close()
        thread.join()


def _install(api: Api, client: Object) -> None:
    """The queue for plugs, and the webhook that is asked before anything is written of one."""
    api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    api.create(f"{KUEUE}/resourceflavors", {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": "gate"}})
    flavors = [{"name": "gate", "resources": [{"name": "cpu", "nominalQuota": "0"}]}]
    spec = {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["cpu"], "flavors": flavors}]}
    api.create(
        f"{KUEUE}/clusterqueues",
        {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": "gate"}, "spec": spec},
    )
    queue = {"metadata": {"name": NAMESPACE, "namespace": NAMESPACE}, "spec": {"clusterQueue": "gate"}}
    path = f"{KUEUE}/namespaces/{NAMESPACE}/localqueues"
    api.create(path, {"apiVersion": API, "kind": "LocalQueue", **queue})
    rule = {"apiGroups": ["kueue.x-k8s.io"], "apiVersions": ["*"], "operations": ["UPDATE"]}
    hook = {
        "name": "gate.fairshare.dev",
        "rules": [{**rule, "resources": ["workloads/status"], "scope": "Namespaced"}],
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": NAMESPACE}},
        "clientConfig": {**client, "url": f"{client['url']}/hold"},
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "timeoutSeconds": 30,
        "failurePolicy": "Ignore",
    }
    place = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    kind = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration"}
    api.create(place, {**kind, "metadata": {"name": "gate"}, "webhooks": [hook]})
    wait_until(lambda: _is_served(api.get(f"{path}/{NAMESPACE}")), "the gate's queue is active")


def _is_served(queue: Object) -> bool:
    conditions = queue.get("status", {}).get("conditions") or ()
    return any(c["type"] == "Active" and c["status"] == "True" for c in conditions)
