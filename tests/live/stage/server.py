"""A real kube-apiserver with a real etcd, on loopback, for as long as a test run."""

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import yaml

ASSETS: Final = Path(os.environ.get("KUBEBUILDER_ASSETS") or Path.home() / ".cache" / "kubectl-fairshare" / "assets")
ADMIN: Final = "admin-token"
_STARTS_WITHIN: Final = 90.0

Object = dict[str, Any]


class ApiError(Exception):
    """An answer of the API server that is no success; ``status`` is its code."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"{status}: {body[:400]}")
        self.status = status
        self.body = body


class Api:
    """Requests to the API server as one user, with JSON in and out."""

    def __init__(self, port: int, token: str = ADMIN) -> None:
        self.port = port
        self._token = token
        self._context = ssl._create_unverified_context()
        self._connection: http.client.HTTPSConnection | None = None

    def request(
        self, method: str, path: str, body: Object | list[Object] | None = None, kind: str = "application/json"
    ) -> Object:
        """One request; raises ``ApiError`` for a refusal and ``OSError`` for a server that does not answer."""
        status, text = self._sent(method, path, None if body is None else json.dumps(body), kind)
        if status >= 400:
            raise ApiError(status, text)
        return dict(json.loads(text)) if text.startswith("{") else {"text": text}

    def _sent(self, method: str, path: str, body: str | None, kind: str) -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind, "Accept": "application/json"}
        for attempt in (1, 2):
            if self._connection is None:
                self._connection = http.client.HTTPSConnection(
                    "127.0.0.1", self.port, context=self._context, timeout=30
                )
            try:
                self._connection.request(method, path, body, headers)
                answer = self._connection.getresponse()
                return answer.status, answer.read().decode()
            except (http.client.HTTPException, ConnectionError):
                self._connection.close()
                self._connection = None
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def get(self, path: str) -> Object:
        return self.request("GET", path)

    def create(self, path: str, body: Object) -> Object:
        return self.request("POST", path, body)

    def merge(self, path: str, body: Object) -> Object:
        return self.request("PATCH", path, body, "application/merge-patch+json")

    def edit(self, path: str, operations: list[Object]) -> Object:
        return self.request("PATCH", path, operations, "application/json-patch+json")

    def delete(self, path: str) -> None:
        with suppress(ApiError):
            self.request("DELETE", path)

    def items(self, path: str, api_version: str, kind: str) -> list[Object]:
        """The objects of a list, each with what it is."""
        return [{"apiVersion": api_version, "kind": kind, **item} for item in self.get(path)["items"]]


class Server:
    """The running pair, with a folder for all that it writes: data, certificates, logs, the audit log.

    ``command`` starts the API server, which may be stopped for a while.
    """

    def __init__(self, folder: Path, port: int, command: Sequence[str] = ()) -> None:
        self.folder = folder
        self.port = port
        self.api = Api(port)
        self._command = command
        self._running = ExitStack()

    def start(self) -> None:
        """Starts the API server, and waits until it is ready."""
        self._running.enter_context(process(self.folder, "kube-apiserver", *self._command))
        wait_until(lambda: self.api.get("/readyz")["text"] == "ok", "the API server is ready")

    def stop(self) -> None:
        """Stops the API server, but not what it stores in."""
        self.api.close()
        self._running.close()

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig of the administrator."""
        return kubeconfig(self.folder / "kubeconfig", self.port, ADMIN)

    def apply_crds(self, crds: Sequence[Object]) -> None:
        """Creates CustomResourceDefinitions and waits until they are served."""
        names = []
        for crd in crds:
            self.api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
            names.append(crd["metadata"]["name"])
        for name in names:
            wait_until(lambda name=name: self._established(name), f"{name} is served")

    def _established(self, name: str) -> bool:
        status = self.api.get(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}").get("status", {})
        return any(c["type"] == "Established" and c["status"] == "True" for c in status.get("conditions") or ())


def kubeconfig(path: Path, port: int, token: str) -> Path:
    """Writes a kubeconfig for a bearer of ``token``."""
    cluster = {"server": f"https://127.0.0.1:{port}", "insecure-skip-tls-verify": True}
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "live", "cluster": cluster}],
        "users": [{"name": "live", "user": {"token": token}}],
        "contexts": [{"name": "live", "context": {"cluster": "live", "user": "live"}}],
        "current-context": "live",
    }
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


def wait_until(holds: Any, what: str, seconds: float = _STARTS_WITHIN) -> None:
    """Waits until ``holds()``; raises ``TimeoutError`` naming ``what`` when it does not come true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(OSError, ApiError, http.client.HTTPException):
            if holds():
                return
        time.sleep(0.05)
    raise TimeoutError(f"not within {seconds:.0f} s: {what}")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def missing(*programs: str) -> str:
    """What of the programs, etcd or openssl is not there; empty when all is."""
    absent = [str(ASSETS / name) for name in programs if not (ASSETS / name).exists()]
    return ", ".join(absent + ([] if shutil.which("openssl") else ["openssl"]))


@contextmanager
def process(folder: Path, name: str, *command: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs while the block does; what it prints goes to ``<name>.log``."""
    with (folder / f"{name}.log").open("wb") as log:
        running = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL, **more)
        try:
            yield running
        finally:
            running.terminate()
            with suppress(subprocess.TimeoutExpired):
                running.wait(20)
            running.kill()
            running.wait()


def certificate(folder: Path, user: str) -> tuple[Path, Path]:
    """A certificate and its key, by which the server in ``folder`` knows ``user``."""
    key, request, signed = (folder / f"{user}.{end}" for end in ("key", "csr", "crt"))
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={user}", "-keyout", key, "-out", request)
    authority = ("-CA", folder / "clients.crt", "-CAkey", folder / "clients.key", "-CAcreateserial")
    openssl("x509", "-req", "-in", request, *authority, "-days", "2", "-out", signed)
    return signed, key


def openssl(*words: str | Path) -> None:
    """Runs openssl; raises ``CalledProcessError`` where it fails."""
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


@contextmanager
def server(folder: Path, users: Sequence[str] = ()) -> Iterator[Server]:
    """Starts etcd and kube-apiserver in ``folder``, and stops them. The token of one of ``users`` is ``NAME-token``."""
    etcd, peer, port = free_port(), free_port(), free_port()
    tokens = "".join(f"{user}-token,{user},{user}\n" for user in users)
    (folder / "tokens.csv").write_text(f'{ADMIN},admin,admin,"system:masters"\n{tokens}')
    clients = ("-keyout", folder / "clients.key", "-out", folder / "clients.crt")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=clients", *clients)
    (folder / "audit.yaml").write_text("apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n")
    key = str(folder / "service-account.key")
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
    urls = f"http://127.0.0.1:{etcd}"
    command = (
        str(ASSETS / "kube-apiserver"),
        f"--etcd-servers={urls}",
        f"--secure-port={port}",
        "--bind-address=127.0.0.1",
        f"--cert-dir={folder / 'certificates'}",
        f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}",
        "--service-account-issuer=https://live",
        f"--token-auth-file={folder / 'tokens.csv'}",
        f"--client-ca-file={folder / 'clients.crt'}",
        "--authorization-mode=RBAC",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--disable-admission-plugins=ServiceAccount",
        f"--audit-policy-file={folder / 'audit.yaml'}",
        f"--audit-log-path={folder / 'audit.log'}",
    )
    storage = (
        str(ASSETS / "etcd"),
        "--unsafe-no-fsync",
        f"--data-dir={folder / 'etcd'}",
        f"--listen-client-urls={urls}",
        f"--advertise-client-urls={urls}",
        f"--listen-peer-urls=http://127.0.0.1:{peer}",
    )
    started = Server(folder, port, command)
    with process(folder, "etcd", *storage):
        try:
            started.start()
            yield started
        finally:
            started.stop()
