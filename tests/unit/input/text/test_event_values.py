"""Events are values of our own while a text is read, and PyYAML's again afterwards."""

import threading

import pytest
import yaml
from yaml import _yaml

from kubectl_fairshare.input.text import event_values
from kubectl_fairshare.input.text.yaml_events import events
from kubectl_fairshare.input.text.yaml_text import load
from kubectl_fairshare.model.errors import FairshareError

TEXT = "a: &x {b: 'c'}\nd: [*x, !!str e]\n---\n- |\n  f\n"
MADE = (
    *("DocumentStartEvent", "DocumentEndEvent", "AliasEvent", "ScalarEvent"),
    *("SequenceStartEvent", "SequenceEndEvent", "MappingStartEvent", "MappingEndEvent"),
)


def _said(event: object) -> dict[str, object]:
    names = getattr(event, "__struct_fields__", None) or vars(event)
    marks = {name: (getattr(event, name).index, getattr(event, name).line) for name in ("start_mark", "end_mark")}
    return {"kind": type(event).__name__} | {name: getattr(event, name) for name in names} | marks


def test_values_say_what_the_events_of_pyyaml_say() -> None:
    with events(TEXT) as following:
        ours = list(iter(following, None))
    theirs = list(yaml.parse(TEXT, Loader=yaml.CSafeLoader))
    assert [_said(each) for each in ours] == [_said(each) for each in theirs]
    assert {type(each) for each in ours if type(each).__module__ == event_values.__name__} == {
        getattr(event_values, name) for name in MADE
    }


def test_the_classes_of_pyyaml_are_back_afterwards() -> None:
    load("a.yaml", TEXT.encode())
    for text in (b"a: [", b"a: *b"):
        with pytest.raises(FairshareError):
            load("a.yaml", text)
    assert all(getattr(_yaml, name) is getattr(yaml, name) for name in MADE)


def test_the_classes_of_a_pyyaml_that_makes_other_events_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    assert event_values.ALIKE
    expected = load("a.yaml", TEXT.encode())
    monkeypatch.setattr(event_values, "ALIKE", False)
    with events(TEXT) as following:
        assert {type(each).__module__ for each in iter(following, None)} == {"yaml.events"}
    assert load("a.yaml", TEXT.encode()) == expected


def test_an_event_with_another_field_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    class ScalarEvent:
        def __init__(self, anchor: object, tag: object, comment: object) -> None:
            del anchor, tag, comment

    monkeypatch.setattr(_yaml, "ScalarEvent", ScalarEvent)
    assert not event_values._is_made_alike("ScalarEvent", event_values.ScalarEvent)
    assert event_values._is_made_alike("AliasEvent", event_values.AliasEvent)


def test_a_text_is_read_while_another_one_is() -> None:
    with events("a: 1") as outer:
        with events("b: 2") as inner:
            kinds = [type(each).__name__ for each in iter(inner, None)]
        assert [type(each).__name__ for each in iter(outer, None)] == kinds
    assert _yaml.ScalarEvent is yaml.ScalarEvent


def test_texts_are_read_in_several_threads() -> None:
    text = b"".join(b"- {a: [1, 2], b: c}\n" for _ in range(2_000))
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(load("a.yaml", text))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [load("a.yaml", text)] * 4
