"""A plan's cited objects alone decide the same, and remedies do what they say; on recorded states."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.conformance.decisions import whole_objects
from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited_objects
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.explain.remedies import with_less
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import vector_from
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of, with_quota
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy, RemedyChange
from kubectl_fairshare.schedulers.recording import manifests_of

FILE = Path(__file__).resolve().parents[2] / "testdata" / "conformance" / "elasticquota.jsonl.gz"


@cache
def recorded() -> list[Any]:
    return list(cases(FILE))


PARTS = 12
part = pytest.mark.parametrize(
    "number", [pytest.param(number, marks=[pytest.mark.slow] if number % 3 else []) for number in range(PARTS)]
)
"""Every third part in the default run, the others where slow tests run."""


def asked(case: Any) -> tuple[ElasticQuotaState, Pod]:
    state = assemble(manifests_of(whole_objects(case), case["name"]), known_schedulers()).snapshot.part(
        ElasticQuotaState
    )
    return state, next(pod for pod in state.pods if pod.name == case["pending"])


def outcome(found: Attempt) -> Any:
    """What was decided, without the objects."""
    choice = None if found.choice is None else (found.choice.nodes, found.choice.lost)
    victims = {
        name: (trial.rejected, [fate.taken.pod.name for fate in trial.victims], trial.violations)
        for name, trial in found.trials.items()
    }
    filters = {name: verdict.status for name, verdict in found.filters.items()}
    return found.gate.verdict, found.course, filters, victims, choice


def cut_down(state: ElasticQuotaState, keys: tuple[ObjectKey, ...]) -> ElasticQuotaState:
    """The state in which only the objects of ``keys`` are left."""
    kept = {*keys}
    return replace(
        state,
        quotas={n: q for n, q in state.quotas.items() if q.key in kept},
        nodes={n: node for n, node in state.nodes.items() if node.key in kept},
        pods=tuple(p for p in state.pods if p.key in kept),
        budgets=tuple(b for b in state.budgets if b.key in kept),
    )


@part
def test_the_cited_objects_alone_decide_the_same(number: int) -> None:
    for case in recorded()[number::PARTS]:
        source, pod = asked(case)
        state = state_of(source)
        found = plan(state, pod, None)
        again = schedule(state_of(cut_down(source, cited_objects(state, found))), pod, None)
        seen = {*found.attempt.filters, *found.attempt.trials}
        assert outcome(again) == outcome(found.attempt) or not seen, case["name"]


@part
def test_a_remedy_does_what_it_says(number: int) -> None:
    for case in recorded()[number::PARTS]:
        source, pod = asked(case)
        state = state_of(source)
        for remedy in plan(state, pod, None).remedies:
            found = applied(state, pod, remedy)
            nodes = found.choice.nodes if found.choice is not None else found.feasible
            assert (found.course, nodes) == (remedy.course, remedy.nodes), (case["name"], remedy)


def applied(state: State, pod: Pod, remedy: Remedy) -> Attempt:
    """The course once all changes are made."""
    for change in remedy.changes:
        if change.kind is ChangeKind.DELETION:
            pods = tuple(p for p in state.source.pods if change.pod is None or p.key != change.pod.key)
            state = state_of(replace(state.source, pods=pods))
        elif change.kind is ChangeKind.PRIORITY:
            pod = replace(pod, priority=change.after or 0)
        elif change.kind is ChangeKind.REQUEST:
            pod = with_less(pod, change.resource, (change.before or 0) - (change.after or 0))
        elif change.kind is ChangeKind.POLICY:
            pod = replace(pod, preempts=True)
        else:
            state = with_quota(state, raised(state.source.quotas[pod.namespace], change))
    return schedule(state, pod, None)


def raised(quota: ElasticQuota, change: RemedyChange) -> ElasticQuota:
    held = quota.least if change.kind is ChangeKind.MIN else quota.most
    amounts = vector_from({**{r: held.of(r) for r in held.listed()}, change.resource: change.after or 0})
    return replace(quota, min=amounts) if change.kind is ChangeKind.MIN else replace(quota, max=amounts)


@part
def test_raising_one_amount_by_one_unit_less_does_not_do(number: int) -> None:
    for case in recorded()[number::PARTS]:
        source, pod = asked(case)
        state = state_of(source)
        for remedy in plan(state, pod, None).remedies:
            (change, *more) = remedy.changes
            if not more and change.kind in (ChangeKind.MIN, ChangeKind.MAX):
                less = replace(change, after=(change.after or 0) - 1)
                least = state.source.quotas[pod.namespace].least
                if change.kind is ChangeKind.MAX and (less.after or 0) < least.of(change.resource):
                    continue  # a max below min would be refused
                found = applied(state, pod, replace(remedy, changes=(less,)))
                assert found.choice is None, case["name"]
                assert found.feasible == (), case["name"]


@part
def test_a_smaller_request_is_the_largest_that_is_placed(number: int) -> None:
    for case in recorded()[number::PARTS]:
        source, pod = asked(case)
        state = state_of(source)
        for remedy in plan(state, pod, None).remedies:
            (change, *_) = remedy.changes
            if change.kind is ChangeKind.REQUEST and change.after != (change.before or 0) - 1:
                more = replace(change, after=(change.after or 0) + 1)
                assert applied(state, pod, replace(remedy, changes=(more,))).course is not CycleEnd.SCHEDULABLE


@part
def test_a_pod_more_in_use_admits_nobody_else(number: int) -> None:
    """Without kept places: one whose namespace becomes a borrower no longer counts, which may let others in."""
    for case in recorded()[number::PARTS]:
        source, pod = asked(case)
        if any(p.nominated for p in source.pods):
            continue
        verdict = schedule(state_of(source), pod, None).gate.verdict
        fuller = [replace_node(p, "elsewhere") for p in source.pods if p.node][:1]
        more = tuple(sorted((*source.pods, *fuller), key=lambda p: p.key))
        again = schedule(state_of(replace(source, pods=more)), pod, None).gate.verdict
        assert verdict == "Success" or again != "Success", case["name"]


def replace_node(pod: Pod, node: str) -> Pod:
    return replace(pod, key=pod.key._replace(name=f"{pod.key.name}-more"), uid=f"{pod.uid}-more", node=node)


def test_every_plan_has_a_proof() -> None:
    for case in recorded()[::10]:
        source, pod = asked(case)
        assert plan(state_of(source), pod, None).proof != (), case["name"]
