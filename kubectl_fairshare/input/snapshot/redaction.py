"""Removes what no decision needs from objects: secrets always, and names on request.

Names become pseudonyms that are in the same order as the names, so that whatever is decided by name is decided
alike. Equal strings become equal pseudonyms everywhere, so references still match.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Final

from kubectl_fairshare.api.label_syntax import is_dns_label, is_label_value, is_subdomain
from kubectl_fairshare.input.known import READ_ANNOTATIONS, Unredacted
from kubectl_fairshare.input.snapshot.embedded import Broken, Embedded, joined_text, keys_in, texts_in
from kubectl_fairshare.input.snapshot.kept import (
    AMOUNT,
    API_WORDS,
    GATES,
    KEYS_OF_LABELS,
    LABELS,
    PREFIXES,
    SPEAKING,
    VALUES_OF_LABELS,
    ReadWords,
    is_plain,
    parts_of,
    said_of,
)
from kubectl_fairshare.model.addresses import is_address
from kubectl_fairshare.model.json import Json

NOTHING: Final = "redacted"
_SECRET: Final = frozenset(
    {
        *("env", "envFrom", "envVars", "runtimeEnvYAML", "sparkConf", "hadoopConf", "httpHeaders", "managedFields"),
        *("redisPassword", "redisUsername", "serveConfigV2"),
    }
)
_WRITTEN: Final = re.compile(rf"\b(?:{'|'.join(sorted(_SECRET))}|stringData)[\"'\\\\]*\s*:")
"""A field that goes, in a text that no field of an API gives documents to."""
_CREDENTIAL: Final = re.compile(
    r"(?i)pass(?:word|wd|phrase)|token|secret|credential|(?:api|access|private|auth)[-_]?key"
)
"""How charts name values that are credentials; so is what they put into objects as it is."""
_PUT_AS_IT_IS: Final = frozenset({"data", "annotations"})
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
_LISTENING: Final = "bindAddress"
"""A server refuses a value that is not an address there, so an address becomes one that says nothing about anyone."""
_HELD_IN: Final = {"Secret": ("data", "stringData"), "ConfigMap": ("data", "binaryData")}
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_COPY: Final = re.compile(r'\A\s*\{.*"(?:spec|data|stringData|template)"|\A(?:H4sI|kind:|apiVersion:)', re.DOTALL)
"""How the text of an annotation looks that holds an object, as many tools keep a copy of what they applied."""
_LOGIN: Final = re.compile(r"(?<=://)[^/@\s]+@")
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
_FIELDS: Final = "matchFields"
_DETAIL: Final = "valueFromProvisioningClassDetail"
"""What names, in a list of labels, the detail that has a value."""
"""Whose values are names of nodes."""
_FIXED_FIELDS: Final = frozenset(
    {"chart", "controllerName", "operator", "path", "reason", "resourceVersion", "schedulerName", "type", "uid"}
)
"""Where a word of the code is one, though some object is called so."""
_OF_RESOURCES: Final = frozenset({"requests", "limits", "capacity", "allocatable", "min", "max", "hard"})
_PIVOT: Final = "default"
_FIXED_WORDS: Final = frozenset(
    {
        *(_PIVOT, "kube-system", "kube-public", "kube-node-lease", "default-scheduler", "system-cluster-critical"),
        *("system-node-critical", "true", "false", "main", "*"),
        *("binpack", "cron", "lca", "non-preemptible", "preemptible", "queue", "sliding", "spread", "tumbling"),
    }
)
"""Names that every cluster has, and values of fields that are also good names."""
_BY_CHANCE: Final = re.compile(r"[0-9a-f-]{8,}")
"""An identifier says nothing about anyone, and its order decides between equals."""
_FILES: Final = "data"
"""Whose keys are names of files, or of settings that the code names."""
_IDENTIFIED: Final = frozenset({"customLabels"})
_IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONGEST_LABEL: Final = 63
_GATES: Final = re.compile(GATES)
_AMOUNT: Final = re.compile(AMOUNT)
_DOMAINS: Final = ("k8s.io", "kubernetes.io")


class Redaction(StrEnum):
    """How much is redacted. Values of environment variables and secrets are always removed."""

    NONE = "none"
    NAMES = "names"
    ALL = "all"


def without_secrets(value: Json, redaction: Redaction, spared: Unredacted) -> Json:
    """An object without what no decision needs: never environments and secrets; commands and images only with NONE."""
    kept = ((name, held) for name, held in value.items() if not _goes(name, value, redaction))
    found = {name: _kept(name, held, redaction, spared) for name, held in kept}
    gates = [] if redaction is Redaction.NONE else _gates(value)
    return {**found, "args": gates} if gates else found


def without_credentials(value: Json, field: str = "") -> Json:
    """The values of a chart without those that are credentials by their names, and what is put as it is into objects.

    The document of a scheduler's configuration in them stays as it is.
    """
    if isinstance(value, Embedded):
        return value.each(without_credentials) if field == "values" else value
    if isinstance(value, list):
        return [without_credentials(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = ((name, held) for name, held in value.items() if name not in _PUT_AS_IT_IS and not _CREDENTIAL.search(name))
    return {name: without_credentials(held, name) for name, held in kept}


def _gates(container: Mapping[str, Json]) -> list[Json]:
    """The feature gates among the arguments of a container: they decide, and are the same words everywhere."""
    lists = (container.get(name) for name in ("command", "args"))
    words = (word for each in lists if isinstance(each, list) for word in each if isinstance(word, str))
    return [word for word in words if _GATES.fullmatch(word)]


def _kept(name: str, held: Json, redaction: Redaction, spared: Unredacted) -> Json:
    """The rest of a field that does not go."""
    if isinstance(held, str):
        return held if isinstance(held, Broken) else _kept_text(name, held, redaction)
    if isinstance(held, Embedded):
        found = held.each(lambda item: _kept("", item, redaction, spared))
        return Embedded(found) if _WRITTEN.search(found.text) else found  # in a comment
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


def _kept_text(name: str, text: str, redaction: Redaction) -> str:
    if ":" in text and _WRITTEN.search(text):
        return NOTHING
    if name in _ADDRESSES and redaction is not Redaction.NONE:
        return NOTHING
    if name == _LISTENING and redaction is not Redaction.NONE:
        return _anywhere(text)
    return _LOGIN.sub("", text) if "://" in text else text


def _anywhere(address: str) -> str:
    """The address of every interface for an IP address; any other text as it is."""
    if not is_address(address):
        return address
    return "::" if ":" in address else "0.0.0.0"


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
        kept = {name: each for name, each in held.items() if name != _LAST_APPLIED and not _is_copy(each)}
    else:
        read = (*READ_ANNOTATIONS, *spared.annotations)
        kept = {name: each for name, each in held.items() if name.startswith(read)}
    return {name: _kept("", each, redaction, spared) for name, each in kept.items()}


def _is_copy(text: Json) -> bool:
    return _COPY.search(text.text if isinstance(text, Embedded) else str(text)) is not None


class Pseudonyms:
    """Pseudonyms for the texts in some objects, in the same order as the texts.

    A text has one if it names an object, or is not plain; with ``labels`` so have the values of labels that are not
    Kubernetes' own. ``objects`` are gone through several times.
    """

    def __init__(self, objects: Iterable[Json], spared: Unredacted, read: ReadWords, *, labels: bool) -> None:
        self._read = read
        self._domains = spared.domains
        self._keys = frozenset(name for each in objects for name in _label_keys(each))
        fixed = _FIXED_WORDS | spared.words.union(name for each in objects for name in _resources(each))
        self._fixed = fixed | read.words
        places = {place for each in objects for place in texts_in(each)}
        found = {part for place in places for part in self._hidden_parts(*place, labels=labels)}
        words = sorted(w for w in found if w and w not in fixed and not _AMOUNT.fullmatch(w.strip()))
        pivots = sorted({_PIVOT, *filter(is_dns_label, found & fixed)})
        prefixes = [_between(*pair) for pair in pairwise((None, *pivots, None))]
        width = len(str(len(words)))
        self.of: Mapping[str, str] = {
            word: f"{prefixes[bisect(pivots, word)]}-{number:0{width}}{_syntax(word)}"
            for number, word in enumerate(words)
        }

    def hide(self, value: Json, field: str = "") -> Json:
        """The value with every such text replaced, in a message every word; a text with documents is written again."""
        if isinstance(value, Embedded):
            return joined_text(map(self.hide, value))
        if isinstance(value, dict):
            found = {name: self.hide(held, name) for name, held in value.items()}
            if field == _FILES:
                found = {self._file(name, n): each for n, (name, each) in enumerate(found.items())}
            return self._as_identifier(value, found) if field in _IDENTIFIED else found
        if isinstance(value, list):
            return [self.hide(item, field) for item in value]
        if not isinstance(value, str) or self._stays(field, value):
            return value
        if field in SPEAKING or isinstance(value, Broken):
            return self.hide_in(value)
        if value in self._fixed or value in self._keys:
            return self.of.get(value, value)
        return "/".join(self.of.get(part, part) for part in parts_of(value))

    def _file(self, name: str, number: int) -> str:
        return name if name in self._fixed or is_plain(name, self._read) else f"{number}.yaml"

    def _as_identifier(self, value: Mapping[str, Json], hidden: dict[str, Json]) -> dict[str, Json]:
        """The pseudonym of an identifier is an identifier: a server rejects ``a-1`` there, and accepts ``a_1``."""
        name = value.get("name")
        if isinstance(name, str) and _IDENTIFIER.fullmatch(name):
            hidden["name"] = str(hidden["name"]).replace("-", "_")
        return hidden

    def hide_in(self, text: str) -> str:
        """A text for people with a pseudonym for every name in it, and a sign for words that schedulers do not say."""
        return said_of(text, self.of, self._read)

    def _stays(self, field: str, value: str) -> bool:
        if field == "uid" and _BY_CHANCE.fullmatch(value):
            return True
        if field in API_WORDS or field in KEYS_OF_LABELS or field in PREFIXES:
            return True
        return field in _FIXED_FIELDS and is_plain(value, self._read)

    def _hidden_parts(self, holder: str, field: str, text: str, *, labels: bool) -> Iterable[str]:
        """The parts of a text that need a pseudonym."""
        if field in _NAMED_BY and (not holder or holder in _NAMING):
            return parts_of(text)
        if holder in LABELS and field != _DETAIL:
            if labels and not _is_of(field, (*_DOMAINS, *self._domains)):
                return parts_of(text)
            field = field if _is_of(field, self._domains) else holder
        shown = field in SPEAKING or self._stays(field, text) or text in self._keys
        is_value = field in VALUES_OF_LABELS and holder != _FIELDS
        if shown or (is_value and not labels):
            return ()
        return (part for part in parts_of(text) if not is_plain(part, self._read))


def _between(lower: str | None, upper: str | None) -> str:
    """How the pseudonyms of names between two that stay begin, so that all keep their order if that is possible."""
    if lower is None:
        return "a" if upper is None or upper > "a-:" else "0"
    following = chr(ord(lower[0]) + 1)
    tried = ("n", following, f"{lower}-n")
    fitting = (each for each in tried if lower < f"{each}-" and (upper is None or f"{each}-:" < upper))
    return next((each for each in fitting if each.replace("-", "").isalnum()), "n")


def _syntax(name: str) -> str:
    """The end of a pseudonym that is valid where the name is: as DNS label, DNS subdomain or value of a label.

    A server that rejects the name rejects its pseudonym. Pseudonyms without their ends are in order already.
    """
    if is_dns_label(name):
        return ""
    if is_subdomain(name):
        return ".x" if is_label_value(name) else f".{'x' * _LONGEST_LABEL}"
    return "_x" if is_label_value(name) else "!"


def _label_keys(value: Json) -> Iterator[str]:
    """The keys of labels, and what fields name as such: they stay, so that labels are found."""
    yield from (name for field, name in keys_in(value) if field in LABELS)
    yield from (text for _, field, text in texts_in(value) if field in KEYS_OF_LABELS)


def _resources(value: Json) -> Iterator[str]:
    """The names of resources: they are the same everywhere, and stay."""
    yield from (name for field, name in keys_in(value) if field in _OF_RESOURCES)
    yield from (text for _, field, text in texts_in(value) if field == "coveredResources")


def _is_of(label: str, domains: tuple[str, ...]) -> bool:
    return "/" in label and label.partition("/")[0].endswith(domains)
