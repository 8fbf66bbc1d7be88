"""Requests to an API server, all read-only: a bounded number of attempts, then a clear error.

Tested in ``tests/unit/input/cluster/test_read.py``.
"""

import time
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final
from urllib.parse import quote, urlencode

from kubectl_fairshare import __version__
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.credentials import Credentials, credentials
from kubectl_fairshare.input.cluster.failing import AGAIN, is_hopeless, is_timeout, unreachable
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.http.body import pieces
from kubectl_fairshare.input.http.echoes import without_credentials
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import Value

CONNECTIONS: Final = 6
"""How many requests are under way at once."""
_BUSY: Final = frozenset({429, 500, 502, 503, 504})
_CONNECT: Final = 10.0
_HEADERS: Final = (
    ("Accept", "application/json"),
    ("Accept-Encoding", "gzip"),
    ("User-Agent", f"kubectl-fairshare/{__version__}"),
)


class Refused(Exception):  # noqa: N818 -- an answer of the server, and not always an error
    """An answer other than the thing asked for: ``status`` is its code, ``message`` what the server says."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status, self.message = status, message


class Patience(Value, frozen=True):
    """How often one request is made, and the pauses between, in seconds: doubled each time, up to ``longest``."""

    attempts: int = 5
    first: float = 0.2
    longest: float = 8.0

    def pause(self, attempt: int, wished: float | None) -> float:
        """The pause after the ``attempt``-th failure, from 0; as long as the server wishes, within bounds."""
        return min(self.longest, self.first * 2**attempt if wished is None else max(wished, self.first))


class Connection:
    """One cluster, as one user. Threads may share it.

    ``broken`` is why the cluster could not be asked any more, ``heard`` when it last answered, on the monotonic clock.
    """

    def __init__(self, access: Access, budget: Budget, patience: Patience | None = None) -> None:
        self._credentials: Credentials = credentials(access, CONNECTIONS)
        self._timeout = access.request_timeout
        self._patience = patience or Patience()
        self._budget = budget
        self._lock = Lock()
        self.server = self._credentials.server
        self.broken: FairshareError | None = None
        self.heard = time.monotonic()

    def close(self) -> None:
        """Closes what is not in use."""
        self._credentials.pool.clear()

    def get(self, path: str, query: Mapping[str, str | int] | None = None) -> bytes:
        """The body at a path. Raises ``Refused`` for an error status, ``FairshareError`` without a response."""
        url = f"{self.server}{quote(path)}" + (f"?{urlencode(query)}" if query else "")
        try:
            return self._patiently(url, path)
        except FairshareError as error:
            self.broken = self.broken or error
            raise

    def _patiently(self, url: str, path: str) -> bytes:
        import urllib3

        timeouts = 0
        for attempt in range(self._patience.attempts):
            last = attempt + 1 == self._patience.attempts
            try:
                status, data, wished = self._answer(url)
            except urllib3.exceptions.HTTPError as error:
                timeouts += is_timeout(error)
                if last or timeouts > 1 or self.broken or is_hopeless(error):
                    proxy = self._credentials.configuration.proxy
                    raise FairshareError(unreachable(error, self.server, path, proxy)) from None
                wished = None
            else:
                if status < 300:
                    return data
                if status not in _BUSY or (status == 500 and not _may_pass(data)):
                    raise self._refusal(status, data)
                if last or self.broken:
                    raise FairshareError(self._busy(status, data, path))
            time.sleep(self._patience.pause(attempt, wished))
        raise AssertionError("the last attempt returns or raises")

    def _answer(self, url: str) -> tuple[int, bytes, float | None]:
        """Status, body, and after how many seconds the server wants to be asked again."""
        import urllib3

        limit = self._timeout or None
        timeout = urllib3.Timeout(connect=min(limit or _CONNECT, _CONNECT), read=limit)
        headers = urllib3.HTTPHeaderDict(_HEADERS)
        for name, value in self._credentials.headers():
            headers.add(name, value)
        deadline = time.monotonic() + limit if limit else None
        response = self._credentials.pool.request(
            "GET", url, headers=headers, timeout=timeout, retries=False, redirect=False, preload_content=False
        )
        try:
            data = self._body(response, deadline)
        finally:
            self.heard = time.monotonic()
            response.close()  # one that was read to its end is back in the pool already
        return response.status, data, _seconds(response.headers.get("Retry-After"))

    def _body(self, response: Any, deadline: float | None) -> bytes:
        """The body, decompressed, of no more bytes than may still be read, however little of it comes at a time.

        Other lists are read meanwhile: each piece counts for all of them as it comes, until the body is given up.
        """
        size, found, whole = 0, [], False
        inflate = _Inflating() if response.headers.get("Content-Encoding", "").lower() == "gzip" else None
        try:
            for raw in pieces(response, deadline):
                piece = raw if inflate is None else inflate.inflate(raw, self._budget.left + 1)
                with self._lock:
                    if not self._budget.takes(len(piece)):
                        raise self._budget.exceeded(self.server, f"at least {len(piece):,} bytes")
                found.append(piece)
                size += len(piece)
            if inflate is not None:
                inflate.check_end()
            whole = True
        finally:
            with self._lock:
                self._budget.takes(0 if whole else -size)
        return b"".join(found)

    def _refusal(self, status: int, data: bytes) -> Exception:
        if status == 401:
            remedy = "run `kubectl auth whoami`; if it fails, log in again"
            return FairshareError(Problem("the API server does not accept the credentials", self.server, remedy))
        if 300 <= status < 400:
            remedy = "check `server` in the kubeconfig: it is not an API server, or a login page is in front of it"
            return FairshareError(Problem(f"the server redirects to another address ({status})", self.server, remedy))
        return Refused(status, self._said(data))

    def _said(self, data: bytes) -> str:
        return without_credentials(_message(data), self._credentials.headers())

    def _busy(self, status: int, data: bytes, path: str) -> Problem:
        what = "asks for fewer requests" if status == 429 else "cannot answer"
        reason = self._said(data)
        message = f"the API server {what} ({status}), {self._patience.attempts} times: `{path}`"
        return Problem(message + (f": {reason}" if reason else ""), self.server, AGAIN)


class _Inflating:
    """Decompresses gzip in pieces, within bounds; raises urllib3's ``DecodeError`` for other or truncated data."""

    def __init__(self) -> None:
        import zlib

        self._gzip = zlib.decompressobj(wbits=31)
        self._wrong = zlib.error

    def inflate(self, data: bytes, most: int) -> bytes:
        """What ``data`` goes on with, and no more than ``most`` bytes of it."""
        import urllib3

        try:
            return self._gzip.decompress(data, most)
        except self._wrong as error:
            raise urllib3.exceptions.DecodeError(str(error)) from None

    def check_end(self) -> None:
        """Raises ``DecodeError`` where more was to come."""
        import urllib3

        if not self._gzip.eof:
            raise urllib3.exceptions.DecodeError("the gzip data is truncated")


def _may_pass(data: bytes) -> bool:
    """Whether an internal error may be over soon: an expired or overloaded backend, and not a conversion that fails."""
    return b"conversion webhook" not in data


def _seconds(text: str | None) -> float | None:
    return float(text) if text and text.isdigit() else None


def _message(data: bytes) -> str:
    """The message of a Status; empty for any other body."""
    import orjson

    try:
        status = orjson.loads(data)
    except orjson.JSONDecodeError:
        return ""
    return str(status.get("message") or "") if isinstance(status, dict) else ""
