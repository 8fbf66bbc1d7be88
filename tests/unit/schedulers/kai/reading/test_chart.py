"""Values of KAI's chart are read as the Config and the shard that its templates make of them."""

from typing import Any

import pytest

from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Shard
from kubectl_fairshare.schedulers.kai.model.pod_admission import PodAdmission
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.unit.schedulers.kai.reading.test_state import manifest, state

QUEUE = manifest("Queue", "q")


def release(values: dict[str, Any], version: str = "v0.17.2", **spec: Any) -> Manifest:
    chart = {"spec": {"chart": "kai-scheduler", "version": version}}
    data = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "kai", "namespace": "kai-scheduler"},
        "spec": {"chart": chart, "values": values, **spec},
    }
    return next(iter(manifests_of([data], "release")))


def shard(spec: dict[str, Any], name: str = "default") -> Manifest:
    return manifest("SchedulingShard", name, spec)


def settled(found: Shard) -> Shard:
    return replace(found, key=None, written_at={})


def named(found: KaiState) -> list[str]:
    return [".".join(map(str, place.path)) for place in found.elsewhere]


@pytest.mark.parametrize(
    ("values", "spec"),
    [
        ({}, {"placementStrategy": {"gpu": "binpack", "cpu": "binpack"}}),
        (
            {"placementStrategy": "spread", "args": {"full-hierarchy-fairness": "false"}},
            {"placementStrategy": {"gpu": "spread", "cpu": "spread"}, "args": {"full-hierarchy-fairness": "false"}},
        ),
        ({"plugins": {"proportion": {"arguments": {"kValue": "2"}}}}, None),
        ({"actions": {"consolidation": {"enabled": False}, "preempt": {"priority": 450}}}, None),
        ({"plugins": {"elastic": {"enabled": False}}, "scenarioSearchBudgets": {"maxJobSearchDuration": "1s"}}, None),
        ({"plugins": {"minruntime": {"arguments": {"defaultReclaimMinRuntime": "1h"}}}}, None),
    ],
)
def test_the_scheduler_s_values_make_the_default_shard(values: dict[str, Any], spec: dict[str, Any] | None) -> None:
    (made,) = state(QUEUE, release({"scheduler": values})).shards
    (written,) = state(QUEUE, shard(values if spec is None else spec)).shards
    assert (made.name, made.pool) == ("default", None)
    assert settled(made) == settled(written)


@pytest.mark.parametrize(
    ("values", "spec"),
    [
        ({}, {"admission": {"gpuSharing": False, "gpuFractionRuntimeClassName": "nvidia"}}),
        ({"global": {"gpuSharing": True}}, {"admission": {"gpuSharing": True}}),
        ({"global": {"podLabelSelector": {"a": "b"}}}, {"global": {"podLabelSelector": {"a": "b"}}}),
        ({"admission": {"gpuFractionRuntimeClassName": ""}}, {"admission": {"gpuFractionRuntimeClassName": ""}}),
        (
            {"admission": {"gpuFractionRuntimeClassName": None, "gpuPodRuntimeClassName": "crun"}},
            {"admission": {"gpuPodRuntimeClassName": "crun"}},
        ),
    ],
)
def test_other_values_make_the_config(values: dict[str, Any], spec: dict[str, Any]) -> None:
    base = {"namespace": "kai-scheduler", **spec, "admission": {"gpuSharing": False, **spec.get("admission", {})}}
    made, written = state(QUEUE, release(values)), state(QUEUE, manifest("Config", "kai-config", base))
    assert _settings(made.admission) == _settings(written.admission)
    assert named(made) == []


def _settings(found: PodAdmission) -> PodAdmission:
    return replace(found, key=None, written_at={})


def test_labels_of_queues_and_pools_are_those_of_the_values() -> None:
    found = state(QUEUE, release({"global": {"nodePoolLabelKey": "pool"}, "podgrouper": {"queueLabelKey": "team"}}))
    assert (found.pool_label, found.queue_label) == ("pool", "team")


def test_objects_of_the_input_count_before_the_chart() -> None:
    values = {"scheduler": {"placementStrategy": "spread"}, "global": {"nodePoolLabelKey": "pool"}}
    found = state(QUEUE, release(values), shard({}), manifest("Config", "kai-config", {"namespace": "x"}))
    assert [each.spread_gpu for each in found.shards] == [False]
    assert (found.pool_label, found.elsewhere) == ("kai.scheduler/node-pool", ())


def test_the_default_shard_stands_beside_others() -> None:
    found = state(QUEUE, release({}), shard({"partitionLabelValue": "a"}, "a"))
    assert [each.name for each in found.shards] == ["a", "default"]
    without = state(QUEUE, release({"defaultShard": {"enabled": False}}), shard({"partitionLabelValue": "a"}, "a"))
    assert [each.name for each in without.shards] == ["a"]


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"scheduler": "no"}, "spec.values.scheduler"),
        (
            {"scheduler": {"plugins": {"elastic": {"enabled": "no", "priority": []}}, "args": 5}},
            "spec.values.scheduler.args",
        ),
        ({"kaiConfigDeployer": {"enabled": False}}, "spec.values.kaiConfigDeployer.enabled"),
        ({"kaiConfig": {"render": True}}, "spec.values.kaiConfig.render"),
    ],
)
def test_values_that_cannot_be_read_are_named(values: dict[str, Any], place: str) -> None:
    assert place in named(state(QUEUE, release(values)))


def test_a_config_that_the_chart_renders_is_read() -> None:
    found = state(QUEUE, release({"kaiConfigDeployer": {"enabled": False}, "kaiConfig": {"render": True}}))
    assert (named(found), found.admission.sharing) == ([], False)


def test_a_setting_is_cited_where_it_is_written() -> None:
    values = {"plugins": {"elastic": {"enabled": False}}, "placementStrategy": "spread"}
    found = state(QUEUE, release({"scheduler": values, "binder": {"enabled": False}}))
    (made,) = found.shards
    assert made.place("spec", "plugins", "elastic", "enabled").path == (
        *("spec", "values", "scheduler", "plugins", "elastic", "enabled"),
    )
    assert made.place("spec", "usageDBConfig").path == ("spec", "values")
    assert [place.path for place in found.settings] == [("spec", "values", "binder", "enabled")]


def test_of_several_charts_it_is_not_known_which_one_counts() -> None:
    one = release({"scheduler": {"placementStrategy": "spread"}})
    found = state(QUEUE, one, replace(one, key=one.key._replace(name="other")))
    assert (found.shards, len(found.elsewhere)) == ((), 2)


@pytest.mark.parametrize(
    ("values", "runs"),
    [
        ({}, "v0.17.2"),
        ({"global": {"tag": "v0.16.1"}}, "v0.16.1"),
        ({"global": {"tag": "v0.16.1"}, "scheduler": {"image": {"tag": "v0.17.1"}}}, "v0.17.1"),
    ],
)
def test_the_release_is_that_of_the_image(values: dict[str, Any], runs: str) -> None:
    assert state(QUEUE, release(values)).release == runs
