"""The division of one amount among siblings: quotas first, then the rest by priority and weight.

Problem: KAI adds weights and shares, 64-bit floats, in the order of a Go map, which is random. Counter-example: weights
3, 3, 3, 4 over 13 GPUs give 3, 3, 3, 4 in one order, and 2, 2, 3, 4 with 2 for the next priority in another. Decision:
the operations are KAI's, one by one. A division without close choices is the same in every order; for others,
``shares_over_map_orders`` returns the result of most orders. Limit: the results of other orders are found by trying
some of them, because there are too many.
Source: ``SetResourcesShare``, ``divideUpToFairShare``, ``divideRemainingResource`` in
https://github.com/NVIDIA/KAI-Scheduler/blob/v0.17.0/pkg/scheduler/plugins/proportion/resource_division/resource_division.go;
"kai division" in ``docs/laws.md``.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.division.time_aware import Formula
from kubectl_fairshare.schedulers.kai.fairness import (
    given_by_quota,
    remainder_order,
    requestable,
    satisfied,
    whole_units,
)
from kubectl_fairshare.schedulers.kai.map_orders import OverMapOrders, over_map_orders
from kubectl_fairshare.schedulers.kai.model.objects import UNLIMITED

_CLOSE: Final = 1e-9
_MOST: Final = 16


class QueueClaim(NamedTuple):
    """One queue's side of the division of one resource."""

    name: str
    priority: int
    created: int
    quota: float
    limit: float
    weight: float
    request: float
    usage: float

    @property
    def requestable(self) -> float:
        """The part of the request that the limit allows."""
        return requestable(self.limit, self.request)


class QuotaGiven(Value, frozen=True):
    """What one queue got for its quota: the smaller of ``deserved`` and ``requestable``."""

    name: str
    deserved: float
    requestable: float
    given: float


class Portion(Value, frozen=True):
    """What one queue got in a round. ``weight`` and ``share`` are its normalised weight without and with usage.

    ``fair`` is its part of the round's amount, ``asked`` its open request, ``record`` the cut-off remainder below a
    whole unit, None without one.
    """

    name: str
    weight: float
    usage: float
    share: float
    fair: float
    asked: float
    given: float
    record: float | None


class DivisionRound(Value, frozen=True):
    """One round of a priority: the ``amount`` to divide, the sums of weights and of shares."""

    priority: int
    amount: float
    weights: float
    shares: float
    portions: tuple[Portion, ...]


class Remainder(Value, frozen=True):
    """A queue that may get a last unit; ``record`` is the remainder that rounding cut off before."""

    name: str
    priority: int
    record: float
    given: float


class Account(Value):
    """The whole division, step by step; ``left`` stays unallocated."""

    total: float = 0.0
    quotas: list[QuotaGiven] = field(default_factory=list)
    rounds: list[DivisionRound] = field(default_factory=list)
    remainders: list[Remainder] = field(default_factory=list)
    left: float = 0.0


class _Division:
    """One division in progress; ``shares`` grow, by position in ``claims``.

    ``close`` says whether a choice was so close that another order of additions might change it.
    """

    __slots__ = ("account", "claims", "close", "formula", "left", "shares", "total")

    def __init__(self, total: float, formula: Formula, claims: Sequence[QueueClaim], account: Account | None) -> None:
        self.total, self.formula, self.claims, self.account = total, formula, claims, account
        self.shares = [0.0] * len(claims)
        self.left = total
        self.close = False

    def run(self) -> None:
        self.give_quotas()
        self.close = self.left != 0 and _near(self.left, 0.0, self.total)
        if self.left > 0:
            groups: dict[int, list[int]] = {}
            for i, claim in enumerate(self.claims):
                groups.setdefault(claim.priority, []).append(i)
            priorities = sorted(groups, reverse=True)
            # All priorities get whole units before any of them gets a remainder.
            records = [self.give_rounds(priority, groups[priority]) for priority in priorities]
            for priority, found in zip(priorities, records, strict=True):
                if self.left <= 0:
                    break
                self.give_remainders(priority, found)
        if self.account is not None:
            self.account.total, self.account.left = self.total, max(self.left, 0.0)

    def give_quotas(self) -> None:
        """Gives every queue its quota, up to its request, whatever its priority; quotas are never scaled down."""
        total, left = self.total, self.left
        for i, (_, _, _, quota, limit, _, request, _) in enumerate(self.claims):
            given = given_by_quota(total, quota, limit, request)
            self.shares[i] += given
            left -= given
        self.left = left
        if self.account is not None:
            for claim, given in zip(self.claims, self.shares, strict=True):
                deserved = total if claim.quota == UNLIMITED else claim.quota
                self.account.quotas.append(QuotaGiven(claim.name, deserved, claim.requestable, given))

    def unsatisfied(self, group: Iterable[int]) -> list[int]:
        claims, shares = self.claims, self.shares
        return [i for i in group if not satisfied(claims[i].limit, claims[i].request, shares[i])]

    def give_rounds(self, priority: int, group: list[int]) -> dict[int, float]:
        """Rounds of one priority until all requests are met or nothing is left; returns the remainders."""
        records: dict[int, float] = {}
        again = True
        # Not above 0: quotas may have given more than there is, and then no round is run at all.
        while again and self.left != 0:
            group = self.unsatisfied(group)
            again = self.give_round(priority, group, records)
        return records

    def give_round(self, priority: int, group: list[int], records: dict[int, float]) -> bool:
        claims, shares = self.claims, self.shares
        weights = 0.0
        for i in group:
            weights += claims[i].weight
        # No part can be computed, and queues without weight get nothing above their quota.
        if weights == 0:
            return False
        parts, total = self.parts(group, weights)
        if total == 0:
            return False
        amount, again = self.left, False
        portions: list[Portion] = []
        for i, part in zip(group, parts, strict=True):
            if self.left == 0:
                break
            claim = claims[i]
            # A queue without weight takes part in no round, though its request is open.
            if claim.weight == 0:
                continue
            asked = max(claim.requestable - shares[i], 0.0)
            # Of the amount at the start of the round, not of what is left: queues of a round do not see each other.
            fair = amount * (part / total)
            given = _portion(asked, fair, i, records)
            self.close = self.close or _near(asked, fair) or _near(fair, round(fair) if math.isfinite(fair) else fair)
            if given != 0:
                shares[i] += given
                self.left -= given
                # One that wanted less than its part leaves some for another round; if all took whole units, the rest is
                # for remainders.
                again = again or asked < fair
            if self.account is not None:
                record = records.get(i) if asked > fair else None
                weight = claim.weight / weights
                portions.append(Portion(claim.name, weight, claim.usage, part, fair, asked, given, record))
        if self.account is not None:
            self.account.rounds.append(DivisionRound(priority, amount, weights, total, tuple(portions)))
        return again

    def parts(self, group: Iterable[int], weights: float) -> tuple[list[float], float]:
        """Each queue's weight with its usage counted, at least 0, and their sum."""
        claims = [self.claims[i] for i in group]
        parts = self.formula.parts([claim.weight / weights for claim in claims], [claim.usage for claim in claims])
        total = 0.0
        for part in parts:
            total += part
        return parts, total

    def give_remainders(self, priority: int, records: dict[int, float]) -> None:
        """Gives one unit, or the rest of one, to each queue with a remainder: the largest first, then the oldest."""
        claims = self.claims
        # By the last remainder that was recorded, which may be of an earlier round.
        order = sorted(records, key=lambda i: remainder_order(records[i], claims[i].created, claims[i].name))
        ends = (0.0, *(records[i] for i in reversed(order)), 1.0)
        self.close = self.close or any(_near(a, b, 1.0) for a, b in pairwise(ends))
        for i in order:
            if self.left == 0:
                break
            given = min(1.0, self.left)
            self.shares[i] += given
            self.left -= given
            if self.account is not None:
                self.account.remainders.append(Remainder(claims[i].name, priority, records[i], given))


def _portion(asked: float, fair: float, i: int, records: dict[int, float]) -> float:
    """What queue ``i`` gets in a round: its open request, or whole units; records the cut-off remainder."""
    if asked <= fair:
        records.pop(i, None)
        return asked
    if math.isnan(fair):  # from an infinite k: every comparison of KAI's is false, and it gives and records nothing
        return 0.0
    given = whole_units(fair)
    if fair - given > 0:
        records[i] = fair - given
    return given


def _near(a: float, b: float, size: float = 0.0) -> bool:
    """Whether two amounts are so close that rounding might change which is larger."""
    return abs(a - b) <= _CLOSE * max(abs(a), abs(b), abs(size), 1.0)


def divide(total: float, formula: Formula, claims: Sequence[QueueClaim], account: Account | None = None) -> list[float]:
    """The fair share of each claim, in the order of ``claims``; ``account`` records the steps."""
    division = _Division(total, formula, claims, account)
    division.run()
    return division.shares


def shares_over_map_orders(
    total: float, formula: Formula, claims: Sequence[QueueClaim]
) -> OverMapOrders[tuple[float, ...]]:
    """The fair share of each claim in the order of ``claims``: the result of most orders of KAI's map."""
    division = _Division(total, formula, claims, None)
    division.run()
    if not division.close:
        return OverMapOrders(tuple(division.shares))
    place = {claim.name: i for i, claim in enumerate(claims)}

    def decide(order: list[QueueClaim]) -> tuple[float, ...]:
        shares = [0.0] * len(order)
        for claim, share in zip(order, divide(total, formula, order), strict=True):
            shares[place[claim.name]] = share
        return tuple(shares)

    return over_map_orders(decide, claims, _alike, agreeing=_MOST)


def _alike(shares: tuple[float, ...]) -> tuple[float, ...]:
    """The shares to ten digits; differences below come only from the order of additions."""
    return tuple(float(f"{share:.10g}") for share in shares)
