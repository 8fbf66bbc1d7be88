"""KAI's house: what it answers, and what it says no to in the words of all schedulers."""

from collections.abc import Callable

import pytest

from kubectl_fairshare.model.demand import ENDLESS, demand_of
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.house import HOUSE
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, TimeAware
from kubectl_fairshare.schedulers.question import (
    PlanQuestion,
    Settings,
    SharesQuestion,
    UnansweredError,
    Wishes,
)
from kubectl_fairshare.schedulers.scheduler import Sources
from tests.unit.schedulers.kai.build import snapshot_of

ORG = snapshot_of("testdata/kai/org")
NOBODY = Sources(None, 1 << 20)
ASKED = PlanQuestion(None, Wishes(queue="vision", request=("nvidia.com/gpu=4",)), "ml")


@pytest.mark.parametrize(
    ("question", "ask"),
    [
        ("cycle", lambda: HOUSE.cycle(snapshot_of("testdata/kai/train.yaml"))),
        ("shares --request", lambda: HOUSE.saturation(ORG, SharesQuestion(demand=ENDLESS, unit=("gpu=1",)))),
        ("shares --by", lambda: HOUSE.shares(ORG, SharesQuestion(by="namespace"))),
        ("shares --flavor", lambda: HOUSE.shares(ORG, SharesQuestion(flavors=("a",)))),
        ("shares --sort", lambda: HOUSE.shares(ORG, SharesQuestion(sort="usage"))),
    ],
)
def test_a_question_without_an_answer_is_refused_in_common_words(question: str, ask: Callable[[], object]) -> None:
    with pytest.raises(UnansweredError) as caught:
        ask()
    assert caught.value.problems[0].message.startswith(f"`{question}` has no answer for KAI: ")


def test_settings_are_laid_over_the_state() -> None:
    settings: Settings = {"k_value": 0.0, "time_aware": None, "usage": ("vision=gpu=0.2",), "now": None}
    state = HOUSE.adjusted(ORG, settings, NOBODY).snapshot.part(KaiState)
    assert [(shard.k, shard.time_aware) for shard in state.shards] == [(0.0, TimeAware.KAI)]
    assert state.usage["vision"].gpu == 0.2


def test_without_settings_the_snapshot_stays_as_it_is() -> None:
    assert HOUSE.adjusted(ORG, {"usage": (), "shard": None}, NOBODY).snapshot is ORG


def test_supposed_requests_change_shares_and_derivations_alike() -> None:
    demand = demand_of(["vision=gpu=0"])
    (vision,) = (
        node for tree in HOUSE.shares(ORG, SharesQuestion(demand=demand)).trees for node in tree if "vision" in node.key
    )
    assert [each.fair_share and each.fair_share.value for each in vision.figures if each.resource == "gpu"] == [0]
    with pytest.raises(UsageError):
        HOUSE.derivation(ORG, "vision", demand_of(["nowhere=gpu=1"]))


def test_an_input_without_queues_is_not_its_own() -> None:
    assert (HOUSE.holds(ORG), HOUSE.holds(Snapshot())) == (True, False)
