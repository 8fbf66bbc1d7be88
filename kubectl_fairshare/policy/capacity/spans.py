"""The largest size that gets in, looked for by spans of sizes that are decided in the same way.

Each span says what all of its sizes come to. The size at which both are equal is found as the root of a function is:
by the line through two points, next to each other or on either side. Next to a known end a ruling decides at once.
What comes out is a proposal: rulings decide it.
Why not bisection alone: up to a million units it takes 20 rulings, each with a search for victims. Example: where
nothing is free and each victim gives back 30, all sizes from 61 to 90 need three of them: one span answers for all.
Tested in ``tests/unit/policy/test_spans.py``.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.sandbox import Sizes, SizeSpan

_MOST_SPANS: Final = 24
_PATIENCE: Final = 2
"""Spans that may fail to halve what is open."""
_PARTS: Final = 16
"""A part of a unit, by which the end of a span may be too near."""


class _Point(NamedTuple):
    """A size, and how much more than it there is room for; below 0 if there is not."""

    size: int
    spare: int


class SpanSearch:
    """A search from ``low``, which gets in, to below ``high``, which does not: in units of ``each``."""

    def __init__(self, sizes: Sizes, fits: Callable[[int], bool], each: int, low: int, high: int) -> None:
        self._sizes, self._fits, self._each = sizes, fits, each
        self._low, self._high = low, high
        self._points: list[_Point] = []
        self._open: list[int] = []  # what was open, since there are points on either side
        self._halves = False
        self._width = 0

    def proposed(self) -> int | None:
        """A size to decide; None where no span is known, or too many would be needed."""
        size = self._sizes.start // self._each
        for _ in range(_MOST_SPANS):
            if self._high - self._low <= 1:
                return self._low
            size = min(max(size, self._low + 1), self._high - 1)
            if not self._ruled_next_to(size):
                span = self._span(size)
                if span is None:
                    return None
                # The size and the next one are both in this span, so what it comes to is the end.
                if span.least <= span.reached < span.most:
                    return span.reached
                self._take(size, span)
            size = self._next()
        return None

    def _span(self, size: int) -> SizeSpan | None:
        """The whole units that are decided as ``size`` is."""
        each = self._each
        within = self._low * each, self._high * each
        span = self._sizes.around(size * each, within, max(1, each // _PARTS))
        # Whole units inside of the span only: of one that is cut by its end nothing is known.
        return None if span is None else SizeSpan(-(-span.least // each), span.most // each, span.reached // each)

    def _ruled_next_to(self, size: int) -> bool:
        """Whether a ruling moves a known end that is less than a span away; not twice before the next span."""
        if not self._width:
            return False
        width, self._width = self._width, 0
        near = self._low + 1 if size <= self._low + width else self._high - 1 if size >= self._high - width else None
        if near is None:
            return False
        if self._fits(near):
            self._low = near
        else:
            self._high = near
        return True

    def _take(self, size: int, span: SizeSpan) -> None:
        self._points.append(_Point(size, span.reached - size))
        self._width = span.most - span.least + 1
        # The whole span gets in, or none of it: its far end is as good as the size itself.
        if span.reached >= size:
            self._low = max(self._low, span.most)
        else:
            self._high = min(self._high, span.least)
        if len({point.spare >= 0 for point in self._points}) > 1:
            self._open.append(self._high - self._low)

    def _next(self) -> int:
        """Where the line through the last two points has no spare; with one point, each unit more leaves three less.

        Half way, from then on, where some spans did not halve what is open: room may jump.
        """
        *_, last = self._points
        if len(self._open) > _PATIENCE and 2 * self._open[-1] > self._open[-1 - _PATIENCE]:
            self._halves = True
        if self._halves:
            return (self._low + self._high) // 2
        # A start only: with a second point the line is known.
        fall = 3.0
        if len(self._points) > 1 and self._points[-2].size != last.size:
            before = self._points[-2]
            fall = (before.spare - last.spare) / (last.size - before.size)
        return last.size + round(last.spare / max(fall, 1.0))
