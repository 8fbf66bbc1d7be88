"""Placeholders that another program fills in before a manifest is applied: ``${QUOTA}``, ``{{ .Values.quota }}``."""

import re
from typing import Final

from kubectl_fairshare.model.json import Json

_PLACEHOLDER: Final = re.compile(
    r"\$\{[A-Za-z_][^}]*\}|\$\([A-Za-z_][\w.-]*\)|\{\{.*?\}\}|<[A-Za-z][A-Za-z0-9_-]+>|\$[A-Z][A-Z0-9_]+|__[A-Z][A-Z0-9_]*__"
)
FILL_IN: Final = "fill it in first: `envsubst < FILE | kubectl fairshare … -f -`, or the program that it is for"


def placeholder_in(value: Json) -> str:
    """The first placeholder in a text; empty for a value without one."""
    found = _PLACEHOLDER.search(value) if isinstance(value, str) else None
    return "" if found is None else found[0]
