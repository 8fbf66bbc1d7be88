"""From the kubeconfig to a pool of connections with the credentials of a user.

The kubernetes client does what kubectl does: certificates, tokens, credential plugins, OpenID providers, proxies,
service accounts. A login that is refreshed on the way is used, and not written back.

Tested in ``tests/unit/input/cluster/test_logins.py``.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

from kubectl_fairshare.input.cluster import kubeconfig
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.client_parts import load_parts
from kubectl_fairshare.input.cluster.kubeconfig import Chosen, Entry, chosen_cluster
from kubectl_fairshare.input.cluster.logins import KUBECONFIG, check_after, check_before
from kubectl_fairshare.input.http.proxies import proxy_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.values import Value

_LOGIN: Final = "run `kubectl auth whoami`; if it fails, log in again"


class Credentials(Value):
    """A server and how to be let in. ``pool`` is urllib3's, ``configuration`` the kubernetes client's."""

    server: str
    pool: Any
    configuration: Any
    impersonation: tuple[tuple[str, str], ...]
    lock: Lock

    def headers(self) -> list[tuple[str, str]]:
        """What a request carries to be let in; a token that is about to expire is renewed."""
        with self.lock, _explaining():
            settings = self.configuration.auth_settings().values()
        found = [(s["key"], s["value"]) for s in settings if s.get("in") == "header" and s.get("value")]
        return [*found, *self.impersonation]


def credentials(access: Access, connections: int) -> Credentials:
    """Who we are for the cluster that is asked, over at most so many connections at once.

    Raises ``UsageError`` where no cluster is meant, and ``FairshareError`` where credentials cannot be had.
    """
    found = chosen_cluster(access)
    load_parts()
    from kubernetes.client.configuration import Configuration
    from kubernetes.client.rest import RESTClientObject

    configuration = Configuration()
    configuration.connection_pool_maxsize = connections
    if found is not None:
        check_before(found.user)
    with _explaining():
        if found is None:
            _load_own(configuration)
        else:
            _load(found, configuration)
    if found is not None:
        check_after(found.user, configuration.api_key.get("BearerToken") or configuration.api_key.get("authorization"))
    written = None if found is None else found.cluster.get("proxy-url")
    configuration.proxy, configuration.no_proxy = proxy_of(configuration.host, written), None
    if not configuration.verify_ssl:
        import urllib3

        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
    try:
        pool = RESTClientObject(configuration).pool_manager
    except (ValueError, OSError) as error:
        raise _unusable(str(error)) from None
    user = {} if found is None else found.user
    return Credentials(configuration.host, pool, configuration, tuple(_impersonation(access, user)), Lock())


def _load_own(configuration: Any) -> None:
    """The service account of the pod that this runs in."""
    from kubernetes.config.incluster_config import InClusterConfigLoader

    token, authority = (os.path.join(kubeconfig.IN_CLUSTER, name) for name in ("token", "ca.crt"))
    loader = InClusterConfigLoader(token_filename=token, cert_filename=authority)  # type: ignore[no-untyped-call]
    loader.load_and_set(configuration)  # type: ignore[no-untyped-call]


def _load(found: Chosen, configuration: Any) -> None:
    from kubernetes.config.kube_config import KubeConfigLoader

    document = {
        "current-context": "chosen",
        "contexts": [{"name": "chosen", "context": {"cluster": "chosen", "user": "chosen"}}],
        "clusters": [{"name": "chosen", "cluster": found.cluster}],
        "users": [{"name": "chosen", "user": found.user}],
    }
    loader = KubeConfigLoader(document, config_base_path="")  # type: ignore[no-untyped-call]
    loader.load_and_set(configuration)  # type: ignore[no-untyped-call]


class _Complaints(logging.Handler):
    """Keeps what the client only logs, where it goes on without credentials."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def _explaining() -> Iterator[None]:
    """Makes a ``FairshareError`` of whatever keeps credentials from being had."""
    from kubernetes.config.config_exception import ConfigException

    root, complaints = logging.getLogger(), _Complaints()
    others = root.handlers[:]
    root.handlers[:] = [complaints]
    try:
        yield
    except OSError as error:
        reason = f"`{error.filename}`: {error.strerror.lower()}" if error.filename and error.strerror else str(error)
        raise _unusable(reason) from None
    except (ConfigException, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unusable(str(error)) from None
    except _of_provider() as error:
        raise _unusable(f"the OpenID provider returned none: {error}") from None
    finally:
        root.handlers[:] = others
    if complaints.said:
        raise _unusable("; ".join(complaints.said))


def _of_provider() -> tuple[type[Exception], ...]:
    """What the client raises if an OpenID provider refuses, or cannot be reached."""
    from kubernetes.client.exceptions import ApiException
    from oauthlib.oauth2 import OAuth2Error
    from urllib3.exceptions import HTTPError

    return ApiException, OAuth2Error, HTTPError


def _unusable(reason: str) -> FairshareError:
    text = " ".join(reason.split()).rstrip(".")
    return FairshareError(Problem(f"cannot get credentials for the cluster: {text}", KUBECONFIG, _LOGIN))


def _impersonation(access: Access, user: Entry) -> Iterator[tuple[str, str]]:
    """Whom the API server is asked to take us for: what the options say, otherwise the kubeconfig."""
    name = access.as_user or user.get("as")
    groups = access.as_groups or (() if access.as_user else user.get("as-groups") or ())
    if name:
        yield "Impersonate-User", str(name)
        if not access.as_user and user.get("as-uid"):
            yield "Impersonate-Uid", str(user["as-uid"])
    for group in groups:
        yield "Impersonate-Group", str(group)
    if name and not access.as_user:
        from urllib.parse import quote

        for key, values in sorted((user.get("as-user-extra") or {}).items()):
            yield from ((f"Impersonate-Extra-{quote(key, safe='')}", str(value)) for value in values)
