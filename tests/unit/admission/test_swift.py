"""The quick way takes an object only when the stages one by one would keep the very same."""

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.admission.kueue import judge as module
from kubectl_fairshare.admission.kueue.judge import judge

FILE = Path(__file__).resolve().parents[3] / "testdata" / "conformance" / "kueue-admission.jsonl.gz"


def creates() -> list[dict[str, Any]]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        return [case["object"] for case in map(json.loads, lines) if "old" not in case]


def test_both_ways_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = creates()
    quickly = [judge(copy.deepcopy(each)) for each in objects]
    monkeypatch.setattr(module, "_quickly", lambda _kind, _data: None)
    slowly = [judge(each) for each in objects]
    assert quickly == slowly
    assert sum(each.accepted for each in quickly) > 50
