"""A small HTTP server on loopback that answers as a test says, for what a real Prometheus does not do at will."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class Asked:
    """One request as it came in."""

    method: str
    path: str
    form: dict[str, list[str]]
    headers: dict[str, str]

    @property
    def query(self) -> str:
        return self.form["query"][0]


Answer = Callable[[Asked, BaseHTTPRequestHandler], None]


@dataclass
class Running:
    """The server's address, and what it was asked."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)


def said(body: Any, code: int = 200, **headers: str) -> Answer:
    """Answers with a document, or with bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(_: Asked, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def vector(*series: tuple[dict[str, str], str], **more: Any) -> dict[str, Any]:
    """A vector as Prometheus gives it."""
    result = [{"metric": labels, "value": [1785931200.123, value]} for labels, value in series]
    return {"status": "success", "data": {"resultType": "vector", "result": result}, **more}


@contextmanager
def prometheus(answer: Answer) -> Iterator[Running]:
    """A server that gives ``answer`` to every request, for as long as the block runs."""
    running = Running()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._take("GET", urlsplit(self.path).query)

        def do_POST(self) -> None:
            self._take("POST", self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _take(self, method: str, form: str) -> None:
            asked = Asked(method, urlsplit(self.path).path, parse_qs(form), dict(self.headers))
            running.asked.append(asked)
            answer(asked, self)

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    running.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
