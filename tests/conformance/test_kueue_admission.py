"""Writes to Kueue's API get the answers that a real kube-apiserver with Kueue's CRDs and webhooks gave.

``kueue-admission.jsonl.gz`` is a part of a larger recording (kube-apiserver 1.35.4, Kueue v0.19.2): every
case made by hand, the two shortest of each kind, version, way of writing and stage, and one for every way
in which the generator breaks objects.
"""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.conformance.admission import replay
from tests.conformance.writes import assert_agree, batches


@pytest.mark.parametrize("batch", batches("kueue"))
def test_every_answer_is_the_recorded_one(batch: list[dict[str, Any]]) -> None:
    assert_agree(replay, batch)
