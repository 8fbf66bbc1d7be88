"""Queries over HTTP: what is sent, and what is made of every kind of answer."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from kubectl_fairshare.input.http.prometheus_client import Client, Sample, Server, token_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from tests.unit.input.prometheus_server import Answer, Asked, prometheus, said, vector

NOW = 1785931200_123_456_789
QUERY = "sum_over_time((m)[1w:1m])"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def asked(server: Server, seconds: float = 60) -> list[Sample]:
    return Client(server, seconds).vector(QUERY, NOW)


def problem(server: Server, seconds: float = 60) -> Problem:
    with pytest.raises(FairshareError) as caught:
        asked(server, seconds)
    (found,) = caught.value.problems
    assert found.help
    return found


def told(answer: Answer, seconds: float = 60) -> str:
    with prometheus(answer) as running:
        found = problem(Server(running.url), seconds)
        assert found.place == running.url
        return found.message


def test_a_query_is_posted_with_its_moment() -> None:
    with prometheus(said(vector(({"queue_name": "a"}, "1.5"), ({}, "2")))) as running:
        found = asked(Server(f"{running.url}/", token="t0ken"))
    assert found == [Sample({"queue_name": "a"}, 1.5), Sample({}, 2.0)]
    (one,) = running.asked
    assert (one.method, one.path) == ("POST", "/api/v1/query")
    assert one.form == {"query": [QUERY], "time": ["1785931200.123"]}
    assert one.headers["Authorization"] == "Bearer t0ken"
    assert one.headers["User-Agent"].startswith("kubectl-fairshare/")


def test_a_path_before_the_interface_is_kept_and_nothing_is_told_without_a_token() -> None:
    with prometheus(said(vector())) as running:
        assert asked(Server(f"{running.url}/prometheus/")) == []
    (one,) = running.asked
    assert one.path == "/prometheus/api/v1/query"
    assert "Authorization" not in one.headers


@pytest.mark.parametrize("code", [405, 501])
def test_where_post_is_barred_the_query_is_got(code: int) -> None:
    def answer(of: Asked, handler: BaseHTTPRequestHandler) -> None:
        (said(b"no", code) if of.method == "POST" else said(vector(({}, "3"))))(of, handler)

    with prometheus(answer) as running:
        client = Client(Server(running.url), 5)
        assert [client.vector(QUERY, NOW)[0].value for _ in range(2)] == [3.0, 3.0]
    assert [one.method for one in running.asked] == ["POST", "GET", "GET"]
    assert running.asked[1].form == {"query": [QUERY], "time": ["1785931200.123"]}


def test_a_name_and_a_password_in_the_address_are_sent_and_never_shown() -> None:
    with prometheus(said({}, 403)) as running:
        address = running.url.replace("http://", "http://anna:s%40crt@")
        found = problem(Server(address))
    assert running.asked[0].headers["Authorization"] == "Basic YW5uYTpzQGNydA=="
    assert found.place == running.url


def test_warnings_are_passed_on() -> None:
    with prometheus(said(vector(warnings=["partial\nresponse"]))) as running:
        client = Client(Server(running.url), 5)
        client.vector(QUERY, NOW)
    assert [note.message for note in client.notes] == ["Prometheus warns: partial response"]


def test_no_redirect_is_followed() -> None:
    with prometheus(said(vector())) as other, prometheus(said(b"", 302, Location=f"{other.url}/x")) as running:
        found = problem(Server(running.url, token="secret"))
        assert found.message == f"the server redirects to `{other.url}/x` (HTTP 302)"
        assert other.asked == []


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ({"status": "error", "errorType": "bad_data", "error": "parse error"}, 400, "refuses the query: parse error"),
        ({"status": "error", "error": "too many samples"}, 422, "refuses the query: too many samples"),
        ({"status": "error", "error": "odd"}, 200, "refuses the query: odd"),
        ({"status": "success"}, 200, "not marked as a success"),
        (b"<html>login</html>", 200, "not from Prometheus"),
        (b"", 200, "empty"),
        (b"\xff\xfe", 200, "not from Prometheus"),
        (b"[" * 100_000, 200, "not from Prometheus"),
        (b'{"status":' + b'{"a":' * 50_000, 200, "not from Prometheus"),
        (b"[1]", 200, "not from Prometheus"),
        (
            b'{"status": "success", "data": {"resultType": "vector", "result": ' + b"[" * 90_000,
            200,
            "not from Prometheus",
        ),
        (b"sorry", 503, "HTTP 503"),
        (b"who", 401, "requires authentication"),
        (b"no", 403, "does not allow this query"),
        (b"page", 404, "no query API at this address"),
        (b"slow down", 429, "too many requests"),
    ],
)
def test_another_answer_is_told_as_what_it_is(body: object, code: int, message: str) -> None:
    assert message in told(said(body, code))


@pytest.mark.parametrize("kind", ["matrix", "scalar", "string"])
def test_an_answer_of_another_type_is_named(kind: str) -> None:
    answer = {"status": "success", "data": {"resultType": kind, "result": []}}
    assert f"returns a {kind}" in told(said(answer))


@pytest.mark.parametrize("result", [{}, [1], [{"metric": {}}], [{"metric": {}, "value": [1, "x"]}], [{"metric": 1}]])
def test_series_of_another_form_are_refused(result: object) -> None:
    answer = {"status": "success", "data": {"resultType": "vector", "result": result}}
    assert "series cannot be read" in told(said(answer))


def cut(headers: bytes) -> Answer:
    def answer(_: Asked, handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(headers)

    return answer


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nhalf", "the response was cut off"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhalf", "the response was cut off"),
        (b"", "closed the connection without a response"),
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", "does not use HTTP"),
        (b"HTTP/1.0 200 OK\r\n" + b"x" * 70_000, "does not use HTTP"),
    ],
)
def test_an_answer_that_is_cut_or_none_is_told(sent: bytes, message: str) -> None:
    assert message in told(cut(sent))


def test_a_slow_answer_ends_with_the_time_that_there_is() -> None:
    waiting = threading.Event()

    def silent(_: Asked, __: BaseHTTPRequestHandler) -> None:
        waiting.wait(20)

    def trickling(_: Asked, handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
        while not waiting.wait(0.02):
            handler.wfile.write(b" ")

    for answer in (silent, trickling):
        try:
            assert told(answer, 0.3) == "no complete response within 0.3s"
        finally:
            waiting.set()
            waiting.clear()
    waiting.set()


def test_time_that_is_used_up_is_none_for_the_next_query() -> None:
    with prometheus(said(vector())) as running:
        client = Client(Server(running.url), 0.0)
        with pytest.raises(FairshareError, match="no complete response"):
            client.vector(QUERY, NOW)
    assert running.asked == []


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """A socket that ``serve`` answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=(server,), daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join(5)


def test_https_to_a_server_without_is_told() -> None:
    def plain(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")

    with listening(plain) as port:
        assert "cannot make a secure connection" in problem(Server(f"https://127.0.0.1:{port}")).message


def test_nobody_at_the_address_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert problem(Server(f"http://127.0.0.1:{port}")).message == "cannot be reached: connection refused"


def test_an_unknown_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert "unknown host name" in problem(Server("http://nowhere.invalid:9090")).message


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://host", "host:9090", "http://", "http://host:x", "http://host:0", "http://host:99999", ""),
        *("http://h/?q=1", "http://h/#a", "http://[::1", "http://a b", "http://höst", "http://h\n", "http://u:p@"),
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_sent(url: str) -> None:
    assert "not an address of a Prometheus server" in problem(Server(url)).message


@pytest.mark.parametrize("token", ["", "a b", "a\nX-Evil: 1", "é"])
def test_what_is_no_token_is_refused_and_not_shown(token: str) -> None:
    found = problem(Server("http://127.0.0.1:1", token=token))
    assert found.place == "--prometheus-token"
    assert not token or token not in found.message


def test_a_token_may_stand_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("abc\n", encoding="utf-8")
    assert token_of(f"@{path}") == "abc"
    assert token_of("abc") == "abc"
    with pytest.raises(FairshareError, match="no such file"):
        token_of(f"@{tmp_path}/none")


def test_a_file_without_certificates_is_told(tmp_path: Path) -> None:
    empty = tmp_path / "ca.pem"
    empty.write_text("nothing", encoding="utf-8")
    assert "contains no certificate" in problem(Server("https://127.0.0.1:1", ca=str(empty))).message
    assert "no such file" in problem(Server("https://127.0.0.1:1", ca=f"{tmp_path}/none")).message
