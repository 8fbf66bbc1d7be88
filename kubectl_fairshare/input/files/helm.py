"""The source that ``helm template`` prints in its output: ``# Source: chart/templates/queue.yaml``."""

import re
from typing import Final

from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.location import Origin

_COMMENT: Final = b"# Source: "
_SOURCE: Final = r"(?:---[^\r\n]*\r?\n)?(?:[ \t]*\r?\n)*# Source: ([^\r\n]{1,1000}?)[ \t]*(?:\r?\n|\Z)"


class Templates:
    """The templates that the documents of ``texts`` came from; each is looked for once."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._rendered: dict[str, bool] = {}
        self._found: dict[tuple[str, int], str] = {}

    def of(self, origin: Origin) -> str:
        """The file of a chart that an object came from; empty where the text does not say."""
        source = origin.source
        if source not in self._rendered:
            text = self._texts[source]
            self._rendered[source] = text.format == "yaml" and _COMMENT in text.data
        if not self._rendered[source]:
            return ""
        asked = source, origin.document
        if asked not in self._found:
            self._found[asked] = self._find(origin)
        return self._found[asked]

    def _find(self, origin: Origin) -> str:
        places = self._texts.places(origin.source)
        # The first document may have no mark of its own: then it begins after the comment.
        start = places.lines.start(places.start(origin.document)) if origin.document else 0
        found = re.compile(_SOURCE).match(places.characters, start)
        return found[1] if found else ""
