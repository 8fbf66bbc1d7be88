"""A text is kept once, whichever form of it is asked for."""

import pytest

from kubectl_fairshare.input.text.texts import Text


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
