"""A change of policy, whatever it is: nothing to itself, the mirror of the change back, and a sum of its steps."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.diff import Diff
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.diff.difference import Scope, difference
from kubectl_fairshare.policy.version import Version
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from tests.property.effort import examples
from tests.property.generate import Draw, Manifest, cases, chance

POLICIES = ("Never", "LowerPriority", "Any")
ROWS = ("fields", "figures", "risks", "outcomes")


def rows(of: Diff) -> list[object]:
    """What both directions must agree on: how far queues fall is always that of the version after the change."""
    risks = [replace(r, workloads=tuple(replace(w, left_below=()) for w in r.workloads)) for r in of.risks]
    return [getattr(replace(of, risks=tuple(risks)), row) for row in ROWS]


def resources_of(queue: Manifest) -> list[Manifest]:
    """The quotas of a queue, as they are written."""
    groups = queue["spec"].get("resourceGroups", [])
    return [resource for group in groups for flavor in group["flavors"] for resource in flavor["resources"]]


@st.composite
def variants(draw: Draw, case: Manifest) -> Manifest:
    """The case with other quotas and policies here and there, and now and then without a queue."""
    objects: list[Manifest] = []
    for given_object in case["objects"]:
        changed = deepcopy(given_object)
        if changed["kind"] == "ClusterQueue":
            if chance(draw, 10):
                continue
            for resource in resources_of(changed):
                if chance(draw, 30) and "lendingLimit" not in resource:
                    resource["nominalQuota"] = draw(st.sampled_from(["0", "1", "2", "4"]))
            if chance(draw, 30):
                changed["spec"]["preemption"] = {"reclaimWithinCohort": draw(st.sampled_from(POLICIES))}
        objects.append(changed)
    return case | {"objects": objects}


@st.composite
def lines(draw: Draw, length: int) -> list[Manifest]:
    """Versions of one policy, one after another."""
    first = draw(cases(odd=False))
    return [first, *(draw(variants(first)) for _ in range(length - 1))]


def diff(before: Manifest, after: Manifest) -> Diff:
    """What becomes different between two cases."""
    one, other = (Version(name, case_snapshot(case), {}) for name, case in (("one", before), ("other", after)))
    return difference(scheduler_named("kueue"), one, other, Scope())


@examples(20)
@given(cases())
def test_a_policy_does_not_differ_from_itself(case: Manifest) -> None:
    found = diff(case, case)

    assert not found.fields
    assert not found.figures
    assert not found.risks
    assert not found.outcomes
    assert found.rewritten == 0


@pytest.mark.slow
@examples(25)
@given(lines(2))
def test_the_change_back_is_the_mirror_of_the_change(versions: list[Manifest]) -> None:
    there, back = diff(*versions), diff(*reversed(versions))

    assert rows(there) == rows(back.mirrored())
    assert there.rewritten == back.rewritten


@pytest.mark.slow
@examples(20)
@given(lines(3))
def test_two_changes_in_a_row_are_the_change_of_both(versions: list[Manifest]) -> None:
    first, second, third = versions
    steps, whole = (diff(first, second), diff(second, third)), diff(first, third)

    assert composed(*map(figures, steps)) == figures(whole)
    assert composed(*map(outcomes, steps)) == outcomes(whole)
    assert composed(*map(risks, steps)) == risks(whole)


def composed(one: dict[Any, Any], other: dict[Any, Any]) -> dict[Any, Any]:
    """What two changes make together: from what was before the first to what is after the second."""
    found = {}
    for key in {*one, *other}:
        was = one[key][0] if key in one else other[key][0]
        now = other[key][1] if key in other else one[key][1]
        found[key] = (was, now)
        if key in one and key in other:
            assert one[key][1] == other[key][0]
    return {key: pair for key, pair in found.items() if pair[0] != pair[1]}


def figures(found: Diff) -> dict[Any, Any]:
    """Rights before and after, by queue and resource."""
    return {(c.row.queue, c.row.pool, c.row.resource): (c.before, c.after) for c in found.figures}


def outcomes(found: Diff) -> dict[Any, Any]:
    """What makes decisions the same, before and after, by workload."""
    return {c.key: tuple(each and each.same for each in (c.before, c.after)) for c in found.outcomes}


def risks(found: Diff) -> dict[Any, Any]:
    """Who may preempt, before and after, by workload."""
    return {work.key: (risk.before, risk.after) for risk in found.risks for work in risk.workloads}
