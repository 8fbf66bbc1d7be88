"""YAML that says what the document says, to every reader."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.report.yaml_text import yaml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "yes",
        "no",
        "on",
        "~",
        "null",
        "0x1f",
        "1e3",
        "2026-03-02",
        "a: b",
        "- a",
        "#",
        "",
        "\x85",
        "\u2028",
        "\ufeff",
        "é",
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats(-1e15, 1e15)  # larger ones our reader takes as kubectl does, whose text of a float is another
    | TEXTS
)
DOCUMENTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=20
)


@given(DOCUMENTS)
def test_pyyaml_reads_what_was_written(document: Json) -> None:
    assert yaml.safe_load(yaml_text(document)) == document


@given(st.dictionaries(TEXTS, DOCUMENTS, max_size=4))
def test_our_own_reader_reads_what_was_written(document: Json) -> None:
    _, documents = decode("written", yaml_text(document).encode())
    assert documents == [document]


def test_how_it_looks() -> None:
    document = {
        "kind": "Shares",
        "yes": {},
        "a.b/c": [1, {"x": [], "y": [{"z": None}]}, []],
        "nested": {"k": 0.5, "l": 1e-06},
    }
    assert yaml_text(document) == (
        'kind: "Shares"\n"yes": {}\na.b/c:\n- 1\n- x: []\n  "y":\n  - z: null\n- []\nnested:\n  k: 0.5\n  l: 1.0e-06\n'
    )
