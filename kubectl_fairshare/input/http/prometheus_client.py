"""Instant queries to a Prometheus server: the HTTP of it. Only queries are sent, by POST, or GET where that is barred.

No redirect is followed, so that a token goes to the server that was named and to no other.
"""

import re
import socket
import ssl
import time
from base64 import b64encode
from functools import cached_property
from http.client import BadStatusLine, LineTooLong, RemoteDisconnected
from typing import Final
from urllib.parse import SplitResult, unquote, urlencode, urlsplit, urlunsplit

import msgspec
import urllib3

from kubectl_fairshare import __version__
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.input.http.body import pieces
from kubectl_fairshare.input.http.echoes import without_credentials
from kubectl_fairshare.input.http.proxies import proxy_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import Value

_MOST: Final = 256 << 20
_SECOND: Final = 10**9
"""In nanoseconds."""
_TOKEN: Final = re.compile(r"[!-~]{1,65536}", re.ASCII)
_FORM: Final = "write `http://HOST:9090`, with the path prefix of Prometheus, if any"
_UNREACHED: Final = "check the address, and that the server runs; `--usage FILE` also gives past usage"
_NOT_ITS: Final = "check the address: use the address of Prometheus itself, without `/api/v1/query`"
_UNSIGNED: Final = "pass the signing authority with `--prometheus-ca FILE`, or accept any with `--prometheus-insecure`"
_CODES: Final = {
    401: ("requires authentication", "pass `--prometheus-token`"),
    403: ("does not allow this query", "pass a `--prometheus-token` that may query"),
    404: ("has no query API at this address", _NOT_ITS),
    429: ("has too many requests", "try again later"),
}
_BARRED: Final = frozenset({405, 501})
_NOT_ITS_FORM: Final = (msgspec.DecodeError, ValueError, RecursionError)


class Server(Value, frozen=True):
    """A server and how to get in. ``ca`` is a file of certificates; ``insecure`` trusts any certificate."""

    url: str
    token: str | None = None
    ca: str | None = None
    insecure: bool = False

    @property
    def name(self) -> str:
        """The address without what is secret in it, for messages."""
        head, at, tail = self.url.rpartition("@")
        return f"{head.partition('://')[0]}://{tail}" if at and "://" in head else self.url


class Sample(Value, frozen=True):
    """One series of an answer."""

    labels: dict[str, str]
    value: float


class _Series(msgspec.Struct):
    metric: dict[str, str]
    value: tuple[float, str]


class _Data(msgspec.Struct, rename="camel"):
    result_type: str
    result: msgspec.Raw


class _Answer(msgspec.Struct, rename="camel"):
    status: str
    data: _Data | None = None
    error: str = ""
    warnings: list[str] = []


class Client:
    """A server that is asked for no longer than ``seconds`` in all; ``notes`` are what it warned of.

    Raises ``FairshareError`` for an invalid address.
    """

    def __init__(self, server: Server, seconds: float) -> None:
        self.notes: list[Problem] = []
        self._server, self._seconds = server, seconds
        self._until = time.monotonic() + seconds
        parts = _address(server)
        host = parts.netloc.rpartition("@")[2]
        self._url = urlunsplit((parts.scheme, host, f"{parts.path.rstrip('/')}/api/v1/query", "", ""))
        self._headers = {"Accept": "application/json", "User-Agent": f"kubectl-fairshare/{__version__}"}
        self._headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._headers |= _credentials(server, parts)
        self._context = _context(server) if parts.scheme == "https" else None
        self._method = "POST"  # until the server bars it

    def vector(self, query: str, now: int) -> list[Sample]:
        """The series that a query gives at a moment. Raises ``FairshareError`` where it gives something else."""
        remedy = f"the query was `{query}`"
        body = self._body(query, now)
        answer = _decoded(body)
        if answer is None:
            what = "the response is not from Prometheus" if body else "the response is empty"
            raise self._wrong(f"{what}: the query was `{query[:60]}…`", _NOT_ITS)
        self.notes += [self._problem(f"Prometheus warns: {_line(text)}", None) for text in answer.warnings]
        data = answer.data
        if answer.status != "success" or data is None:
            reason = _line(answer.error) or "the response is not marked as a success"
            raise self._wrong(f"Prometheus refuses the query: {reason}", remedy)
        if data.result_type != "vector":
            message = f"Prometheus returns a {_line(data.result_type)}; expected one value for each series"
            raise self._wrong(message, remedy)
        try:
            series = msgspec.json.decode(data.result, type=list[_Series])
            return [Sample(each.metric, float(each.value[1])) for each in series]
        except _NOT_ITS_FORM:
            raise self._wrong("the response is not from Prometheus: its series cannot be read", _NOT_ITS) from None

    def _body(self, query: str, now: int) -> bytes:
        """The result of a query. Raises ``FairshareError`` for an error or an empty response."""
        form = urlencode({"query": query, "time": f"{now // _SECOND}.{now % _SECOND // 10**6:03d}"})
        try:
            status, target, body = self._answer(form)
            if self._method == "POST" and status in _BARRED:
                self._method = "GET"
                status, target, body = self._answer(form)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise self._wrong(*_reason(error, self._seconds)) from None
        if status < 300:
            return body
        if status in _CODES:
            message, remedy = _CODES[status]
            raise self._wrong(f"the server {message} (HTTP {status})", remedy)
        if status < 400:
            raise self._wrong(f"the server redirects to `{_line(target)}` (HTTP {status})", "use that address")
        answer = _decoded(body)
        if answer is not None and _line(answer.error):
            raise self._wrong(f"Prometheus refuses the query: {_line(answer.error)}", f"the query was `{query}`")
        raise self._wrong(f"the server returns HTTP {status}", _UNREACHED)

    def _answer(self, form: str) -> tuple[int, str, bytes]:
        """Status, where a redirect leads, and body. Raises urllib3's ``HTTPError``, ``OSError``."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        posts = self._method == "POST"
        response = self._pool.request(
            self._method,
            self._url if posts else f"{self._url}?{form}",
            body=form if posts else None,
            headers=self._headers,
            timeout=urllib3.Timeout(total=left),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        body = b""
        try:
            body = self._read(response)
        except (urllib3.exceptions.HTTPError, OSError):
            if response.status < 300:  # the status of an error is enough
                raise
        finally:
            response.close()
        return response.status, response.headers.get("Location", "nowhere"), body

    def _read(self, response: urllib3.BaseHTTPResponse) -> bytes:
        """All of an answer; one that trickles in ends with the time that there is."""
        body = bytearray()
        for piece in pieces(response, self._until):
            body += piece
            if len(body) > _MOST:
                raise self._wrong(f"the response is larger than {_MOST:,} bytes", "query fewer series")
        return bytes(body)

    @cached_property
    def _pool(self) -> urllib3.PoolManager:
        """The connections to the server, or to the proxy in front of it."""
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        proxy = proxy_of(self._url, None)
        if proxy is None:
            return urllib3.PoolManager(ssl_context=self._context)
        try:
            login = unquote(urlsplit(proxy).netloc.rpartition("@")[0])
            headers = urllib3.make_headers(proxy_basic_auth=login or None)
            return urllib3.ProxyManager(proxy, proxy_headers=headers, ssl_context=self._context)
        except (ValueError, urllib3.exceptions.HTTPError):  # in the words of Python, with the address
            remedy = "check http_proxy, https_proxy and no_proxy"
            raise self._wrong("the environment names a proxy that is not an address", remedy) from None

    def _wrong(self, message: str, remedy: str) -> FairshareError:
        return FairshareError(self._problem(message, remedy))

    def _problem(self, message: str, remedy: str | None) -> Problem:
        return Problem(without_credentials(message, self._headers.items()), self._server.name, remedy)


def token_of(text: str) -> str:
    """A token as it was given, or that of a file: ``@FILE``. Raises ``FairshareError`` where it cannot be read."""
    if not text.startswith("@"):
        return text
    return of_file(text[1:], Budget(1 << 16)).decode("utf-8", "replace").strip()


def _decoded(body: bytes) -> _Answer | None:
    try:
        return msgspec.json.decode(body, type=_Answer)
    except _NOT_ITS_FORM:
        return None


def _reason(error: BaseException, seconds: float) -> tuple[str, str]:
    """Why there is no answer, and what to do."""
    cause = _root(error)
    if isinstance(cause, TimeoutError | urllib3.exceptions.TimeoutError):
        return f"no complete response within {seconds:g}s", "raise extraParams.usageQueryTimeout of the shard"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {_line(cause.verify_message)}", _UNSIGNED
    if isinstance(cause, ssl.SSLError):
        return "cannot make a secure connection: perhaps the server uses `http://`", _FORM
    if isinstance(cause, socket.gaierror):
        return "unknown host name", _UNREACHED
    if isinstance(cause, RemoteDisconnected):
        return "the server closed the connection without a response", _UNREACHED
    if isinstance(cause, OSError):
        return f"cannot be reached: {_line(cause.strerror or str(cause)).lower()}", _UNREACHED
    if isinstance(cause, BadStatusLine | LineTooLong):
        return "the server does not use HTTP at this address: perhaps it uses `https://`", _FORM
    return "the response was cut off", "try again; check proxies between here and the server"


def _root(error: BaseException) -> BaseException:
    """What an error of urllib3 comes from."""
    inner = error.__cause__ or next((each for each in reversed(error.args) if isinstance(each, Exception)), None)
    return error if inner is None else _root(inner)


def _address(server: Server) -> SplitResult:
    """The parts of the address. Raises ``FairshareError`` for an invalid one."""
    try:
        parts = urlsplit(server.url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        parts.netloc.encode("ascii")
    except ValueError:
        whole = False
    if not whole or parts.query or parts.fragment or not re.fullmatch(r"[!-~]+", server.url):
        raise FairshareError(Problem("not an address of a Prometheus server", server.name, _FORM))
    return parts


def _credentials(server: Server, parts: SplitResult) -> dict[str, str]:
    if server.token is not None:
        if _TOKEN.fullmatch(server.token) is None:
            message = "the token is empty, or has blanks or other characters that a token cannot have"
            raise FairshareError(Problem(message, "--prometheus-token", "pass only the token, or `@FILE`"))
        return {"Authorization": f"Bearer {server.token}"}
    if parts.username is None:
        return {}
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {b64encode(login.encode()).decode()}"}


def _context(server: Server) -> ssl.SSLContext:
    """Whom to trust. Raises ``FairshareError`` for a file that holds no certificates."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if server.ca is None:
            context.load_default_certs()
        else:
            context.load_verify_locations(server.ca)
    except OSError as error:
        reason = "contains no certificate" if isinstance(error, ssl.SSLError) else _line(error.strerror or "").lower()
        remedy = "use a file of PEM certificates"
        raise FairshareError(Problem(f"cannot be used for `--prometheus-ca`: {reason}", server.ca, remedy)) from None
    if server.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _line(text: str) -> str:
    """A foreign text as one line of a message."""
    return "".join(c if c.isprintable() else " " for c in text[:200]).strip()
