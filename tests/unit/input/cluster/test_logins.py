"""Credential plugins and OpenID providers: what they give is used, and what they fail to give is told."""

import base64
import json
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
import yaml

from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.credentials import credentials
from kubectl_fairshare.model.errors import FairshareError, Problem
from tests.unit.input.cluster.certificates import certificate, needs_openssl, of_server

pytestmark = [
    # what older releases of the Kubernetes client do: temporary files are left to the collector, and urllib3 warns
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings(r"ignore:HTTPResponse\.getheaders:DeprecationWarning"),
]
V1: Final = "client.authentication.k8s.io/v1"
V1BETA1: Final = "client.authentication.k8s.io/v1beta1"
Configured = Callable[..., str]


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    """Writes a kubeconfig with such a user."""

    def writing(**user: Any) -> str:
        config = {
            "clusters": [{"name": "c", "cluster": {"server": "https://cluster.invalid"}}],
            "users": [{"name": "u", "user": user}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "c",
        }
        path = tmp_path / "kubeconfig"
        path.write_text(yaml.safe_dump(config))
        return str(path)

    return writing


def program(folder: Path, script: str) -> str:
    path = folder / "login"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return str(path)


def answer(version: str, **status: str) -> str:
    return f"echo '{json.dumps({'apiVersion': version, 'kind': 'ExecCredential', 'status': status})}'"


def authorization(kubeconfig: str) -> str:
    return dict(credentials(Access(kubeconfig=kubeconfig), 1).headers())["authorization"]


def failure(kubeconfig: str) -> Problem:
    with pytest.raises(FairshareError) as raised:
        credentials(Access(kubeconfig=kubeconfig), 1)
    (problem,) = raised.value.problems
    assert problem.help
    return problem


@pytest.mark.parametrize("version", [V1, V1BETA1])
def test_a_plugin_gets_its_arguments_and_gives_a_token(configured: Configured, tmp_path: Path, version: str) -> None:
    command = program(tmp_path, answer(version, token="'$1-$WHO'"))
    plugin = {"apiVersion": version, "command": command, "args": ["one"], "env": [{"name": "WHO", "value": "me"}]}
    assert authorization(configured(exec=plugin)) == "Bearer one-me"


PLUGINS: Final = {
    "echo 'log in first' >&2; exit 3": "log in first",
    "echo garbage": "failed to decode process output",
    "echo '[]'": "malformed response",
    "true": "failed to decode process output",
    answer(V1BETA1, token="t"): f"plugin api version {V1BETA1} does not match {V1}",
    answer(V1): "missing token or clientCertificateData",
    answer(V1, clientCertificateData="x"): "missing clientKeyData",
}


@pytest.mark.parametrize(("script", "told"), PLUGINS.items())
def test_a_plugin_that_gives_nothing_useful_is_told(
    configured: Configured, tmp_path: Path, script: str, told: str
) -> None:
    problem = failure(configured(exec={"apiVersion": V1, "command": program(tmp_path, script)}))
    assert problem.message.startswith("cannot get credentials for the cluster: ")
    assert told in problem.message


def test_a_plugin_that_is_not_there_is_told_with_the_hint_of_the_kubeconfig(configured: Configured) -> None:
    plugin = {"apiVersion": V1, "command": "no-such-login"}
    assert "`no-such-login` is missing" in failure(configured(exec=plugin)).message
    hinted = {**plugin, "installHint": "brew install\nno-such-login"}
    assert failure(configured(exec=hinted)).help == "brew install no-such-login"


def test_a_plugin_that_is_no_program_is_told(configured: Configured, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("echo")
    assert "or not a program" in failure(configured(exec={"apiVersion": V1, "command": "./text"})).message


def test_a_plugin_that_wants_a_terminal_is_not_run_without(
    configured: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = program(tmp_path, f"touch {tmp_path}/ran; {answer(V1, token='t')}")
    kubeconfig = configured(exec={"apiVersion": V1, "command": command, "interactiveMode": "Always"})
    monkeypatch.setattr("os.isatty", lambda _: False)
    assert "there is no terminal" in failure(kubeconfig).message
    assert not (tmp_path / "ran").exists()
    monkeypatch.setattr("os.isatty", lambda _: True)
    assert authorization(kubeconfig) == "Bearer t"


def test_a_plugin_of_a_version_that_is_gone_is_told(configured: Configured, tmp_path: Path) -> None:
    plugin = {"apiVersion": "client.authentication.k8s.io/v1alpha1", "command": program(tmp_path, "true")}
    assert "v1alpha1` are no longer supported" in failure(configured(exec=plugin)).message


def test_a_plugin_without_a_command_is_told(configured: Configured) -> None:
    assert "has no `command`" in failure(configured(exec={"apiVersion": V1})).message


def test_a_file_of_a_token_that_is_missing_is_told(configured: Configured) -> None:
    assert failure(configured(tokenFile="gone")).message.endswith("gone`: no such file or directory")
    assert "does not exist" in failure(configured(**{"client-certificate": "gone", "client-key": "gone"})).message


@pytest.mark.parametrize("name", ["azure", "openstack"])
def test_a_provider_that_is_gone_is_told(configured: Configured, name: str) -> None:
    problem = failure(configured(**{"auth-provider": {"name": name, "config": {}}}))
    assert f"`{name}` returned no credentials" in problem.message


def token(expires: float) -> str:
    """A JSON Web Token that nobody signed."""
    parts: tuple[dict[str, Any], ...] = ({"alg": "none"}, {"exp": int(expires), "iss": "here"}, {})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)


OLD, NEW = token(time.time() - 3600), token(time.time() + 86400)


@dataclass
class Provider:
    """An OpenID provider on loopback; ``tokens`` is what it answers for a new token, with a status."""

    tokens: tuple[int, dict[str, str]]
    discovery: int = 200
    address: str = ""
    asked: list[str] = field(default_factory=list)

    def answer(self, path: str, body: str) -> tuple[int, dict[str, str]]:
        self.asked.append(f"{path} {body}")
        if path == "/token":
            return self.tokens
        return self.discovery, {"token_endpoint": f"{self.address}/token"}


@contextmanager
def providing(provider: Provider, signed: Path, key: Path) -> Iterator[Provider]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            return

        def do_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            status, told = provider.answer(self.path, body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(told).encode())

        do_GET = do_POST = do_any  # noqa: N815 -- as http.server looks for them

    with HTTPServer(("127.0.0.1", 0), Handler) as served:
        served.socket = of_server(signed, key).wrap_socket(served.socket, server_side=True)
        provider.address = f"https://127.0.0.1:{served.server_port}"
        Thread(target=served.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield provider
        finally:
            served.shutdown()


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return certificate(tmp_path_factory.mktemp("provider"))


def user_of(provider: Provider, authority: Path | None, **more: str) -> dict[str, Any]:
    config = {"idp-issuer-url": provider.address, "client-id": "me", "id-token": OLD, "refresh-token": "again", **more}
    if authority is not None:
        config["idp-certificate-authority-data"] = base64.b64encode(authority.read_bytes()).decode()
    return {"auth-provider": {"name": "oidc", "config": config}}


@needs_openssl
def test_an_expired_token_is_renewed_and_not_written_back(configured: Configured, signed: tuple[Path, Path]) -> None:
    with providing(Provider((200, {"id_token": NEW, "access_token": "a", "token_type": "bearer"})), *signed) as idp:
        kubeconfig = configured(**user_of(idp, signed[0]))
        before = Path(kubeconfig).read_bytes()
        assert authorization(kubeconfig) == f"Bearer {NEW}"
        assert Path(kubeconfig).read_bytes() == before
    assert any("refresh_token=again" in each for each in idp.asked)


@needs_openssl
def test_a_token_that_holds_is_not_renewed(configured: Configured, signed: tuple[Path, Path]) -> None:
    with providing(Provider((500, {})), *signed) as idp:
        assert authorization(configured(**user_of(idp, signed[0], **{"id-token": NEW}))) == f"Bearer {NEW}"
    assert idp.asked == []


@needs_openssl
@pytest.mark.parametrize(
    ("provider", "told"),
    [
        (Provider((400, {"error": "invalid_grant", "error_description": "session over"})), "session over"),
        (Provider((400, {"error": "invalid_client"})), "returned no"),
        (Provider((200, {"access_token": "a", "token_type": "bearer"})), "id_token"),
        (Provider((200, {"id_token": OLD, "access_token": "a", "token_type": "bearer"})), "returned no new one"),
        (Provider((200, {}), discovery=404), "returned no"),
        (Provider((200, {}), discovery=503), "returned no"),
    ],
)
def test_a_provider_that_gives_no_new_token_is_told(
    configured: Configured, signed: tuple[Path, Path], provider: Provider, told: str
) -> None:
    with providing(provider, *signed) as idp:
        assert told in failure(configured(**user_of(idp, signed[0]))).message


@needs_openssl
def test_a_provider_that_nobody_trusts_or_that_is_away_is_told(
    configured: Configured, signed: tuple[Path, Path]
) -> None:
    with providing(Provider((200, {})), *signed) as idp:
        kubeconfig = configured(**user_of(idp, None))
        assert "the OpenID provider returned none" in failure(kubeconfig).message
    assert "the OpenID provider returned none" in failure(kubeconfig).message


def test_an_expired_token_that_cannot_be_renewed_is_told(configured: Configured) -> None:
    config = {"idp-issuer-url": "https://idp.invalid", "client-id": "me", "id-token": OLD}
    kubeconfig = configured(**{"auth-provider": {"name": "oidc", "config": config}})
    assert failure(kubeconfig).message.startswith("cannot get credentials for the cluster: ")


def test_a_token_that_is_none_is_told(configured: Configured) -> None:
    config = {"idp-issuer-url": "https://idp.invalid", "client-id": "me", "id-token": "x"}
    problem = failure(configured(**{"auth-provider": {"name": "oidc", "config": config}}))
    assert problem.message == "the id-token of the OpenID provider is not a token"
