"""Pods as a trace holds them, and what it does not hold."""

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.traced_pods import traced_pods, untraced
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey


def spec(**fields: Json) -> Field:
    return Field(ObjectKey("", "Pod", "team", "p"), ("spec",), fields)


def test_pods_of_one_request_and_two_selectors_are_two_sets() -> None:
    zones = [spec(nodeSelector={"zone": zone}) for zone in ("a", "b", "a")]
    found = list(traced_pods(({"cpu": 1}, each) for each in zones))
    assert [(each.name, each.count, each.node_selector) for each in found] == [
        ("pods-1", 2, {"zone": "a"}),
        ("pods-2", 1, {"zone": "b"}),
    ]


def test_equal_pods_are_one_set() -> None:
    (found,) = traced_pods(({"cpu": 1}, spec()) for _ in range(3))
    assert (found.name, found.count, found.min_count) == ("main", 3, None)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"affinity": {"podAffinity": {"x": 1}}}, "affinity"),
        ({"topologySpreadConstraints": [{"maxSkew": 1}]}, "topology spread constraints"),
        ({"resourceClaims": [{"name": "gpu"}]}, "device claims"),
        ({"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "d"}}]}, "volumes with a place"),
        ({"containers": [{"name": "c", "ports": [{"hostPort": 80}]}]}, "host ports"),
        ({"hostNetwork": True, "containers": [{"name": "c", "ports": [{"containerPort": 80}]}]}, "host ports"),
        ({"workloadRef": {"name": "w"}}, "a scheduling group"),
        ({"preemptionPolicy": "Never"}, "`preemptionPolicy: Never`"),
    ],
)
def test_what_decides_and_is_not_held_is_named(fields: dict[str, Json], words: str) -> None:
    assert untraced([spec(), spec(**fields)]) == (words,)


def test_nothing_is_named_of_what_a_trace_holds_or_what_decides_nothing() -> None:
    plain = spec(
        nodeSelector={"zone": "a"},
        tolerations=[{"operator": "Exists"}],
        preemptionPolicy="PreemptLowerPriority",
        volumes=[{"name": "t", "emptyDir": {}}],
        containers=[{"name": "c", "ports": [{"containerPort": 80}]}],
    )
    assert untraced([plain]) == ()
