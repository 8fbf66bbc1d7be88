"""What of an object nobody needs to decide on it, taken out: secrets always, and names if so wished.

Names become pseudonyms that are in the same order as the names, so that whatever is decided by name is decided
alike. Equal strings become equal pseudonyms wherever they stand, so that references still meet.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.json import Json

NOTHING: Final = "redacted"
_SECRET: Final = frozenset({"env", "envFrom", "envVars", "runtimeEnvYAML", "sparkConf", "hadoopConf", "managedFields"})
_FREE: Final = frozenset(
    {"args", "arguments", "command", "entrypoint", "lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}
)
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_READ_PREFIXES: Final = ("kueue.x-k8s.io/", "fairshare.dev/", "kai.scheduler/", "scheduling.", "provreq.kueue")
_NAMED_BY: Final = frozenset(
    {
        *("clusterQueue", "cohort", "cohortName", "generateName", "localQueue", "name", "namespace", "nodeName"),
        *("parent", "parentName", "parentQueue", "priorityClassName", "queue", "queueName", "topologyName"),
    }
)
_NAMING: Final = frozenset({"metadata", "ownerReferences", "involvedObject", "admission", "spec", "nominated"})
"""Under which a field of ``_NAMED_BY`` names an object; under ``containers``, say, it does not."""
_FIXED_FIELDS: Final = frozenset(
    {"apiVersion", "controllerName", "kind", "operator", "reason", "resourceVersion", "schedulerName", "type", "uid"}
)
_FIXED_WORDS: Final = frozenset(
    {
        *("default", "kueue-system", "kube-system", "kube-public", "kube-node-lease", "default-scheduler"),
        *("kai-scheduler", "system-cluster-critical", "system-node-critical", "true", "false", "main"),
    }
)
_AMOUNT: Final = re.compile(r"[-+.0-9]+(?:[eE][-+]?[0-9]+)?(?:[numkMGTPE]|[KMGTPE]i)?")
_WORD: Final = re.compile(r"[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?")
_SPEAKING: Final = frozenset({"message", "note"})
_PIVOT: Final = "default"


class Redaction(StrEnum):
    """How much is taken out. Values of environment variables and secrets never stay."""

    NONE = "none"
    NAMES = "names"
    ALL = "all"


def without_secrets(value: Json, redaction: Redaction) -> Json:
    """The value without what nobody decides on: environments always; commands, images and annotations unless NONE."""
    if isinstance(value, list):
        return [without_secrets(item, redaction) for item in value]
    if not isinstance(value, dict):
        return value
    kept: dict[str, Json] = {}
    for name, held in value.items():
        if name in _SECRET or (redaction is not Redaction.NONE and name in _FREE):
            continue
        if name == "annotations" and isinstance(held, dict):
            kept[name] = _annotations(held, redaction)
        elif name == "image" and isinstance(held, str) and redaction is not Redaction.NONE:
            kept[name] = NOTHING
        else:
            kept[name] = without_secrets(held, redaction)
    return kept


def _annotations(held: Mapping[str, Json], redaction: Redaction) -> dict[str, Json]:
    if redaction is Redaction.NONE:
        return {name: text for name, text in held.items() if name != _LAST_APPLIED}
    return {name: text for name, text in held.items() if name.startswith(_READ_PREFIXES)}


class Pseudonyms:
    """Stand-ins for all names in some objects, in the same order as the names.

    With ``labels`` the values of labels that are not Kubernetes' own have one, too.
    """

    def __init__(self, objects: Iterable[Json], *, labels: bool) -> None:
        found: set[str] = set()
        resources: set[str] = set()
        for each in objects:
            found.update(_names(each, ()))
            resources.update(_resources(each))
            if labels:
                found.update(_label_values(each))
        words = sorted(w for w in found if w and w not in _FIXED_WORDS | resources and not _AMOUNT.fullmatch(w))
        width = len(str(len(words)))
        self.of: Mapping[str, str] = {
            word: f"{'a' if word < _PIVOT else 'n'}-{number:0{width}}" for number, word in enumerate(words)
        }

    def hide(self, value: Json, field: str = "") -> Json:
        """The value with every name in it replaced; of a message every word that is one."""
        if isinstance(value, dict):
            return {name: self.hide(held, name) for name, held in value.items()}
        if isinstance(value, list):
            return [self.hide(item, field) for item in value]
        if not isinstance(value, str) or field in _FIXED_FIELDS:
            return value
        if field in _SPEAKING:
            return self.hide_in(value)
        return self.of.get(value, value)

    def hide_in(self, text: str) -> str:
        """A text for people with every word in it replaced that is a name."""
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


def _label_values(value: Json) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _label_values(item)
    elif isinstance(value, dict):
        for name, held in value.items():
            if name in ("labels", "matchLabels", "nodeSelector", "nodeLabels") and isinstance(held, dict):
                yield from (text for key, text in held.items() if isinstance(text, str) and not _is_own(key))
            yield from _label_values(held)


def _is_own(label: str) -> bool:
    """Whether a label is of Kubernetes or one of its projects, so that its values have a meaning."""
    domain = label.partition("/")[0] if "/" in label else ""
    return domain.endswith(("k8s.io", "kubernetes.io", "kai.scheduler", "run.ai"))
