"""Every document of testdata/jobs holds."""

from collections.abc import Callable
from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Toleration
from kubectl_fairshare.schedulers.kueue.jobs import NO_WORKLOAD, UNMANAGED, JobLaw, pending_of
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet, Refusal
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message, refusal_sentence
from tests.unit.schedulers.kueue.jobs.scenario import FOLDER, requirement, scenarios, surroundings, written

FILES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
CASES = [pytest.param(s, id=f"{name}: {s['because']}") for name in FILES for s in scenarios(name)]


@pytest.mark.parametrize("scenario", CASES)
def test_scenario_holds(scenario: dict[str, Any]) -> None:
    expected = scenario["then"]
    if "error" in expected:
        refused(scenario)
        return
    pending = pending_of(written(scenario["when"]), surroundings(scenario))
    assert {name: value_of(pending, name) for name in expected} == {
        name: wanted(name, value) for name, value in expected.items()
    }


def refused(scenario: dict[str, Any]) -> None:
    """The manifest can't be read, and the error says why, where, and what to do."""
    expected = scenario["then"]
    with pytest.raises(FairshareError) as caught:
        pending_of(written(scenario["when"]), surroundings(scenario))
    problem = caught.value.problems[0]
    said = {"error": problem.message, "at": str(problem.place), "help": problem.help}
    assert {name: said[name] for name in expected} == expected


def value_of(pending: Pending, name: str) -> Any:
    if name == "podSets":
        return pending.pod_sets
    reader = READERS.get(name)
    return reader(pending) if reader else of_refusal(pending.refusal, name)


READERS: dict[str, Callable[[Pending], Any]] = {
    "requests": lambda p: p.pod_sets[0].requests,
    "eachRequests": lambda p: [s.requests for s in p.pod_sets],
    "group": lambda p: p.pod_sets[0].group,
    "topology": lambda p: topology_of(p.pod_sets[0]),
    "unmodelled": lambda p: list(p.unmodelled),
    "key": lambda p: str(p.key),
    "source": lambda p: str(p.source),
    "queue": lambda p: p.local_queue,
    "oneOf": lambda p: p.one_of,
    "priority": lambda p: p.priority,
    "created": lambda p: p.created,
    "uid": lambda p: p.uid,
    "active": lambda p: p.active,
    "gatedBy": lambda p: p.gated_by,
    "preemptionGated": lambda p: p.preemption_gated,
    "replaces": lambda p: None if p.replaces is None else f"{p.replaces.namespace}/{p.replaces.name}",
}


def topology_of(pod_set: PodSet) -> dict[str, Any] | None:
    """What the pod set asks for, without what it does not say."""
    asked = pod_set.topology
    if asked is None:
        return None
    assert asked.explicit
    layers = [list(layer) for layer in asked.layers]
    said = {"required": asked.required, "preferred": asked.preferred, "unconstrained": asked.unconstrained}
    return {name: value for name, value in (said | {"layers": layers}).items() if value}


def of_refusal(refusal: Refusal | None, name: str) -> Any:
    if refusal is None:
        return None
    law = JobLaw(refusal.law)
    places = [*refusal.places, *(place for v in refusal.violations for place in v.places)]
    return {
        "law": law,
        "message": refusal_message(refusal),
        "sentence": refusal_sentence(refusal),
        "places": list(map(str, places)),
        "unmanaged": law in UNMANAGED,
        "noWorkload": law in NO_WORKLOAD,
    }[name]


class Said:
    """Equal to pod sets that have every field that a scenario tells, whatever the others hold."""

    def __init__(self, expected: list[dict[str, Any]]) -> None:
        self.expected = expected

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, tuple)
        told = [{n: pod_set_value(s, n) for n in e} for s, e in zip(other, self.expected, strict=True)]
        assert told == self.expected
        return True

    __hash__ = None  # type: ignore[assignment]


def wanted(name: str, value: Any) -> Any:
    return Said(value) if name == "podSets" else value


def pod_set_value(pod_set: PodSet, name: str) -> Any:
    plain = {"minCount": pod_set.min_count, "path": field_text(pod_set.path)}
    if name in plain:
        return plain[name]
    value = getattr(pod_set, {"nodeSelector": "node_selector"}.get(name, name))
    return [told(v) for v in value] if isinstance(value, tuple) else value


def told(value: Requirement | Toleration | NodeTerm) -> Any:
    if isinstance(value, Requirement):
        return [value.key, value.operator, list(value.values)]
    if isinstance(value, Toleration):
        return [value.key, value.operator, value.value, value.effect]
    parts = {"expressions": value.expressions, "fields": value.fields}
    return {name: [told(r) for r in requirements] for name, requirements in parts.items() if requirements}


def test_short_requirements_are_read() -> None:
    assert requirement(["a", "In", ["b"]]) == Requirement("a", "In", ("b",))
