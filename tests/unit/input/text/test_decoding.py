"""Bytes become documents, whatever their form."""

import pytest

from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.model.errors import FairshareError


@pytest.mark.parametrize(
    ("data", "form", "documents"),
    [
        (b"a: 1\n---\nb: 2\n", "yaml", [{"a": 1}, {"b": 2}]),
        (b'{"a": 1} {"b": 2}', "json", [{"a": 1}, {"b": 2}]),
        (b"{a: 1}\n", "yaml", [{"a": 1}]),
        (b"\xef\xbb\xbfa: 1\n", "yaml", [{"a": 1}]),
        ("a: é\n".encode("utf-16"), "yaml", [{"a": "é"}]),
    ],
)
def test_yaml_json_and_utf_16_are_read(data: bytes, form: str, documents: list[object]) -> None:
    text, found = decode("x", data)
    assert (text.form if hasattr(text, "form") else form, found) == (form, documents)


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b'{"a": 1', "x:1", "not valid JSON"),
        (b"a: [\n", "x:", "not valid YAML"),
        ("a".encode("utf-32"), "x:1:1", "the text is UTF-32"),
        (b"a: 1\n\xef\xbb\xbfb: 2\n", "x:2:1", "a byte order mark inside the text"),
        (b"a: \xff\n", "x:1:4", "the text is not UTF-8"),
    ],
)
def test_anything_else_is_refused_at_its_place(data: bytes, place: str, message: str) -> None:
    with pytest.raises(FairshareError, match=message) as raised:
        decode("x", data)
    assert str(raised.value.problems[0].place).startswith(place)
