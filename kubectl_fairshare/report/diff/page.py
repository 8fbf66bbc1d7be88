"""A change of policy as a page that loads nothing from elsewhere: a differential icicle for each resource, then tables.

Each row of an icicle is a level of the tree; the width of a queue is what it has of its own, with all below it, after
the change, and its colour whether that is more or less than before. A queue that is gone keeps a thin line.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.diff import Diff, FigureChange, RepositoryDiff, TreeChange
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.page.frame import framed, safe

_WIDTH: Final = 960.0
_ROW: Final = 34
_THIN: Final = 3.0
_CHARACTER: Final = 7.2
_FONT: Final = 'font-family="system-ui,sans-serif" font-size="12"'
_SAME: Final = "#d7dce2"
_LESS: Final = ("#f6c9bd", "#ec9a85", "#d65f45", "#b0341c")
_MORE: Final = ("#c6e5d3", "#8fcbab", "#4da57b", "#1c7a50")


def page(diff: Diff) -> str:
    """The whole page."""
    verdict = words.verdict(diff)
    return framed(verdict, (f"<h1>{safe(verdict)}</h1>", *_body(diff)))


def repository_page(of: RepositoryDiff) -> str:
    """The page of all units, each that differs with its own section."""
    verdict = words.repository_verdict(of)
    body = [f"<h1>{safe(verdict)}</h1>"]
    for part in of.parts:
        body.append(f"<h2>{safe(words.unit_title(part))}: {safe(words.verdict(part.diff))}</h2>")
        body += () if part.diff.is_empty else _body(part.diff)
    return framed(verdict, body)


def _body(diff: Diff) -> Iterator[str]:
    yield f'<p class="dim">{_compared(diff)}</p>'
    yield from _icicles(diff.tree)
    yield from _sections(diff)


def _compared(diff: Diff) -> str:
    names = f"<code>{safe(diff.versions.before)}</code> → <code>{safe(diff.versions.after)}</code>"
    return f"{names}, decided as {safe(diff.fidelity.scheduler)} {safe(diff.fidelity.version)} does"


def _icicles(tree: Sequence[TreeChange]) -> Iterator[str]:
    """A picture for each resource of which any queue has something of its own; those without a change are folded."""
    same: list[str] = []
    for resource in sorted({name for node in tree for name, *_ in node.amounts}):
        values = [_Sized(node, *_values(node, resource)) for node in tree]
        picture = (f"<h2>{safe(resource)}: what each queue has of its own</h2>", icicle(values, resource))
        if any(sized.now != sized.was for sized in values):
            yield from picture
        elif any(sized.now for sized in values):
            same += picture
    if same:
        yield f"<details><summary>{count(len(same) // 2, 'resource')} without a change</summary>"
        yield from same
        yield "</details>"


def _values(node: TreeChange, resource: str) -> tuple[float, float]:
    return next(((was, now) for name, was, now in node.amounts if name == resource), (0.0, 0.0))


class _Sized:
    """A queue with its amounts of one resource, and where it is drawn."""

    def __init__(self, node: TreeChange, was: float, now: float) -> None:
        self.node, self.was, self.now = node, was, now
        self.left, self.width, self.level = 0.0, 0.0, 0


def icicle(queues: Sequence[_Sized], resource: str) -> str:
    """The picture of one resource, as SVG."""
    _lay_out(queues)
    height = _ROW * (1 + max((sized.level for sized in queues), default=0))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height}" role="img" {_FONT}>',
        f"<title>{safe(resource)} by queue, after the change</title>",
        *(_box(sized, resource) for sized in queues if sized.width),
        "</svg>",
    ]
    return "\n".join(parts)


def _lay_out(queues: Sequence[_Sized]) -> None:
    """Gives each queue its place: children share their parent's width by what they have; the rest is the parent's."""
    below: dict[tuple[str, str], list[_Sized]] = {}
    for sized in queues:
        below.setdefault((sized.node.tree, sized.node.parent), []).append(sized)
    roots = [sized for sized in queues if not sized.node.parent]
    _share_out(roots, 0.0, _WIDTH, sum(map(_weight, roots)), 0)
    waiting = list(roots)
    while waiting:
        sized = waiting.pop()
        children = below.get((sized.node.tree, sized.node.name), [])
        children = [child for child in children if child is not sized]
        whole = max(_weight(sized), sum(map(_weight, children)))
        _share_out(children, sized.left, sized.width, whole, sized.level + 1)
        waiting += children


def _weight(sized: _Sized) -> float:
    return sized.now


def _share_out(siblings: Sequence[_Sized], left: float, width: float, whole: float, level: int) -> None:
    for sized in siblings:
        part = width * sized.now / whole if whole else 0.0
        sized.left, sized.level = left, level
        sized.width = part if part or not sized.was else min(_THIN, width)
        left += sized.width


def _box(sized: _Sized, resource: str) -> str:
    was, now = (amount(resource, int(value)) for value in (sized.was, sized.now))
    text = f"{sized.node.name} {was} → {now}" if was != now else f"{sized.node.name} {now}"
    y = sized.level * _ROW
    box = (
        f'<g><title>{safe(text)}</title><rect x="{sized.left:.1f}" y="{y}" width="{max(sized.width - 1, 1):.1f}" '
        f'height="{_ROW - 2}" fill="{_colour(sized.was, sized.now)}"/>'
    )
    room = int((sized.width - 8) / _CHARACTER)
    if room >= min(len(text), 4):
        label = text if len(text) <= room else f"{text[: room - 1]}…"
        box += f'<text x="{sized.left + 5:.1f}" y="{y + 21}" fill="#1b1b1b">{safe(label)}</text>'
    return f"{box}</g>"


def _colour(was: float, now: float) -> str:
    """Grey for the same, red for less, green for more; the deeper, the larger the part."""
    if was == now:
        return _SAME
    part = abs(now - was) / max(abs(was), abs(now))
    shades = _MORE if now > was else _LESS
    return shades[min(int(part * len(shades)), len(shades) - 1)]


def _sections(diff: Diff) -> Iterator[str]:
    rights = [
        (words.name(each.row.queue), f"{each.row.resource} {each.row.pool}".strip(), *_arrows(each))
        for each in diff.figures
    ]
    yield from _table("Rights that differ", ("queue", "resource", "guaranteed", "entitled", "most ever"), rights)
    risks = [(words.risk_sentence(risk),) for risk in diff.risks]
    yield from _table("Running work", ("",), risks)
    outcomes = [
        (words.name(each.key), words.decision_text(each.before), words.decision_text(each.after))
        for each in diff.outcomes
    ]
    yield from _table("Waiting work", ("workload", "before", "after"), outcomes)
    fields = [(str(each.object), each.field, *words.values(each), words.field_place(each)) for each in diff.fields]
    yield from _table("Changed fields", ("object", "field", "was", "now", "where"), fields)
    found = [("new", f"{each.rule} {each.message}", words.place(each.at)) for each in diff.new_findings]
    found += [("gone", f"{each.rule} {each.message}", words.place(each.at)) for each in diff.gone_findings]
    yield from _table("Findings", ("", "finding", "where"), found)
    yield from _table("Not decided", ("about", "why"), [(each.about, each.why) for each in diff.undecided])


def _arrows(each: FigureChange) -> Iterator[str]:
    return (f"{words.arrow(each, figure)} {words.trend(each, figure)}".strip() for figure in words.FIGURES)


def _table(title: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    yield f'<h2>{safe(title)}</h2>\n<div class="wide"><table><thead><tr>'
    yield "".join(f"<th>{safe(each)}</th>" for each in titles) + "</tr></thead><tbody>"
    for row in rows:
        cells = (
            f'<td class="{"bad" if "▼" in cell else "good" if "▲" in cell else ""}">{safe(cell)}</td>' for cell in row
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"
