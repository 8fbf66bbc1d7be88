"""The screen of Koordinator's quotas: a tree per resource, and notes on figures that need one."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import NOTHING, amount, count, some
from kubectl_fairshare.report.text.heading import gap_lines, release_lines
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import Column, Row, table, wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.trees import branches
from kubectl_fairshare.schedulers.koordinator.explain.figures import (
    RuntimeEntry,
    RuntimeFigures,
    RuntimeTable,
    TreeEntry,
    walk_entries,
)
from kubectl_fairshare.schedulers.koordinator.model.names import DEFAULT, SPECIAL

_NOTE: Final = (
    "RUNTIME: what a quota may use now. Each parent gives its children min first, or less if they request less, then "
    "divides the rest by weight. BORROWED: used above MIN. LENT: the part of MIN that others get now."
)


def shares_screen(found: RuntimeTable, view: View) -> str:
    """The quotas, resource by resource."""
    lines = [*_opening(found, view), *gap_lines(found.fidelity, view)]
    if not found.resources:
        lines += ["", view.paint("dim", "no quota names a resource")]
    for resource in found.resources:
        for tree in found.trees:
            lines += ["", *_section(tree, resource, view)]
    oddities = [line for entry in walk_entries(found.roots) for line in _oddities(entry, view)]
    lines += ["", *oddities] if oddities else []
    lines += _over_lines(found, view)
    return "\n".join([*lines, "", *paragraph(_NOTE, view, "", "", "dim")]) + "\n"


def _opening(found: RuntimeTable, view: View) -> list[str]:
    """The release, and the number of quotas and nodes."""
    parts = [count(sum(1 for _ in walk_entries(found.roots)), "quota")]
    if found.nodes[0]:
        odd = f", {found.nodes[1]} of them cordoned or not ready" if found.nodes[1] else ""
        parts.append(f"{count(found.nodes[0], 'node')} counted{odd}")
    if found.outside:
        parts.append(f"{count(found.outside, 'pod')} without a quota")
    return release_lines(parts, found.fidelity, view)


def _section(tree: TreeEntry, resource: str, view: View) -> list[str]:
    guarantees = any(entry.figures[resource].guaranteed for entry in walk_entries(tree.roots))
    columns = (
        Column(f"{resource} (tree {tree.id})" if tree.id else resource, right=False),
        Column("MIN"),
        *((Column("GUARANTEED"),) if guarantees else ()),
        Column("MAX", rank=1),
        Column("WEIGHT", rank=2),
        Column("REQUEST"),
        Column("RUNTIME"),
        Column("USED"),
        Column("BORROWED"),
        Column("LENT"),
    )
    rows = [
        Row((label, *_cells(resource, entry, guarantees=guarantees)), _tone(entry))
        for label, entry in branches(tree.roots)
    ]
    blank = ("",) * (len(columns) - 4)
    if tree.shared is not None:
        used = sum(root.figures[resource].used for root in tree.roots)
        shared = amount(resource, tree.shared.get(resource, 0))
        rows.append(Row(("total", *blank, shared, amount(resource, used), ""), "strong"))
    return [*table(columns, rows, view), *_notes(tree, resource, view)]


def _cells(resource: str, entry: RuntimeEntry, *, guarantees: bool) -> tuple[str, ...]:
    of = entry.figures[resource]
    return (
        _min(resource, of),
        *((some(resource, of.guaranteed),) if guarantees else ()),
        NOTHING if of.max is None or entry.group.assumed else amount(resource, of.max),
        "" if of.max is None or entry.group.assumed else amount(resource, of.weight),
        some(resource, of.request),
        _runtime(resource, entry),
        some(resource, of.used),
        some(resource, of.borrowed),
        some(resource, of.lent),
    )


def _min(resource: str, of: RuntimeFigures) -> str:
    """The min, with the scaled one behind it where the total is too small for all."""
    text = some(resource, of.min)
    return text if of.least == of.min else f"{text} → {amount(resource, of.least)}"


def _runtime(resource: str, entry: RuntimeEntry) -> str:
    of = entry.figures[resource]
    return NOTHING if of.runtime is None else amount(resource, of.runtime)


def _tone(entry: RuntimeEntry) -> Tone:
    return "dim" if entry.orphan or entry.name in SPECIAL else ""


def _notes(tree: TreeEntry, resource: str, view: View) -> Iterator[str]:
    """Notes on the figures of a resource that would surprise a reader."""
    if tree.shared is None:
        yield from paragraph("the total is not known: the input has no nodes (see `--nodes`)", view)
        return
    whole, shared = (of.get(resource, 0) for of in (tree.total or {}, tree.shared))
    if whole != shared:
        text = f"nodes have {amount(resource, whole)}; {amount(resource, whole - shared)} of it is used by the default"
        yield from paragraph(f"{text} and the system quota, and is not shared", view)
    top = [r for r in tree.roots if not r.orphan and r.name not in SPECIAL and r.figures[resource].max is not None]
    minima = sum(root.figures[resource].min for root in top)
    if minima > shared:
        text = (
            f"the top quotas' min add up to {amount(resource, minima)}, which is more than {amount(resource, shared)}"
        )
        yield from paragraph(f"{text}: each counts as its part of the total", view)
    for entry in walk_entries(tree.roots):
        yield from _of_entry(entry, resource, view)


def _of_entry(entry: RuntimeEntry, resource: str, view: View) -> Iterator[str]:
    of, group = entry.figures[resource], entry.group
    if of.max is None and (of.used or of.asked):
        text = f"{entry.name}: max does not list {resource}, so it limits and counts none of it"
        yield from cited(text, view.cite(group.place("max")), view)
    if of.runtime is not None and of.used > of.runtime:
        more = amount(resource, of.used - of.runtime)
        yield from paragraph(f"{entry.name} uses {more} more than its runtime: no pod of it is admitted", view)


def _oddities(entry: RuntimeEntry, view: View) -> Iterator[str]:
    text = _oddity(entry)
    if text:
        yield from cited(text, "" if entry.group.assumed else view.cite(entry.group.place("max")), view, "")


def _oddity(entry: RuntimeEntry) -> str:
    """What is odd about a quota; empty for most."""
    name, group = entry.name, entry.group
    if entry.orphan:
        return f"{name}: no quota {group.parent} leads from it to root, so nothing limits it"
    if name == DEFAULT and entry.placed + entry.waiting:
        pods = count(entry.placed + entry.waiting, "pod")
        text = f"{name}: {pods}, without a limit; what it uses is taken off the total first"
        return f"{text}, and it competes for the rest, too"
    if name in SPECIAL:
        return ""
    if not group.max:
        return f"{name}: max is empty, so it limits and counts nothing"
    if entry.uncomputed:
        return f'{name}: is-parent is "true" and it has no children, so it gets no runtime and its min is not scaled'
    return ""


def _over_lines(found: RuntimeTable, view: View) -> list[str]:
    if not found.over:
        return []
    return ["", *wrapped_items("use more than their runtime: ", found.over, view.width, ", ")]
