"""Writes of ElasticQuotas get the answers that a real kube-apiserver gave (1.35.4, scheduler-plugins' CRD)."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.elasticquota.conformance.admission import replay
from tests.conformance.writes import assert_agree, batches


@pytest.mark.parametrize("batch", batches("elasticquota"))
def test_every_answer_is_the_recorded_one(batch: list[dict[str, Any]]) -> None:
    assert_agree(replay, batch)
