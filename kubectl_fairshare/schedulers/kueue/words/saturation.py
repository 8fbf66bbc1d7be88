"""What each queue would hold if all had an endless backlog."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Entries, Items, Layout, Remark, Table, unfolded
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import amount, count, some, split_text
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.answers.tables import Column, Row, Tone
from kubectl_fairshare.answers.trees import branches
from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.documents.shares import SATURATION, saturation_document
from kubectl_fairshare.schedulers.kueue.explain.shares import KueueNode, ShareTree
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource

_MEANING: Final = (
    "What each queue holds if {} of the unit workload. The cluster starts empty, all workloads have the same priority "
    "and age, and cycles run until they change nothing{}."
)


def saturation_view(tree: ShareTree, found: Saturation, note: str) -> SharesView:
    """The forest with what is held of the resource; ``note`` says why the unit workload has its shape."""
    parts = ("fair sharing" if tree.fair else "classical",)
    unit = ", ".join(f"{amount(r, v)} {r}" for r, v in found.shape.items())
    tone: Tone = "good" if found.rests else "never"
    asked = Remark(f"unit workload: {unit}{f' ({note})' if note else ''}", first="", more="  ")
    texts = (_MEANING.format(_backlogs(found), _end(found)), *_caveats(found))
    meanings = (Remark(text, "dim", first="", more="") for text in texts)
    idle = Items("without a backlog: ", found.without_backlog, tone="dim")
    layout = Layout(parts, ([_table(tree, found), *meanings, *_possible(found), idle],), (asked,))
    document = WrittenAnswer(SATURATION, saturation_document(found))
    return SharesView("--demand", _verdict(tree, found), tone, found.fidelity, layout, document, parts, verdict=True)


def _verdict(tree: ShareTree, found: Saturation) -> str:
    """Who gets how much, or that no split lasts."""
    if found.rests:
        queues = [node for root in tree.trees for node in root if node.own.kind == "ClusterQueue"]
        held = ((node.name, found.usage.get(node.name, 0)) for node in queues)
        parts = ((name, value, amount(found.resource, value)) for name, value in held)
        condition = "with this demand" if found.without_backlog or any(found.backlog.values()) else "when all are busy"
        return split_text(condition, parts, found.resource)
    return f"never stable: it repeats every {count(found.period, 'cycle')}" if found.period else "never stable"


def _end(found: Saturation) -> str:
    return f": {count(found.cycles, 'cycle')} here" if found.rests else ""


def _backlogs(found: Saturation) -> str:
    if any(found.backlog.values()):
        return "queues request what DEMAND says,"
    return "some queues have an endless backlog" if found.without_backlog else "every queue has an endless backlog"


def _caveats(found: Saturation) -> list[str]:
    notes = []
    if found.swings:
        notes.append(
            "The cycles never become stable: HOLDS is the range that a queue holds, SWINGS the same in unit workloads."
        )
    if found.bundle > 1:
        notes.append(f"The first cycles move {found.bundle} units at a time, so the end may differ by a few units.")
    return notes


def _possible(found: Saturation) -> Sequence[Block]:
    """A line for each outcome that ties allow, with the queues that hold different amounts."""
    results = found.possible.results
    if len(results) < 2:
        return []
    names = [name for name in results[0] if len({usage[name] for usage in results}) > 1]
    texts = [", ".join(f"{name} {amount(found.resource, usage[name])}" for name in names) for usage in results]
    title = unfolded(f"possible, and left to chance ({len(results)}; the first is shown above):", indent="")
    return [title, Entries(texts, lambda text: [Remark(text)])]


def _table(tree: ShareTree, found: Saturation) -> Table:
    """A row for each node; if the resource has several flavors, a column for each."""
    flavors = sorted({pair.flavor for pair in tree.totals if pair.resource == found.resource})
    listed = flavors if len(flavors) > 1 else []
    columns = (
        Column(found.resource, right=False),
        Column("NOMINAL"),
        Column("SUBTREE", rank=2),
        Column("DEMAND", kept=False),
        Column("HOLDS"),
        *(Column(f"IN {flavor}", rank=1) for flavor in listed),
        Column("SWINGS", kept=False),
    )
    rows = []
    for name, node in branches(tree.trees, label=lambda node: f"{node.label}{node.remark}"):
        held = [_range(found.resource, _in_flavor(node, found, flavor), some) for flavor in listed]
        total = _range(found.resource, _held(node, found), amount)
        quota, demand = _quota(node, found.resource), _demand(node, found)
        rows.append(Row((name, *quota, demand, total, *held, _swing(node, found))))
    return Table(columns, rows)


def _demand(node: KueueNode, found: Saturation) -> str:
    """What a queue requests of the resource; empty for all where no backlog ends."""
    if node.own.kind != "ClusterQueue" or not any(found.backlog.values()):
        return ""
    if node.name not in found.backlog:
        return some(found.resource, 0)
    units = found.backlog[node.name]
    return "unlimited" if units is None else amount(found.resource, units * found.shape[found.resource])


def _swing(node: KueueNode, found: Saturation) -> str:
    swing = found.swings.get(node.name) if node.own.kind == "ClusterQueue" else None
    return f"{swing[0]}–{swing[1]}" if swing is not None else ""


def _range(resource: str, amounts: Sequence[int], text: Callable[[str, int], str]) -> str:
    """What a node holds at the cycles of a period: one amount, or the least and the largest."""
    least, most = text(resource, min(amounts)), text(resource, max(amounts))
    return least if least == most else f"{least}–{most}"


def _in_flavor(node: KueueNode, found: Saturation, flavor: str) -> list[int]:
    pair = FlavorResource(flavor, found.resource)
    held = {name: pairs.get(pair, 0) for name, pairs in found.pairs.items()}
    return _over_period(node, held, {name: [at.get(pair, 0) for at in each] for name, each in found.phases.items()})


def _held(node: KueueNode, found: Saturation) -> list[int]:
    """What a queue holds of the resource, for a cohort the sum over its queues, at each cycle of a period."""
    phases = {
        name: [sum(amount for pair, amount in at.items() if pair.resource == found.resource) for at in each]
        for name, each in found.phases.items()
    }
    return _over_period(node, found.usage, phases)


def _over_period(node: KueueNode, held: Mapping[str, int], phases: Mapping[str, Sequence[int]]) -> list[int]:
    """The sums over the queues below a node; queues of one tree have one period."""
    queues = [each.name for each in node if each.own.kind == "ClusterQueue"]
    moving = [phases[name] for name in queues if name in phases]
    still = sum(held.get(name, 0) for name in queues if name not in phases)
    return [still + sum(at) for at in zip(*moving, strict=True)] or [still]


def _quota(node: KueueNode, resource: str) -> tuple[str, str]:
    """Nominal and subtree quota of the resource, over all flavors."""
    nominal = subtree = 0
    for each in node.figures:
        if each.resource == resource:
            nominal, subtree = add(nominal, each.own.nominal), add(subtree, each.own.subtree)
    return some(resource, nominal), amount(resource, subtree)
