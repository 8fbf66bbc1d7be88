"""Why a server did not answer, and what would help.

Tested in ``tests/unit/input/cluster/test_read.py``.
"""

from typing import Final

from kubectl_fairshare.model.errors import Problem

AGAIN: Final = "run `kubectl get --raw /readyz`; when it works, try again"
_MORE_TIME: Final = "raise `--request-timeout`, or check with `kubectl get --raw /readyz`"
_UNTRUSTED: Final = "pass the signing authority with `--certificate-authority`, or fix the kubeconfig"
_SECURE: Final = {
    "is encrypted": (
        "the client's private key is encrypted",
        "decrypt it (`openssl pkey -in KEY -out FILE`) and set `client-key` to that file; kubectl needs this too",
    ),
    "key values mismatch": (
        "the client certificate and key do not match",
        "check `client-certificate` and `client-key` of the user in the kubeconfig",
    ),
    "pem lib": (
        "the client certificate or key cannot be read",
        "check `client-certificate` and `client-key` of the user in the kubeconfig",
    ),
    "no certificate or crl found": (
        "the certificate authority cannot be read",
        "check `certificate-authority` of the cluster in the kubeconfig",
    ),
    "certificate has expired": (
        "the server's certificate has expired",
        "renew it, or check the clocks of both machines",
    ),
    "not yet valid": ("the server's certificate is not valid yet", "check the clocks of both machines"),
    "mismatch": (
        "the server's certificate is for another name",
        "use the name in the certificate, or set `tls-server-name` of the cluster in the kubeconfig",
    ),
    "not valid for": (
        "the server's certificate is for another name",
        "use the name in the certificate, or set `tls-server-name` of the cluster in the kubeconfig",
    ),
    "wrong version number": (
        "the server does not use TLS",
        "check `server` in the kubeconfig: perhaps it is `http://`",
    ),
    "record layer failure": (
        "the server does not use TLS",
        "check `server` in the kubeconfig: perhaps it is `http://`",
    ),
    "certificate required": ("the server requires a client certificate", "select a user that has one with `--user`"),
    "self-signed": ("the certificate of the server is not trusted", _UNTRUSTED),
    "self signed": ("the certificate of the server is not trusted", _UNTRUSTED),
    "unable to get": ("the certificate of the server is not trusted", _UNTRUSTED),
}
"""Messages of the library about a connection: the meaning, and what would help. The first match is reported."""


def unreachable(error: Exception, server: str, path: str, proxy: str | None) -> Problem:
    """What kept a request from being answered."""
    import urllib3

    reason = _reason(error)
    if isinstance(error, urllib3.exceptions.ProxyError):
        remedy = "check `proxy-url` in the kubeconfig, HTTPS_PROXY and NO_PROXY"
        return Problem(f"the proxy `{proxy}` refuses the connection: {reason}", server, remedy)
    if isinstance(error, urllib3.exceptions.SSLError):
        said = str(error).lower().replace("_", " ")
        meaning, remedy = next((each for sign, each in _SECURE.items() if sign in said), (reason, _UNTRUSTED))
        return Problem(f"no secure connection to the API server: {meaning}", server, remedy)
    if is_timeout(error):
        return Problem(f"the API server did not answer in time: `{path}`", server, _MORE_TIME)
    if isinstance(error, urllib3.exceptions.DecodeError):
        return Problem(f"the response to `{path}` cannot be decompressed", server, AGAIN)
    if isinstance(error, urllib3.exceptions.IncompleteRead | urllib3.exceptions.InvalidChunkLength) or _is_cut(error):
        return Problem(f"the connection closed in the middle of the response to `{path}`", server, AGAIN)
    return Problem(f"cannot reach the API server: {reason}: `{path}`", server, AGAIN)


def _is_cut(error: Exception) -> bool:
    return "IncompleteRead" in str(error) or "InvalidChunkLength" in str(error)


def is_timeout(error: Exception) -> bool:
    """Whether there was no response in time; urllib3 counts a refused connection among those."""
    import urllib3

    refused = isinstance(error, urllib3.exceptions.NewConnectionError)
    return isinstance(error, urllib3.exceptions.TimeoutError) and not refused


def is_hopeless(error: Exception) -> bool:
    """Whether a new attempt will not help: a certificate that is not trusted, an unknown name."""
    import urllib3

    hopeless = urllib3.exceptions.SSLError | urllib3.exceptions.LocationValueError | urllib3.exceptions.ProxyError
    return isinstance(error, hopeless) or "resolve" in str(error) or "Name or service" in str(error)


def _reason(error: Exception) -> str:
    """What went wrong, without addresses of objects in memory."""
    from http.client import BadStatusLine, LineTooLong

    cause: BaseException = error
    while isinstance(cause.__cause__, Exception):
        cause = cause.__cause__
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror.lower()
    if isinstance(cause, BadStatusLine | LineTooLong) or any(isinstance(e, BadStatusLine) for e in error.args):
        return "it does not answer in HTTP"  # and may say what it was sent
    text = str(error.args[-1] if error.args else error)
    return text.rpartition(": ")[2].strip("'\")(.").lower() or type(error).__name__
