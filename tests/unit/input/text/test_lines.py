from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.text.lines import Lines

TEXTS = st.text(st.sampled_from("ab\n\ré\u2028\x85\t"), max_size=60)


def naive(text: str) -> list[tuple[int, int]]:
    """Line and column of each position, by walking."""
    places, line, column = [], 1, 1
    for at, character in enumerate(text):
        places.append((line, column))
        ends = character == "\n" or (character == "\r" and text[at + 1 : at + 2] != "\n")
        line, column = (line + 1, 1) if ends else (line, column + 1)
    return [*places, (line, column)]


@given(TEXTS)
def test_places_are_those_of_a_walk(text: str) -> None:
    lines = Lines(text)
    assert [lines.place(at) for at in range(len(text) + 1)] == naive(text)


@given(TEXTS, st.integers(1, 70))
def test_checkpoints_change_nothing(text: str, stride: int) -> None:
    lines = Lines(text, stride)
    assert [lines.place(at) for at in range(len(text) + 1)] == naive(text)
    assert [lines.line(n + 1) for n in range(text.count("\n") + text.count("\r") + 2)] == plain_lines(text)


@given(st.text(st.sampled_from("ab\n\r\t"), max_size=60), st.integers(1, 70))
def test_bytes_in_ascii_have_the_places_and_lines_of_characters(text: str, stride: int) -> None:
    lines, data = Lines(text, stride), Lines(text.encode(), stride)
    assert [data.place(at) for at in range(len(text) + 1)] == naive(text)
    assert [data.line(number) for number in range(9)] == [lines.line(number) for number in range(9)]
    assert data.is_one is lines.is_one is (len(naive(text[:-2])) == 1 or naive(text[:-2])[-1][0] == 1)


def plain_lines(text: str) -> list[str]:
    split = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return split + [""] * (text.count("\n") + text.count("\r") + 2 - len(split))


def test_a_line_past_the_last_is_empty() -> None:
    assert Lines("a\nb").line(3) == ""


def test_every_line_is_found_with_any_kind_of_break() -> None:
    text = "a\nb\r\n\rc\r\n\n"
    lines = Lines(text, stride=2)
    assert [lines.line(number) for number in range(8)] == ["", "a", "b", "", "c", "", "", ""]
