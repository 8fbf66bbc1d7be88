"""kubeconfig files as kubectl reads them: found, merged, and cut down to the one cluster and user that are asked for.

The first file that sets a value wins, and paths in a file count from its folder.
"""

import os
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import Value

DEFAULT_NAMESPACE: Final = "default"
IN_CLUSTER: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
_LISTS: Final = ("clusters", "users", "contexts")
_PATHS: Final = {
    "clusters": ("certificate-authority",),
    "users": ("client-certificate", "client-key", "tokenFile"),
    "contexts": (),
}
_FILES_REMEDY: Final = "pass manifests with `-f FILE` or `-k DIRECTORY`, or a cluster with `--kubeconfig` or KUBECONFIG"

Entry = dict[str, Json]


class Kubeconfig(Value, frozen=True):
    """All entries of the files that were found, by name. ``files`` are those files; empty without a kubeconfig."""

    files: tuple[str, ...]
    clusters: Mapping[str, Entry]
    users: Mapping[str, Entry]
    contexts: Mapping[str, Entry]
    current: str = ""


class Chosen(Value, frozen=True):
    """The cluster and the user that are asked for, as entries of a kubeconfig, and the namespace of the context.

    ``context`` is the name to show.
    """

    context: str
    cluster: Entry
    user: Entry
    namespace: str = DEFAULT_NAMESPACE


def read(access: Access) -> Kubeconfig:
    """The kubeconfig: ``--kubeconfig``, otherwise the files of KUBECONFIG, otherwise ``~/.kube/config``.

    Raises ``FairshareError`` for a file that was named and cannot be read; files of KUBECONFIG may be missing.
    """
    kinds: dict[str, dict[str, Entry]] = {kind: {} for kind in _LISTS}
    files, current = [], ""
    for path in _candidates(access):
        if access.kubeconfig is None and not os.path.exists(path):
            continue
        document = _document(path)
        files.append(path)
        current = current or str(document.get("current-context") or "")
        for kind in _LISTS:
            for name, entry in _entries(document, kind, path):
                kinds[kind].setdefault(name, entry)
    return Kubeconfig(tuple(files), kinds["clusters"], kinds["users"], kinds["contexts"], current)


def _candidates(access: Access) -> list[str]:
    if access.kubeconfig is not None:
        return [access.kubeconfig]
    named = os.environ.get("KUBECONFIG", "")
    if named:
        return [os.path.expanduser(path) for path in named.split(os.pathsep) if path]
    return [os.path.join(os.path.expanduser("~"), ".kube", "config")]


def _document(path: str) -> Entry:
    import yaml

    try:
        with open(path, encoding="utf-8") as stream:
            found = yaml.load(stream, yaml.CSafeLoader)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FairshareError(Problem(f"cannot read the kubeconfig: {reason}", path, _FILES_REMEDY)) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise FairshareError(Problem(f"the kubeconfig is not YAML: {reason}", path, "fix the file")) from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise FairshareError(Problem("this is not a kubeconfig", path, "check with `kubectl config view`"))
    return found


def _entries(document: Entry, kind: str, path: str) -> Iterator[tuple[str, Entry]]:
    """The named entries of a list, with their paths made absolute."""
    listed = document.get(kind) or ()
    for item in listed if isinstance(listed, list) else ():
        held = item.get(kind[:-1]) if isinstance(item, dict) else None
        if not isinstance(item, dict) or "name" not in item or not isinstance(held, dict | None):
            remedy = f"each entry needs `name` and `{kind[:-1]}`; check with `kubectl config view`"
            raise FairshareError(Problem(f"`{kind}` in the kubeconfig is not a list of named entries", path, remedy))
        entry = dict(held or {})
        folder = os.path.dirname(os.path.abspath(path))
        for field in _PATHS[kind]:
            if isinstance(entry.get(field), str) and entry[field]:
                entry[field] = os.path.normpath(os.path.join(folder, entry[field]))
        _absolute_command(entry, folder)
        yield str(item["name"]), entry


def _absolute_command(entry: Entry, folder: str) -> None:
    """A credential plugin named by a path counts from the folder, one named by a word is looked for in PATH."""
    plugin = entry.get("exec")
    command = plugin.get("command") if isinstance(plugin, dict) else None
    if isinstance(command, str) and os.path.dirname(command):
        entry["exec"] = {**entry["exec"], "command": os.path.normpath(os.path.join(folder, command))}


def is_inside() -> bool:
    """Whether this runs in a pod that may ask its own cluster."""
    address = os.environ.get("KUBERNETES_SERVICE_HOST") and os.environ.get("KUBERNETES_SERVICE_PORT")
    return bool(address) and os.path.exists(os.path.join(IN_CLUSTER, "token"))


def chosen_cluster(access: Access) -> Chosen | None:
    """What the options and the kubeconfig come to; None is the cluster that this runs in.

    Raises ``UsageError`` where there is no cluster to ask, or a name that is not in the kubeconfig.
    """
    config = read(access)
    if access.context is None and not config.current and not access.server and access.cluster is None:
        if access.kubeconfig is None and is_inside():
            return None
        raise UsageError(_nothing(config))
    current = access.context or config.current
    context = _named(config.contexts, current, "context", config)
    cluster, user = (
        _named(entries, given or context.get(kind), kind, config, "" if given else current)
        for kind, given, entries in (("cluster", access.cluster, config.clusters), ("user", access.user, config.users))
    )
    shown = access.context or config.current or access.server or access.cluster or ""
    found = Chosen(
        shown, _cluster(cluster, access), _user(user, access), str(context.get("namespace") or DEFAULT_NAMESPACE)
    )
    if not found.cluster.get("server"):
        raise UsageError(Problem(f"context `{shown}` has no server", "--context", "pass one with `--server`"))
    return found


def _nothing(config: Kubeconfig) -> Problem:
    if config.files:
        remedy = "pass a context with `--context`, or set one with `kubectl config use-context`"
        return Problem("nothing to read: there is no `-f`, and the kubeconfig has no current context", help=remedy)
    remedy = f"{_FILES_REMEDY}; or try `kubectl fairshare demo`"
    return Problem("nothing to read: there is no `-f` and no kubeconfig", help=remedy)


def _named(entries: Mapping[str, Entry], name: Json, kind: str, config: Kubeconfig, context: str = "") -> Entry:
    """The entry of a name; an empty one where none is named. Raises ``UsageError`` for a name without an entry."""
    if not name:
        return {}
    if name not in entries:
        known = ", ".join(f"`{each}`" for each in list(entries)[:5]) or "none"
        place = ", ".join(config.files) or None
        named = f", set in context `{context}`" if context else ""
        raise UsageError(Problem(f"there is no {kind} `{name}`{named}", place, f"`--{kind}` may be: {known}"))
    return entries[str(name)]


def _cluster(entry: Entry, access: Access) -> Entry:
    found = dict(entry)
    if access.server:
        found["server"] = access.server if "://" in access.server else f"https://{access.server}"
    if access.insecure:
        found["insecure-skip-tls-verify"] = True
    if access.certificate_authority:
        found.pop("certificate-authority-data", None)
        found["certificate-authority"] = os.path.abspath(access.certificate_authority)
    return found


def _user(entry: Entry, access: Access) -> Entry:
    if not access.token:
        return _verified(entry)
    kept = {name: entry[name] for name in entry if name.startswith(("client-", "as"))}
    return {**kept, "token": access.token}


def _verified(entry: Entry) -> Entry:
    """The user as kubectl takes it: an OpenID provider's certificate is checked, and its secret may be none."""
    provider = entry.get("auth-provider")
    if not isinstance(provider, dict) or provider.get("name") != "oidc" or not isinstance(provider.get("config"), dict):
        return entry
    config = {"client-secret": "", **provider["config"]}
    if not {"idp-certificate-authority", "idp-certificate-authority-data"} & config.keys():
        import certifi

        config["idp-certificate-authority"] = certifi.where()
    return {**entry, "auth-provider": {**provider, "config": config}}


def namespace_of_context(access: Access) -> str:
    """The namespace for names without one; errors of the kubeconfig are reported when it is used."""
    if access.namespace:
        return access.namespace
    try:
        found = chosen_cluster(access)
    except FairshareError:
        return DEFAULT_NAMESPACE
    if found is not None:
        return found.namespace
    try:
        with open(os.path.join(IN_CLUSTER, "namespace"), encoding="utf-8") as stream:
            return stream.read().strip() or DEFAULT_NAMESPACE
    except OSError:
        return DEFAULT_NAMESPACE
