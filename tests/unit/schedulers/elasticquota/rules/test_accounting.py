"""Rules: Where what the scheduler counts, what the controller writes, and what runs are three different things."""

import pytest

from tests.unit.schedulers.elasticquota.rules.objects import (
    pod,
    quota,
    running,
)
from tests.unit.schedulers.kueue.rules.asking import reported


@pytest.mark.parametrize(("created", "found"), [("2026-03-01T12:00:01Z", True), ("2026-03-01T12:00:00Z", False)])
def test_a_quota_newer_than_a_pods_start_does_not_count_it(created: str, found: bool) -> None:
    texts = quota("a", {"cpu": 4}, creationTimestamp=created), running(pod("a", requests={"cpu": 1}, node="n1"))
    assert bool(reported("E025", *texts)) is found


def test_status_tells_why_it_differs() -> None:
    bound = pod("a", "bound", {"cpu": 1}, "n1")
    texts = quota("a", {"cpu": 4}, status={"used": {"cpu": 1}}), running(pod("a", requests={"cpu": 1}, node="n1"))
    assert reported("E026", *texts) == ()
    (found,) = reported("E026", *texts, bound)
    assert "the controller counts running pods only" in found.finding.message


def test_status_is_not_held_against_pods_that_are_not_in_the_input() -> None:
    text = quota("a", {"cpu": 4}, status={"used": {"cpu": 1}})
    assert reported("E026", text) == ()
    assert len(reported("E026", text, complete=True)) == 1
