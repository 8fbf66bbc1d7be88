"""Every node and every set of victims that the scheduler's ties allow.

Pods that are equal in priority and start are in an order that no object records, and the scheduler chooses at random
among nodes that are equal by every criterion. Neither decides whether a node is a candidate, so each node is tried by
itself. Pods that differ only in their names are exchangeable.
Example: a quota may use 4, two equal pods hold 1 and 2, and a newcomer of 2 arrives. Which of the two leaves rests on
the order in the scheduler's memory.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/preempt.go,
``SelectVictimsOnNode``; ``quota_overuse_revoke.go``, ``getToRevokePodList``; "koordinator-choice-tie" in
``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, groupby, islice, product
from typing import Final

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.choices import Choices, Possible, drawn_order, over_choices, ways_worth
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import own_pods, revoked
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, is_refused_after
from kubectl_fairshare.schedulers.koordinator.preemption.victims import (
    PreemptionQuestion,
    PreemptionTrial,
    candidates_on,
    trial,
)
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.choice import figures_of
from kubectl_fairshare.schedulers.kubescheduler.importance import equals, most_first

MOST_WAYS: Final = 512
"""The most orders of equal pods that are tried on one node, fewer of many, and the most outcomes that are listed."""
MOST_TRIALS: Final = 2048
"""The most trials for one pod over all nodes."""
Kind = Callable[[Pod], Hashable]
Counts = frozenset[tuple[Hashable, int]]


class TiedEviction(Value, frozen=True):
    """One outcome: the node, the victims there, and whether the quotas still reject the pod after their eviction."""

    node: str
    victims: tuple[Pod, ...]
    in_vain: bool


class TiedEvictions(Value, frozen=True):
    """The outcomes of an attempt that preempts, the one shown first; empty for an attempt that does not preempt.

    ``complete``: there is no other outcome. ``settled``: whether the pod gets in is the same in every outcome, listed
    or not.
    """

    results: tuple[TiedEviction, ...] = ()
    complete: bool = True
    settled: bool = True

    @property
    def number(self) -> int:
        """The number of outcomes; 1 for an attempt that does not preempt."""
        return max(1, len(self.results))


def possible_evictions(
    state: State, attempt: PodAttempt, most: int = MOST_WAYS, most_trials: int = MOST_TRIALS
) -> TiedEvictions:
    """The outcomes that ties allow, first that of ``attempt``, which has the pods in the order of their names."""
    if attempt.chosen is None:
        return TiedEvictions()
    question = PreemptionQuestion(state, attempt.pod, attempt.demand, attempt.gate.quota)
    eligible = _best(question, attempt, attempt.chosen.node, most, most_trials)
    best, known = eligible.results, eligible.complete
    in_vain = _vain_by_kinds(state, attempt, best)
    names = chain.from_iterable(_renamed(candidates_on(question, t.node), t, _kind(state)) for t in best)
    found: dict[Hashable, TiedEviction] = {}
    for at, victims in names:
        if len(found) > most:
            break
        key = at.node, frozenset(pod.key for pod in victims)
        found.setdefault(key, TiedEviction(at.node, victims, in_vain[_counts(victims, _kind(state))]))
    return TiedEvictions(
        tuple(islice(found.values(), most)), known and len(found) <= most, known and len(set(in_vain.values())) == 1
    )


def possible_kinds(state: State, attempt: PodAttempt) -> Possible[tuple[str, Counts]]:
    """The nodes that ties allow, each with how many pods of each kind leave; names do not count."""
    if attempt.chosen is None:
        return Possible(())
    question = PreemptionQuestion(state, attempt.pod, attempt.demand, attempt.gate.quota)
    best = _best(question, attempt, attempt.chosen.node, MOST_WAYS, MOST_TRIALS)
    kinds = ((each.node, _counts((fate.pod for fate in each.victims), _kind(state))) for each in best.results)
    return Possible(tuple(dict.fromkeys(kinds)), best.complete)


def possible_revocations(state: State, quota: str, most: int = MOST_WAYS) -> Possible[Counts]:
    """How many pods of each kind the over-use revoker may evict."""
    own = own_pods(state, quota)
    if not _has_ties(own, _revocation_kind):
        return Possible((_counts(revoked(state, quota), _revocation_kind),))
    return over_choices(
        lambda chance: _counts(revoked(state, quota, _drawn(own, chance, _revocation_kind)), _revocation_kind),
        lambda counts: counts,
        most,
    )


def revoked_by_chance(state: State, quota: str) -> tuple[Pod, ...]:
    """The pods of a quota about which an order decides that no object records: the revoker may evict or keep them."""
    own, found = own_pods(state, quota), possible_revocations(state, quota)
    if not found.complete:
        return tuple(pod for pod in own if pod.preemptible)
    ranks = [_ranked(pod, _revocation_kind) for pod in own]
    alike = Counter(ranks)
    numbers = {rank: {dict(counts).get(rank, 0) for counts in found.results} for rank in alike}
    return tuple(
        pod for pod, rank in zip(own, ranks, strict=True) if numbers[rank] != {0} and numbers[rank] != {alike[rank]}
    )


def _revocation_kind(pod: Pod) -> Hashable:
    """All that the over-use revoker looks at, apart from importance."""
    return tuple(sorted(pod.charge.items())), pod.preemptible


def _best(
    question: PreemptionQuestion, attempt: PodAttempt, chosen: str, most: int, most_trials: int
) -> Possible[PreemptionTrial]:
    """The trials that the scheduler may choose, first that of the chosen node."""
    tried: dict[str, Possible[PreemptionTrial]] = {}
    for name, each in attempt.trials.items():
        if each.rejected is None:
            tried[name] = _trials(question, each, min(most, most_trials))
            # At least one for each node, so that each candidate node has its trial.
            most_trials = max(1, most_trials - tried[name].ways)
    return Possible(tuple(_eligible(tried, chosen)), all(each.complete for each in tried.values()))


def _trials(question: PreemptionQuestion, first: PreemptionTrial, most: int) -> Possible[PreemptionTrial]:
    """The trials on a node that differ in more than names, the first one first."""
    candidates, kind = candidates_on(question, first.node), _kind(question.state)
    if not _has_ties(candidates, kind):
        return Possible((first,))
    return over_choices(
        lambda chance: trial(question, first.node, _drawn(candidates, chance, kind)),
        lambda each: (_counts((fate.pod for fate in each.victims), kind), figures_of(each.on_node)),
        ways_worth(most, len(candidates)),
    )


def _eligible(tried: Mapping[str, Possible[PreemptionTrial]], chosen: str) -> list[PreemptionTrial]:
    """The trials that the scheduler may choose: some order on each other node makes that node no better."""
    worst = [max(figures_of(t.on_node) for t in each.results) for each in tried.values() if each.complete]
    names = sorted(tried, key=lambda name: (name != chosen, name))
    return [t for name in names for t in tried[name].results if all(figures_of(t.on_node) <= limit for limit in worst)]


def _vain_by_kinds(state: State, attempt: PodAttempt, trials: Iterable[PreemptionTrial]) -> Mapping[Counts, bool]:
    """Whether the quotas still reject the pod, for each number of victims of each kind; names do not count."""
    found: dict[Counts, bool] = {}
    charges: dict[Hashable, bool] = {}
    for each in trials:
        victims = [fate.pod for fate in each.victims]
        charged = frozenset(Counter((tuple(sorted(p.charge.items())), p.ignored) for p in victims).items())
        if charged not in charges:
            charges[charged] = is_refused_after(state, attempt, victims)
        found[_counts(victims, _kind(state))] = charges[charged]
    return found


def _renamed(
    candidates: Sequence[Pod], at: PreemptionTrial, kind: Kind
) -> Iterator[tuple[PreemptionTrial, tuple[Pod, ...]]]:
    """The victims of a trial, then the same with others of their kinds."""
    victims = tuple(fate.pod for fate in at.victims)
    yield at, victims
    alike: dict[Hashable, list[Pod]] = {}
    for pod in candidates:
        alike.setdefault(_ranked(pod, kind), []).append(pod)
    numbers = Counter(_ranked(pod, kind) for pod in victims)
    for drawn in product(*(combinations(alike[each], number) for each, number in numbers.items())):
        yield at, tuple(chain.from_iterable(drawn))


def _counts(pods: Iterable[Pod], kind: Kind) -> Counts:
    """How many pods there are of each kind."""
    return frozenset(Counter(_ranked(pod, kind) for pod in pods).items())


def _ranked(pod: Pod, kind: Kind) -> Hashable:
    return pod.priority, pod.start, kind(pod)


def _kind(state: State) -> Kind:
    """All that a trial looks at, apart from importance."""

    def kind(pod: Pod) -> Hashable:
        amounts = tuple(tuple(sorted(each.items())) for each in (pod.charge, pod.request))
        budgets = state.budgets.get(pod.namespace, ())
        return amounts, pod.ignored, tuple(budget.key for budget in budgets if budget.covers(pod))

    return kind


def _has_ties(pods: Sequence[Pod], kind: Kind) -> bool:
    """Whether pods of different kinds are equally important."""
    return any(len({kind(pod) for pod in group}) > 1 for group in equals(pods))


def _drawn(pods: Sequence[Pod], chance: Choices, kind: Kind) -> list[Pod]:
    """From most to least important; equal pods in an order that chance draws, those of one kind in their own."""
    groups = groupby(most_first(pods), key=lambda pod: (pod.priority, pod.start))
    return [pod for _, group in groups for pod in drawn_order(group, kind, chance)]
