"""KAI and CapacityScheduling are read as they are configured, and notes say what is assumed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.connection import Patience
from kubectl_fairshare.input.cluster.read import Query, read_cluster
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from tests.unit.input.cluster.served import Fault, Object, Served, schedulers_settings, serving

QUEUES = "/apis/scheduling.run.ai/v2/queues"
SHARDS = "/apis/kai.scheduler/v1/schedulingshards"
CONFIGS = "/apis/kai.scheduler/v1/configs"
QUOTAS = "/apis/scheduling.x-k8s.io/v1alpha1/elasticquotas"
PROFILES = "/api/v1/namespaces/scheduler-plugins/configmaps"
DEFAULTS = "/api/v1/namespaces/kai/configmaps/defaults"
EMPTY = (
    *("scheduling.run.ai/v2alpha2/podgroups", "scheduling.run.ai/v1alpha2/bindrequests"),
    *("policy/v1/poddisruptionbudgets", "node.k8s.io/v1/runtimeclasses", "scheduling.k8s.io/v1/priorityclasses"),
)
Read = Callable[..., Reading]


def _object(name: str, namespace: str = "", **more: Any) -> Object:
    return {"metadata": {"name": name, **({"namespace": namespace} if namespace else {})}, **more}


@pytest.fixture
def served() -> Iterator[Served]:
    """A cluster with a queue of KAI, a quota, and all that configures their schedulers."""
    names = {"defaultPrioritiesConfigMapName": "defaults", "defaultPrioritiesConfigMapNamespace": "kai"}
    config = {"namespace": "kai-scheduler", "podGrouper": {"args": names}}
    types = '[{"typeName": "Job", "group": "batch", "priorityName": "build"}]'
    lists: dict[str, list[Object]] = {
        QUEUES: [_object("all", spec={})],
        SHARDS: [_object("default", spec={"kValue": 3})],
        CONFIGS: [_object("kai-config", spec=config)],
        QUOTAS: [_object("quota", "team", spec={"min": {"cpu": "1"}})],
        **{f"/apis/{path}": [] for path in EMPTY},
        **{f"/api/v1/{path}": [] for path in ("namespaces", "limitranges", "pods", "nodes", "resourcequotas")},
    }
    groups = {group: ["v1"] for group in ("kai.scheduler", "policy", "node.k8s.io", "scheduling.k8s.io", "apps")}
    groups |= {"scheduling.run.ai": ["v2", "v2alpha2", "v1alpha2"], "scheduling.x-k8s.io": ["v1alpha1"]}
    single = {**schedulers_settings(), DEFAULTS: _object("defaults", "kai", data={"types": types})}
    with serving(Served(lists, groups, single=single)) as found:
        yield found


@pytest.fixture
def read(served: Served, tmp_path: Path) -> Read:
    config = served.kubeconfig(tmp_path)
    patience = Patience(attempts=2, first=0.001, longest=0.01)
    return lambda **access: read_cluster(
        Access(kubeconfig=config, **access),
        Query("plan", 1 << 20, patience=patience),
        schedulers=known_schedulers(),
    )


def told(reading: Reading) -> list[str]:
    assert reading.extent is not None
    return [note.message for note in reading.extent.notes]


def test_everything_that_configures_them_is_read(read: Read) -> None:
    reading = read()
    snapshot = assemble(reading.manifests, known_schedulers()).snapshot
    assert snapshot.part(ElasticQuotaState).profiles == ("batch",)
    assert snapshot.part(KaiState).shard.k == 3.0
    assert snapshot.part(KaiState).defaults["Job.batch"].priority_class == "build"
    assert told(reading) == []


def test_a_configuration_under_another_name_and_namespace_is_found(served: Served, read: Read) -> None:
    found = served.single.pop(f"{PROFILES}/scheduler-config")
    other = {**found, "metadata": {"name": "cfg", "namespace": "batch"}}
    served.lists["/api/v1/namespaces/batch/configmaps"] = [_object("other", "batch", data={"x": "y"}), other]
    reading = read(namespaces={"elasticquota": "batch"})
    assert [m.key.name for m in reading.manifests if m.key.kind == "ConfigMap"] == ["cfg", "defaults"]
    assert assemble(reading.manifests, known_schedulers()).snapshot.part(ElasticQuotaState).profiles == ("batch",)


@pytest.mark.parametrize("status", [403, 404])
def test_where_the_profiles_are_not_known_it_is_told_what_is_taken(served: Served, read: Read, status: int) -> None:
    served.faults = [Fault(PROFILES, status, times=9)]
    reading = read()
    (note,) = told(reading)
    assert ("cannot be read: not allowed" if status == 403 else "has no ConfigMap") in note
    assert "assumed to run CapacityScheduling" in note
    assert assemble(reading.manifests, known_schedulers()).snapshot.part(ElasticQuotaState).profiles is None


def test_without_a_shard_and_a_config_the_defaults_are_told(served: Served, read: Read) -> None:
    served.lists[SHARDS] = served.lists[CONFIGS] = []
    assert [note for note in told(read()) if "defaults" in note] == [
        "the cluster has no SchedulingShard: one with KAI's defaults is assumed",
        "the cluster has no Config of KAI: its defaults are assumed",
    ]


def test_a_shard_that_may_not_be_read_is_not_said_to_be_missing(served: Served, read: Read) -> None:
    served.faults = [Fault(SHARDS, 403, times=9)]
    reading = read()
    assert reading.extent is not None
    assert reading.extent.unread == (Unread("SchedulingShard"),)
    (note,) = told(reading)
    assert note.startswith("you may not read this, so these are unknown: KAI's division")
    assert note.endswith("the defaults are used")


def test_defaults_of_job_kinds_that_are_not_there_are_told(served: Served, read: Read) -> None:
    del served.single[DEFAULTS]
    assert told(read()) == [
        "ConfigMap kai/defaults, which KAI's Config names for defaults of job kinds, does not exist"
    ]


def test_defaults_of_job_kinds_that_may_not_be_read_are_unknown(served: Served, read: Read) -> None:
    served.faults = [Fault(DEFAULTS, 403, times=9)]
    reading = read()
    assert reading.extent is not None
    assert reading.extent.unread == (Unread("ConfigMap"),)
    (note,) = reading.extent.notes
    assert "kai/defaults cannot be read: not allowed, so the priorities of job kinds are unknown" in note.message
    assert "--resource-name defaults" in str(note.help)


@pytest.mark.parametrize(
    ("path", "image", "message", "help"),
    [
        ("kai-scheduler/deployments/kai-operator", "operator:v0.14.3", "runs KAI v0.14.3", "since v0.15: "),
        ("kai-scheduler/deployments/kai-operator", "operator:v0.30.0", "runs KAI v0.30.0", "since v0.18:"),
    ],
)
def test_another_release_is_told(served: Served, read: Read, path: str, image: str, message: str, help: str) -> None:
    container = {"image": f"registry.example/{image}"}
    served.single[f"/apis/apps/v1/namespaces/{path}"] = {"spec": {"template": {"spec": {"containers": [container]}}}}
    reading = read()
    assert reading.extent is not None
    (note,) = reading.extent.notes
    assert message in note.message
    assert help in str(note.help)


def test_where_there_is_nothing_to_decide_on_no_settings_are_asked_for(served: Served, read: Read) -> None:
    served.lists[QUEUES] = served.lists[QUOTAS] = []
    assert told(read()) == ["the cluster has no queue or quota of KAI-Scheduler, CapacityScheduling"]
    assert not [path for path in served.paths if "configmaps" in path or "deployments" in path]
