"""A proxy on loopback before a real API server, that spoils single answers as told."""

import http.client
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

from tests.live.stage.server import ADMIN

_STATUS: Final = b'{"kind":"Status","apiVersion":"v1","status":"Failure","message":"spoilt","code":%d}'


@dataclass
class Spoilt:
    """What becomes, so many times, of requests that hold ``at``: a status, or none: then the line is cut.

    ``then`` is called first.
    """

    at: str
    status: int = 0
    times: int = 1
    headers: dict[str, str] = field(default_factory=dict)
    then: Callable[[], None] | None = None


class Proxy:
    """What passes through, and what is yet to be spoilt."""

    def __init__(self, upstream: int) -> None:
        self.upstream = upstream
        self.spoil: list[Spoilt] = []
        self.asked: list[str] = []
        self.port = 0

    def take(self, path: str) -> Spoilt | None:
        """What is to become of a request; each is spoilt in its turn."""
        self.asked.append(path)
        for each in self.spoil:
            if each.at in path and each.times > 0:
                each.times -= 1
                return each
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    proxy: Proxy

    def log_message(self, *_: Any) -> None:
        return

    def do_GET(self) -> None:
        spoilt = self.proxy.take(self.path)
        if spoilt is not None:
            if spoilt.then is not None:
                spoilt.then()
            if not spoilt.status:
                self.close_connection = True
                return
            self._send(spoilt.status, spoilt.headers, _STATUS % spoilt.status)
            return
        try:
            self._forward()
        except OSError:
            self.close_connection = True

    def _forward(self) -> None:
        upstream = http.client.HTTPSConnection(
            "127.0.0.1", self.proxy.upstream, context=ssl._create_unverified_context(), timeout=30
        )
        upstream.request("GET", self.path, headers={"Authorization": f"Bearer {ADMIN}", "Accept": "application/json"})
        answer = upstream.getresponse()
        self._send(answer.status, {"Content-Type": "application/json"}, answer.read())
        upstream.close()

    def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def proxy(upstream: int) -> Iterator[Proxy]:
    """Runs one while the block does."""
    found = Proxy(upstream)
    handler = type("Handler", (_Handler,), {"proxy": found})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        served.daemon_threads = True
        found.port = served.server_port
        Thread(target=served.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield found
        finally:
            served.shutdown()
