"""What an edit of an indented mapping leaves around it."""

import pytest

from kubectl_fairshare.editing.fixing import Fix, apply_fixes
from kubectl_fairshare.editing.pieces import SourceDocument
from kubectl_fairshare.editing.splice import EditStep
from kubectl_fairshare.finding import Edit, Remove, Replace
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.location import ObjectKey, Place

NOWHERE = Place(ObjectKey("", "", "", ""))


@pytest.mark.parametrize(
    ("data", "path", "edit", "after"),
    [
        (b"a: 1\nb: 2\n", ("b",), Remove(NOWHERE), b"a: 1\n"),
        (b"a: 1\nb: 2", ("b",), Remove(NOWHERE), b"a: 1"),
        (b"a: 1\nb:\n  cpu: x\n  spec: z\n", ("b",), Replace(NOWHERE, []), b"a: 1\nb: []\n"),
        (b"a: 1\nb:\n  cpu: x\n  spec: z", ("b",), Replace(NOWHERE, []), b"a: 1\nb: []"),
    ],
)
def test_a_text_that_does_not_end_its_last_line_does_not_afterwards(
    data: bytes, path: tuple[str | int, ...], edit: Edit, after: bytes
) -> None:
    text, _ = decode("x.yaml", data)
    assert (
        apply_fixes(Texts([text]), [Fix({SourceDocument("x.yaml", 0): (EditStep(path, edit),)})]).texts["x.yaml"]
        == after
    )
