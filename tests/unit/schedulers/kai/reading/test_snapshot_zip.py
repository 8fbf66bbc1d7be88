"""KAI's snapshot is an input like any other."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read, read_what_can_be
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.reading.shards import PLUGINS
from kubectl_fairshare.schedulers.kai.reading.snapshot_zip import FILE, unzipped

META = {"resourceVersion": "7"}
SNAPSHOT: dict[str, Any] = {
    "config": {
        "actions": "allocate",
        "tiers": [{"plugins": [{"name": "proportion", "arguments": {"kValue": "0.5"}}, {"name": "minruntime"}]}],
        "queueDepthPerAction": {"allocate": 3},
    },
    "schedulerParams": {
        "schedulerName": "mine",
        "fullHierarchyFairness": True,
        "partitionParams": {"NodePoolLabelKey": "pool", "NodePoolLabelValue": "x"},
    },
    "rawObjects": {
        "queues": [{"metadata": {"name": "q", "labels": {"pool": "x"}, **META}, "spec": {"resources": {}}}],
        "pods": [{"metadata": {"name": "p", "namespace": "ns", **META}, "spec": {"schedulerName": "mine"}}],
        "nodes": None,
        "storageClasses": [{"metadata": {"name": "s", **META}}],
    },
}


def zipped(name: str, text: str) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return found.getvalue()


@pytest.mark.parametrize("name", ["snapshot.zip", "snapshot.json"])
def test_objects_and_settings_are_read(tmp_path: Path, name: str) -> None:
    text = json.dumps(SNAPSHOT)
    path = tmp_path / name
    path.write_bytes(zipped("snapshot.json", text) if name.endswith("zip") else text.encode())
    state = assemble(read([str(path)], schedulers=known_schedulers()).manifests, known_schedulers()).snapshot.part(
        KaiState
    )
    assert list(state.queues) == ["q"]
    assert [pod.foreign for pod in state.pods] == [False]
    shard = state.shard
    assert (shard.k, shard.pool, shard.depths["allocate"], shard.full_hierarchy) == (0.5, "x", 3, True)
    assert (shard.consolidating, shard.restricted) == (False, False)
    assert shard.actions == ("allocate",)
    assert ("spec", "plugins", "podaffinity", "enabled") in shard.unmodelled
    assert state.pool_label == "pool"


def test_a_snapshot_is_no_foreign_document_among_others(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_text(json.dumps(SNAPSHOT))
    (tmp_path / "foreign.yaml").write_text("name: none of ours\n")
    found, _ = read_what_can_be([str(tmp_path)], among_others=True, schedulers=known_schedulers())
    assert "Queue" in {manifest.key.kind for manifest in found.manifests}
    assert [Path(origin.source).name for origin in found.foreign] == ["foreign.yaml"]


def test_another_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    path.write_bytes(zipped("other.json", "{}"))
    with pytest.raises(FairshareError, match=r"does not contain `snapshot\.json`"):
        read([str(path)], schedulers=known_schedulers())


def test_a_damaged_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.zip"
    path.write_bytes(zipped("snapshot.json", json.dumps(SNAPSHOT))[:60])
    with pytest.raises(FairshareError, match="damaged"):
        read([str(path)], schedulers=known_schedulers())


@pytest.mark.parametrize("byte", [0, 1, 8, 12, 14, 99, 255])
def test_a_zip_with_a_wrong_byte_is_read_or_refused(byte: int) -> None:
    whole = zipped(FILE, json.dumps(SNAPSHOT))
    said = set[str]()
    for at in range(len(whole)):
        try:
            unzipped("x.zip", whole[:at] + bytes([byte]) + whole[at + 1 :], 10_000)
        except FairshareError as error:
            said.update(problem.message for problem in error.problems)
    assert said == {"the zip is damaged", f"this zip does not contain `{FILE}`"}


def test_a_zip_that_unpacks_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    path.write_bytes(zipped("snapshot.json", " " * 1_000_000))
    with pytest.raises(FairshareError, match="bytes unpacked"):
        read([str(path)], max_input=10_000, schedulers=known_schedulers())


def test_a_scheduler_with_all_its_plugins_leaves_nothing_out(tmp_path: Path) -> None:
    arguments = {"nodeplacement": {"cpu": "binpack", "gpu": "spread"}}
    off = ("gpupack", "gpusharingorder")
    plugins = [{"name": name, "arguments": arguments.get(name, {})} for name in sorted(PLUGINS) if name not in off]
    config = {"actions": "allocate, reclaim, preempt, stalegangeviction", "tiers": [{"plugins": plugins}]}
    params = {"maxNumberConsolidationPreemptees": 3, "stuckInReleasingThreshold": 120 * 10**9}
    path = tmp_path / "snapshot.json"
    path.write_text(json.dumps({**SNAPSHOT, "config": config, "schedulerParams": params}))
    manifests = read([str(path)], schedulers=known_schedulers()).manifests
    shard = assemble(manifests, known_schedulers()).snapshot.part(KaiState).shards[0]
    assert shard.unmodelled == ()
    assert (shard.actions, shard.spread_gpu, shard.moves) == (("allocate", "reclaim", "preempt"), True, 3)
