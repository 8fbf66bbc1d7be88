"""The forms of ``--demand``."""

import pytest

from kubectl_fairshare.model.demand import NO_DEMAND, QueueDemand, demand_of, demanded
from kubectl_fairshare.model.errors import UsageError


def test_each_form_says_what_queues_request() -> None:
    found = demand_of(["unlimited", "a=0", "b=unlimited", "c=20", "d=cpu=64,nvidia.com/gpu=20"])
    assert (found.given, found.unlimited) == (True, True)
    assert found.queues == {
        "a": QueueDemand(),
        "b": QueueDemand(unlimited=True),
        "c": QueueDemand({"": "20"}),
        "d": QueueDemand({"cpu": "64", "nvidia.com/gpu": "20"}),
    }
    assert [name for name, of in found.queues.items() if of.whole] == ["a", "b"]
    assert not NO_DEMAND.given


def test_the_last_one_about_a_resource_counts() -> None:
    assert demand_of(["a=cpu=1", "a=memory=1Gi", "a=cpu=2"]).queues["a"].amounts == {"cpu": "2", "memory": "1Gi"}
    assert demand_of(["a=cpu=1", "a=0"]).queues["a"].idle
    assert demand_of(["a=0", "a=cpu=1"]).queues["a"].amounts == {"cpu": "1"}


@pytest.mark.parametrize("text", ["", "a", "a=", "=0", "endless", "a=cpu=", "a==1", "a=cpu=1,", "a=,"])
def test_another_form_is_refused_with_all_forms(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        demand_of([text])
    assert "`QUEUE=0`" in (caught.value.problems[0].help or "")


def test_amounts_are_quantities_of_their_resource() -> None:
    assert [demanded("cpu", "1500m"), demanded("memory", "1Ki"), demanded("nvidia.com/gpu", "20")] == [1500, 1024, 20]
    for text in ("-1", "many", ""):
        with pytest.raises(UsageError):
            demanded("cpu", text)
