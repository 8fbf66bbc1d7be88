"""Bytes to a text and its documents: what encoding, JSON or YAML."""

import codecs
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.text import yaml_text
from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.input.text.texts import BYTE_ORDER_MARK, Text
from kubectl_fairshare.input.text.yaml_problems import NotYamlError, TemplateError
from kubectl_fairshare.input.text.yaml_scalars import Scalars
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Location

if TYPE_CHECKING:
    from kubectl_fairshare.input.text.json_list import PackedList

_ONE_MARK: Final = "remove it: it is allowed only at the start of a file, and stays in the middle when files are joined"
_BLANKS: Final = b" \t\r\n"
LARGE: Final = 1 << 20
"""Bytes from which on a list is read object by object: a smaller one takes less than the import that this needs."""
_SURELY_JSON: Final = 16 << 20
"""A text that is JSON for this many characters was meant to be JSON: YAML is not tried."""


def decode(name: str, data: bytes, scalars: Scalars | None = None, *, packs: bool = False) -> tuple[Text, list[Json]]:
    """The text and its documents, in order; a document that is empty is None.

    ``scalars`` are those of texts read before. ``packs``: the objects of a large list may stay packed. Raises
    ``FairshareError`` with every problem found, each placed.
    """
    data = _utf8(name, data)
    body = data.removeprefix(BYTE_ORDER_MARK)
    if not data.isascii() and (line_end := body.find(b"\n" + BYTE_ORDER_MARK)) >= 0:
        place = Location(name, body.count(b"\n", 0, line_end) + 2, 1)
        raise FairshareError(Problem("a byte order mark inside the text", place, _ONE_MARK))
    listed = _packed_list(body) if packs and len(body) >= LARGE else None
    if listed is not None:
        return Text(name, data, "json", (0,), listed.extents), [listed.content]
    if body.lstrip(_BLANKS)[:1] in (b"{", b"["):
        return _json_or_yaml(name, data, body)
    documents, starts = yaml_text.load(name, body, scalars)
    return Text(name, data, "yaml", tuple(starts)), documents


def _packed_list(text: bytes) -> "PackedList | None":
    from kubectl_fairshare.input.text.json_list import packed_list

    return packed_list(text)


def _json_or_yaml(name: str, data: bytes, body: bytes) -> tuple[Text, list[Json]]:
    """JSON where it is JSON; otherwise YAML's own lists and mappings in brackets, which kubectl takes as well."""
    from kubectl_fairshare.input.text import json_text

    try:
        documents, starts = json_text.load(name, body)
        return Text(name, data, "json", tuple(starts)), documents
    except json_text.NotJsonError as error:
        text = body.decode()
        broken_off = error.position >= len(text.rstrip())
        refusal = FairshareError(error.problem(name, text))
        if broken_off or error.position > _SURELY_JSON:
            raise refusal from None
    try:
        documents, starts = yaml_text.load(name, body)
    except TemplateError:
        raise
    except NotYamlError:
        raise refusal from None
    return Text(name, data, "yaml", tuple(starts)), documents


def _utf8(name: str, data: bytes) -> bytes:
    """The text in UTF-8. UTF-16 is read where a byte order mark says so, as kubectl does."""
    if data.isascii():
        return data
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise FairshareError(Problem("the text is UTF-32", Location(name, 1, 1), "save it as UTF-8"))
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        decoded = data.decode("utf-16" if utf16 else "utf-8")
    except UnicodeDecodeError as error:
        raise FairshareError(_not_text(name, data, error)) from None
    return decoded.encode() if utf16 else data


def _not_text(name: str, data: bytes, error: UnicodeDecodeError) -> Problem:
    before = data[: error.start].decode(error.encoding).removeprefix("\ufeff")
    place = Location(name, *Lines(before).place(len(before)))
    byte = data[error.start]
    message = f"the text is not {error.encoding.upper()}: unexpected byte 0x{byte:02x}"
    return Problem(message, place, "save it as UTF-8")
