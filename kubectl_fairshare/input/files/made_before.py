"""What was made of contents: documents of texts, and builds of kustomizations. Versions of a repository share one.

Tested in ``tests/strangers/test_left_alone.py``.
"""

from collections.abc import Callable, Sequence

from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.text.known_texts import KnownTexts
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json


class MadeBefore:
    """The documents of texts, and what builds of kustomizations printed by the digest of what they rest on."""

    def __init__(self) -> None:
        self.texts = KnownTexts()
        self._builds: dict[bytes, bytes] = {}

    def documents(self, name: str, data: bytes) -> Sequence[Json]:
        """The documents of a text; none if it is neither YAML nor JSON."""
        try:
            return self.texts.decoded(name, data)[1]
        except FairshareError:
            return ()

    def built(self, content: bytes, build: Callable[[], bytes], budget: Budget) -> bytes:
        """What a build prints, once for one content; one that is empty is not known. Raises what ``build`` raises."""
        known = self._builds.get(content) if content else None
        if known is not None and len(known) <= budget.left:
            return budget.spend(known)
        found = build()
        if content:
            self._builds[content] = found
        return found
