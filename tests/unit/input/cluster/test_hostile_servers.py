"""Whatever a server sends, or fails to send, it is read within bounds and told in a sentence."""

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from kubectl_fairshare.input.cluster import read as reading
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.connection import Patience
from kubectl_fairshare.input.cluster.read import Query, read_cluster
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers import known_schedulers
from tests.sampling import sampled
from tests.unit.input.cluster.served import KUEUE, Fault, Served, organisation, serving

QUICK: Final = Patience(attempts=3, first=0.001, longest=0.01)
Answer = Callable[[str], Iterator[bytes]]


def head(length: int | str, *more: str, status: str = "200 OK") -> bytes:
    lines = (f"HTTP/1.1 {status}", f"Content-Length: {length}", "Connection: close", *more)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def whole(body: bytes, *more: str, status: str = "200 OK") -> Iterator[bytes]:
    yield head(len(body), *more, status=status) + body


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    """A server that sends what ``answer`` yields for a path, piece by piece, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=accept, args=(listening, answer), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def accept(listening: socket.socket, answer: Answer) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=serve, args=(connection, answer), daemon=True).start()


def serve(connection: socket.socket, answer: Answer) -> None:
    with connection, suppress(OSError):
        asked = b""
        while b"\r\n\r\n" not in asked:
            asked += connection.recv(4096)
        for piece in answer(asked.split()[1].decode()):
            connection.sendall(piece)


def told(tmp_path: Path, server: str, max_input: int = 1 << 20, **access: Any) -> str:
    config = {
        "clusters": [{"name": "c", "cluster": {"server": server}}],
        "contexts": [{"name": "c", "context": {"cluster": "c"}}],
        "current-context": "c",
    }
    path = tmp_path / "kubeconfig"
    path.write_text(yaml.safe_dump(config))
    with pytest.raises(FairshareError) as raised:
        read_cluster(
            Access(kubeconfig=str(path), **access),
            Query("shares", max_input, patience=QUICK),
            schedulers=known_schedulers(),
        )
    (problem,) = raised.value.problems
    assert problem.help
    assert str(problem.place) == server or "stopped answering" in problem.message
    return problem.message


GROUPS: Final = json.dumps({"groups": [{"name": "kueue.x-k8s.io", "versions": [{"version": "v1beta2"}]}]}).encode()


def after_groups(answer: Answer) -> Answer:
    """The same, once discovery is answered."""
    return lambda path: whole(GROUPS) if path == "/apis" else answer(path)


def html(_: str) -> Iterator[bytes]:
    return whole(b"<!doctype html><title>Sign in</title>", "Content-Type: text/html")


def refused_in_html(_: str) -> Iterator[bytes]:
    return whole(b"<h1>Bad gateway</h1>", "Content-Type: text/html", status="502 Bad Gateway")


def cut(_: str) -> Iterator[bytes]:
    yield head(100) + b'{"items": ['


def cut_chunks(_: str) -> Iterator[bytes]:
    yield b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"items"'


def cut_gzip(_: str) -> Iterator[bytes]:
    return whole(gzip.compress(b'{"items": []}' * 100)[:-20], "Content-Encoding: gzip")


def no_gzip(_: str) -> Iterator[bytes]:
    return whole(b"plain", "Content-Encoding: gzip")


def no_http(_: str) -> Iterator[bytes]:
    yield b"SSH-2.0-OpenSSH_9.6\r\n"


def too_large(_: str) -> Iterator[bytes]:
    yield head(1 << 40)
    while True:
        yield b" " * 65536


def bomb(_: str) -> Iterator[bytes]:
    return whole(gzip.compress(b" " * (64 << 20)), "Content-Encoding: gzip")


def endless_headers(_: str) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield b"X-More: " + b"a" * 60000 + b"\r\n"


NO_ANSWERS: tuple[tuple[Answer, str], ...] = (
    (html, "is not JSON"),
    (refused_in_html, "cannot answer (502), 3 times"),
    (cut, "closed in the middle"),
    (cut_chunks, "closed in the middle"),
    (cut_gzip, "cannot be decompressed"),
    (no_gzip, "cannot be decompressed"),
    (no_http, "cannot reach the API server: "),
    (too_large, "the limit for all input is 1,048,576 bytes"),
    (bomb, "the limit for all input is 1,048,576 bytes"),
    (endless_headers, "cannot reach the API server: "),
)


@pytest.mark.parametrize(
    ("when", "answer", "message"),
    [*(("at once", *each) for each in NO_ANSWERS), *sampled((("later", *each) for each in NO_ANSWERS), 4)],
)
def test_an_answer_that_is_none_is_told(tmp_path: Path, when: str, answer: Answer, message: str) -> None:
    with answering(answer if when == "at once" else after_groups(answer)) as server:
        assert message in told(tmp_path, server)


def test_a_body_that_only_trickles_is_given_up(tmp_path: Path) -> None:
    def trickling(_: str) -> Iterator[bytes]:
        yield head(100000)
        while True:
            yield b" "
            time.sleep(0.02)

    with answering(trickling) as server:
        assert "did not answer in time" in told(tmp_path, server, request_timeout=0.3)


def test_headers_that_only_trickle_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trickling(_: str) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nX: "
        while True:
            yield b"a"
            time.sleep(0.05)

    monkeypatch.setattr(reading, "_SLACK", 0.2)
    with answering(trickling) as server:
        assert told(tmp_path, server, request_timeout=0.3) == "the API server stopped answering"


def test_lists_that_are_read_at_once_have_one_bound(served: Served, tmp_path: Path) -> None:
    """Each of them would fit; they come last, and none before both have begun."""
    ordinary, begun = served.answer, threading.Barrier(2)

    def large(path: str, query: dict[str, str]) -> tuple[int, Any]:
        status, body = ordinary(path, query)
        if path.endswith(("/workloads", "/localqueues")):
            begun.wait(20)
            time.sleep(0.5)  # the others are read
            body = {**body, "padding": "x" * 700_000}
        return status, body

    served.answer = large  # type: ignore[method-assign]
    assert "the limit for all input is 1,048,576 bytes" in told(tmp_path, served.address)


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(organisation()) as found:
        yield found


@pytest.mark.parametrize(
    "following",
    [lambda _: "again", lambda query: str(int(query.get("continue", "0")) + 1)],
    ids=["the same page", "empty pages"],
)
def test_a_list_without_an_end_is_given_up(
    served: Served, tmp_path: Path, following: Callable[[dict[str, str]], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ordinary = served.answer
    monkeypatch.setattr("kubectl_fairshare.input.cluster.lists._EMPTY", 20)

    def endless(path: str, query: dict[str, str]) -> tuple[int, Any]:
        if path == f"{KUEUE}/workloads":
            return 200, {"items": [], "metadata": {"continue": following(query)}}
        return ordinary(path, query)

    served.answer = endless  # type: ignore[method-assign]
    assert "`workloads.kueue.x-k8s.io` does not end" in told(tmp_path, served.address)
    assert len([path for path in served.paths if path.endswith("/workloads")]) < 30


def test_a_server_that_wants_a_pause_is_given_one_within_bounds(served: Served, tmp_path: Path) -> None:
    served.faults = [Fault("/cohorts", 429, times=99, headers={"Retry-After": "86400"})]
    begun = time.monotonic()
    assert "asks for fewer requests (429), 3 times" in told(tmp_path, served.address)
    assert time.monotonic() - begun < 30


SHAPES: Final[dict[str, Any]] = {
    "/apis": [{"groups": [1]}, {"groups": "x"}, {"groups": [{"name": 1, "versions": [None]}]}],
    f"{KUEUE}/cohorts": [{"items": 1}, {"items": [1, None, {}]}, {"items": [{"metadata": 1}], "metadata": []}],
    "/version": [{"gitVersion": 1}, {}],
    "/api/v1/namespaces/kueue-system/configmaps/kueue-manager-config": [{}, {"metadata": 1}, {"data": []}],
    "/apis/apps/v1/namespaces/kueue-system/deployments/kueue-controller-manager": [
        {"spec": 1},
        {"spec": {"template": {"spec": {"containers": [1, {"image": 2}]}}}, "metadata": {"labels": 1}},
    ],
}


@pytest.mark.parametrize(("path", "body"), [(path, body) for path, bodies in SHAPES.items() for body in bodies])
def test_json_of_another_shape_is_no_accident(served: Served, tmp_path: Path, path: str, body: Any) -> None:
    ordinary = served.answer
    served.answer = lambda at, query: (  # type: ignore[method-assign, assignment]
        (200, body) if at == path else ordinary(at, query)
    )
    access = Access(kubeconfig=served.kubeconfig(tmp_path))
    with suppress(FairshareError):
        assert (
            read_cluster(access, Query("shares", 1 << 20, patience=QUICK), schedulers=known_schedulers()).extent
            is not None
        )


def test_versions_of_another_make_are_not_compared(served: Served, tmp_path: Path) -> None:
    served.lists[f"{KUEUE}/workloads"][0]["metadata"]["resourceVersion"] = "²"
    access = Access(kubeconfig=served.kubeconfig(tmp_path))
    assert (
        read_cluster(access, Query("shares", 1 << 20, patience=QUICK), schedulers=known_schedulers()).extent is not None
    )


@pytest.mark.parametrize("item", [7, {}, {"metadata": {"name": ["x"]}}, {"metadata": {"name": "x", "namespace": 0.5}}])
def test_an_item_without_a_name_is_not_left_out_of_the_answer(item: Any, tmp_path: Path) -> None:
    served = organisation()
    path = next(path for path in served.lists if path.endswith("/clusterqueues"))
    served.lists[path] = [item]
    with serving(served) as server:
        assert "item 0 of the list of clusterqueues" in told(tmp_path, server.address)
