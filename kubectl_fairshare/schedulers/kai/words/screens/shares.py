"""The screen of KAI's queues: what each holds, requests and may have."""

from typing import Final

from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import NOTHING, count
from kubectl_fairshare.report.text.heading import gap_lines, release_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, folded, table, wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.trees import branches, walk
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED
from kubectl_fairshare.schedulers.kai.session.report import KaiShares, QueueReport
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_lines

_NOTE: Final = (
    "FIXED: held by non-preemptible jobs. RATIO: held ÷ fair share. Fair shares limit reclaim, not allocation: while "
    "capacity is idle, a queue may go above its fair share, up to its limit."
)


def kai_shares_screen(shares: KaiShares, view: View) -> str:
    """The tree of queues, then the figures of each resource, then what was not counted."""
    lines = [*_opening(shares, view), *gap_lines(shares.fidelity, view), *usage_lines(shares.past, view), ""]
    if not shares.trees:
        lines.append(view.paint("dim", "no Queue in the input"))
    else:
        lines += _queues(shares, view)
        for resource in shown_resources(shares):
            lines += ["", *_section(shares, resource, view)]
        lines += paragraph(_NOTE, view, "", "", "dim")
    lines += _totals(shares, view)
    lines += _misplaced_lines(shares, view)
    return "\n".join(lines) + "\n"


def _opening(shares: KaiShares, view: View) -> list[str]:
    parts = [f"shard {shares.shard.name}", kai_figures.formula(shares.shard.time_aware, shares.shard.k)]
    parts.append(count(sum(1 for _ in walk(shares.trees)), "queue"))
    if shares.asked:
        parts.append(shares.asked)
    return release_lines(parts, shares.fidelity, view)


def shown_resources(shares: KaiShares) -> list[str]:
    """The resources that a queue requests, holds or has as quota; if there are none, those of the cluster."""
    places: dict[str, int] = {name: RESOURCES.index(name) for name in kai_figures.SHOWN if name in shares.resources}
    found = [name for name, r in places.items() if any(_has(one, r) for one in walk(shares.trees))]
    return found or [name for name, r in places.items() if shares.totals.total[r]]


def _has(report: QueueReport, r: int) -> bool:
    standing = report.standing
    return bool(standing.request[r] or standing.allocated[r] or standing.queue.quota[r] > 0)


def _queues(shares: KaiShares, view: View) -> list[str]:
    columns = (
        Column("QUEUE", right=False),
        Column("PRIORITY"),
        Column("RUNNING"),
        Column("PENDING"),
        Column("", right=False, kept=False),
    )
    rows = []
    for name, one in branches(shares.trees):
        queue = one.standing.queue
        shown_name = queue.display_name if queue.display_name not in ("", queue.name) else ""
        rows.append(Row((name, str(queue.priority), str(one.running), str(one.pending), shown_name)))
    return table(columns, rows, view)


def _section(shares: KaiShares, resource: str, view: View) -> list[str]:
    r = RESOURCES.index(resource)
    used = any(one.standing.usage[r] for one in walk(shares.trees))
    columns = (
        Column(kai_figures.TITLES[resource], right=False),
        Column("QUOTA"),
        Column("LIMIT"),
        Column("WEIGHT"),
        *((Column("USAGE"),) if used else ()),
        Column("ASKS"),
        Column("HOLDS"),
        Column("FIXED", rank=1),
        Column("FAIR SHARE"),
        Column("RATIO"),
    )
    rows = [Row((name, *_cells(one, resource, r, used=used)), _tone(one, r)) for name, one in branches(shares.trees)]
    total = kai_figures.amount(resource, shares.totals.total[r])
    share = sum(tree.standing.fair_share[r] for tree in shares.trees)
    blank = ("",) * (len(columns) - 3)
    rows.append(Row((f"total {total}", *blank, kai_figures.amount(resource, share), ""), "dim"))
    return table(columns, rows, view)


def _cells(one: QueueReport, resource: str, r: int, *, used: bool) -> tuple[str, ...]:
    standing, queue = one.standing, one.standing.queue
    return (
        kai_figures.bound(resource, queue.quota[r]),
        kai_figures.bound(resource, queue.limit[r]),
        kai_figures.number(queue.weight[r]),
        *((kai_figures.number(standing.usage[r], 4),) if used else ()),
        kai_figures.some(resource, standing.request[r]),
        kai_figures.some(resource, standing.allocated[r]),
        kai_figures.some(resource, standing.non_preemptible[r]),
        kai_figures.amount(resource, standing.fair_share[r]),
        kai_figures.ratio(one.saturation[r]) if standing.allocated[r] else NOTHING,
    )


def _tone(one: QueueReport, r: int) -> Tone:
    limit = one.standing.queue.limit[r]
    return "dim" if limit != UNLIMITED and limit <= 0 else ""


def _totals(shares: KaiShares, view: View) -> list[str]:
    """What the cluster's totals do not count, and what is unallocated."""
    totals = shares.totals
    lines = []
    if totals.left_out:
        nodes = [f"{name} ({'not Ready' if why == 'Ready' else why})" for name, why in totals.left_out]
        lines += wrapped_items("nodes not counted: ", nodes, view.width, ", ")
    if shares.others:
        names = [f"{name} ({count(queues, 'queue')})" for name, queues in shares.others]
        lines += wrapped_items("other shards (choose with --shard): ", names, view.width, ", ")
    if totals.elsewhere:
        lines += wrapped_items("nodes of other shards: ", totals.elsewhere, view.width, ", ")
    if totals.without_gpus:
        lines += wrapped_items(
            "nodes whose GPUs are not counted (label missing): ", totals.without_gpus, view.width, ", "
        )
    if totals.foreign_pods:
        held = [kai_figures.with_unit(name, totals.foreign[r]) for r, name in enumerate(RESOURCES) if totals.foreign[r]]
        text = f"subtracted for {count(totals.foreign_pods, 'pod')} of other schedulers: "
        lines += wrapped_items(text, held or ["nothing"], view.width, ", ")
    rest = [
        kai_figures.with_unit(n, shares.unassigned[r])
        for r, n in enumerate(RESOURCES)
        if shares.unassigned[r] > 0 and n in shares.resources
    ]
    if rest:
        lines += wrapped_items("unallocated: ", rest, view.width, ", ")
    return ["", *(view.paint("dim", line) for line in lines)] if lines else []


def _misplaced_lines(shares: KaiShares, view: View) -> list[str]:
    """Queues and jobs that KAI ignores, and fair shares that vary between runs of KAI."""
    lines = []
    if shares.lost:
        lost = [f"{lost.queue.name} ({_why(lost.parent, lost.cycle)})" for lost in shares.lost]
        lines += wrapped_items("queues that KAI ignores: ", lost, view.width, ", ")
    for queue, why, number in shares.misplaced:
        reason = "KAI does not know the queue" if why == "unknown" else "not a leaf queue, so no job runs in it"
        lines += folded(f"{count(number, 'job')} in {queue or 'no queue'}: {reason}", view.width, "  ")
    for name, by_resource in sorted(shares.undefined.items()):
        for resource, values in sorted(by_resource.items()):
            found = " or ".join(kai_figures.amount(resource, value) for value in values)
            text = f"{name}: the fair share of {resource} varies between runs of KAI itself: {found}"
            lines += folded(text, view.width, "  ")
    return ["", *(view.paint("wait", line) for line in lines)] if lines else []


def _why(parent: str, cycle: bool) -> str:
    return f"its parents form a circle through {parent}" if cycle else f"parent queue {parent} is missing"
