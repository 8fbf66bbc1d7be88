"""What is said of KAI's queues: what each holds, requests and may have, and what is not counted.

Tested in ``tests/unit/schedulers/kai/words/test_shares_answer.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Items, Layout, Remark, Section
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.schedulers.kai.explain.forest import KaiNode
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.session.report import KaiShares
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_remarks

_NOTE: Final = (
    "FIXED: held by non-preemptible jobs. RATIO: held ÷ fair share. Fair shares limit reclaim, not allocation: while "
    "capacity is idle, a queue may go above its fair share, up to its limit."
)


def kai_layout(
    shares: KaiShares, trees: Sequence[KaiNode], queues: tuple[Figure, ...], figures: tuple[Figure, ...]
) -> Layout:
    """The tree of queues, then the figures of each resource, then what was not counted."""
    groups: list[list[Block]] = [[Remark("no Queue to show", "dim", first="")]]
    if trees:
        groups = [[Section("QUEUE", trees, queues)]]
        groups += [[_section(shares, trees, resource, figures)] for resource in _shown_resources(shares, trees)]
        groups[-1].append(Remark(_NOTE, "dim", first="", more=""))
    groups += [list(_totals(shares)), list(_misplaced(shares))]
    return Layout(_opening(shares, trees), groups, tuple(usage_remarks(shares.past)))


def _opening(shares: KaiShares, trees: Sequence[KaiNode]) -> tuple[str, ...]:
    parts = [f"shard {shares.shard.name}", kai_figures.formula(shares.shard.time_aware, shares.shard.k)]
    parts.append(count(sum(1 for tree in trees for _ in tree), "queue"))
    return (*parts, shares.asked) if shares.asked else tuple(parts)


def _shown_resources(shares: KaiShares, trees: Sequence[KaiNode]) -> list[str]:
    """The resources that a queue requests, holds or has as quota; if there are none, those of the cluster."""
    figures = [each.own for tree in trees for node in tree for each in node.figures]
    having = {of.resource for of in figures if of.requested or of.allocated or of.quota > 0}
    places = {name: RESOURCES.index(name) for name in kai_figures.SHOWN if name in shares.resources}
    return [name for name in places if name in having] or [n for n, r in places.items() if shares.totals.total[r]]


def _section(shares: KaiShares, trees: Sequence[KaiNode], resource: str, figures: tuple[Figure, ...]) -> Section:
    total = kai_figures.amount(resource, shares.totals.total[RESOURCES.index(resource)])
    share = sum(tree.pairs["", resource].fair_share for tree in trees)
    sums = {"fair_share": kai_figures.amount(resource, share)}
    title = kai_figures.TITLES[resource]
    return Section(title, trees, figures, resource, total=sums, total_label=f"total {total}")


def _totals(shares: KaiShares) -> Iterator[Block]:
    """What the cluster's totals do not count, and what is unallocated."""
    totals = shares.totals
    nodes = [f"{name} ({'not Ready' if why == 'Ready' else why})" for name, why in totals.left_out]
    yield Items("nodes not counted: ", nodes, tone="dim")
    names = [f"{name} ({count(queues, 'queue')})" for name, queues in shares.others]
    yield Items("other shards (choose with --shard): ", names, tone="dim")
    yield Items("nodes of other shards: ", totals.elsewhere, tone="dim")
    yield Items("nodes whose GPUs are not counted (label missing): ", totals.without_gpus, tone="dim")
    if totals.foreign_pods:
        held = [kai_figures.with_unit(name, totals.foreign[r]) for r, name in enumerate(RESOURCES) if totals.foreign[r]]
        text = f"subtracted for {count(totals.foreign_pods, 'pod')} of other schedulers: "
        yield Items(text, held or ["nothing"], tone="dim")
    rest = [
        kai_figures.with_unit(n, shares.unassigned[r])
        for r, n in enumerate(RESOURCES)
        if shares.unassigned[r] > 0 and n in shares.resources
    ]
    yield Items("unallocated: ", rest, tone="dim")


def _misplaced(shares: KaiShares) -> Iterator[Block]:
    """Queues and jobs that KAI ignores, and fair shares that vary between runs of KAI."""
    lost = [f"{lost.queue.name} ({_why(lost.parent, lost.cycle)})" for lost in shares.lost]
    yield Items("queues that KAI ignores: ", lost, tone="wait")
    for queue, why, number in shares.misplaced:
        reason = "KAI does not know the queue" if why == "unknown" else "not a leaf queue, so no job runs in it"
        text = f"{count(number, 'job')} in {queue or 'no queue'}: {reason}"
        yield Remark(text, "wait", first="", more="  ")
    for name, by_resource in sorted(shares.undefined.items()):
        for resource, values in sorted(by_resource.items()):
            found = " or ".join(kai_figures.amount(resource, value) for value in values)
            text = f"{name}: the fair share of {resource} varies between runs of KAI itself: {found}"
            yield Remark(text, "wait", first="", more="  ")


def _why(parent: str, cycle: bool) -> str:
    return f"its parents form a circle through {parent}" if cycle else f"parent queue {parent} is missing"
