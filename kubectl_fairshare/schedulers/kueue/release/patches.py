"""By whose rules a release is answered that was not measured, and what differs between the two.

Tested in ``tests/unit/schedulers/kueue/test_earlier_releases.py`` and ``test_later_releases.py`` there.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.schedulers.kueue.release.earlier import EARLIER
from kubectl_fairshare.schedulers.kueue.release.later import LATER
from kubectl_fairshare.schedulers.kueue.release.law import Number
from kubectl_fairshare.schedulers.kueue.release.patch import OFTEN_CHANGED, PatchRelease

MEASURED: Final[Mapping[int, range]] = {
    16: range(9, 10),
    17: range(8, 9),
    18: range(7),
    19: range(2, 8),
    20: range(1),
}
"""By line, the patches whose decisions are known: measured, or published in whole and put into measured code."""


def rules_of(number: Number) -> str:
    """The measured release by whose rules another one is answered; empty for one that is measured or not known."""
    measured = MEASURED.get(number[1], range(0)) if number[0] == 0 else range(0)
    if number in LATER:
        return f"v0.{number[1]}.{measured[-1]}"
    return f"v0.{number[1]}.{measured[0]}" if measured and number[2] < measured[0] else ""


def later_features(number: Number) -> frozenset[str]:
    """The features that differ, or may differ, between a release and the one by whose rules it is answered."""
    between = _between(number)
    found = {feature for _, each in between for feature, _ in each.changes if feature}
    return frozenset(found | (set() if all(each.whole for _, each in between) else OFTEN_CHANGED))


def later_changes(number: Number) -> tuple[str, ...]:
    """What the patches between the two changed: a clause each."""
    return tuple(_clauses(number))


def _clauses(number: Number) -> Iterator[str]:
    for each, patch in _between(number):
        words = [text for _, text in patch.changes]
        unread = [] if patch.whole else ["its notes were read in part"]
        yield f"v{'.'.join(map(str, each))}: {'; '.join(words + unread)}"


def _between(number: Number) -> list[tuple[Number, PatchRelease]]:
    """The patches after the measured release, up to this one; or after this one, up to the measured release."""
    if not rules_of(number):
        return []
    table = LATER if number in LATER else EARLIER
    own = [(each, patch) for each, patch in sorted(table.items()) if each[:2] == number[:2]]
    return [(each, patch) for each, patch in own if (each <= number) == (table is LATER)]
