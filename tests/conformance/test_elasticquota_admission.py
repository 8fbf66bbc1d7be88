"""Writes of ElasticQuotas get the answers that a real kube-apiserver gave (1.35.4, scheduler-plugins' CRD)."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.elasticquota.conformance.admission import replay
from tests.conformance.writes import assert_agrees, recorded


@pytest.mark.parametrize("case", recorded("elasticquota"), ids=lambda case: str(case["name"]))
def test_the_answer_is_the_recorded_one(case: dict[str, Any]) -> None:
    assert_agrees(replay(case), case["expected"])
