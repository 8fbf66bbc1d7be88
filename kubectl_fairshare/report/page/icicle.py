"""The tree of queues as an icicle: one SVG picture for each resource of each pool, with its layout.

A row is a level of the tree. The width of a box is the quota of the queue with all below it, or its usage where it
has no quota. Its filled part is used, the hatched strip is borrowed, and a frame says that a limit is reached. Boxes
too narrow to be read are drawn as one shape. Tested in ``tests/unit/report/page/test_overview.py``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.shares import AnyFigures, AnyQueue
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.report.page.frame import safe
from kubectl_fairshare.report.queue_names import queue_names

WIDTH: Final = 1000.0
_ROW: Final = 48
_TALL: Final = 44
_STRIP: Final = 7
_READABLE: Final = 6.0
"""Narrower boxes have neither a name nor a description of their own."""
_CHARACTER: Final = 7.0
_UNLIMITED: Final = 1 << 61
"""Amounts from here on mean that there is no limit."""
Pair = tuple[str, str]
"""A resource, and the pool or flavor that it is in; empty without one."""


class Box(Value):
    """A queue in one picture: its figures, its weight, where it is drawn."""

    node: AnyQueue
    name: str
    figures: AnyFigures | None
    children: "list[Box]" = field(default_factory=list)
    weight: float = 0.0
    left: float = 0.0
    width: float = 0.0
    level: int = 0


def pairs_of(trees: Iterable[AnyQueue]) -> list[Pair]:
    """The resources and pools of which any queue has a figure, in the order in which queues name them.

    Those without any quota come last: their pictures say little.
    """
    figures = [each for tree in trees for node in tree for each in node.figures]
    quotas = {(each.resource, each.pool) for each in figures if each.guaranteed is not None and each.guaranteed.value}
    found = dict.fromkeys((each.resource, each.pool) for each in figures)
    return sorted(found, key=lambda pair: pair not in quotas)


def figures_of(node: AnyQueue, pair: Pair) -> AnyFigures | None:
    """The figures of a queue for one pair; None where it has none."""
    return next((each for each in node.figures if (each.resource, each.pool) == pair), None)


def bound(amount: Amount | None) -> Amount | None:
    """The amount of a bound; None without a bound, or if its value means "unlimited"."""
    return None if amount is None or not 0 <= amount.value < _UNLIMITED else amount


def at_limit(figures: AnyFigures) -> bool:
    """Whether a queue holds all that its settings allow."""
    limit = bound(figures.limit)
    return limit is not None and limit.value > 0 and figures.used.value >= limit.value


def icicle(trees: Sequence[AnyQueue], pair: Pair) -> list[str]:
    """The picture of one pair; empty where no queue has or uses any of it."""
    boxes = _laid_out(trees, pair)
    if not any(box.width for box in boxes):
        return []
    height = _ROW * (1 + max(box.level for box in boxes if box.width))
    return [
        f'<svg class=icicle viewBox="0 0 {WIDTH:g} {height}" role="group" aria-label="{safe(" ".join(pair).strip())}">',
        *_thin([box for box in boxes if 0 < box.width < _READABLE]),
        *(_drawn(box) for box in boxes if box.width >= _READABLE),
        "</svg>",
    ]


def _laid_out(trees: Sequence[AnyQueue], pair: Pair) -> list[Box]:
    """All boxes, parents first; children share the width of their parent by weight, and the rest is its own."""
    names = queue_names(trees)
    roots = [_weighed(tree, pair, names) for tree in trees]
    _place(roots, 0.0, WIDTH, sum(root.weight for root in roots), 0)
    boxes, waiting = [], roots[::-1]
    while waiting:
        box = waiting.pop()
        boxes.append(box)
        _place(box.children, box.left, box.width, box.weight, box.level + 1)
        waiting += reversed(box.children)
    return boxes


def _weighed(tree: AnyQueue, pair: Pair, names: Mapping[ObjectKey, str]) -> Box:
    """The boxes of a tree with their weights, without recursion: a chain of cohorts may be long."""
    root = Box(tree, names[tree.key], figures_of(tree, pair))
    order, waiting = [], [root]
    while waiting:
        box = waiting.pop()
        order.append(box)
        box.children = [Box(each, names[each.key], figures_of(each, pair)) for each in box.node.children]
        waiting += box.children
    for box in reversed(order):
        box.weight = max(_own(box.figures), sum(child.weight for child in box.children))
    return root


def _own(figures: AnyFigures | None) -> float:
    if figures is None:
        return 0.0
    quota = bound(figures.guaranteed)
    return float(quota.value if quota is not None and quota.value else max(figures.used.value, 0))


def _place(siblings: Sequence[Box], left: float, width: float, whole: float, level: int) -> None:
    for box in siblings:
        box.left, box.level = left, level
        box.width = width * box.weight / whole if whole else 0.0
        left += box.width


def _parts(box: Box) -> tuple[float, float, bool]:
    """The filled and the hatched part of a box's width, from 0 to 1, and whether a limit is reached."""
    if box.figures is None or not box.weight:
        return 0.0, 0.0, False
    borrowed = max(box.figures.borrowed.value, 0) if box.figures.borrowed is not None else 0
    own = max(box.figures.used.value - borrowed, 0)
    return min(own / box.weight, 1.0), min(borrowed / box.weight, 1.0), at_limit(box.figures)


def _thin(boxes: Sequence[Box]) -> Iterator[str]:
    """Narrow boxes as one path for each kind of mark."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for box in boxes:
        used, borrowed, limited = _parts(box)
        top = box.level * _ROW
        for kind, part, start, tall in (
            ("b", 1.0, 0, _TALL),
            ("u", used, 0, _TALL),
            ("o", borrowed, _TALL - _STRIP, _STRIP),
            ("f", 1.0 if limited else 0.0, 0, _TALL),
        ):
            if part:
                paths[kind].append(
                    f"M{box.left:.1f} {top + start}h{box.width * part:.2f}v{tall}h-{box.width * part:.2f}z"
                )
    return (f'<path class={kind} d="{"".join(paths[kind])}"/>' for kind in "buof" if paths[kind])


def _drawn(box: Box) -> str:
    used, borrowed, limited = _parts(box)
    top, wide = box.level * _ROW, max(box.width - 1, 1.0)
    name = box.name
    parts = [
        f'<g class=q tabindex=-1 data-q="{safe(name)}"><title>{safe(described(box))}</title>',
        f'<rect class=b x="{box.left:.1f}" y="{top}" width="{wide:.1f}" height="{_TALL}"/>',
    ]
    if used:
        parts.append(f'<rect class=u x="{box.left:.1f}" y="{top}" width="{wide * used:.1f}" height="{_TALL}"/>')
    if borrowed:
        strip = f'y="{top + _TALL - _STRIP}" width="{wide * borrowed:.1f}" height="{_STRIP}"'
        parts.append(f'<rect class=o x="{box.left:.1f}" {strip}/>')
    if limited:  # last, so that the filled part does not cover half of the frame
        parts.append(
            f'<rect class=f x="{box.left + 1:.1f}" y="{top + 1}" width="{wide - 2:.1f}" height="{_TALL - 2}"/>'
        )
    room = int((box.width - 8) / _CHARACTER)
    if room >= min(len(name), 4):
        label = name if len(name) <= room else f"{name[: room - 1]}…"
        parts.append(f'<text x="{box.left + 5:.1f}" y="{top + 17}">{safe(label)}</text>')
    numbers = _numbers(box.figures)
    if room >= len(numbers) > 0:
        parts.append(f'<text class=n x="{box.left + 5:.1f}" y="{top + 33}">{safe(numbers)}</text>')
    return "".join((*parts, "</g>"))


def _numbers(figures: AnyFigures | None) -> str:
    """``32 of 12``: what is used, of the quota."""
    if figures is None:
        return ""
    quota = bound(figures.guaranteed)
    return figures.used.text if quota is None else f"{figures.used.text} of {quota.text}"


def described(box: Box) -> str:
    """A box in a sentence, for those who point at it or hear it read."""
    figures = box.figures
    if figures is None:
        return f"{box.node.key.kind} {box.name}"
    amounts = (
        ("guaranteed", bound(figures.guaranteed)),
        ("used", figures.used),
        ("borrowed", figures.borrowed),
        ("limit", bound(figures.limit)),
    )
    amounts_text = ", ".join(f"{word} {amount.text}" for word, amount in amounts if amount is not None)
    ending = ": its limit is reached" if at_limit(figures) else ""
    return f"{box.node.key.kind} {box.name}: {amounts_text}{ending}"
