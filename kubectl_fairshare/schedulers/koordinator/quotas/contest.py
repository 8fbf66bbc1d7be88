"""The claims of siblings on one resource, and what one of them gets that requests without end.

Up to 1.8 each round gives each claim ``weight × surplus ÷ weight of all``, rounded by itself. So claims are sated about
in the order of what they want for a unit of weight. The first round sates all that are well before the surplus for a
unit, and none that is well behind it. Only those between them, or reached by a later round, are followed one by one.
Why not divide among all claims for each quota: with 10,000 siblings that is 10,000 divisions of 10,000 claims. Example:
100 among claims of 1, 2, 50 and 90 of equal weight; the first round adds 25 to each and sates the first two beyond
doubt, so only the other two are followed.
Source:
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/core/runtime_quota_calculator.go,
``iterationForRedistribution``, whose result it gives.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from kubectl_fairshare.schedulers.koordinator.laws import QuotaClaim, first_part, is_eager, surplus_shares
from kubectl_fairshare.schedulers.koordinator.model.amounts import wrapped
from kubectl_fairshare.schedulers.koordinator.release import Rounding

ENDLESS: Final = 1 << 80
_NEAR: Final = 1e-9
"""The part by which a surplus for a unit of weight may be wrong: far more than floating point is."""


def _part(weight: float, surplus: float, of_all: float) -> int:
    """What one round adds to a claim; as ``rounded_parts``."""
    # The same operations in the same order as the scheduler's, so that floating point rounds as it does there.
    return int(weight * surplus / of_all + 0.5)


class EagerClaims:
    """Claims that want a part of the surplus, by their key; those that a surplus reaches are in the order of wants."""

    def __init__(self, claims: Mapping[Hashable, QuotaClaim]) -> None:
        self.claims = claims
        self._order: _OrderOfWants | None = None

    @property
    def order(self) -> "_OrderOfWants":
        """The order in which they are sated, found once."""
        if self._order is None:
            self._order = _OrderOfWants(self.claims)
        return self._order


class _OrderOfWants:
    """Claims by what they want for a unit of weight, and one more; with the sums of all before each."""

    def __init__(self, claims: Mapping[Hashable, QuotaClaim]) -> None:
        # No round gives anything to a claim without weight, so it is never sated.
        reached = [(key, claim) for key, claim in claims.items() if claim.weight > 0]
        reached.sort(key=lambda each: _ratio(each[1]))
        self.is_whole = all(claim.weight >= 0 for claim in claims.values())
        self.claims = [claim for _, claim in reached]
        self.place = {key: place for place, (key, _) in enumerate(reached)}
        self.ratios = [_ratio(claim) for claim in self.claims]
        self.weights = [float(claim.weight) for claim in self.claims]
        self.numbers = [claim.number for claim in self.claims]
        self.single = all(number == 1 for number in self.numbers)
        self.wanted = [0, *accumulate(_want(claim) * claim.number for claim in self.claims)]
        self.heavy = [0, *accumulate(claim.weight * claim.number for claim in self.claims)]
        self.lightest = min(self.weights, default=1.0)

    def added(self, start: int, end: int, rounds: Iterable[tuple[float, float]]) -> int:
        """What these rounds add to all claims from ``start`` to before ``end``."""
        weights, numbers = self.weights[start:end], self.numbers[start:end]
        if self.single:
            return sum(sum([int(w * surplus / of_all + 0.5) for w in weights]) for surplus, of_all in rounds)
        return sum(
            sum([int(w * surplus / of_all + 0.5) * number for w, number in zip(weights, numbers, strict=True)])
            for surplus, of_all in rounds
        )


def _want(claim: QuotaClaim) -> int:
    return claim.request - claim.least


def _ratio(claim: QuotaClaim) -> float:
    return (_want(claim) + 1) / claim.weight


class Contest(NamedTuple):
    """The claims on one resource: what they get ``first`` together; those that want more, and their ``weight``.

    Those are the ``whole`` ones but those ``gone``, and others ``near``, by their key.
    """

    first: int
    weight: int
    whole: EagerClaims
    gone: frozenset[Hashable] = frozenset()
    near: Mapping[Hashable, QuotaClaim] = {}

    @classmethod
    def of(cls, claims: Iterable[tuple[Hashable, QuotaClaim | None]]) -> "Contest":
        """The contest of these claims, each by its key; None takes no part."""
        first, weight = 0, 0
        eager: dict[Hashable, QuotaClaim] = {}
        for key, claim in claims:
            if claim is not None:
                first += first_part(claim) * claim.number
                if is_eager(claim):
                    weight += claim.weight * claim.number
                    eager[key] = claim
        return cls(first, weight, EagerClaims(eager))

    @property
    def eager(self) -> dict[Hashable, QuotaClaim]:
        """Those that want more, by their key."""
        left = {key: claim for key, claim in self.whole.claims.items() if key not in self.gone}
        return {**left, **self.near}

    def exchanged(self, changes: Iterable[tuple[Hashable, QuotaClaim | None, QuotaClaim | None]]) -> "Contest":
        """The contest once some claims have become others, each by its key."""
        (first, weight), gone, near = self[:2], set(self.gone), dict(self.near)
        for key, old, new in changes:
            if old is not None:
                first -= first_part(old) * old.number
                if is_eager(old):
                    weight -= old.weight * old.number
                    if near.pop(key, None) is None:
                        gone.add(key)
            if new is not None:
                first += first_part(new) * new.number
                if is_eager(new):
                    weight += new.weight * new.number
                    near[key] = new
        return Contest(first, weight, self.whole, frozenset(gone), near)

    def end(self, key: Hashable, left: int, rounding: Rounding) -> int:
        """What the claim of this key, which wants more, gets of a surplus if it requests without end."""
        claim = self.near.get(key) or self.whole.claims[key]
        asking = claim._replace(request=ENDLESS)
        others = self.exchanged([(key, claim, None)])
        light = min((each.weight for each in (asking, *others.near.values())), default=0)
        # With negative weights, or where remainders go by names, claims are not sated in the order of wants: all are
        # followed.
        if rounding is not Rounding.EACH or light < 0 or not self.whole.order.is_whole:
            shares, _ = surplus_shares(left, [*others.eager.values(), asking], rounding)
            return shares[-1]
        return _EndlessDivision(others, asking).end(left)


class _FollowedClaim(NamedTuple):
    """A claim that is followed round by round, and what it has got beyond its min."""

    claim: QuotaClaim
    got: int


class _EndlessDivision:
    """The rounds in which a surplus is divided, until one claim that is never sated has all that is left."""

    def __init__(self, others: Contest, asking: QuotaClaim) -> None:
        self._asking = asking
        self._order = others.whole.order
        self._gone = sorted(self._order.place[key] for key in others.gone if key in self._order.place)
        self._weight = others.weight + asking.weight * asking.number
        self._open = [_FollowedClaim(claim, 0) for claim in others.near.values() if claim.weight]
        self._at = 0
        self._rounds: list[tuple[float, float]] = []
        self._level = 0.0

    def end(self, left: int) -> int:
        """What the claim gets of a surplus, with its min."""
        share, weight = self._asking.least, float(self._asking.weight)
        while left > 0 and (of_all := wrapped(self._weight)) > 0:
            surplus = float(left), float(of_all)
            self._rounds.append(surplus)
            self._level += surplus[0] / surplus[1]
            share += _part(weight, *surplus)
            left = self._sated()
        return share

    def _sated(self) -> int:
        """What the claims give back that the last round sates."""
        over, still = self._surely_sated(), []
        surplus = self._rounds[-1]
        met = [_FollowedClaim(claim, got + _part(claim.weight, *surplus)) for claim, got in self._open]
        for each in (*met, *self._reached()):
            if each.got < _want(each.claim):
                still.append(each)
            else:
                over += (each.got - _want(each.claim)) * each.claim.number
                self._weight -= each.claim.weight * each.claim.number
        self._open = still
        return over

    def _surely_sated(self) -> int:
        """What those give back that the last round sates beyond all doubt, whatever the rounds up to it rounded."""
        order, start = self._order, self._at
        # Each round may round half a unit down, which the lightest claim feels most.
        level = self._level * (1 - _NEAR) - len(self._rounds) / 2 / order.lightest
        self._at = end = max(start, bisect_left(order.ratios, level))
        over = order.added(start, end, self._rounds) - order.wanted[end] + order.wanted[start]
        weight = order.heavy[end] - order.heavy[start]
        for claim in (order.claims[place] for place in self._gone if start <= place < end):
            over -= (self._got(claim) - _want(claim)) * claim.number
            weight -= claim.weight * claim.number
        self._weight -= weight
        return over

    def _reached(self) -> Iterator[_FollowedClaim]:
        """The next claims that the rounds up to now may have sated, each with what it has got."""
        order, start = self._order, self._at
        # Half a unit up for each round, and a margin: a claim that is followed in vain costs time only.
        level = self._level * (1 + _NEAR) + (len(self._rounds) / 2 + 2) / order.lightest
        self._at = max(start, bisect_left(order.ratios, level))
        for place in range(start, self._at):
            if place not in self._gone:
                yield _FollowedClaim(order.claims[place], self._got(order.claims[place]))

    def _got(self, claim: QuotaClaim) -> int:
        """What the rounds up to now have added to a claim."""
        return sum(_part(claim.weight, *surplus) for surplus in self._rounds)
