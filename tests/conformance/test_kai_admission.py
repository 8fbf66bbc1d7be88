"""Writes of KAI's Queues get the answers that a real kube-apiserver with KAI's webhook gave.

Recorded with kube-apiserver 1.35.4 and KAI-Scheduler v0.17; in a third of the cases KAI checks quotas, which
is off by default, and other queues exist.
"""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kai.conformance.admission import replay
from tests.conformance.writes import assert_agree, batches


@pytest.mark.parametrize("batch", batches("kai"))
def test_every_answer_is_the_recorded_one(batch: list[dict[str, Any]]) -> None:
    assert_agree(replay, batch)
