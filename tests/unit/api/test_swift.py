"""The quick way takes an object only when the stages one by one would keep the very same."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from kubectl_fairshare.api import judge as module
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.schedulers.elasticquota.admission.judge import judge as judge_elastic_quota
from kubectl_fairshare.schedulers.kai.admission.judge import judge as judge_kai
from kubectl_fairshare.schedulers.kueue.admission.judge import judge as judge_kueue
from tests.conformance.writes import recorded


@pytest.mark.parametrize(
    ("name", "judge"), [("kueue", judge_kueue), ("elasticquota", judge_elastic_quota), ("kai", judge_kai)]
)
def test_both_ways_agree(name: str, judge: Callable[[Any], Judgement], monkeypatch: pytest.MonkeyPatch) -> None:
    objects = [case["object"] for case in recorded(name) if "old" not in case]
    quickly = [judge(copy.deepcopy(each)) for each in objects]
    monkeypatch.setattr(module, "_quick_object", lambda *_, **__: None)
    slowly = [judge(each) for each in objects]
    assert quickly == slowly
    assert sum(each.accepted for each in quickly) > 50
