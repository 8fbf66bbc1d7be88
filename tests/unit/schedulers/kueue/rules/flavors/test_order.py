"""Rules: ResourceFlavors in the order in which queues try them, and their taints."""

from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import GPU, flavor, queue

SPOT = {"key": "spot", "value": "true", "effect": "NoSchedule"}


def in_order(*names: str) -> str:
    return queue(quota=[{name: {"cpu": 4} for name in names}])


@pytest.mark.parametrize(
    ("order", "count"),
    [(("any", "spot"), 1), (("spot", "any"), 0), (("any", "plain"), 0), (("plain", "any", "spot"), 1)],
)
def test_a_flavor_for_every_pod_stands_last(order: tuple[str, ...], count: int) -> None:
    flavors = (flavor("any"), flavor("plain"), flavor("spot", {"pool": "spot"}))
    assert len(places("K104", *flavors, in_order(*order))) == count


def test_it_is_told_once_for_all_queues() -> None:
    quotas = [{"any": {"cpu": 4}, "spot": {"cpu": 4}}]
    queues = (queue("b", quota=quotas), queue("a", quota=quotas))
    (found,) = reported("K104", flavor("any"), flavor("spot", {"pool": "spot"}), *queues)
    assert found.finding.place.object.name == "a"
    assert dict(found.finding.evidence)["queues"] == "2"


def test_taints_keep_pods_out_of_the_first_flavor() -> None:
    flavors = (flavor("any", None, nodeTaints=[SPOT]), flavor("spot", {"pool": "spot"}))
    assert places("K104", *flavors, in_order("any", "spot")) == []


@pytest.mark.parametrize(
    ("taints", "tolerations", "rules"),
    [
        ([SPOT], [], ["K105"]),
        ([SPOT], [{"key": "spot", "operator": "Exists"}], ["K106"]),
        ([SPOT], [{"key": "spot-taint", "operator": "Exists"}], ["K105"]),
        ([SPOT | {"effect": "PreferNoSchedule"}], [], ["K107"]),
        ([], [{"operator": "Exists"}], []),
    ],
)
def test_taints_filter_or_do_not(taints: list[Any], tolerations: list[Any], rules: list[str]) -> None:
    text = flavor("spot", {"pool": "spot"}, nodeTaints=taints, tolerations=tolerations)
    assert [word for word in ("K105", "K106", "K107") if places(word, text)] == rules


@pytest.mark.parametrize(
    ("cpu", "gpu", "count"),
    [
        ({"pool": "a"}, {"pool": "b"}, 1),
        ({"pool": "a"}, {"pool": "a"}, 0),
        ({"pool": "a"}, {"gpu": "b"}, 0),
        ({}, {}, 0),
    ],
)
def test_groups_must_not_contradict_each_other(cpu: dict[str, str], gpu: dict[str, str], count: int) -> None:
    groups = queue(quota=[{"large": {"cpu": 4}}, {"a100": {GPU: 4}}])
    found = places("K085", flavor("large", cpu), flavor("a100", gpu), groups)
    assert found == ["warning ClusterQueue team spec.resourceGroups[1]"] * count
