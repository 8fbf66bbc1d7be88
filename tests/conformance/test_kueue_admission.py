"""Writes to Kueue's API get the answers that a real kube-apiserver with Kueue's CRDs and webhooks gave.

``kueue-admission.jsonl.gz`` is a part of a larger recording (kube-apiserver 1.35.4, Kueue v0.19.2): every
case made by hand, the two shortest of each kind, version, way of writing and stage, and one for every way
in which the generator breaks objects.

``kueue-releases-admission.jsonl.gz`` was recorded with Kueue v0.17.1 and v0.18.4, as ``release`` says: every case made
by hand, and the two shortest of each kind, version, way of writing and stage.
"""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.conformance.admission import replay
from tests.conformance.writes import assert_agree, batches


@pytest.mark.parametrize("batch", [*batches("kueue"), *batches("kueue-releases")])
def test_every_answer_is_the_recorded_one(batch: list[dict[str, Any]]) -> None:
    assert_agree(replay, batch)
