"""The parts of a workload that options describe, for every scheduler: ``--request``, ``--toleration`` and the like."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from kubectl_fairshare.api.label_syntax import is_label_key, is_label_value
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import AbsentSubjectError, Problem, UsageError
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.question import Wishes

NAME: Final = "requested"
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_MOST: Final = (1 << 31) - 1
RESOURCE_NAME: Final = re.compile(
    r"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?", re.ASCII
)
POD_COUNT: Final = "pods"
"""The resource of which a workload takes as many as it has pods: none can request it."""
_FORM: Final = "write `--request cpu=4,nvidia.com/gpu=8`"


class WishReader:
    """Reads options that describe a workload; collects their mistakes and reports them together."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._absent: list[Problem] = []

    def wrong(self, option: str, message: str, remedy: str) -> None:
        """Records a mistake in an option."""
        self.problems.append(Problem(message, option, remedy))

    def absent(self, option: str, message: str, remedy: str) -> None:
        """Records a name that the input lacks; another one of several inputs may have it."""
        self._absent.append(Problem(message, option, remedy))

    def check(self) -> None:
        """Raises ``UsageError`` with all that was recorded; ``AbsentSubjectError`` if names are absent alone."""
        if self.problems:
            raise UsageError(*self.problems, *self._absent)
        if self._absent:
            raise AbsentSubjectError(*self._absent)


def free_name(namespace: str, snapshot: Snapshot, group: str, kind: str) -> str:
    """A name that no object of the kind has in the namespace."""
    name, number = NAME, 1
    while ObjectKey(group, kind, namespace, name) in snapshot.manifests:
        number += 1
        name = f"{NAME}-{number}"
    return name


def check_counts(reader: WishReader, count: int, least: int | None) -> None:
    """Records counts of pods that are out of range."""
    if not 0 < count <= _MOST:
        reader.wrong("--count", f"`{count}` is out of range", f"write a number of pods from 1 to {_MOST}")
    elif least is not None and not 0 < least <= count:
        reader.wrong(
            "--min-count",
            f"`{least}` is out of range for the count `{count}`",
            "write at least 1 and at most the count",
        )


def priority_of(reader: WishReader, wishes: Wishes, default: int | None, classes: Mapping[str, int]) -> int:
    """The priority from the options, or the default; ``classes`` are the values of priority classes by name."""
    if wishes.priority is not None and wishes.priority_class is not None:
        reader.wrong("--priority", "excludes `--priority-class`", "use one of the two")
    if wishes.priority is not None:
        if not -_MOST - 1 <= wishes.priority <= _MOST:
            reader.wrong("--priority", f"`{wishes.priority}` is out of range", "write a whole number of 32 bits")
        return wishes.priority
    if wishes.priority_class is None:
        return default or 0
    if wishes.priority_class not in classes:
        known = ", ".join(f"`{name}`" for name in sorted(classes))
        reader.wrong(
            "--priority-class", f"no priority class `{wishes.priority_class}` in the input", f"known are {known}"
        )
        return 0
    return classes[wishes.priority_class]


def pod_spec(reader: WishReader, wishes: Wishes) -> dict[str, Json]:
    """The spec of one pod."""
    container = {"name": "main", "resources": {"requests": _requests(reader, wishes.request)}}
    return {
        "containers": [container],
        "nodeSelector": _selector(reader, wishes.node_selector),
        "tolerations": [toleration_of(reader, text) for text in wishes.toleration],
    }


def comma_separated(texts: Sequence[str]) -> list[str]:
    """The parts of comma-separated texts."""
    return [part.strip() for text in texts for part in text.split(",")]


def _requests(reader: WishReader, texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in comma_separated(texts):
        name, _, value = part.partition("=")
        if not value or RESOURCE_NAME.fullmatch(name) is None:
            reader.wrong("--request", f"`{part}` is not a request", _FORM)
        elif name in found:
            reader.wrong("--request", f"`{name}` is given twice", _FORM)
        else:
            _check_amount(reader, name, value)
            found[name] = value
    return found


def _check_amount(reader: WishReader, name: str, value: str) -> None:
    try:
        amount = quantity.nano(value)
    except quantity.QuantityError:
        reader.wrong("--request", f"`{value}` of `{name}` is not a quantity", "write it like `500m`, `2` or `4Gi`")
        return
    if amount < 0:
        reader.wrong("--request", f"`{value}` of `{name}` is negative", "write 0 or more")


def _selector(reader: WishReader, texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in comma_separated(texts):
        key, equals, value = part.partition("=")
        if not equals or not is_label_key(key) or not is_label_value(value):
            reader.wrong("--node-selector", f"`{part}` is not a label", "write `--node-selector KEY=VALUE`")
        elif found.setdefault(key, value) != value:
            reader.wrong("--node-selector", f"`{key}` is given twice", "write one value per label")
    return found


def toleration_of(reader: WishReader, text: str) -> dict[str, str]:
    """``key=value:Effect``, ``key:Effect``, ``key=value`` or ``key``: without a value, any; without an effect, all."""
    named, colon, effect = text.partition(":")
    key, equals, value = named.partition("=")
    if not is_label_key(key) or not is_label_value(value) or (colon and effect not in _EFFECTS):
        remedy = "write `KEY=VALUE:EFFECT`, `KEY:EFFECT` or `KEY`; effects are " + ", ".join(f"`{e}`" for e in _EFFECTS)
        reader.wrong("--toleration", f"`{text}` is not a toleration", remedy)
    toleration = {"key": key, "operator": "Equal" if equals else "Exists"}
    if equals:
        toleration["value"] = value
    return {**toleration, "effect": effect} if effect else toleration
