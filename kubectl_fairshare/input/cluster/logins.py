"""What the user in the kubeconfig needs before a login, and whether the login succeeded.

Source: Kubernetes, client-go credential plugins (``client.authentication.k8s.io``); OpenID Connect tokens.
"""

import os
import time
from collections.abc import Iterator
from typing import Any, Final

from kubectl_fairshare.input.cluster.kubeconfig import Entry
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json

KUBECONFIG: Final = "kubeconfig"
_PLUGINS: Final = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
_ANOTHER: Final = "install it, or select another user with `--user`"
_TERMINAL: Final = "run it in a terminal, or log in first"
_LOG_IN: Final = "log in again with your provider, until `kubectl auth whoami` works"


def check_before(user: Entry) -> None:
    """Raises ``FairshareError`` where a credential plugin cannot be run."""
    plugin = user.get("exec")
    if isinstance(plugin, dict):
        problems = tuple(_of_plugin(plugin))
        if problems:
            raise FairshareError(*problems)


def _of_plugin(plugin: dict[str, Json]) -> Iterator[Problem]:
    from shutil import which

    command, version = str(plugin.get("command") or ""), str(plugin.get("apiVersion") or "")
    if not command:
        yield Problem("`exec` of the user has no `command`", KUBECONFIG, "fix it, or select another user with `--user`")
        return
    if version not in _PLUGINS:
        remedy = f"write `apiVersion: {_PLUGINS[0]}`, or update the plugin"
        yield Problem(f"credential plugins of `{version}` are no longer supported", KUBECONFIG, remedy)
    if which(command) is None:
        hint = " ".join(str(plugin.get("installHint") or "").split())
        yield Problem(f"the credential plugin `{command}` is missing, or not a program", KUBECONFIG, hint or _ANOTHER)
    if plugin.get("interactiveMode") == "Always" and not _has_terminal():
        yield Problem(f"the credential plugin `{command}` needs input, but there is no terminal", KUBECONFIG, _TERMINAL)


def _has_terminal() -> bool:
    try:
        return os.isatty(0)
    except OSError:
        return False


def check_after(user: Entry, token: str | None) -> None:
    """Raises ``FairshareError`` where an OpenID provider gave no token that holds."""
    provider = user.get("auth-provider")
    if not isinstance(provider, dict):
        return
    name = str(provider.get("name") or "")
    if name != "oidc":
        if token is None:
            remedy = "use a credential plugin (`exec`) instead, as kubectl does since v1.26"
            raise FairshareError(Problem(f"the auth-provider `{name}` returned no credentials", KUBECONFIG, remedy))
        return
    claims = _claims((token or "").partition(" ")[2])
    if claims is None:
        raise FairshareError(Problem("the id-token of the OpenID provider is not a token", KUBECONFIG, _LOG_IN))
    expires = claims.get("exp")
    if isinstance(expires, (int, float)) and expires <= time.time():
        issuer = (provider.get("config") or {}).get("idp-issuer-url")
        message = f"the id-token has expired, and the OpenID provider `{issuer}` returned no new one"
        raise FairshareError(Problem(message, KUBECONFIG, _LOG_IN))


def _claims(token: str) -> dict[str, Any] | None:
    """The claims of a JSON Web Token, unchecked; None for any other text."""
    import base64

    import orjson

    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        found = orjson.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
