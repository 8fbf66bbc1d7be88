"""What edits make of texts, to the byte; and which are refused, with the reason."""

from dataclasses import dataclass

import pytest

from kubectl_fairshare.editing.fixing import Fix, FixedTexts, apply_fixes
from kubectl_fairshare.editing.pieces import SourceDocument
from kubectl_fairshare.editing.splice import EditStep
from kubectl_fairshare.finding import Edit, Insert, Remove, Rename, Reorder, Replace
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.location import ObjectKey, Place

AT = Place(ObjectKey("", "", "", ""))
Path = tuple[str | int, ...]


@dataclass
class Result:
    text: str
    fixed: FixedTexts


def of(text: str, *fixes: list[tuple[Path, Edit]], document: int = 0) -> Result:
    read, _ = decode("x.yaml", text.encode())
    wanted = [Fix({SourceDocument("x.yaml", document): tuple(EditStep(*step) for step in fix)}) for fix in fixes]
    fixed = apply_fixes(Texts([read]), wanted)
    return Result(fixed.texts.get("x.yaml", text.encode()).decode(), fixed)


def after(text: str, path: Path, edit: Edit) -> str:
    """The text after one edit, which must be made."""
    found = of(text, [(path, edit)])
    assert found.fixed.refused == {}
    return found.text


def why_not(text: str, path: Path, edit: Edit) -> str:
    """Why an edit is refused; the text must stay as it is."""
    found = of(text, [(path, edit)])
    assert found.text == text
    return found.fixed.refused[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:   1   # c\n", "b:   1   # c\n"),
        ("'a': 1\n", "'b': 1\n"),
        ('"a" : 1\n', '"b" : 1\n'),
        ("{a: 1, c: 2}\n", "{b: 1, c: 2}\n"),
        ('{"a":1}', '{"b":1}'),
        ("? a\n: 1\n", "? b\n: 1\n"),
    ],
)
def test_a_renamed_key_keeps_its_quotes_and_its_place(text: str, expected: str) -> None:
    assert after(text, ("a",), Rename(AT, "b")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 0.5  # half\n", 'a: "0.5"  # half\n'),
        ("a: 'x'\n", "a: '0.5'\n"),
        ("a:\nb: 1\n", 'a: "0.5"\nb: 1\n'),
        ("a:  # none\nb: 1\n", 'a: "0.5"  # none\nb: 1\n'),
        ("a: &x 1\n", 'a: &x "0.5"\n'),
        ("a: >-\n  two\n  lines\nb: 1\n", 'a: "0.5"\nb: 1\n'),
        ("a: [1, 2]\n", 'a: "0.5"\n'),
        ("a:  # list\n- 1\n- 2\nb: 1\n", 'a: "0.5"  # list\nb: 1\n'),
        ("{a, b: 1}\n", '{a: "0.5", b: 1}\n'),
        ('{"a": null}', '{"a": "0.5"}'),
    ],
)
def test_a_replaced_value_is_quoted_where_it_has_to_be(text: str, expected: str) -> None:
    assert after(text, ("a",), Replace(AT, "0.5")) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("100m", "100m"),
        ("10Gi", "10Gi"),
        ("MayStopSearch", "MayStopSearch"),
        ("example.com/gpu", "example.com/gpu"),
        ("on", '"on"'),
        ("1e3", '"1e3"'),
        ("0o7", '"0o7"'),
        ("2001-01-01", '"2001-01-01"'),
        ("12:30", '"12:30"'),
        ("10E", '"10E"'),
        ("", '""'),
        ("a: b", '"a: b"'),
        ("é", '"é"'),
        (12, "12"),
        (True, "true"),
        (None, "null"),
        ({}, "{}"),
        ([], "[]"),
    ],
)
def test_what_another_reader_could_take_for_something_else_is_quoted(value: object, expected: str) -> None:
    assert after("a: 1\n", ("a",), Replace(AT, value)) == f"a: {expected}\n"


def test_a_mapping_is_written_in_lines_where_lines_are_the_style() -> None:
    value = {"policy": "Any", "more": [1, {"x": "on"}], "none": {}}
    expected = 'a:  # note\n    policy: Any\n    more:\n      - 1\n      - x: "on"\n    none: {}\n  b: 2\n'
    text = "top:\n  a: 1  # note\n  b: 2\n"
    assert after(text, ("top", "a"), Replace(AT, value)) == "top:\n  " + expected
    assert after("{a: 1}\n", ("a",), Replace(AT, {"b": [1]})) == "{a: {b: [1]}}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1  # gone\nb: 2\n", "b: 2\n"),
        ("# about a\na:\n  x: 1\n  # inside\n  y: 2\n# about b\nb: 2\n", "# about a\n# about b\nb: 2\n"),
        ("b: 2\na: |\n  text\n\n", "b: 2\n\n"),
        ("b: 2\na: 1", "b: 2"),
        ("{a: 1, b: 2}\n", "{b: 2}\n"),
        ("{b: 2, a: 1}\n", "{b: 2}\n"),
        ('{\n  "b": 2,\n  "a": 1\n}\n', '{\n  "b": 2\n}\n'),
        ("{b: 2,  # two\n a: 1}\n", "{b: 2,  # two\n }\n"),
    ],
)
def test_an_entry_goes_with_its_line(text: str, expected: str) -> None:
    assert after(text, ("a",), Remove(AT)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:\n- x: 1\n  y: 2\n", "a:\n- y: 2\n"),
        ("a:\n- x: 1  # one\n  # about y\n  y: 2\n", "a:\n- \n  # about y\n  y: 2\n"),
        ("a:\n- x: 1\n", "a:\n- {}\n"),
        ("a: [{x: 1}]\n", "a: [{}]\n"),
    ],
)
def test_the_entry_beside_a_dash_gives_its_place_to_the_next(text: str, expected: str) -> None:
    assert after(text, ("a", 0, "x"), Remove(AT)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("top:  # kept\n  a: 1\nend: 1\n", "top: {}  # kept\nend: 1\n"),
        ("top: { a: 1 }\n", "top: {}\n"),
        ('{"top": {\n  "a": 1\n}}', '{"top": {}}'),
    ],
)
def test_what_becomes_empty_says_so(text: str, expected: str) -> None:
    assert after(text, ("top", "a"), Remove(AT)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("top:\n  a: 1  # one\n  # last\nend: 1\n", "top:\n  a: 1  # one\n  new: x\n  # last\nend: 1\n"),
        ("top:\n  a: 1", "top:\n  a: 1\n  new: x"),
        ("top: {}\n", "top: {new: x}\n"),
        ("top:\nend: 1\n", "top:\n  new: x\nend: 1\n"),
        ("top: {a: 1, }\n", "top: {a: 1, new: x, }\n"),
        ('{"top": {\n  "a": 1\n}}', '{"top": {\n  "a": 1,\n  "new": "x"\n}}'),
        ('{"top":{"a":1}}', '{"top":{"a":1,"new":"x"}}'),
        ("top:\n  a: |+\n    text\n\nend: 1\n", "top:\n  a: |+\n    text\n\n  new: x\nend: 1\n"),
    ],
)
def test_an_entry_is_put_behind_the_last_one(text: str, expected: str) -> None:
    assert after(text, ("top",), Insert(AT, "new", "x")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:\n- 1 # one\n- 2\n- 3\n", "a:\n- 3\n- 1 # one\n- 2\n"),
        ("a: [1, 2,  3]\n", "a: [3, 1,  2]\n"),
        ("# head\na:\n  # one\n  - 1\n  - 2\n  - 3\n", "# head\na:\n  - 3\n  # one\n  - 1\n  - 2\n"),
        ("a:  # list\n  # list\n\n  - 1\n  - 2\n  - 3\n", "a:  # list\n  # list\n\n  - 3\n  - 1\n  - 2\n"),
        ("a:\n# one\n- 1\n# two\n- 2\n- 3", "a:\n- 3\n# one\n- 1\n# two\n- 2"),
    ],
)
def test_items_change_places_with_their_comments(text: str, expected: str) -> None:
    assert after(text, ("a",), Reorder(AT, (2, 0, 1))) == expected


SHARED = "base: &b {x: 1}\nuse: *b\nmerged:\n  <<: *b\n  z: 2\nlone: &l {x: 1}\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (("base", "x"), "the value is shared, by its anchor `&b`"),
        (("use", "x"), "the value is shared, by the alias `*b`"),
        (("use",), "the value is shared, by the alias `*b`"),
        (("merged", "x"), "`merged.x` comes from `<<`, or is not written there"),
        (("nothing",), "`nothing` is not written there"),
    ],
)
def test_what_stands_in_more_than_one_place_is_left_alone(path: Path, reason: str) -> None:
    assert why_not(SHARED, path, Replace(AT, 2)) == reason


def test_what_is_beside_shared_values_can_be_changed() -> None:
    assert after(SHARED, ("merged", "z"), Replace(AT, 3)) == SHARED.replace("z: 2", "z: 3")
    assert after(SHARED, ("lone", "x"), Replace(AT, 3)) == SHARED.replace("&l {x: 1}", "&l {x: 3}")


@pytest.mark.parametrize(
    ("text", "path", "edit", "reason"),
    [
        ("a: !!str 1\n", ("a",), Replace(AT, "x"), "the value has a tag"),
        ("a: 1\nb: 2\n", ("a",), Rename(AT, "b"), "the mapping has `b` already"),
        ("a: {b: 1}\n", ("a",), Insert(AT, "b", 2), "the mapping has `b` already"),
        ("a: [1, 2]\n", ("a",), Reorder(AT, (0,)), "the list has other items than the new order"),
        ("? a\n: 1\nb: 2\n", ("a",), Remove(AT), "a key is written with `?`"),
        ("&k a: 1\n", ("a",), Rename(AT, "b"), "the key has an anchor or a tag, or is an alias"),
        ("a: [x: 1]\n", ("a", 0), Insert(AT, "b", 2), "a list contains a mapping without brackets"),
        ("a: 1\n", (), Remove(AT), "a whole document cannot be removed"),
        ("a: [\n  # only\n  1]\n", ("a", 0), Remove(AT), "the brackets that would be empty contain a comment"),
        ("a: 1\n", ("a",), Insert(AT, "b", 1), "there is no mapping at this place"),
    ],
)
def test_what_no_small_change_makes_is_refused(text: str, path: Path, edit: Edit, reason: str) -> None:
    assert why_not(text, path, edit) == reason


def test_edits_of_one_fix_are_made_together_or_not_at_all() -> None:
    text = "a: 1\nb: {c: 1}\n"
    good: tuple[Path, Edit] = (("a",), Rename(AT, "z"))
    assert of(text, [good, (("b", "nothing"), Remove(AT))]).text == text
    assert of(text, [good, (("b", "c"), Remove(AT)), (("b",), Insert(AT, "d", 2))]).text == "z: 1\nb: {d: 2}\n"


def test_an_entry_can_be_moved_to_another_name_and_form_at_once() -> None:
    text = "spec:\n  admissionChecks: # two\n  - a\n  - b\n"
    moved = {"admissionChecks": [{"name": "a"}, {"name": "b"}]}
    steps: list[tuple[Path, Edit]] = [
        (("spec", "admissionChecks"), Remove(AT)),
        (("spec",), Insert(AT, "admissionChecksStrategy", moved)),
    ]
    assert of(text, steps).text == (
        "spec:\n  admissionChecksStrategy:\n    admissionChecks:\n      - name: a\n      - name: b\n"
    )


def test_of_two_fixes_for_one_value_the_second_waits() -> None:
    found = of("a: 1\nb: 2\n", [(("a",), Replace(AT, 3))], [(("a",), Replace(AT, 4))], [(("b",), Replace(AT, 5))])
    assert (found.fixed.applied, found.fixed.waiting) == ([0, 2], [1])
    assert found.text == "a: 3\nb: 5\n"


def test_fixes_that_empty_a_mapping_together_leave_an_empty_one() -> None:
    found = of("top:\n  a: 1\n  b: 2\n", [(("top", "a"), Remove(AT))], [(("top", "b"), Remove(AT))])
    assert found.fixed.applied == [0, 1]
    assert found.text == "top: {}\n"


def test_a_fix_that_would_change_too_much_is_refused_and_the_others_are_made() -> None:
    text = "a: 1\nb: &x {c: 1}\nd: 4\n"
    steps: list[list[tuple[Path, Edit]]] = [
        [(("a",), Replace(AT, 2))],
        [(("b",), Rename(AT, "a"))],
        [(("d",), Replace(AT, 5))],
    ]
    found = of(text, *steps)
    assert found.fixed.applied == [0, 2]
    assert list(found.fixed.refused) == [1]
    assert found.text == "a: 2\nb: &x {c: 1}\nd: 5\n"


def test_a_fix_of_two_files_is_made_in_both_or_in_none() -> None:
    texts = Texts(decode(name, text)[0] for name, text in (("a.yaml", b"a: 1\n"), ("b.yaml", b"a: {b: 1}\n")))
    first, second = SourceDocument("a.yaml", 0), SourceDocument("b.yaml", 0)
    one = EditStep(("a",), Rename(AT, "z"))
    both = apply_fixes(texts, [Fix({first: (one,), second: (one,)})])
    assert both.texts == {"a.yaml": b"z: 1\n", "b.yaml": b"z: {b: 1}\n"}
    none = apply_fixes(texts, [Fix({first: (one,), second: (EditStep(("c",), Remove(AT)),)})])
    assert (none.texts, none.refused) == ({}, {0: "`c` is not written there"})


CONFIG_MAP = """\
data:
  config.yaml: |
    # head
    fair:
      weight: 0.5   # half

    list: [a, b]
  other: x  # outside
"""


def test_a_text_that_is_yaml_is_edited_in_its_lines() -> None:
    inner = ("data", "config.yaml")
    assert after(CONFIG_MAP, (*inner, "fair", "weight"), Replace(AT, "1")) == CONFIG_MAP.replace("0.5", '"1"')
    assert after(CONFIG_MAP, (*inner, "list", 0), Remove(AT)) == CONFIG_MAP.replace("[a, b]", "[b]")
    assert after(CONFIG_MAP, inner, Insert(AT, "new", {"x": 1})) == CONFIG_MAP.replace(
        "    list: [a, b]\n", "    list: [a, b]\n    new:\n      x: 1\n"
    )
    assert after(CONFIG_MAP, (*inner, "fair"), Remove(AT)) == CONFIG_MAP.replace(
        "    fair:\n      weight: 0.5   # half\n", ""
    )


def test_a_text_that_is_yaml_is_edited_inside_of_json() -> None:
    text = '{"data": {"c": "a: 1\\nb: 2\\n"}}'
    assert after(text, ("data", "c", "b"), Replace(AT, 3)) == '{"data": {"c": "a: 1\\nb: 3\\n"}}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("c: >\n  a: 1\n", "the text inside the field is not written as a block of lines (`|`)"),
        ("c: 'a: 1'\n", "the text inside the field is not written as a block of lines (`|`)"),
        ("c: |\n  a: 1\n  ---\n  b: 2\n", "the text inside the field has more than one document"),
        ("c: |\n  a: [\n", "the text inside the field is not YAML"),
    ],
)
def test_a_text_in_another_form_is_left_alone(text: str, reason: str) -> None:
    assert why_not(text, ("c", "a"), Replace(AT, 2)) == reason


def test_lines_end_as_elsewhere_in_the_file_where_the_document_has_only_one() -> None:
    found = of("# head\r\na: {}", [(("a",), Replace(AT, {"b": 1}))])
    assert found.text == "# head\r\na:\r\n  b: 1"


def test_a_value_like_another_in_the_next_document_stays() -> None:
    text = "# one\na: 1\n--- # two\na: 1\n...\n# three\n---\na: 1\n"
    found = of(text, [(("a",), Replace(AT, 2))], document=1)
    assert found.text == "# one\na: 1\n--- # two\na: 2\n...\n# three\n---\na: 1\n"


def test_the_number_of_proofs_is_bounded() -> None:
    """Each of these fixes fails its proof, and a proof reads the whole file."""
    text = "".join(f"k{number}: &x {{c: 1}}\n" for number in range(200)) + "a: 1\n"
    steps: list[list[tuple[Path, Edit]]] = [[((f"k{number}",), Rename(AT, "a"))] for number in range(200)]
    found = of(text, *steps)
    assert found.text == text
    assert len(found.fixed.refused) == 200
    assert any("too many other fixes" in reason for reason in found.fixed.refused.values())
