"""Edits of a document as splices of its text, which leave every other character unchanged.

All removals and insertions of one list or mapping are computed together, because what is between two rows belongs to
neither: the comma, the line break, the brackets of a value that becomes empty.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kubectl_fairshare.editing.block_splices import block_splices
from kubectl_fairshare.editing.flow_splices import flow_splices
from kubectl_fairshare.editing.inner_text import inner_text
from kubectl_fairshare.editing.splice import Change, EditStep, Splice, UnspliceableError, in_order
from kubectl_fairshare.editing.value_splices import renaming_splice, replacing_splices
from kubectl_fairshare.finding import Edit, Insert, Remove, Rename, Reorder, Replace
from kubectl_fairshare.input.text.nodes import BLOCK, Document, TextEntry, TextNode
from kubectl_fairshare.model.json import FieldPath, field_text

_TEXTS: Final = ("|", ">", '"', "'")


class EditTarget(NamedTuple):
    """The target of a path: a value, its entry in a mapping, and the list or mapping around it.

    ``row`` is its number there; ``above`` is the target around it. ``rest`` is the part of the path inside a text.
    """

    node: TextNode
    holder: TextEntry | None = None
    row: int = 0
    above: "EditTarget | None" = None
    in_flow: bool = False
    rest: FieldPath = ()


def splices(document: Document, steps: Sequence[EditStep]) -> Sequence[Splice]:
    """The changes of ``steps`` in the text of the document. Raises ``UnspliceableError`` if one is impossible."""
    changes: dict[int, Change] = {}
    found: list[Splice] = []
    for path, edit in steps:
        target = find(document, path)
        if _is_inside(target, edit):
            continue
        if isinstance(edit, Rename):
            found.append(renaming_splice(document, _entry(target), edit.key))
        elif isinstance(edit, Replace):
            found += replacing_splices(document, target.holder, target.node, edit.value, in_flow=target.in_flow)
        else:
            found += _record_change(document, changes, target, edit)
    for change in changes.values():
        write = block_splices if change.node.style == BLOCK else flow_splices
        found += write(document, change)
    for node, inside in inner(document, steps):
        text = inner_text(document, node)
        found += text.rewriting(splices(text.document, inside))
    return in_order(found)


def inner(document: Document, steps: Sequence[EditStep]) -> Iterator[tuple[TextNode, list[EditStep]]]:
    """The scalars with edited YAML inside, each with its edits."""
    found: dict[int, tuple[TextNode, list[EditStep]]] = {}
    for path, edit in steps:
        target = find(document, path)
        if _is_inside(target, edit):
            found.setdefault(id(target.node), (target.node, []))[1].append(EditStep(target.rest, edit))
    yield from found.values()


def _is_inside(target: EditTarget, edit: Edit) -> bool:
    """Whether an edit is inside a text: its path continues there, or it adds to the text's mapping."""
    return bool(target.rest) or (isinstance(edit, Insert) and target.node.style in _TEXTS)


def find(document: Document, path: FieldPath) -> EditTarget:
    """The target of ``path`` in the text. Raises ``UnspliceableError`` unless it is exactly one place."""
    target = EditTarget(document.root)
    _require_unshared(document, document.root)
    for number, part in enumerate(path):
        node = target.node
        if node.is_scalar and node.value:
            return target._replace(rest=path[number:])
        target = _child(target, part, path[: number + 1])
        _require_unshared(document, target.node)
    return target


def _child(target: EditTarget, part: str | int, path: FieldPath) -> EditTarget:
    node = target.node
    in_flow = target.in_flow or node.style in ("{", "[")
    if node.entries is not None:
        row = node.row(part) if isinstance(part, str) else None
        if row is not None:
            return EditTarget(node.entries[row].value, node.entries[row], row, target, in_flow)
        if node.row(None) is not None:
            raise UnspliceableError(f"`{field_text(path)}` comes from `<<`, or is not written there")
    elif node.items is not None and isinstance(part, int) and part < len(node.items):
        return EditTarget(node.items[part], None, part, target, in_flow)
    raise UnspliceableError(f"`{field_text(path)}` is not written there")


def _require_unshared(document: Document, node: TextNode) -> None:
    """Raises ``UnspliceableError`` for a value that several places of the document share."""
    if node.style == "*":
        raise UnspliceableError(f"the value is shared, by the alias `*{node.value}`")
    if node.anchor is not None and node.anchor in document.aliased:
        raise UnspliceableError(f"the value is shared, by its anchor `&{node.anchor}`")


def _entry(target: EditTarget) -> TextEntry:
    if target.holder is None:
        raise UnspliceableError("an item of a list has no key")
    return target.holder


def _record_change(document: Document, changes: dict[int, Change], target: EditTarget, edit: Edit) -> Iterator[Splice]:
    """Records the change of a list or mapping until all changes are known; a missing mapping is written at once."""
    if isinstance(edit, Remove):
        if target.above is None:
            raise UnspliceableError("a whole document cannot be removed")
        _change(changes, target.above).removed.add(target.row)
    elif isinstance(edit, Reorder):
        if sorted(edit.order) != list(range(len(target.node.items or ()))):
            raise UnspliceableError("the list has other items than the new order")
        _change(changes, target).order = edit.order
    elif isinstance(edit, Insert):
        if target.node.entries is not None:
            if target.node.row(edit.key) is not None:
                raise UnspliceableError(f"the mapping has `{edit.key}` already")
            _change(changes, target).inserted.append((edit.key, edit.value))
        elif target.node.is_scalar and target.node.value in ("", "~", "null"):
            held = {edit.key: edit.value}
            yield from replacing_splices(document, target.holder, target.node, held, in_flow=target.in_flow)
        else:
            raise UnspliceableError("there is no mapping at this place")


def _change(changes: dict[int, Change], target: EditTarget) -> Change:
    """The recorded change of a list or mapping."""
    change = changes.setdefault(id(target.node), Change(target.node, target.holder))
    if change.order:
        raise UnspliceableError("one fix changes the list while another one reorders it")
    return change
