"""Texts that were decoded before: a repository names one file from many places, and two versions share most files.

Tested in ``tests/unit/input/text/test_known_texts.py``.
"""

from typing import Literal, NamedTuple

from kubectl_fairshare.input.text.decoding import LARGE, decode
from kubectl_fairshare.input.text.texts import Text
from kubectl_fairshare.input.text.yaml_scalars import Scalars
from kubectl_fairshare.model.json import Json


class _Decoded(NamedTuple):
    format: Literal["yaml", "json"]
    starts: tuple[int, ...]
    documents: list[Json]


class KnownTexts:
    """The documents of texts by their bytes. They are shared: who has them changes none."""

    def __init__(self) -> None:
        self._scalars = Scalars()
        self._known: dict[bytes, _Decoded] = {}

    def decoded(self, name: str, data: bytes, *, packs: bool = False) -> tuple[Text, list[Json]]:
        """As ``decode``; equal bytes are decoded once. Large ones are not kept: their objects may stay packed."""
        known = self._known.get(data)
        if known is not None:
            return Text(name, data, known.format, known.starts), known.documents
        text, documents = decode(name, data, self._scalars, packs=packs)
        if len(data) < LARGE and text.items is None and text.held == data:
            self._known[data] = _Decoded(text.format, text.starts, documents)
        return text, documents
