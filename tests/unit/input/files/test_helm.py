"""Helm's comments name the template that a document came from."""

import pytest

from kubectl_fairshare.input.files.helm import Templates
from kubectl_fairshare.model.location import Origin
from tests.unit.input.text.texts import texts_of

STREAM = """\
---
# Source: chart/templates/a.yaml
apiVersion: v1
kind: A
---
# Source: chart/templates/b and c.yaml
# more
apiVersion: v1
kind: B
---
apiVersion: v1
kind: C
# Source: nobody.yaml
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("document", "expected"), [(0, "chart/templates/a.yaml"), (1, "chart/templates/b and c.yaml"), (2, "")]
)
def test_the_template_of_a_document(document: int, expected: str, end: str) -> None:
    assert Templates(texts_of(STREAM.replace("\n", end))).of(Origin("x", document)) == expected


def test_a_first_document_needs_no_mark() -> None:
    assert Templates(texts_of(STREAM.removeprefix("---\n"))).of(Origin("x", 0)) == "chart/templates/a.yaml"


def test_the_items_of_a_list_are_of_its_template() -> None:
    text = "# Source: chart/list.yaml\nkind: List\nitems:\n- kind: A\n"
    assert Templates(texts_of(text)).of(Origin("x", 0, ("items", 0))) == "chart/list.yaml"


@pytest.mark.parametrize("text", ['{"kind": "A", "x": "\\n# Source: b.yaml\\n"}', "kind: A\n# Source: late.yaml\n"])
def test_elsewhere_such_a_text_says_nothing(text: str) -> None:
    assert Templates(texts_of(text)).of(Origin("x", 0)) == ""
