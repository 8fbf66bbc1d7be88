"""An edit changes what it is about and nothing else, whatever the style of the text."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.editing.fixing import Fix, FixedTexts, apply_fixes
from kubectl_fairshare.editing.pieces import SourceDocument
from kubectl_fairshare.editing.splice import EditStep
from kubectl_fairshare.finding import Edit, Insert, Remove, Rename, Reorder, Replace
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.location import ObjectKey, Place
from tests.property.effort import examples
from tests.property.styled import DOCUMENTS, SCALARS, VALUES, text_of

NOWHERE = Place(ObjectKey("", "", "", ""))
UNDERSTOOD = (
    "a comment would be lost",
    "the brackets that would be empty contain a comment",
    "there are comments between the items",
    "the value has no key, so an empty value has no place next to it",
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where values stand in a value, itself included."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for name, held in entries for found in paths(held, (*path, name)))]


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


def changed(value: Any, path: tuple[str | int, ...], edit: Edit) -> Any:
    """What the edit is meant to make of a value, worked out the plain way."""
    if len(path) > isinstance(edit, Remove | Rename):
        first, rest = path[0], path[1:]
        if isinstance(value, dict):
            return {name: changed(held, rest, edit) if name == first else held for name, held in value.items()}
        return [changed(held, rest, edit) if number == first else held for number, held in enumerate(value)]
    if isinstance(edit, Replace):
        return edit.value
    if isinstance(edit, Insert):
        return {**(value or {}), edit.key: edit.value}
    if isinstance(edit, Reorder):
        return [value[number] for number in edit.order]
    if isinstance(edit, Rename):
        return {edit.key if name == path[0] else name: held for name, held in value.items()}
    if isinstance(value, dict):
        return {name: held for name, held in value.items() if name != path[0]}
    return [held for number, held in enumerate(value) if number != path[0]]


@st.composite
def edits(draw: Any, document: Any) -> tuple[tuple[str | int, ...], Edit]:
    """An edit that can be made of the document."""
    found = paths(document)
    lists = [path for path in found if isinstance(at(document, path), list)]
    mappings = [path for path in found if isinstance(at(document, path), dict)]
    keys = [path for path in found if path and isinstance(path[-1], str)]
    kind = draw(st.sampled_from(["rename", "replace", "remove", "insert", *(["reorder"] if lists else [])]))
    if kind == "rename":
        return draw(st.sampled_from(keys)), Rename(NOWHERE, draw(st.sampled_from(["fresh", "no", "new one"])))
    if kind == "replace":
        return draw(st.sampled_from(found[1:])), Replace(NOWHERE, draw(VALUES))
    if kind == "remove":
        return draw(st.sampled_from(found[1:])), Remove(NOWHERE)
    if kind == "insert":
        return draw(st.sampled_from(mappings)), Insert(NOWHERE, draw(st.sampled_from(["fresh", "no"])), draw(VALUES))
    path = draw(st.sampled_from(lists))
    return path, Reorder(NOWHERE, tuple(draw(st.permutations(range(len(at(document, path)))))))


def fixed(data: bytes, *steps: EditStep, document: int = 0) -> tuple[FixedTexts, bytes]:
    """What becomes of the text by one fix."""
    text, _ = decode("x.yaml", data)
    found = apply_fixes(Texts([text]), [Fix({SourceDocument("x.yaml", document): steps})])
    return found, found.texts.get("x.yaml", data)


def comment_lines(text: str) -> list[str]:
    return sorted(re.findall(r"# comment \d+", text))


@examples(60)
@given(st.data())
def test_an_edit_changes_its_value_and_no_other(data: st.DataObject) -> None:
    document = data.draw(DOCUMENTS)
    text = text_of(document, data.draw)
    assert decode("x.yaml", text.encode())[1] == [document]
    path, edit = data.draw(edits(document))
    found, after = fixed(text.encode(), EditStep(path, edit))
    if found.refused:
        assert set(found.refused.values()) <= set(UNDERSTOOD)
        assert after == text.encode()
    else:
        assert decode("x.yaml", after)[1] == [changed(document, path, edit)]


@examples(60)
@given(st.data())
def test_no_comment_is_lost_where_nothing_is_taken_out(data: st.DataObject) -> None:
    document = data.draw(DOCUMENTS)
    text = text_of(document, data.draw)
    path, edit = data.draw(edits(document).filter(lambda found: not isinstance(found[1], Remove | Replace)))
    _, after = fixed(text.encode(), EditStep(path, edit))
    assert comment_lines(after.decode()) == comment_lines(text)


@examples(60)
@given(st.data())
def test_a_scalar_is_exchanged_between_its_neighbours(data: st.DataObject) -> None:
    document = data.draw(DOCUMENTS)
    text = text_of(document, data.draw)
    scalars = [path for path in paths(document) if not isinstance(at(document, path), dict | list)]
    if not scalars:
        return
    path = data.draw(st.sampled_from(scalars))
    _, marked = fixed(text.encode(), EditStep(path, Replace(NOWHERE, "here-it-is")))
    before, sign, after = re.split(r"(\"?'?here-it-is'?\"?)", marked.decode())
    assert text.startswith(before)
    assert text.endswith(after)
    assert sign


@examples(60)
@given(st.data(), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]), st.booleans())
def test_line_ends_and_the_mark_at_the_start_stay(data: st.DataObject, end: str, mark: str, last: bool) -> None:
    document = data.draw(DOCUMENTS)
    text = text_of(document, data.draw)
    if not last:
        text = text.rstrip("\n")
    path, edit = data.draw(edits(document))
    raw = (mark + text.replace("\n", end)).encode()
    found, after = fixed(raw, EditStep(path, edit))
    if found.applied:
        assert decode("x.yaml", after)[1] == [changed(document, path, edit)]
        assert after.decode().startswith("\ufeff") == bool(mark)
        assert end == "\r\n" or b"\r" not in after
        assert b"\r\n" not in raw or re.search(rb"(?<!\r)\n", after) is None
        assert last == after.endswith(b"\n")


@examples(60)
@given(DOCUMENTS, st.data(), st.sampled_from([None, 1, 2, "\t"]))
def test_json_stays_json(document: Any, data: st.DataObject, indent: int | str | None) -> None:
    separators = data.draw(st.sampled_from([(",", ":"), (", ", ": ")])) if indent is None else None
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=data.draw(st.booleans()))
    path, edit = data.draw(edits(document))
    found, after = fixed(text.encode(), EditStep(path, edit))
    assert not found.refused
    assert json.loads(after) == changed(document, path, edit)


@examples(60)
@given(st.data())
def test_other_documents_keep_every_byte(data: st.DataObject) -> None:
    documents = [data.draw(DOCUMENTS) for _ in range(3)]
    texts = ["---\n" + text_of(each, data.draw).replace("---\n", "") for each in documents]
    path, edit = data.draw(edits(documents[1]))
    _, after = fixed("".join(texts).encode(), EditStep(path, edit), document=1)
    assert after.decode().startswith(texts[0])
    assert after.decode().endswith(texts[2])


@examples(30)
@given(st.data(), SCALARS)
def test_a_change_and_its_opposite_give_the_same_bytes(data: st.DataObject, value: Any) -> None:
    document = {"a": {"name": value, "rest": [1]}}
    text = text_of(document, data.draw)
    _, after = fixed(text.encode(), EditStep(("a", "name"), Rename(NOWHERE, "other")))
    _, again = fixed(after, EditStep(("a", "other"), Rename(NOWHERE, "name")))
    assert again.decode() == text


@examples(60)
@given(st.data())
def test_fixes_of_different_fields_are_made_together(data: st.DataObject) -> None:
    document = {name: data.draw(VALUES) for name in ("a", "b", "c")}
    text = text_of(document, data.draw)
    wanted = []
    for name in ("a", "c"):
        path, edit = data.draw(edits({name: document[name]}).filter(lambda found: len(found[0]) > 1))
        wanted.append((path, edit))
    read, _ = decode("x.yaml", text.encode())
    found = apply_fixes(Texts([read]), [Fix({SourceDocument("x.yaml", 0): (EditStep(*step),)}) for step in wanted])
    expected: Any = document
    for number in found.applied:
        expected = changed(expected, *wanted[number])
    assert set(found.refused.values()) <= set(UNDERSTOOD)
    assert not found.waiting
    assert decode("x.yaml", found.texts.get("x.yaml", text.encode()))[1] == [expected]


@examples(60)
@given(st.data())
def test_fixes_that_meet_wait_or_are_made_as_if_one_after_the_other(data: st.DataObject) -> None:
    document = data.draw(DOCUMENTS)
    text = text_of(document, data.draw)
    keys = [path for path in paths(document) if path and isinstance(path[-1], str)]
    first, second = (data.draw(st.sampled_from(keys)) for _ in range(2))
    kinds: tuple[Edit, ...] = (Remove(NOWHERE), Replace(NOWHERE, 7), Rename(NOWHERE, "fresh"))
    wanted = [(path, data.draw(st.sampled_from(kinds))) for path in (first, second)]
    read, _ = decode("x.yaml", text.encode())
    found = apply_fixes(Texts([read]), [Fix({SourceDocument("x.yaml", 0): (EditStep(*step),)}) for step in wanted])
    after = decode("x.yaml", found.texts.get("x.yaml", text.encode()))[1]
    expected: Any = document
    for path, edit in sorted((wanted[n] for n in found.applied), key=lambda s: (-len(s[0]), isinstance(s[1], Rename))):
        expected = changed(expected, path, edit)
    assert after == [expected]
