"""What a change comes to is decided with few trials."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import decision
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption, Quota
from kubectl_fairshare.schedulers.kueue.preemption.fair import FairSearch
from kubectl_fairshare.schedulers.kueue.preemption.targets import Trial
from tests.unit.schedulers.kueue.build import FAIR, GPU, holder, pending, queue, state


def test_what_can_never_fit_is_decided_without_a_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    take = FairSearch._try

    def counted(self: FairSearch, *given: Any) -> Trial:
        tried.append(given)
        return take(self, *given)

    monkeypatch.setattr(FairSearch, "_try", counted)

    given_state = state(
        queue("a", "co", {GPU: Quota(2)}, preemption=Preemption(reclaim_within_cohort="Any")),
        queue("full", "co", {GPU: Quota(10)}),
        queue("over", "co", {GPU: Quota(1)}),
        holder("safe", "full", {GPU: 10}),
        *(holder(f"taken{n}", "over", {GPU: 1}) for n in range(3)),
        strategies=FAIR,
    )
    found = decision(given_state, pending("new", "a", {"gpu": 2}))
    assert found is not None
    assert len(found.leaving) == len(tried) == 2
    tried.clear()
    assert decision(given_state, pending("new", "a", {"gpu": 4})) is None
    assert tried == []
