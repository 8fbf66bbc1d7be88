"""Label selectors, node affinity, taints and tolerations, as Kubernetes matches them.

Source: ``k8s.io/apimachinery`` label selectors and ``k8s.io/component-helpers`` node affinity.
"""

import re
from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import Value

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,19}")
_CANONICAL: Final = re.compile(r"0|-?[1-9][0-9]{0,18}")
"""An integer without leading zeros or a plus sign."""


def _integer(form: re.Pattern[str], text: str) -> int | None:
    """The 64-bit integer that a text of this form is; None for any other text."""
    value = int(text) if form.fullmatch(text) else None
    return None if value is None or not -(2**63) <= value < 2**63 else value


def is_bound(text: str) -> bool:
    """Whether the operators Gt and Lt compare a label with this text: a 64-bit integer."""
    return _integer(_INTEGER, text) is not None


class Requirement(Value, frozen=True):
    """One test of a label: ``operator`` is In, NotIn, Exists, DoesNotExist, Gt or Lt."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether ``labels`` pass. NotIn and DoesNotExist hold for an absent key."""
        value = labels.get(self.key)
        if self.operator == "In":
            return value in self.values if value is not None else False
        if self.operator == "NotIn":
            return value is None or value not in self.values
        if self.operator == "Exists":
            return value is not None
        if self.operator == "DoesNotExist":
            return value is None
        return self._compares(value)

    def _compares(self, value: str | None) -> bool:
        if value is None or len(self.values) != 1:
            return False
        have, bound = _integer(_INTEGER, value), _integer(_INTEGER, self.values[0])
        if have is None or bound is None:
            return False
        return have > bound if self.operator == "Gt" else have < bound


class LabelSelector(Value, frozen=True):
    """All requirements must hold; the empty selector matches everything."""

    requirements: tuple[Requirement, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether ``labels`` pass every requirement."""
        return all(r.matches(labels) for r in self.requirements)


class Taint(Value, frozen=True):
    """A node taint; ``effect`` is NoSchedule, PreferNoSchedule or NoExecute."""

    key: str
    value: str
    effect: str


class Toleration(Value, frozen=True):
    """A pod toleration; empty ``key`` with Exists tolerates all, empty ``effect`` every effect."""

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""

    def tolerates(self, taint: Taint, *, numeric: bool = False) -> bool:
        """Whether the taint is tolerated; ``numeric``: the scheduler compares numbers (operators Lt and Gt)."""
        if self.effect and self.effect != taint.effect:
            return False
        if self.key and self.key != taint.key:
            return False
        if self.operator == "Exists":
            return True
        if numeric and self.operator in ("Lt", "Gt"):
            return self._compares(taint.value)
        return self.operator in ("", "Equal") and self.value == taint.value

    def _compares(self, value: str) -> bool:
        """Whether the taint is below (Lt) or above (Gt) the toleration; False for other than 64-bit integers."""
        have, bound = _integer(_CANONICAL, value), _integer(_CANONICAL, self.value)
        if have is None or bound is None:
            return False
        return have > bound if self.operator == "Gt" else have < bound


class NodeTerm(Value, frozen=True):
    """One term of a required node affinity: expressions over labels, and over node fields."""

    expressions: tuple[Requirement, ...] = ()
    fields: tuple[Requirement, ...] = ()


def label_selector(value: Json) -> LabelSelector | None:
    """A LabelSelector; None stays None (absent selects nothing, the empty one everything)."""
    if value is None:
        return None
    labels = [Requirement(k, "In", (v,)) for k, v in sorted((value.get("matchLabels") or {}).items())]
    expressions = [
        Requirement(e["key"], e["operator"], tuple(e.get("values") or ())) for e in value.get("matchExpressions") or ()
    ]
    return LabelSelector((*labels, *expressions))
