"""Instant queries to a Prometheus server: the HTTP of it. Only queries are sent, by POST, or GET where that is barred.

No redirect is followed, so that a token goes to the server that was named and to no other.
"""

import re
import socket
import ssl
import time
from base64 import b64encode
from http.client import HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from typing import Final, Never
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlencode, urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

import msgspec

from kubectl_fairshare import __version__
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.model.usage import SECOND

_MOST: Final = 256 << 20
_CHUNK: Final = 1 << 16
_TOKEN: Final = re.compile(r"[!-~]{1,65536}", re.ASCII)
_FORM: Final = "write `http://HOST:9090`, with the path under which Prometheus is served, if any"
_UNREACHED: Final = "check the address and whether the server runs; past usage can also come from `--usage FILE`"
_NOT_ITS: Final = "check the address: it is that of Prometheus itself, without `/api/v1/query`"
_CODES: Final = {
    401: ("asks who you are", "give `--prometheus-token`"),
    403: ("does not let you ask", "give a `--prometheus-token` that may query"),
    404: ("has no query interface here", _NOT_ITS),
    429: ("is asked too much", "ask again later"),
}
_BARRED: Final = frozenset({405, 501})


@dataclass(frozen=True, slots=True)
class Server:
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


@dataclass(frozen=True, slots=True)
class Sample:
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

    Raises ``FairshareError`` for an address that is none.
    """

    def __init__(self, server: Server, seconds: float) -> None:
        self.notes: list[Problem] = []
        self._server, self._seconds = server, seconds
        self._until = time.monotonic() + seconds
        parts = _address(server)
        host = parts.netloc.rpartition("@")[2]
        self._url = urlunsplit((parts.scheme, host, f"{parts.path.rstrip('/')}/api/v1/query", "", ""))
        self._headers = {"Accept": "application/json", "User-Agent": f"kubectl-fairshare/{__version__}"}
        self._headers |= _credentials(server, parts)
        self._opener = _opener(server, parts.scheme)
        self._posts = True

    def vector(self, query: str, now: int) -> list[Sample]:
        """The series that a query gives at a moment. Raises ``FairshareError`` where it gives something else."""
        answer = self._decoded(self._asked(query, now), query)
        self.notes += [Problem(f"Prometheus warns: {_line(text)}", self._server.name) for text in answer.warnings]
        data = answer.data
        if answer.status != "success" or data is None:
            told = _line(answer.error) or "the answer is not marked as a success"
            raise self._wrong(f"Prometheus refuses the query: {told}", f"it was asked `{query}`")
        if data.result_type != "vector":
            message = f"Prometheus answers with a {_line(data.result_type)}, where one value for each series is due"
            raise self._wrong(message, f"it was asked `{query}`")
        try:
            series = msgspec.json.decode(data.result, type=list[_Series])
            return [Sample(each.metric, float(each.value[1])) for each in series]
        except (msgspec.DecodeError, ValueError, RecursionError):
            raise self._wrong("the answer is not Prometheus's: its series cannot be read", _NOT_ITS) from None

    def _decoded(self, body: bytes, query: str) -> _Answer:
        try:
            return msgspec.json.decode(body, type=_Answer)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            message = "the answer is not Prometheus's" if body else "the answer is empty"
            raise self._wrong(f"{message}: it was asked `{query[:60]}…`", _NOT_ITS) from None

    def _asked(self, query: str, now: int) -> bytes:
        form = urlencode({"query": query, "time": f"{now // SECOND}.{now % SECOND // 10**6:03d}"})
        try:
            if self._posts:
                try:
                    return self._sent(Request(self._url, form.encode(), self._headers))
                except HTTPError as error:
                    if error.code not in _BARRED:
                        raise
                    error.close()
                    self._posts = False
            return self._sent(Request(f"{self._url}?{form}", headers=self._headers))
        except HTTPError as error:
            self._refused(error, query)
        except URLError as error:
            reason = error.reason
            self._unreached(reason if isinstance(reason, OSError) else OSError(str(reason)))
        except (OSError, HTTPException) as error:
            self._unreached(error)

    def _sent(self, request: Request) -> bytes:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        with self._opener.open(request, timeout=left) as response:
            return self._read(response)

    def _read(self, response: HTTPResponse) -> bytes:
        """All of an answer; one that trickles in ends with the time that there is."""
        chunks, size = [], 0
        while chunk := response.read1(_CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            if size > _MOST:
                raise self._wrong(f"the answer is larger than {_MOST:,} bytes", "ask for fewer series")
            if time.monotonic() > self._until:
                raise TimeoutError
        if response.length:
            raise IncompleteRead(b"", response.length)
        return b"".join(chunks)

    def _refused(self, error: HTTPError, query: str) -> Never:
        with error:
            try:
                body = error.read(_CHUNK)
            except (OSError, HTTPException):
                body = b""
        if error.code in _CODES:
            message, remedy = _CODES[error.code]
            raise self._wrong(f"the server {message} (HTTP {error.code})", remedy)
        if 300 <= error.code < 400:
            target = _line(str(error.headers.get("Location", "nowhere")))
            raise self._wrong(f"the server sends on to `{target}` (HTTP {error.code})", "name that address")
        told = _reason(body)
        if told:
            raise self._wrong(f"Prometheus refuses the query: {told}", f"it was asked `{query}`")
        raise self._wrong(f"the server answers with HTTP {error.code}", _UNREACHED)

    def _unreached(self, error: Exception) -> Never:
        message, remedy = _told(error, self._seconds)
        raise self._wrong(message, remedy) from None

    def _wrong(self, message: str, remedy: str) -> FairshareError:
        return FairshareError(Problem(message, self._server.name, remedy))


def token_of(text: str) -> str:
    """A token as it was given, or that of a file: ``@FILE``. Raises ``FairshareError`` where it cannot be read."""
    if not text.startswith("@"):
        return text
    return of_file(text[1:], Budget(_CHUNK)).decode("utf-8", "replace").strip()


def _told(error: Exception, seconds: float) -> tuple[str, str]:
    """Why there is no answer, and what to do."""
    if isinstance(error, TimeoutError):
        return f"no full answer within {seconds:g} s", "raise extraParams.usageQueryTimeout of the shard"
    if isinstance(error, ssl.SSLCertVerificationError):
        remedy = "name who signed it with `--prometheus-ca FILE`, or trust any with `--prometheus-insecure`"
        return f"its certificate is not trusted: {_line(error.verify_message)}", remedy
    if isinstance(error, ssl.SSLError):
        return "no secure connection comes about: perhaps it speaks `http://`", _FORM
    if isinstance(error, socket.gaierror):
        return "the name of the host is not known", _UNREACHED
    if isinstance(error, IncompleteRead):
        return "the answer was cut off", "ask again; look at what stands between here and the server"
    if isinstance(error, RemoteDisconnected):
        return "the server hung up without an answer", _UNREACHED
    if isinstance(error, OSError):
        return f"can't be reached: {_line(error.strerror or str(error)).lower()}", _UNREACHED
    return "the server does not speak HTTP here: perhaps it speaks `https://`", _FORM


def _address(server: Server) -> SplitResult:
    """The parts of the address. Raises ``FairshareError`` for what is none."""
    try:
        parts = urlsplit(server.url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        parts.netloc.encode("ascii")
    except ValueError:
        whole = False
    if not whole or parts.query or parts.fragment or not re.fullmatch(r"[!-~]+", server.url):
        raise FairshareError(Problem("this is no address of a Prometheus server", server.name, _FORM))
    return parts


def _credentials(server: Server, parts: SplitResult) -> dict[str, str]:
    if server.token is not None:
        if _TOKEN.fullmatch(server.token) is None:
            message = "the token is empty, or has blanks or other characters that none has"
            raise FairshareError(Problem(message, "--prometheus-token", "give the token alone, or `@FILE`"))
        return {"Authorization": f"Bearer {server.token}"}
    if parts.username is None:
        return {}
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {b64encode(login.encode()).decode()}"}


def _opener(server: Server, scheme: str) -> OpenerDirector:
    """What sends requests. Without a handler for redirects these are answers like others."""
    found = OpenerDirector()
    secured = [HTTPSHandler(context=_context(server))] if scheme == "https" else []
    for handler in (ProxyHandler(), HTTPHandler(), *secured, HTTPDefaultErrorHandler(), HTTPErrorProcessor()):
        found.add_handler(handler)
    return found


def _context(server: Server) -> ssl.SSLContext:
    """Whom to trust. Raises ``FairshareError`` for a file that holds no certificates."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if server.ca is None:
            context.load_default_certs()
        else:
            context.load_verify_locations(server.ca)
    except OSError as error:
        told = "holds no certificate" if isinstance(error, ssl.SSLError) else _line(error.strerror or "").lower()
        remedy = "name a file of certificates in PEM"
        raise FairshareError(Problem(f"can't be used for `--prometheus-ca`: {told}", server.ca, remedy)) from None
    if server.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _reason(body: bytes) -> str:
    """What Prometheus says of a query that it refuses; empty where the answer is not its own."""
    try:
        return _line(msgspec.json.decode(body, type=_Answer).error)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


def _line(text: str) -> str:
    """A foreign text as one line of a message."""
    return "".join(c if c.isprintable() else " " for c in text[:200]).strip()
