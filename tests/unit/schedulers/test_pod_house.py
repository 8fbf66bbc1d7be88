"""What schedulers of single pods answer alike."""

from typing import NamedTuple

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import every_scheduler
from kubectl_fairshare.schedulers.pod_house import SinglePodHouse, unlisted_pods
from kubectl_fairshare.schedulers.question import UnansweredError, WhyQuestion

HOUSES = [each for each in every_scheduler() if isinstance(each, SinglePodHouse)]


class Counted(NamedTuple):
    key: ObjectKey
    node: str


def pod(name: str, node: str = "", namespace: str = "vision") -> Counted:
    return Counted(ObjectKey("", "Pod", namespace, name), node)


def test_no_house_overrides_a_shared_answer() -> None:
    shared = {name for name in vars(SinglePodHouse) if not name.startswith("_")}
    assert HOUSES
    assert [house.title for house in HOUSES if shared & vars(type(house)).keys()] == []


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.title)
def test_questions_about_several_jobs_are_refused_in_the_same_words(house: SinglePodHouse) -> None:
    snapshot = Snapshot()
    with pytest.raises(UnansweredError, match=house.title):
        house.cycle(snapshot)
    with pytest.raises(UnansweredError, match="not in domains"):
        house.topologies(snapshot, ())
    assert not house.works_on(snapshot)


def test_pods_that_the_list_leaves_out_are_counted() -> None:
    pods = [pod("a", "n1"), pod("b"), pod("c"), pod("d", namespace="audio"), pod("e", "n1", "audio")]
    listed = [pods[1].key]
    assert unlisted_pods(pods, WhyQuestion(namespace="vision"), listed) == (
        "1 on a node",
        "1 waiting in other namespaces (-A)",
    )
    assert unlisted_pods(pods, WhyQuestion(), listed) == ("2 on a node",)
