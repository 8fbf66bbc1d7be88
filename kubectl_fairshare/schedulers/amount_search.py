"""Amounts at which a decision changes, found by deciding again."""

from collections.abc import Callable, Iterable


def largest(low: int, high: int, holds: Callable[[int], bool], guesses: Iterable[int] = ()) -> int | None:
    """The largest value in [low, high] for which the monotone ``holds`` is true; None if it is false for ``low``.

    The largest of ``guesses`` for which it is true is looked for first; if it is the answer, one more call confirms it.
    """
    if low > high or not holds(low):
        return None
    guessed = {min(guess, high) for guess in guesses if guess >= low}
    low, beyond = _last(low, sorted(guessed - {low}), holds)
    high = high if beyond is None else beyond - 1
    if low in guessed and low < high:
        if not holds(low + 1):
            return low
        low += 1
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def smallest(low: int, high: int, holds: Callable[[int], bool], guess: int | None = None) -> int | None:
    """The smallest value in [low, high] for which ``holds`` is true, by bisection; None if it is false for ``high``.

    A correct ``guess`` is confirmed with two calls.
    """
    if low > high or not holds(high):
        return None
    if guess is not None and low < guess <= high and holds(guess):
        if not holds(guess - 1):
            return guess
        high = guess - 1
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _last(low: int, ends: list[int], holds: Callable[[int], bool]) -> tuple[int, int | None]:
    """The last of the sorted ``ends`` that holds, ``low`` without one; and the first that does not."""
    first, last = 0, len(ends)
    while first < last:
        middle = (first + last) // 2
        if holds(ends[middle]):
            first = middle + 1
        else:
            last = middle
    return (ends[first - 1] if first else low), (ends[first] if first < len(ends) else None)
