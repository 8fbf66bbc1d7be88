"""Removes what no decision needs from objects: secrets always, and names on request.

Names become pseudonyms that are in the same order as the names, so that whatever is decided by name is decided
alike. Equal strings become equal pseudonyms everywhere, so references still match.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from kubectl_fairshare.input.known import Unredacted
from kubectl_fairshare.input.snapshot.kept import (
    GATES,
    KEYS_OF_LABELS,
    LABELS,
    SPEAKING,
    ReadWords,
    is_identifier,
    is_key,
    is_plain,
    label_keys,
    other_texts,
    parts_of,
    said_of,
)
from kubectl_fairshare.model.json import Json

NOTHING: Final = "redacted"
_SECRET: Final = frozenset(
    {"env", "envFrom", "envVars", "runtimeEnvYAML", "sparkConf", "hadoopConf", "httpHeaders", "managedFields"}
)
_FREE: Final = frozenset(
    {
        *(
            "args",
            "arguments",
            "command",
            "description",
            "entrypoint",
            "javaOptions",
            "lifecycle",
            "rayStartParams",
            "volumeMounts",
        ),
        *("livenessProbe", "readinessProbe", "startupProbe"),
    }
)
_SETTINGS: Final = frozenset({"args", "arguments"})
"""What is a mapping in objects that configure a scheduler, and a list where it is said to a program."""
_WHEREABOUTS: Final = frozenset(
    {
        *("addresses", "containerID", "daemonEndpoints", "hostAliases", "hostIPs", "hostname", "imageID", "images"),
        *("imagePullSecrets", "nodeInfo", "podCIDR", "podCIDRs", "podIP", "podIPs", "providerID", "serviceAccount"),
        *("serviceAccountName", "subdomain", "volumesAttached", "volumesInUse"),
    }
)
"""Facts about machines and users that no scheduler reads."""
_ADDRESSES: Final = frozenset({"connectionString", "externalPrometheusUrl", "image"})
"""Fields for which only their presence matters."""
_HELD_IN: Final = {"Secret": ("data", "stringData"), "ConfigMap": ("data", "binaryData")}
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_COPY: Final = re.compile(r'\A\s*\{.*"(?:spec|data|stringData|template)"|\A(?:H4sI|kind:|apiVersion:)', re.DOTALL)
"""How the text of an annotation looks that holds an object, as many tools keep a copy of what they applied."""
_LOGIN: Final = re.compile(r"(?<=://)[^/@\s]+@")
_READ_ANNOTATIONS: Final = ("fairshare.dev/", "scheduling.")
"""How annotations begin that this program reads, whatever the scheduler."""
_NAMED_BY: Final = frozenset(
    {
        *(
            "clusterQueue",
            "cohort",
            "cohortName",
            "displayName",
            "generateName",
            "localQueue",
            "name",
            "namespace",
            "nodeName",
        ),
        *("parent", "parentName", "parentQueue", "priorityClassName", "queue", "queueName", "topologyName"),
    }
)
_NAMING: Final = frozenset({"metadata", "ownerReferences", "involvedObject", "admission", "spec", "nominated"})
"""Under which a field of ``_NAMED_BY`` names an object; under ``containers``, say, it does not."""
_FIXED_FIELDS: Final = frozenset(
    {"apiVersion", "controllerName", "kind", "operator", "reason", "resourceVersion", "schedulerName", "type", "uid"}
)
_NEVER_HIDDEN: Final = frozenset({"apiVersion", "kind"})
_FIXED_WORDS: Final = frozenset(
    {
        *("default", "kube-system", "kube-public", "kube-node-lease", "default-scheduler", "system-cluster-critical"),
        *("system-node-critical", "true", "false", "main"),
        *("binpack", "cron", "lca", "non-preemptible", "preemptible", "queue", "sliding", "spread", "tumbling"),
    }
)
_AMOUNT: Final = re.compile(r"[-+.0-9]+(?:[eE][-+]?[0-9.]+)?(?:[numkMGTPE]|[KMGTPE]i)?")
_WORD: Final = re.compile(r"[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?")
_DOMAINS: Final = ("k8s.io", "kubernetes.io")
_PIVOT: Final = "default"


class Redaction(StrEnum):
    """How much is taken out. Values of environment variables and secrets never stay."""

    NONE = "none"
    NAMES = "names"
    ALL = "all"


def without_secrets(value: Json, redaction: Redaction, spared: Unredacted) -> Json:
    """An object without what no decision needs: never environments and secrets; commands and images only with NONE."""
    kept = ((name, held) for name, held in value.items() if not _goes(name, value, redaction))
    found = {name: _kept(name, held, redaction, spared) for name, held in kept}
    gates = [] if redaction is Redaction.NONE else _gates(value)
    return {**found, "args": gates} if gates else found


def _gates(container: Mapping[str, Json]) -> list[Json]:
    """The feature gates among the arguments of a container: they decide, and are the same words everywhere."""
    lists = (container.get(name) for name in ("command", "args"))
    words = (word for each in lists if isinstance(each, list) for word in each if isinstance(word, str))
    return [word for word in words if GATES.fullmatch(word)]


def _kept(name: str, held: Json, redaction: Redaction, spared: Unredacted) -> Json:
    """What is left of a field that does not go."""
    if isinstance(held, str):
        if name in _ADDRESSES and redaction is not Redaction.NONE:
            return NOTHING
        return _LOGIN.sub("", held) if "://" in held else held
    if isinstance(held, list):
        items = held if name != "volumes" or redaction is Redaction.NONE else _claims(held)
        return [_kept("", item, redaction, spared) for item in items]
    if not isinstance(held, dict):
        return held
    if name == "annotations":
        return _annotations(held, redaction, spared)
    if name in LABELS:  # keys are free: `env`, for example
        return held
    secret = _HELD_IN.get(str(held.get("kind")), ())  # an object that another one wraps
    return without_secrets({n: inner for n, inner in held.items() if n not in secret}, redaction, spared)


def _goes(name: str, holder: Mapping[str, Json], redaction: Redaction) -> bool:
    if name in _SECRET:
        return True
    if redaction is Redaction.NONE:
        return False
    if name in _SETTINGS and isinstance(holder[name], dict):
        return False
    return name in _FREE or name in _WHEREABOUTS or (name == "hostIP" and "containerPort" not in holder)


def _claims(volumes: list[Json]) -> list[Json]:
    """The volumes that claim storage, renamed: a decision depends on whether there are some."""
    found: list[Json] = []
    for number, volume in enumerate(volumes):
        if isinstance(volume, dict) and volume.get("ephemeral"):
            found.append({"name": f"v{number}", "ephemeral": volume["ephemeral"]})
        elif isinstance(volume, dict) and volume.get("persistentVolumeClaim"):
            found.append({"name": f"v{number}", "persistentVolumeClaim": {"claimName": NOTHING}})
    return found


def _annotations(held: Mapping[str, Json], redaction: Redaction, spared: Unredacted) -> dict[str, Json]:
    """The annotations that a program reads; without redaction all except copies of objects, as these hold secrets."""
    if redaction is Redaction.NONE:
        return {name: text for name, text in held.items() if name != _LAST_APPLIED and not _COPY.search(str(text))}
    read = (*_READ_ANNOTATIONS, *spared.annotations)
    return {name: text for name, text in held.items() if name.startswith(read)}


class Pseudonyms:
    """Pseudonyms for all names in some objects, in the same order as the names.

    With ``labels`` the values of labels that are not Kubernetes' own have one, too; so has, with the words that
    are ``read``, every other text.
    """

    def __init__(
        self, objects: Iterable[Json], spared: Unredacted, *, labels: bool, read: ReadWords | None = None
    ) -> None:
        found: set[str] = set()
        others: set[str] = set()
        resources: set[str] = set()
        self._read = read
        objects = list(objects)
        self._keys = frozenset(key for each in objects for key in label_keys(each))
        for each in objects:
            found.update(_names(each, ()))
            resources.update(_resources(each))
            if read is not None:
                others.update(other_texts(each, read, spared.domains, self._keys, labels=labels))
            if labels:
                found.update(_label_values(each, (*_DOMAINS, *spared.domains)))
        fixed = _FIXED_WORDS | spared.words | resources
        found.update(others)
        self._fixed = fixed if read is None else fixed | read.words
        words = sorted(w for w in found if w and w not in fixed and not _AMOUNT.fullmatch(w.strip()))
        width = len(str(len(words)))
        self.of: Mapping[str, str] = {
            word: f"{'a' if word < _PIVOT else 'n'}-{number:0{width}}" for number, word in enumerate(words)
        }

    def hide(self, value: Json, field: str = "") -> Json:
        """The value with every name in it replaced; in a message every word that is a name."""
        if isinstance(value, dict):
            return {name: self.hide(held, name) for name, held in value.items()}
        if isinstance(value, list):
            return [self.hide(item, field) for item in value]
        if not isinstance(value, str) or (field in _FIXED_FIELDS and self._is_of_the_api(field, value)):
            return value
        if field in SPEAKING:
            return self.hide_in(value)
        known = value in self.of or value in self._fixed or is_key(value, field, self._keys)
        if known or self._read is None or field in KEYS_OF_LABELS:
            return self.of.get(value, value)
        return "/".join(self.of.get(part, part) for part in parts_of(value))

    def _is_of_the_api(self, field: str, value: str) -> bool:
        """Whether a text is one that no user makes up: a kind, a reason, an identifier made by chance."""
        if self._read is None or field in _NEVER_HIDDEN or is_identifier(value, field):
            return True
        return is_plain(value, self._read)

    def hide_in(self, text: str) -> str:
        """A text for people with every word in it replaced that is a name; unknown words go, if words are known."""
        if self._read is not None:
            return said_of(text, self.of, self._read)
        return _WORD.sub(lambda match: self.of.get(match[0], match[0]), text)


def _names(value: Json, path: tuple[str, ...]) -> Iterator[str]:
    """The names of objects: their own, and those that references hold."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item, path)
    elif isinstance(value, dict):
        for name, held in value.items():
            if isinstance(held, str):
                if name in _NAMED_BY and (not path or path[-1] in _NAMING):
                    yield held
            else:
                yield from _names(held, (*path, name))


def _resources(value: Json) -> Iterator[str]:
    """The names of resources: they are the same everywhere, and stay."""
    if isinstance(value, list):
        for item in value:
            yield from _resources(item)
    elif isinstance(value, dict):
        for name, held in value.items():
            if name in ("requests", "limits", "capacity", "allocatable", "min", "max", "hard") and isinstance(
                held, dict
            ):
                yield from held
            elif name == "coveredResources" and isinstance(held, list):
                yield from (item for item in held if isinstance(item, str))
            yield from _resources(held)


def _label_values(value: Json, domains: tuple[str, ...]) -> Iterator[str]:
    """The values of labels that are of none of these domains: those of the domains have a meaning."""
    if isinstance(value, list):
        for item in value:
            yield from _label_values(item, domains)
    elif isinstance(value, dict):
        for name, held in value.items():
            if name in LABELS and isinstance(held, dict):
                yield from (text for key, text in held.items() if isinstance(text, str) and not _is_of(key, domains))
            yield from _label_values(held, domains)


def _is_of(label: str, domains: tuple[str, ...]) -> bool:
    return "/" in label and label.partition("/")[0].endswith(domains)
