"""A text is kept once, whichever form of it is asked for."""

import pytest

from kubectl_fairshare.input.text.texts import BYTE_ORDER_MARK, Text, Texts
from kubectl_fairshare.model.location import Origin


@pytest.mark.parametrize("data", ["", "a: ü\n", "\ufeffa: 1\r\n"])
def test_bytes_and_characters_stay_the_same_whichever_comes_first(data: str) -> None:
    text = Text("x.yaml", data.encode(), "yaml")
    assert text.data == data.encode()
    assert text.characters == data.removeprefix("\ufeff")
    assert text.data == data.encode()
    assert text.characters == data.removeprefix("\ufeff")


def test_bytes_are_let_go_once_the_characters_are_there() -> None:
    data = b"a: " + b"b" * 1000
    text = Text("x.yaml", data, "yaml")
    assert text.data is data
    assert text.characters
    assert text.data is not data


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ('{"a": "' + "b" * 2000 + '"}', True),
        ('{"a": "' + "b" * 2000 + '"}\n', True),
        ('{"a": "' + "b" * 2000 + '"}\r\n', True),
        ('{"a":\n"' + "b" * 2000 + '"}', False),
        ('{"a":\r"' + "b" * 2000 + '"}', False),
        ('{"a": "b"}', False),
    ],
)
def test_a_place_in_one_long_line_is_named_by_its_field(data: str, named: bool) -> None:
    texts = Texts([Text("x.json", data.encode(), "json", (0,))])
    found = texts.named(texts.locate(Origin("x.json", 0), ("a",)), "Pod a/b spec")
    assert found.line >= 1
    assert found.field == ("Pod a/b spec" if named else "")


@pytest.mark.parametrize("mark", [b"", BYTE_ORDER_MARK])
def test_a_text_begins_as_its_bytes_however_it_is_held(mark: bytes) -> None:
    text = Text("a", mark + "äöü: 1".encode(), "yaml")
    for _ in range(2):
        assert text.begins(mark + "ä".encode())
        assert text.begins(BYTE_ORDER_MARK) is bool(mark)
        assert not text.begins(mark + b"1")
        assert text.characters == "äöü: 1"  # held as characters from now on
