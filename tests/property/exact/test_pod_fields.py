"""A new field of Kubernetes' pods belongs to one of three classes: no field is forgotten."""

import json
from pathlib import Path

from tests.property.exact.pod_fields import GAPS, IDLE, MODELLED

ROOT = Path(__file__).resolve().parents[3]
POD_SPEC = ROOT / "schemas" / "kueue" / "v1beta2" / "Workload.json"


def test_every_field_of_a_pod_is_modelled_or_a_gap_or_of_no_account() -> None:
    known = set(json.loads(POD_SPEC.read_text("utf-8"))["$defs"]["PodSpec"]["properties"])
    assert known == MODELLED | set(GAPS) | set(IDLE)
    assert len(known) == len(MODELLED) + len(GAPS) + len(IDLE)
