"""What Kueue may note of flavors where it takes resources in the order of a Go map, which is random.

In releases that end a flavor at the first resource that does not fit, that order decides which shortages are named; and
of several resource groups without a flavor it decides which one ends the search. What is assigned is the same.
Example: of cpu and memory neither fits in a flavor. Up to v0.18.4 Kueue names one of the two, and which one is another
in every run; a text with either is right.
Source: ``findFlavorForPodSets`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.18.4/pkg/scheduler/flavorassigner/flavorassigner.go; "flavors" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/flavors/test_map_order.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import Final, TypeVar

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.flavors.assignment import (
    Assignment,
    FlavorAttempt,
    GroupTrial,
    PodSetAssignment,
    Token,
)
from kubectl_fairshare.schedulers.kueue.flavors.attempts import merge_attempts
from kubectl_fairshare.schedulers.kueue.laws import Grade
from kubectl_fairshare.trace import Step

T = TypeVar("T")
Measured = tuple[str, Grade, int, tuple[Step, ...], Token | None]
"""One resource: its grade, its borrowing level, what is missing, and the token for it."""
Notes = tuple[tuple[FlavorAttempt, ...], tuple[Step, ...]]
"""The attempts and reasons of a pod set."""
_MOST: Final = 64
"""The most outcomes of one attempt, and ways through one pod set, that are listed."""


def stopped(whole: FlavorAttempt, measured: Sequence[Measured]) -> FlavorAttempt:
    """The attempt as it is if its flavor ends at the first misfit, with every other outcome in ``instead``."""
    outcomes = {(a.borrow, a.reasons): a for a in islice(_outcomes(whole, measured), _MOST)}
    first, *others = outcomes.values()
    return replace(first, instead=tuple(others))


def _outcomes(whole: FlavorAttempt, measured: Sequence[Measured]) -> Iterator[FlavorAttempt]:
    at = next(i for i, each in enumerate(measured) if each[1] is Grade.NO_FIT)
    yield _outcome(whole, measured[: at + 1])
    # One that fits without borrowing leaves no trace, whether it came before the misfit or not.
    counting = [m for m in measured if m[1] is not Grade.NO_FIT and (m[3] or m[2])]
    # Any misfit may be the first, after any of the others that leave a trace.
    for misfit in (m for m in measured if m[1] is Grade.NO_FIT):
        yield from (_outcome(whole, (*before, misfit)) for before in _subsets(counting))


def _outcome(whole: FlavorAttempt, tried: Sequence[Measured]) -> FlavorAttempt:
    reasons = tuple(reason for each in tried for reason in each[3])
    return replace(whole, borrow=max(each[2] for each in tried), reasons=reasons, token=tried[-1][4], grades={})


def notes(trials: Iterable[GroupTrial]) -> Notes:
    """What is noted of groups that are tried in this order, up to the first that has no flavor."""
    attempts: dict[str, FlavorAttempt] = {}
    reasons: list[Step] = []
    for trial in trials:
        if trial.group is not None:
            merge_attempts(attempts, trial.attempts, trial.group, trial.resource)
        if trial.failed:
            return tuple(attempts.values()), trial.reasons
        reasons += () if trial.fits else trial.reasons
    return tuple(attempts.values()), tuple(reasons)


def possible_pod_sets(assignment: Assignment) -> Iterator[tuple[PodSetAssignment, ...]]:
    """The pod sets as Kueue may note them, first as they are: a Go map's order decides."""
    for way in (assignment.pod_sets, *assignment.renamed):
        named = [
            replace(p, reasons=its.reasons, flavors=its.flavors, attempts=its.attempts)
            for p, its in zip(assignment.pod_sets, way, strict=True)
        ]
        groups = list({id(p.trials): p.trials for p in named if p.trials}.values())
        for chosen in product(*(list(islice(_ways(trials), _MOST)) for trials in groups)):
            noted = {id(trials): way for trials, way in zip(groups, chosen, strict=True)}
            yield tuple(_noted(p, noted[id(p.trials)]) if p.trials else p for p in named)


def _noted(pod_set: PodSetAssignment, way: Notes) -> PodSetAssignment:
    """The pod set with other notes; what was noted later, of its place on the nodes, stays."""
    later = pod_set.reasons[len(notes(pod_set.trials)[1]) :]
    return replace(pod_set, attempts=way[0], reasons=(*way[1], *later))


def _ways(trials: Sequence[GroupTrial]) -> Iterator[Notes]:
    """What may be noted of the groups: any that fails may be the first to, after any of those that do not."""
    yield notes(trials)
    failing = [trial for trial in trials if trial.failed]
    serving = [trial for trial in trials if not trial.failed]
    orders = [[*before, last] for last in failing for before in _subsets(serving)] if failing else [list(trials)]
    for order in orders:
        yield from map(notes, product(*map(_instead, order)))


def _instead(trial: GroupTrial) -> Iterator[GroupTrial]:
    """The trial with each outcome of its attempts."""
    for attempts in product(*((each, *each.instead) for each in trial.attempts)):
        yield replace(trial, attempts=attempts)


def _subsets(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))
