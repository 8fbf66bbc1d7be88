"""Every remedy told is true: applied to the manifests it does what was told, and one unit less of it does not."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.remedies.policy import POLICIES
from kubectl_fairshare.schedulers.kueue.flavors.requests import current_counts
from kubectl_fairshare.schedulers.kueue.laws import Grade
from tests.property.asking import plan_of, plans
from tests.property.changing import key_of, quantity_text, with_field
from tests.property.effort import examples
from tests.property.generate import cases, configured

Manifest = dict[str, Any]
MATCHES = (RemedyKind.TOLERATION, RemedyKind.SELECTOR)
SIZES = (RemedyKind.COUNT, RemedyKind.REQUEST)
LARGEST = (*SIZES, RemedyKind.MINIMUM)
QUOTAS = (RemedyKind.NOMINAL, RemedyKind.BORROWING_LIMIT, RemedyKind.LENDING_LIMIT)


def told(case: Manifest) -> Iterator[tuple[Manifest, Plan, Remedy]]:
    """Every remedy that is told, with the case in which, and the plan."""
    for asked in configured(case):
        for plan in plans(asked):
            for remedy in plan.remedies:
                yield asked, plan, remedy


def applied(case: Manifest, plan: Plan, remedy: Remedy, value: float) -> Manifest:
    """The case in which the remedy's field has ``value``."""
    if remedy.kind in MATCHES:
        return matched(case, plan, remedy)
    place = field_of(plan, remedy)
    for other in remedy.also:
        case = with_field(case, field_of(plan, other).object, field_of(plan, other).path, text(other, other.after))
    if remedy.kind is RemedyKind.COUNT:
        case = with_field(case, place.object, (*place.path[:-1], "minCount"), None)
    return with_field(case, place.object, place.path, text(remedy, value))


def matched(case: Manifest, plan: Plan, remedy: Remedy) -> Manifest:
    """The case in which the pods tolerate or select what the remedy says."""
    (manifest,) = (o for o in case["objects"] if key_of(o) == plan.workload.key)
    for i, pod_set in enumerate(manifest["spec"]["podSets"]):
        if remedy.pod_set not in (None, pod_set["name"]):
            continue
        path = ("spec", "podSets", i, "template", "spec")
        before = pod_set["template"]["spec"]
        if remedy.kind is RemedyKind.SELECTOR:
            changes = dict(text.split("=") for text in remedy.words[1].split(", "))
            selector = before.get("nodeSelector", {})
            value: object = selector | {k: v for k, v in changes.items() if k in selector}
            case = with_field(case, plan.workload.key, (*path, "nodeSelector"), value)
            continue
        added = [toleration_of(text) for text in remedy.words[1].split(", ")]
        case = with_field(case, plan.workload.key, (*path, "tolerations"), [*before.get("tolerations", ()), *added])
    return case


def toleration_of(text: str) -> dict[str, str]:
    """The toleration for a taint ``key=value:effect``."""
    taint, effect = text.rsplit(":", 1)
    key, _, value = taint.partition("=")
    return {"key": key, "operator": "Equal", "value": value, "effect": effect}


def field_of(plan: Plan, remedy: Remedy) -> Place:
    """The field that the remedy changes, of the workload itself where it names no other object."""
    if remedy.place is not None:
        return remedy.place
    workload = plan.workload
    if remedy.kind is RemedyKind.PRIORITY:
        return Place(workload.key, ("spec", "priority"))
    number = [p.name for p in workload.pod_sets].index(remedy.pod_set or "")
    pod_set = ("spec", "podSets", number)
    if remedy.kind is RemedyKind.COUNT:
        return Place(workload.key, (*pod_set, "count"))
    if remedy.kind is RemedyKind.MINIMUM:
        return Place(workload.key, (*pod_set, "minCount"))
    assert remedy.pair is not None
    container = (*pod_set, "template", "spec", "containers", 0)
    return Place(workload.key, (*container, "resources", "requests", remedy.pair.resource))


def text(remedy: Remedy, value: float) -> str | int:
    """The value as it stands in a manifest."""
    if remedy.kind in POLICIES:
        return POLICIES[remedy.kind][round(value)]
    if remedy.kind in (RemedyKind.COUNT, RemedyKind.MINIMUM, RemedyKind.PRIORITY):
        return int(value)
    if remedy.kind is RemedyKind.WEIGHT:
        return f"{round(value * 10) * 100}m"
    assert remedy.pair is not None
    return quantity_text(remedy.pair.resource, int(value))


def one_less(remedy: Remedy) -> float:
    """The value with one unit less of change."""
    if remedy.kind in LARGEST:
        return remedy.after + 1
    return remedy.after - (0.1 if remedy.kind is RemedyKind.WEIGHT else 1)


def helps(remedy: Remedy, plan: Plan) -> bool:
    """Whether a plan reaches what the kind of remedy is for: all its pods at once, or getting in at all."""
    if remedy.kind in (*SIZES, *QUOTAS) and not remedy.reclaims:
        return plan.outcome is Outcome.ADMITTED and is_whole(plan)
    return plan.outcome in (Outcome.ADMITTED, Outcome.PREEMPTS)


def is_whole(plan: Plan) -> bool:
    """Whether all pods find room: no pod set is shrunk, and none is short of anything.

    Under PreemptionOverBorrowing Kueue may call a flavor fitting in which one resource is short.
    """
    assignment = plan.nomination.assignment
    if assignment is None:
        return False
    counts = tuple(p.count for p in assignment.pod_sets)
    grades = [grade for p in assignment.pod_sets for _, grade in p.flavors.values()]
    return counts == current_counts(plan.workload.pod_sets) and all(grade is Grade.FIT for grade in grades)


@examples(60)
@given(cases())
def test_a_remedy_does_what_it_tells(case: Manifest) -> None:
    for asked, plan, remedy in told(case):
        then = plan_of(applied(asked, plan, remedy, remedy.after), plan.workload)

        assert (then.outcome, len(then.targets)) == (remedy.outcome, remedy.victims), remedy


@pytest.mark.slow
@examples(60)
@given(cases())
def test_one_unit_less_does_not_do(case: Manifest) -> None:
    for asked, plan, remedy in told(case):
        if remedy.kind in MATCHES:
            assert plan.outcome is not Outcome.ADMITTED
            continue
        then = plan_of(applied(asked, plan, remedy, one_less(remedy)), plan.workload)

        assert not helps(remedy, then), remedy
