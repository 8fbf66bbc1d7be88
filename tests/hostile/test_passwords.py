"""No password of an address is in an error: addresses of servers and proxies are printed where they fail."""

import json
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.report.text.problems import problem_lines
from kubectl_fairshare.report.text.view import View
from tests.screens import shown

PASSWORD = "pa55-w0rd"
ADDRESSES = [
    f"http://me:{PASSWORD}@127.0.0.1:9",
    f"https://me:{PASSWORD}@127.0.0.1:9/path",
    f"http://:{PASSWORD}@127.0.0.1:9",
    f"http://{PASSWORD}@127.0.0.1:9",
    f"http://me:a@{PASSWORD}@127.0.0.1:9",
    f"http://me:a/{PASSWORD}@127.0.0.1:9",
    f"http://me:a?{PASSWORD}@127.0.0.1:9",
    f"http://me:a#{PASSWORD}@127.0.0.1:9",
    f"http://me:%40{PASSWORD}%2f@127.0.0.1:9",
    f"socks5://me:{PASSWORD}@127.0.0.1:9",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_problem_shows_no_password(address: str) -> None:
    related = ((f"see {address}", Location("x", 1, 1)),)
    problem = Problem(f"the proxy `{address}` refuses it", address, f"check {address}", related)
    for severity in ("error", "note"):
        lines = problem_lines([problem], View(), severity)
        assert PASSWORD not in lines
        assert "127.0.0.1:9" in lines


@pytest.mark.parametrize("address", ADDRESSES[:3])
def test_a_proxy_that_refuses_is_named_without_its_password(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", address)
    monkeypatch.setenv("no_proxy", "")
    screen = shown("kubectl-fairshare shares -f testdata/demo/kai --prometheus http://prometheus.example")
    assert PASSWORD not in screen.stdout + screen.stderr


UNFINISHED = [
    f"me:{PASSWORD}@127.0.0.1:9",
    f"https://[me:{PASSWORD}@127.0.0.1:9",
    f"https://127.0.0.1:9/?token={PASSWORD}",
    f"https://127.0.0.1:9/#access_token={PASSWORD}",
    f"https://127.0.0.1:9/?a=b&api-key={PASSWORD}",
    f"https://127.0.0.1:9/;password={PASSWORD}",
    f"https://me:{PASSWORD}@127.0.0.1:99999/",
    f"htp://me:{PASSWORD}@127.0.0.1:9",
]
"""Addresses that are none, or hold the password elsewhere."""


def kubeconfig(folder: Path, server: str, **more: Any) -> Path:
    """A kubeconfig of one cluster; ``more`` are its user's fields, and ``proxy`` that of the cluster."""
    cluster = {"server": server, **({"proxy-url": more.pop("proxy")} if "proxy" in more else {})}
    config = {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": more}],
    }
    path = folder / "kubeconfig"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "Config", **config}))
    return path


@pytest.mark.parametrize("way", ["server", "proxy-url", "prometheus", "http_proxy"])
@pytest.mark.parametrize("address", UNFINISHED)
def test_an_address_that_is_none_shows_no_password(
    address: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "")
    words = "-f testdata/demo/kai --prometheus http://prometheus.invalid"
    if way == "http_proxy":
        monkeypatch.setenv("http_proxy", address)
    elif way == "prometheus":
        words = f"-f testdata/demo/kai --prometheus '{address}'"
    else:
        given = (address, "") if way == "server" else ("https://cluster.invalid", address)
        path = kubeconfig(tmp_path, given[0], token="x", **({"proxy": given[1]} if given[1] else {}))
        words = f"--kubeconfig {path}"
    screen = shown(f"kubectl-fairshare shares {words}")
    assert PASSWORD not in screen.stdout + screen.stderr
    assert screen.code == 3, screen


class Echo(BaseHTTPRequestHandler):
    """A server that says what it was sent."""

    def log_message(self, *_: object) -> None:
        """Nothing: the test reads what the program says."""

    def do_GET(self) -> None:
        """Answers as the server's ``way`` says."""
        sent = self.headers.get("Authorization", "")
        bare = b64decode(sent.split()[-1]).decode() if sent.startswith("Basic") else sent
        status = {"kind": "Status", "apiVersion": "v1", "message": f"who is {bare.upper()} {sent}", "reason": sent}
        answer = {"status": "error", "errorType": sent, "error": f"what is {bare} {sent}", "warnings": [bare]}
        way = str(vars(self.server)["way"])
        if way == "no HTTP":
            self.wfile.write(f"HTTP/1.1 {bare} {sent}\r\n\r\n".encode())
        elif way == "page":
            self._send(403, f"<html>{bare} {sent}</html>".encode())
        elif way == "redirect":
            self._send(302, b"", Location=f"http://{bare}@127.0.0.1:9/?token={bare}")
        elif way == "warning":
            self._send(200, json.dumps({**answer, "status": "success", "error": ""}).encode())
        else:
            self._send(int(way), json.dumps({**status, **answer}).encode())

    do_POST = do_GET  # noqa: N815 -- the name that the server looks for

    def _send(self, code: int, body: bytes, **headers: str) -> None:
        self.send_response(code)
        for name, value in {"Content-Length": str(len(body)), "Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause between attempts."""
    monkeypatch.setattr(time, "sleep", lambda _: None)


@pytest.fixture(name="server")
def _server() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("who", ["token", "login", "--token", "prometheus", "--prometheus-token"])
@pytest.mark.parametrize("way", ["no HTTP", "page", "redirect", "warning", "400", "403", "409", "422"])
def test_no_credential_that_a_server_says_again_is_shown(
    way: str, who: str, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    vars(server)["way"] = way
    place = f"127.0.0.1:{server.server_port}"
    user = {"username": "me", "password": PASSWORD} if who == "login" else {"token": PASSWORD}
    words = {
        "--token": f"--server http://{place} --token {PASSWORD}",
        "prometheus": f"-f testdata/demo/kai --prometheus http://me:{PASSWORD}@{place}",
        "--prometheus-token": f"-f testdata/demo/kai --prometheus http://{place} --prometheus-token {PASSWORD}",
    }.get(who) or f"--kubeconfig {kubeconfig(tmp_path, f'http://{place}', **user)}"
    screen = shown(f"kubectl-fairshare shares {words}")
    said = (screen.stdout + screen.stderr).lower()
    assert PASSWORD not in said
    assert b64encode(f"me:{PASSWORD}".encode()).decode().lower() not in said
    assert screen.code == 3, screen
