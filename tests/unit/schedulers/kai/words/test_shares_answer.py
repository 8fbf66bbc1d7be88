"""KAI's queues in the form that all schedulers share."""

import pytest

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.shares import SharesReport
from kubectl_fairshare.schedulers.kai.house import HOUSE
from kubectl_fairshare.schedulers.kai.model.objects import Phase
from kubectl_fairshare.schedulers.kai.session.report import shares_of
from kubectl_fairshare.schedulers.question import SharesQuestion
from tests.unit.schedulers.kai.build import group, pod, queue, session, snapshot_of

ORG = snapshot_of("testdata/kai/org")


def names(question: SharesQuestion) -> list[str]:
    return [node.key.name for tree in HOUSE.shares(ORG, question).trees for node in tree]


def test_a_queue_stands_with_its_ancestors_and_all_below_it() -> None:
    assert names(SharesQuestion(queue="vision")) == ["research", "vision"]
    assert names(SharesQuestion(queue="research")) == ["research", "language", "vision"]


def test_queues_that_a_selector_picks_stand_with_their_ancestors_alone() -> None:
    picked = frozenset({ObjectKey("scheduling.run.ai", "Queue", "", "language")})
    assert names(SharesQuestion(labelled=picked)) == ["research", "language"]


def test_of_one_resource_only_its_figures_are_given_under_either_name() -> None:
    for name in ("gpu", "nvidia.com/gpu"):
        figures = HOUSE.shares(ORG, SharesQuestion(resources=(name,))).trees[0].figures
        assert [(each.resource, each.used.value, each.guaranteed and each.guaranteed.value) for each in figures] == [
            ("gpu", 12, 2)
        ]
    with pytest.raises(UsageError):
        HOUSE.shares(ORG, SharesQuestion(resources=("tpu",)))


def test_unlimited_bounds_are_no_amounts_and_what_exceeds_a_quota_is_borrowed() -> None:
    (gpu,) = HOUSE.shares(ORG, SharesQuestion(queue="product", resources=("gpu",))).trees[0].figures
    (cpu,) = HOUSE.shares(ORG, SharesQuestion(queue="product", resources=("cpu",))).trees[0].figures
    assert (gpu.borrowed and gpu.borrowed.value, cpu.limit, cpu.lent) == (10, None, None)


def test_entries_of_queues_have_shared_fields_beside_those_of_kai() -> None:
    document = SharesReport(HOUSE.shares(ORG, SharesQuestion())).document({})
    queues = document["queues"]
    assert isinstance(queues, list)
    assert {"figures", "resources", "displayName", "parent"} <= set(queues[0])


def test_the_jobs_of_a_queue_run_or_wait_as_why_lists_them() -> None:
    """A job at its minimum runs though another of its pods waits; one of which all pods are gated waits."""
    groups = [group(name, "a") for name in ("grows", "gated", "leaves")]
    pods = [pod("grows", 0), pod("grows", 1, phase=Phase.PENDING), pod("gated", 0, phase=Phase.GATED)]
    found = session([queue("a")], groups, [*pods, pod("leaves", 0, phase=Phase.RELEASING)])
    (tree,) = shares_of(found, Fidelity("kai", "v0.17")).trees
    assert (tree.counts.running, tree.counts.pending) == (1, 1)
