"""A redacted snapshot of a state with topologies is decided as the state: places name hosts, and hosts are renamed."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.snapshot.redaction import Redaction
from kubectl_fairshare.input.snapshot.snapshot_file import snapshot
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.planning import plan

ROOT = Path(__file__).resolve().parents[4]
RECORDED = [c for c in cases(ROOT / "testdata" / "conformance" / "kueue-tas.jsonl.gz") if "slices" in json.dumps(c)]
ENGINE = KueueEngine()


def manifest(data: Any) -> Manifest:
    group, _, version = data["apiVersion"].rpartition("/")
    metadata = data["metadata"]
    key = ObjectKey(group, data["kind"], metadata.get("namespace", ""), metadata["name"])
    return Manifest(key, version, data, Origin("x", 0))


def redacted(objects: list[Any], redaction: Redaction) -> list[Any]:
    reading = Reading(tuple(map(manifest, objects)), Texts())
    data, _ = snapshot(reading, redaction, schedulers=known_schedulers())
    return list(json.loads(gzip.decompress(data))["items"])


def decided(case: Any, objects: list[Any]) -> list[str]:
    """What becomes of each pending workload: outcome, victims, and pods by domain in the order of the domains."""
    given = case_snapshot({**case, "objects": objects})
    state = ENGINE.state(given)
    plans = (plan(state, workload, remedied=False) for workload in state.kueue.pending)
    return sorted(f"{p.computed} {len(p.targets)} {[[r.pods for r in g.rows] for g in p.grounds]}" for p in plans)


@pytest.mark.slow
@pytest.mark.parametrize("redaction", [Redaction.NAMES, Redaction.ALL])
def test_a_redacted_state_is_decided_alike(redaction: Redaction) -> None:
    assert RECORDED
    for case in RECORDED[:: max(1, len(RECORDED) // 4)]:
        hidden = redacted(case["objects"], redaction)
        assert decided(case, hidden) == decided(case, case["objects"]), case["name"]


def test_no_host_name_is_left_in_a_place() -> None:
    for case in RECORDED[:3]:
        hosts = {o["metadata"]["name"] for o in case["objects"] if o["kind"] == "Node"}
        workloads = [o for o in redacted(case["objects"], Redaction.ALL) if o["kind"] == "Workload"]
        assert not [host for host in hosts if f'"{host}"' in json.dumps(workloads)], case["name"]
