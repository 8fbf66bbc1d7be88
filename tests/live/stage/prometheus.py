"""A real Prometheus server on loopback, filled as others fill it: by remote write (protobuf in snappy) over HTTP."""

import struct
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.live.stage.server import ASSETS, free_port, process, wait_until

_LITERAL: Final = 0xF4
"""Snappy: a literal whose length, less one, stands in the next two bytes."""
Labels = Mapping[str, str]


def varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def field(number: int, content: bytes) -> bytes:
    """A field of a message that has a length."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def series(labels: Labels, value: float, at: int) -> bytes:
    """One sample of one series; ``at`` in seconds."""
    named = b"".join(field(1, field(1, k.encode()) + field(2, v.encode())) for k, v in sorted(labels.items()))
    sample = varint(1 << 3 | 1) + struct.pack("<d", value) + varint(2 << 3) + varint(at * 1000)
    return field(1, named + field(2, sample))


def snappy(content: bytes) -> bytes:
    """The content in snappy's format, without any compression."""
    pieces = [content[i : i + 0x10000] for i in range(0, len(content), 0x10000)]
    return varint(len(content)) + b"".join(
        bytes([_LITERAL]) + struct.pack("<H", len(piece) - 1) + piece for piece in pieces
    )


class Filled:
    """The running server; ``url`` is its address."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(self, path: str) -> bytes:
        with self._opener.open(f"{self.url}{path}", timeout=10) as answer:
            return bytes(answer.read())

    def write(self, at: int, samples: Iterable[tuple[Labels, float]]) -> None:
        """Writes one sample of each series; moments must not go back."""
        body = snappy(b"".join(series(labels, value, at) for labels, value in samples))
        headers = {
            "Content-Type": "application/x-protobuf",
            "Content-Encoding": "snappy",
            "X-Prometheus-Remote-Write-Version": "0.1.0",
        }
        request = urllib.request.Request(f"{self.url}/api/v1/write", body, headers)
        with self._opener.open(request, timeout=10) as answer:
            assert answer.status == 204


@contextmanager
def prometheus(folder: Path, *options: str) -> Iterator[int]:
    """Runs the server with its data in ``folder``; its port."""
    port = free_port()
    (folder / "prometheus.yml").write_text("global: {}\n", encoding="utf-8")
    with process(
        folder,
        "prometheus",
        str(ASSETS / "prometheus"),
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        "--storage.tsdb.retention.time=100y",
        f"--web.listen-address=127.0.0.1:{port}",
        "--web.enable-remote-write-receiver",
        *options,
    ):
        yield port


@contextmanager
def filled(folder: Path) -> Iterator[Filled]:
    """An empty server that is ready to be filled."""
    with prometheus(folder) as port:
        server = Filled(port)
        wait_until(lambda: b"Ready" in server.get("/-/ready"), "Prometheus is ready")
        yield server
