"""JSON is read as kubectl reads it, several documents too, and no key twice goes unseen."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.text import json_text
from kubectl_fairshare.input.text.json_places import keys_twice
from kubectl_fairshare.input.text.texts import Text
from tests.unit.input.kubectl import ask, exactly, needs_kubectl
from tests.unit.input.text.test_json_places import shortest
from tests.unit.input.text.texts import documents, problems, refusal, texts_of

NUMBERS = """{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "case-0"}, "n": [
1, -1, 0, 1.0, -0.0, -0, 1.5, 1e3, 1E+3, 1e16, 1e17, 1e18, 9.3e18, 1e19, 1e20, 1e21, 1e22, 0.1, 1e-7, 1e-400,
9007199254740993, 9007199254740993.0, 9223372036854775807, 9223372036854775808, -9223372036854775808,
-9223372036854775809, 18446744073709551615, 18446744073709551616, 123456789012345678901234567890, 100.0]}"""


@needs_kubectl
def test_numbers_are_what_kubectl_would_send() -> None:
    # kubectl prints a whole float as it would send it, without a point: an API server reads an integer.
    printed = ask([NUMBERS])[0]["n"]
    assert exactly(documents(NUMBERS)[0]["n"]) == exactly([n if n else 0 for n in printed])


def test_whole_floats_are_integers_and_integers_beyond_int64_floats() -> None:
    read = documents('[1.0, 1e3, 1e16, 9223372036854775808, 4611686018427387904.0, 1.5, {"a": -0.0}]')[0]
    expected = [1, 1000, 10**16, 9.223372036854775808e18, 4611686018427388000, 1.5, {"a": 0}]
    assert exactly(read) == exactly(expected)
    assert exactly(documents("[2.0][3.0]")) == exactly([[2], [3]])


@pytest.mark.parametrize("number", ["1e16", "1e17", "1.5e17", "1e18", "123e16", "-1e17"])
def test_a_large_whole_float_alone_is_an_integer(number: str) -> None:
    assert exactly(documents(f'{{"a": {number}}}')[0]) == exactly({"a": int(float(number))})


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1}{"a":2}',
        '{"a":1}\n{"a":2}\n',
        '\ufeff {"a":1}\r\n\r\n{"a":2}',
        '{"a":1}\n---\n{"a":2}\n---\n',
        '{"a":1}\n--- # next\n\n---\n{"a":2}',
        '{"a":1}\n---\na: 2\n',
        '{a: 1}\n---\n{"a":2}',
    ],
)
def test_documents_one_after_another(text: str) -> None:
    assert documents(text) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{a: 1, 'b': [x,], }", {"a": 1, "b": ["x"]}),
        ('{"a": 1,}', {"a": 1}),
        ("[1, # one\n 2]", [1, 2]),
        ('{"a": yes}', {"a": True}),
    ],
)
def test_lists_and_mappings_of_yaml_are_read_as_such(text: str, expected: Any) -> None:
    assert documents(text) == [expected]
    assert texts_of(text)["x"].format == "yaml"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,\n "é": 2', "2:8"),
        ('{"a":1}\n{"b":', "2:6"),
        ('{"é": "\x01"}', "1:8"),
        ('{"a": "x\n', "1:9"),
        ('{"a": 1}}', "1:9"),
        ("[1 2", "1:4"),
    ],
)
def test_a_mistake_is_placed(text: str, place: str) -> None:
    found, message = refusal(text)
    assert (found, message.split(":")[0]) == (place, "not valid JSON")


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ('{"a":1,"a":1}', "1:2", "1:8"),
        ('{"a":1,\n\t"b":{"é":[{"c" :1, "c"\n:2}]}}', "2:13", "2:21"),
        ('{"a":"x:y","a":"\\u003a"}', "1:2", "1:12"),
        ('{"a":"\\u003A\\u003a","b":1,"b":"::"}', "1:21", "1:27"),
        ('{"a":{"x:":1},"a":{}}', "1:2", "1:15"),
        ('{"\\u0061":1,"a":2}', "1:2", "1:13"),
        ('{"a:":1,"a\\u003a":2}', "1:2", "1:9"),
        ('{"":1,"":2}', "1:2", "1:7"),
        ('{"a\\"b":1, "x":":\\":", "a\\"b":2}', "1:2", "1:24"),
        ('[{"a":1}]{"b":1,"b":2}', "1:11", "1:17"),
        ("{a: 1, 'a': 2}", "1:2", "1:8"),
    ],
)
def test_a_key_given_twice_is_told_with_both_places(text: str, first: str, second: str) -> None:
    (problem,) = problems(text)
    assert "occurs twice" in problem.message
    assert [str(problem.place), str(problem.related[0][1])] == [f"x:{second}", f"x:{first}"]


@pytest.mark.parametrize("text", ['{"a":"\\u003a"}', '{"a":{"a":1},"b":{"a":":"}}', '[{"a":1},{"a":1}]', '{"a:":":a"}'])
def test_no_key_is_taken_for_another(text: str) -> None:
    assert documents(text) == [orjson.loads(text)]


PIECES = [":", " ", "a", "\\u003a", "\\u003A", "\\u0022", '\\"', "\\\\", "é", ","]
STRINGS = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
MEMBERS = st.lists(st.tuples(STRINGS, STRINGS, st.sampled_from(["", " ", "\n"])))


@given(MEMBERS)
def test_counting_finds_a_key_twice_exactly_when_the_scan_does(members: list[tuple[str, str, str]]) -> None:
    text = "[{" + ",".join(f'"{key}"{blank}:{blank}"{value}"' for key, value, blank in members) + "}]"
    keys = [orjson.loads(f'"{key}"') for key, _, _ in members]
    twice = len(set(keys)) < len(keys)
    assert bool(keys_twice(text, 0, 99)) == twice
    if twice:
        assert len(problems(text)) == min(len(keys) - len(set(keys)), 20)
    else:
        assert documents(text) == [orjson.loads(text)]


@pytest.mark.slow
def test_checks_cost_less_than_the_parse_again() -> None:
    # The reach is half of the parse on an idle machine; a crowded one is given more, and more rounds.
    item = {"metadata": {"name": "w", "labels": {"a.b/c": "d"}}, "spec": {"n": 1, "l": [{"x": "y", "z": True}] * 4}}
    data = orjson.dumps({"items": [item] * 15_000})
    rounds = ((shortest(lambda: orjson.loads(data)), shortest(lambda: json_text.load("x", data))) for _ in range(5))
    assert any(checked < 3 * parse for parse, checked in rounds)
    assert isinstance(texts_of(data)["x"], Text)
