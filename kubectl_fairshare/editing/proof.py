"""Reads a changed text again: only the intended parts may differ, and no comment may be lost."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.editing import second_reader
from kubectl_fairshare.editing.edited import edited_values, same
from kubectl_fairshare.editing.inner_text import inner_text
from kubectl_fairshare.editing.pieces import Pieces, SourceDocument
from kubectl_fairshare.editing.splice import EditStep, Splice, UnspliceableError, line_end, spliced_text
from kubectl_fairshare.editing.splices import find, inner, splices
from kubectl_fairshare.finding import Remove, Replace
from kubectl_fairshare.input.text.comments import comments
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.nodes import BLOCK, Document
from kubectl_fairshare.model.errors import FairshareError

_NO_LONGER_READ: Final = "the changed text could not be read any more"
_OTHER_VALUES: Final = "more than the intended value would change"
_LOST_COMMENT: Final = "a comment would be lost"


def prove(
    pieces: Pieces,
    source: str,
    made: Mapping[SourceDocument, Sequence[Splice]],
    steps: Mapping[SourceDocument, Sequence[EditStep]],
) -> None:
    """Returns if the source with the splices ``made`` has the same values as before, except for ``steps``.

    Raises ``UnspliceableError`` if not, by our reader or by a second one.
    """
    text = pieces.texts[source]
    before = decode(source, text.data)[1]
    wanted = [edited_values(each, steps.get(SourceDocument(source, number), ())) for number, each in enumerate(before)]
    try:
        after = decode(source, pieces.changed_bytes(source, pieces.in_text(made)))[1]
    except FairshareError:
        raise UnspliceableError(_NO_LONGER_READ) from None
    if not same(wanted, after):
        raise UnspliceableError(_OTHER_VALUES)
    for part, each in made.items():
        document = pieces[part].document
        changed = spliced_text(document.text, each)
        meant = wanted[part.document]
        if not second_reader.agrees(document.text, changed, steps[part], meant, json=document.json):
            raise UnspliceableError(_OTHER_VALUES)
        comments_kept(document, changed, steps[part])


def comments_kept(document: Document, changed: str, steps: Sequence[EditStep]) -> None:
    """Returns if every comment outside the removed parts is kept. Raises ``UnspliceableError`` if not."""
    if document.json:
        return
    taken = list(_removed_spans(document, steps))
    before, after = list(comments(document.text)), Counter(text for _, text in comments(changed))
    must = Counter(c.text for c in before if not any(start <= c.position < end for start, end in taken))
    if must - after or after - Counter(text for _, text in before):
        raise UnspliceableError(_LOST_COMMENT)
    for node, inner_steps in inner(document, steps):
        inside = inner_text(document, node).document
        comments_kept(inside, spliced_text(inside.text, splices(inside, inner_steps)), inner_steps)


def _removed_spans(document: Document, steps: Sequence[EditStep]) -> Iterator[tuple[int, int]]:
    """The start and end of the text that each edit removes."""
    for path, edit in steps:
        if not isinstance(edit, Remove | Replace):
            continue
        target = find(document, path)
        if target.rest:
            continue
        node, holder = target.node, target.holder
        start = node.start if isinstance(edit, Replace) or holder is None else holder.key.outset
        end = max(node.end, start)
        if isinstance(edit, Remove) or node.style == BLOCK:
            end = line_end(document.text, end)
        yield start, end
