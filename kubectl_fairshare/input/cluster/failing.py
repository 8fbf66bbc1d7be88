"""Why a server gave no answer, told with what would help."""

from typing import Final

from kubectl_fairshare.model.errors import Problem

AGAIN: Final = "see whether `kubectl get --raw /readyz` works, then ask again"
_MORE_TIME: Final = "give it more time with `--request-timeout`, or see whether `kubectl get --raw /readyz` works"
_UNTRUSTED: Final = "name the authority that signed it with `--certificate-authority`, or mend the kubeconfig"
_SECURE: Final = {
    "is encrypted": (
        "the client's private key is encrypted",
        "decrypt it (`openssl pkey -in KEY -out FILE`) and name that file in `client-key`, as kubectl wants it, too",
    ),
    "key values mismatch": (
        "the client's certificate and key do not belong together",
        "look at `client-certificate` and `client-key` of the user in the kubeconfig",
    ),
    "pem lib": (
        "the client's certificate or key can't be read",
        "look at `client-certificate` and `client-key` of the user in the kubeconfig",
    ),
    "no certificate or crl found": (
        "the certificate authority can't be read",
        "look at `certificate-authority` of the cluster in the kubeconfig",
    ),
    "certificate has expired": ("the server's certificate has expired", "have it renewed; or see whether clocks agree"),
    "not yet valid": ("the server's certificate is not valid yet", "see whether clocks agree"),
    "mismatch": (
        "the server's certificate is for another name",
        "name the server as its certificate does, or set `tls-server-name` of the cluster in the kubeconfig",
    ),
    "not valid for": (
        "the server's certificate is for another name",
        "name the server as its certificate does, or set `tls-server-name` of the cluster in the kubeconfig",
    ),
    "wrong version number": ("the server speaks no TLS", "look at `server` of the kubeconfig: is it `http://`?"),
    "record layer failure": ("the server speaks no TLS", "look at `server` of the kubeconfig: is it `http://`?"),
    "certificate required": ("the server wants a client's certificate", "name a user that has one with `--user`"),
    "self-signed": ("nobody here trusts the server's certificate", _UNTRUSTED),
    "self signed": ("nobody here trusts the server's certificate", _UNTRUSTED),
    "unable to get": ("nobody here trusts the server's certificate", _UNTRUSTED),
}
"""By what the library says of a connection: what that means, and what would help. The first that fits is told."""


def unreachable(error: Exception, server: str, path: str, proxy: str | None) -> Problem:
    """What kept a request from being answered."""
    import urllib3

    reason = _reason(error)
    if isinstance(error, urllib3.exceptions.ProxyError):
        remedy = "look at `proxy-url` of the kubeconfig, HTTPS_PROXY and NO_PROXY"
        return Problem(f"the proxy `{proxy}` does not let us through: {reason}", server, remedy)
    if isinstance(error, urllib3.exceptions.SSLError):
        said = str(error).lower().replace("_", " ")
        told, remedy = next((each for sign, each in _SECURE.items() if sign in said), (reason, _UNTRUSTED))
        return Problem(f"no secure connection to the API server: {told}", server, remedy)
    if is_timeout(error):
        return Problem(f"the API server does not answer in time: `{path}`", server, _MORE_TIME)
    if isinstance(error, urllib3.exceptions.DecodeError):
        return Problem(f"the answer to `{path}` can't be decompressed", server, AGAIN)
    if isinstance(error, urllib3.exceptions.IncompleteRead | urllib3.exceptions.InvalidChunkLength) or _is_cut(error):
        return Problem(f"the connection was cut in the middle of the answer to `{path}`", server, AGAIN)
    return Problem(f"the API server can't be reached: {reason}: `{path}`", server, AGAIN)


def _is_cut(error: Exception) -> bool:
    return "IncompleteRead" in str(error) or "InvalidChunkLength" in str(error)


def is_timeout(error: Exception) -> bool:
    """Whether nobody answered in time; urllib3 counts a connection that was refused among those."""
    import urllib3

    refused = isinstance(error, urllib3.exceptions.NewConnectionError)
    return isinstance(error, urllib3.exceptions.TimeoutError) and not refused


def is_hopeless(error: Exception) -> bool:
    """Whether asking again will not help: a certificate that is not trusted, a name that nobody knows."""
    import urllib3

    hopeless = urllib3.exceptions.SSLError | urllib3.exceptions.LocationValueError | urllib3.exceptions.ProxyError
    return isinstance(error, hopeless) or "resolve" in str(error) or "Name or service" in str(error)


def _reason(error: Exception) -> str:
    """What went wrong, without addresses of objects in memory."""
    cause: BaseException = error
    while isinstance(cause.__cause__, Exception):
        cause = cause.__cause__
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror.lower()
    told = str(error.args[-1] if error.args else error)
    return told.rpartition(": ")[2].strip("'\")(.").lower() or type(error).__name__
