"""Amounts at which a decision changes, found by deciding again."""

from collections.abc import Callable, Iterable


def largest(low: int, high: int, holds: Callable[[int], bool], guesses: Iterable[int] = ()) -> int | None:
    """The largest value in [low, high] for which the monotone ``holds`` is true; None if it is true for none.

    A correct one of ``guesses`` is confirmed with two calls; a wrong one makes the range smaller.
    """
    best = None
    for guess in sorted(guesses, reverse=True):
        if low > high:
            break
        within = min(max(low, guess), high)
        if holds(within):
            best, low = within, within + 1
            if low <= high and not holds(low):
                high = within
            break
        high = within - 1
    while low <= high:
        middle = (low + high) // 2
        if holds(middle):
            best, low = middle, middle + 1
        else:
            high = middle - 1
    return best
