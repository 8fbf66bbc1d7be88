"""Aliases are expanded within bounds: a few lines of YAML can mean billions of values."""

from typing import Final

from kubectl_fairshare.model.json import Json

MAX_DEPTH: Final = 200
"""Levels of nesting that are read, YAML and JSON; go's own readers stop at 10,000."""
DEPTH_REMEDY: Final = "remove levels: no Kubernetes object nests so deeply"
MAX_ALIASED: Final = 400_000
"""Values of one text that may come from aliases; go-yaml stops at about as many."""


class AliasError(ValueError):
    """Raised when aliases expand too far; the message is for the user."""


class Expansion:
    """Copies the value of an alias, and counts the copied values in one text.

    A text longer than ``MAX_ALIASED`` characters may have one aliased value per character.
    """

    def __init__(self, length: int) -> None:
        self._left = max(MAX_ALIASED, length)

    def copy(self, value: Json, depth: int) -> Json:
        """A copy of ``value`` for ``depth``. Raises ``AliasError`` past either bound."""
        self._left -= 1
        if self._left < 0:
            raise AliasError(f"aliases expand to more than {MAX_ALIASED} values")
        if depth > MAX_DEPTH:
            raise AliasError(f"aliases nest more than {MAX_DEPTH} levels deep")
        if isinstance(value, dict):
            return {k: self.copy(v, depth + 1) for k, v in value.items()}
        if isinstance(value, list):
            return [self.copy(v, depth + 1) for v in value]
        return value
