"""``-l``: label selectors in kubectl's form, which filter what is shown."""

import re
from collections.abc import Mapping
from typing import Final

import click

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.selectors import LabelSelector, Requirement

_COMMA: Final = r",(?![^(]*\))"
_KEY: Final = r"([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)"
_FORMS: Final = (
    (rf"{_KEY}\s*(?:=|==)\s*([-A-Za-z0-9_.]*)", "In"),
    (rf"{_KEY}\s*!=\s*([-A-Za-z0-9_.]*)", "NotIn"),
    (rf"{_KEY}\s+in\s*\(([-A-Za-z0-9_.,\s]*)\)", "In"),
    (rf"{_KEY}\s+notin\s*\(([-A-Za-z0-9_.,\s]*)\)", "NotIn"),
    (rf"{_KEY}()", "Exists"),
    (rf"!\s*{_KEY}()", "DoesNotExist"),
)
_REMEDY: Final = "write `team=vision`, `team!=vision`, `team in (a,b)`, `team`, `!team`, separated by commas"


def label_selector(_: click.Context, param: click.Parameter, value: str | None) -> LabelSelector | None:
    """The selector in ``-l``; raises ``BadParameter`` for any other text."""
    if value is None:
        return None
    return LabelSelector(tuple(_requirement(term.strip(), param) for term in re.split(_COMMA, value)))


def _requirement(term: str, param: click.Parameter) -> Requirement:
    for form, operator in _FORMS:
        match = re.fullmatch(form, term)
        if match is not None:
            values = () if operator.endswith(("Exists", "Exist")) else _values(match[2])
            return Requirement(match[1], operator, values)
    raise click.BadParameter(f"`{term}` is not a label selector; {_REMEDY}", param=param)


def _values(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(","))


def picked(manifests: Mapping[ObjectKey, Manifest], selector: LabelSelector) -> frozenset[ObjectKey]:
    """The objects whose labels the selector matches."""
    return frozenset(key for key, manifest in manifests.items() if selector.matches(_labels(manifest)))


def _labels(manifest: Manifest) -> dict[str, str]:
    metadata = manifest.data.get("metadata")
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    return labels if isinstance(labels, dict) else {}


def refuse(selector: LabelSelector | None, what: str) -> None:
    """Raises ``UsageError`` if there is a selector, for a question that cannot be filtered by labels."""
    if selector is not None:
        remedy = "use it with `shares`, `why` or `lint`"
        raise UsageError(Problem(f"cannot select {what}", "--selector", remedy))
