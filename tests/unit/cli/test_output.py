"""Documents onto standard output."""

import io
import json
from collections.abc import Mapping
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.amounts import ExactAmount

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 53), 1 << 53) | st.text('a\n"\\é🔴', max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab\n", max_size=2), inner, max_size=3),
    max_leaves=5,
)
DOCUMENT = {"text": "12 → 20 🔴 é"}


def written(encoding: str, screen: ScreenOptions, document: Mapping[str, Any] = DOCUMENT) -> str:
    """What a stream of an encoding gets."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    write_document(Streams(None, out, io.StringIO()), screen, document)
    out.seek(0)
    return out.read()


def test_json_says_the_same_in_every_encoding() -> None:
    for encoding in ("utf-8", "ascii", "latin-1"):
        assert json.loads(written(encoding, ScreenOptions("json"))) == DOCUMENT
    assert "\\u2192" in written("ascii", ScreenOptions("json"))


def test_watched_json_takes_one_line() -> None:
    assert written("utf-8", ScreenOptions("json", interval=5)).count("\n") == 1


def test_integers_past_64_bits_are_written_in_full() -> None:
    document = {"amount": 1 << 70, "text": "é", "rows": [{"a": 1}, {}, []]}
    for screen in (ScreenOptions("json"), ScreenOptions("json", interval=5)):
        assert json.loads(written("utf-8", screen, document)) == document
    layout = written("utf-8", ScreenOptions("json"), document | {"amount": 7})
    assert written("utf-8", ScreenOptions("json"), document).replace(str(1 << 70), "7") == layout


def test_amounts_past_64_bits_of_a_class_of_their_own_are_written_in_full() -> None:
    document = {"nodes": [{"free": ExactAmount(1 << 64)}], "wrapped": ExactAmount(-(1 << 70))}
    for screen in (ScreenOptions("json"), ScreenOptions("json", interval=5)):
        assert json.loads(written("utf-8", screen, document)) == document


@given(st.dictionaries(st.text("abc\n", max_size=2), VALUES, max_size=4) | st.lists(VALUES, max_size=3))
def test_what_is_written_in_pieces_is_the_document_in_one(document: Any) -> None:
    whole = orjson.dumps(document, option=orjson.OPT_INDENT_2).decode() + "\n"
    assert written("utf-8", ScreenOptions("json"), document) == whole


def test_a_long_list_is_written_in_full() -> None:
    document = {"rows": [{"number": number, "in": [number]} for number in range(1000)], "more": ()}
    assert written("utf-8", ScreenOptions("json"), document) == json.dumps(document, indent=2) + "\n"
