"""What is cut of a document is said, and what is left is valid JSON of the size that was asked."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kubectl_fairshare.cli.agents.cutting import brief, shorten, size

VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4),
    max_leaves=40,
)


def test_what_is_cut_fits() -> None:
    document = {"items": [{"n": list(range(1000))} for _ in range(50)], "other": "text"}
    omitted = shorten(document, 5_000)
    assert size(document) < 5_000
    assert omitted[0]["of"] == 50


def test_brief_has_the_answer_and_says_what_it_lacks() -> None:
    document = {"kind": "Plan", "proof": [1, 2], "fidelity": {"exact": True}, "victims": [{"a": "", "b": 0}], "x": None}
    kept, omitted = brief(document, 1_000)
    assert kept == {"kind": "Plan", "victims": [{"b": 0}]}
    assert omitted == [{"at": "/proof", "shown": 0, "of": 2}]


@settings(max_examples=30)
@given(st.dictionaries(st.sampled_from(["kind", "proof", "items", "queues"]), VALUES))
def test_brief_never_changes_what_it_shows(document: dict[str, Any]) -> None:
    kept, omitted = brief(document, 200)
    lists = {each["at"] for each in omitted}
    for name, value in kept.items():
        assert isinstance(value, list | dict) or value == document[name]
    assert len(lists) == len(omitted)
    assert "/proof" in lists or not isinstance(document.get("proof"), list | dict) or not document["proof"]
