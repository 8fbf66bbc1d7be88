"""What is said of Koordinator's quotas: a tree per resource, and remarks on figures that need one.

Tested in ``tests/unit/schedulers/koordinator/test_words.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Items, Layout, Remark, Section
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.schedulers.koordinator.explain.figures import RuntimeNode, RuntimeTable, TreeEntry
from kubectl_fairshare.schedulers.koordinator.model.names import DEFAULT, SPECIAL

_NOTE: Final = (
    "RUNTIME: what a quota may use now. Each parent gives its children min first, or less if they request less, then "
    "divides the rest by weight. BORROWED: used above MIN. LENT: the part of MIN that others get now."
)


def shares_layout(found: RuntimeTable, figures: tuple[Figure, ...]) -> Layout:
    """The quotas, resource by resource."""
    groups: list[Sequence[Block]] = [_section(t, r, figures) for r in found.resources for t in found.trees]
    if not found.resources:
        groups.append([Remark("no quota names a resource", "dim", first="")])
    oddities = [each for node in found.quotas for each in _oddities(node)]
    over = Items("use more than their runtime: ", found.over)
    return Layout(_opening(found), [*groups, oddities, [over], [Remark(_NOTE, "dim", first="", more="")]])


def _opening(found: RuntimeTable) -> tuple[str, ...]:
    """The number of quotas, nodes and pods without a quota."""
    parts = [count(sum(1 for _ in found.quotas), "quota")]
    if found.nodes[0]:
        odd = f", {found.nodes[1]} of them cordoned or not ready" if found.nodes[1] else ""
        parts.append(f"{count(found.nodes[0], 'node')} counted{odd}")
    if found.outside:
        parts.append(f"{count(found.outside, 'pod')} without a quota")
    return tuple(parts)


def _section(tree: TreeEntry, resource: str, figures: tuple[Figure, ...]) -> Sequence[Block]:
    total = None
    if tree.shared is not None:
        used = sum(root.pairs["", resource].used for root in tree.roots)
        total = {"runtime": amount(resource, tree.shared.get(resource, 0)), "used": amount(resource, used)}
    title = f"{resource} (tree {tree.id})" if tree.id else resource
    return [Section(title, tree.roots, figures, resource, total=total, tone="strong"), *_remarks(tree, resource)]


def _remarks(tree: TreeEntry, resource: str) -> Iterator[Block]:
    """What would surprise a reader of the figures of a resource."""
    if tree.shared is None:
        yield Remark("the total is not known: the input has no nodes (see `--nodes`)")
        return
    whole, shared = (of.get(resource, 0) for of in (tree.total or {}, tree.shared))
    if whole != shared:
        text = f"nodes have {amount(resource, whole)}; {amount(resource, whole - shared)} of it is used by the default"
        yield Remark(f"{text} and the system quota, and is not shared")
    top = [(root, root.pairs["", resource]) for root in tree.roots if not root.own.orphan and root.name not in SPECIAL]
    minima = sum(of.min for _, of in top if of.max is not None)
    if minima > shared:
        text = (
            f"the top quotas' min add up to {amount(resource, minima)}, which is more than {amount(resource, shared)}"
        )
        yield Remark(f"{text}: each counts as its part of the total")
    for root in tree.roots:
        for node in root:
            yield from _of_quota(node, resource)


def _of_quota(node: RuntimeNode, resource: str) -> Iterator[Block]:
    of, own = node.pairs["", resource], node.own
    if of.max is None and not own.assumed and (of.used or of.asked):
        text = f"{node.name}: max does not list {resource}, so it limits and counts none of it"
        yield Remark(text, place=own.group.place("max"))
    if of.runtime is not None and of.used > of.runtime:
        more = amount(resource, of.used - of.runtime)
        yield Remark(f"{node.name} uses {more} more than its runtime: no pod of it is admitted")


def _oddities(node: RuntimeNode) -> Iterator[Block]:
    text = _oddity(node)
    if text:
        group = node.own.group
        yield Remark(text, place=None if group.assumed else group.place("max"), first="")


def _oddity(node: RuntimeNode) -> str:
    """What is odd about a quota; empty for most."""
    name, own = node.name, node.own
    if own.orphan:
        return f"{name}: no quota {own.group.parent} leads from it to root, so nothing limits it"
    if name == DEFAULT and own.placed + own.waiting:
        pods = count(own.placed + own.waiting, "pod")
        text = f"{name}: {pods}, without a limit; what it uses is taken off the total first"
        return f"{text}, and it competes for the rest, too"
    if name in SPECIAL:
        return ""
    if not own.group.max:
        return f"{name}: max is empty, so it limits and counts nothing"
    if own.uncomputed:
        return f'{name}: is-parent is "true" and it has no children, so it gets no runtime and its min is not scaled'
    return ""
