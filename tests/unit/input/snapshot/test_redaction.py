"""What nobody decides on is taken out, and pseudonyms keep what is decided by name."""

import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.api.label_syntax import is_dns_label, is_label_value, is_subdomain
from kubectl_fairshare.input.extent import Extent, Unread
from kubectl_fairshare.input.known import Unredacted
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.snapshot.kept import ReadWords, read_words
from kubectl_fairshare.input.snapshot.redaction import Pseudonyms, Redaction, without_secrets
from kubectl_fairshare.input.snapshot.snapshot_file import extent_of, snapshot
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers import known_schedulers

CONTAINER = {
    "name": "c",
    "image": "registry.example/model",
    "command": ["train", "--key=hunter2"],
    "env": [{"name": "PASSWORD", "value": "hunter2"}],
    "envFrom": [{"secretRef": {"name": "keys"}}],
    "resources": {"requests": {"cpu": "1"}},
}
WORDS = st.from_regex(r"[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?", fullmatch=True)


def manifest(kind: str, name: str, namespace: str = "", group: str = "kueue.x-k8s.io", **more: Any) -> Manifest:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    api_version = f"{group}/v1beta2" if group else "v1"
    data = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **more}
    return Manifest(ObjectKey(group, kind, namespace, name), api_version.rpartition("/")[2], data, Origin("x", 0))


def reading(*manifests: Manifest, extent: Extent | None = None) -> Reading:
    return Reading(tuple(manifests), Texts(), extent=extent)


def stored(*manifests: Manifest, redaction: Redaction = Redaction.NAMES) -> list[Any]:
    data, _ = snapshot(reading(*manifests), redaction, schedulers=known_schedulers())
    return list(json.loads(gzip.decompress(data))["items"])


@pytest.mark.parametrize("redaction", list(Redaction))
def test_environments_are_never_stored(redaction: Redaction) -> None:
    job = manifest("Job", "j", "team", "batch", spec={"template": {"spec": {"containers": [CONTAINER]}}})
    (found,) = stored(job, redaction=redaction)
    (container,) = found["spec"]["template"]["spec"]["containers"]
    assert {"env", "envFrom"}.isdisjoint(container)
    assert container["resources"] == CONTAINER["resources"]
    assert ("command" in container) == (redaction is Redaction.NONE)


@pytest.mark.parametrize("redaction", list(Redaction))
def test_secrets_and_other_config_maps_are_never_stored(redaction: Redaction) -> None:
    secret = manifest("Secret", "s", "team", "", data={"key": "aHVudGVyMg=="})
    settings = manifest("ConfigMap", "c", "team", "", data={"key": "hunter2"})
    assert stored(secret, settings, redaction=redaction) == []


@pytest.mark.parametrize("redaction", list(Redaction))
def test_the_last_applied_configuration_is_never_stored(redaction: Redaction) -> None:
    annotations = {"kubectl.kubernetes.io/last-applied-configuration": "{}", "kueue.x-k8s.io/x": "1"}
    found = without_secrets(
        {"metadata": {"annotations": annotations, "managedFields": [1]}}, redaction, known_schedulers().spared
    )
    assert found == {"metadata": {"annotations": {"kueue.x-k8s.io/x": "1"}}}


def test_references_still_meet() -> None:
    queue = manifest("ClusterQueue", "vision", spec={"cohortName": "research"})
    cohort = manifest("Cohort", "research")
    local = manifest("LocalQueue", "main", "team-b", spec={"clusterQueue": "vision"})
    found = {each["kind"]: each for each in stored(queue, cohort, local)}
    assert found["LocalQueue"]["spec"]["clusterQueue"] == found["ClusterQueue"]["metadata"]["name"]
    assert found["ClusterQueue"]["spec"]["cohortName"] == found["Cohort"]["metadata"]["name"]
    assert "vision" not in json.dumps(list(found.values()))


def test_a_reference_to_what_is_not_there_is_hidden_too() -> None:
    owner = {"ownerReferences": [{"kind": "Job", "name": "secret-project", "uid": "u"}], "name": "w", "namespace": "n"}
    workload = manifest("Workload", "w", "n")
    workload.data["metadata"] = owner
    assert "secret-project" not in json.dumps(stored(workload))


def test_messages_lose_their_names_alone() -> None:
    told = {
        "type": "QuotaReserved",
        "status": "False",
        "reason": "Pending",
        "message": "ClusterQueue vision is inactive",
    }
    queue = manifest("ClusterQueue", "vision", status={"conditions": [told]})
    (found,) = stored(queue)
    (condition,) = found["status"]["conditions"]
    assert condition["message"] == f"ClusterQueue {found['metadata']['name']} is inactive"
    assert condition["reason"] == "Pending"


def test_resources_and_amounts_keep_their_words() -> None:
    quota = {"name": "cpu", "nominalQuota": "10"}
    spec = {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": [{"name": "10", "resources": [quota]}]}]}
    (queue, _) = stored(manifest("ClusterQueue", "cpu", spec=spec), manifest("ResourceFlavor", "10"))
    (group,) = queue["spec"]["resourceGroups"]
    assert group["coveredResources"] == ["cpu"]
    assert group["flavors"][0]["resources"] == [quota]


def test_a_configuration_keeps_its_keys() -> None:
    text = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nmetrics: {bindAddress: ':1'}\n"
    settings = manifest("ConfigMap", "kueue", "metrics", "", data={"controller_manager_config.yaml": text})
    (found,) = stored(settings)
    inner = json.loads(found["data"]["controller_manager_config.yaml"])
    assert inner["metrics"] == {"bindAddress": "a-0!"}


STAYING = st.sampled_from(
    ["binpack", "cpu", "default", "kube-public", "kube-system", "main", "memory", "queue", "true"]
)


@pytest.mark.slow
@given(st.lists(WORDS | STAYING, max_size=30))
def test_pseudonyms_are_in_the_order_of_the_names(words: list[str]) -> None:
    of = Pseudonyms(
        [{"metadata": {"name": word}} for word in words], known_schedulers().spared, ReadWords(), labels=False
    ).of
    alike = sorted({*of, "default", *(word for word in words if not word[0].isdigit())})
    assert [of.get(word, word) for word in alike] == sorted(of.get(word, word) for word in alike)


def test_a_pseudonym_is_valid_where_its_name_is() -> None:
    names = ["vision", "9", "vision.a", "V.a", "v_a", "-v", "v a", "v" * 64, "v" * 254, "v/a"]
    objects = [{"metadata": {"labels": {"x": name}}} for name in names]
    of = Pseudonyms(objects, known_schedulers().spared, ReadWords(), labels=True).of
    assert {"vision", "vision.a", "V.a", "v a"} <= of.keys()
    for test in (is_dns_label, is_subdomain, is_label_value):
        assert [name for name in of if test(of[name]) != test(name)] == []
    alike = sorted(of)
    assert [of[name] for name in alike] == sorted(of.values())


@given(st.lists(WORDS, max_size=30))
def test_no_two_names_have_one_pseudonym(words: list[str]) -> None:
    of = Pseudonyms(
        [{"metadata": {"name": word}} for word in words], known_schedulers().spared, ReadWords(), labels=False
    ).of
    assert len({*of.values()}) == len(of)


def test_label_values_go_only_if_all_goes() -> None:
    namespace = manifest("Namespace", "n", group="")
    namespace.data["metadata"]["labels"] = {"team": "secret-project", "kueue.x-k8s.io/managed": "yes"}
    assert "secret-project" in json.dumps(stored(namespace))
    (found,) = stored(namespace, redaction=Redaction.ALL)
    assert "secret-project" not in json.dumps(found)
    assert found["metadata"]["labels"]["kueue.x-k8s.io/managed"] == "yes"


def test_a_label_value_that_looks_like_a_pair_of_names_goes_whole() -> None:
    namespace = manifest("Namespace", "n", group="")
    namespace.data["metadata"]["labels"] = {"team": "secret-project/vault"}
    other = manifest("Namespace", "secret-project", group="")
    assert "vault" not in json.dumps(stored(namespace, other, redaction=Redaction.ALL))


@pytest.mark.parametrize("redaction", [Redaction.NAMES, Redaction.ALL])
def test_the_detail_of_a_provisioning_class_that_has_a_label_value_is_hidden(redaction: Redaction) -> None:
    label = {"key": "example.com/rack", "valueFromProvisioningClassDetail": "secret-detail"}
    found = stored(
        manifest("ProvisioningRequestConfig", "c", spec={"podSetUpdates": {"nodeSelector": [label]}}),
        redaction=redaction,
    )
    assert "example.com/rack" in json.dumps(found)
    assert "secret-detail" not in json.dumps(found)


@pytest.mark.parametrize("redaction", [Redaction.NAMES, Redaction.ALL])
def test_a_node_that_a_pod_asks_for_by_its_name_is_hidden_though_it_is_not_there(redaction: Redaction) -> None:
    asked = {"key": "metadata.name", "operator": "In", "values": ["rack-7-amsterdam"]}
    terms = {"nodeSelectorTerms": [{"matchFields": [asked]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    pod = manifest("Pod", "p", "team", "", spec={"containers": [CONTAINER], "affinity": affinity})
    (found,) = stored(pod, redaction=redaction)
    (term,) = found["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert term["matchFields"][0] == {**asked, "values": term["matchFields"][0]["values"]}
    assert "amsterdam" not in json.dumps(found)


@pytest.mark.parametrize("redaction", list(Redaction))
def test_the_passwords_of_a_ray_cluster_are_never_stored(redaction: Redaction) -> None:
    secret = {"redisPassword": {"value": "hunter2"}, "redisUsername": {"value": "hunter2"}}
    cluster = manifest("RayCluster", "r", "team", "ray.io", spec={"gcsFaultToleranceOptions": secret})
    service = manifest("RayService", "s", "team", "ray.io", spec={"serveConfigV2": "env_vars: {KEY: hunter2}"})
    assert "hunter2" not in json.dumps(stored(cluster, service, redaction=redaction))


def test_the_same_state_gives_the_same_bytes() -> None:
    queues = [manifest("ClusterQueue", name) for name in ("a", "b", "c")]
    assert snapshot(reading(*queues), Redaction.NAMES, schedulers=known_schedulers()) == snapshot(
        reading(*reversed(queues)), Redaction.NAMES, schedulers=known_schedulers()
    )


def test_an_object_stands_on_each_line() -> None:
    data, _ = snapshot(
        reading(manifest("ClusterQueue", "a"), manifest("Cohort", "b")), Redaction.NONE, schedulers=known_schedulers()
    )
    lines = gzip.decompress(data).decode().splitlines()
    assert len(lines) == 4
    assert [json.loads(line.rstrip(","))["kind"] for line in lines[1:3]] == ["ClusterQueue", "Cohort"]


def test_the_namespace_that_an_object_was_taken_to_be_in_is_stored() -> None:
    local = manifest("LocalQueue", "main", "team")
    del local.data["metadata"]["namespace"]
    (found,) = stored(local, redaction=Redaction.NONE)
    assert found["metadata"]["namespace"] == "team"


def test_what_of_the_cluster_is_not_known_stays_known() -> None:
    notes = (Problem("may be read in namespace `team` alone", "Workload", "ask"), Problem("odd"))
    extent = Extent((Unread("Cohort"), Unread("Workload", "team")), notes, "v1.35.4", {"kueue": "v0.19.2", "kai": ""})
    data, _ = snapshot(
        reading(manifest("ClusterQueue", "a"), extent=extent), Redaction.NONE, schedulers=known_schedulers()
    )
    _, documents = decode("x", gzip.decompress(data))
    assert extent_of(documents) == extent


def test_what_is_told_of_the_cluster_names_nobody() -> None:
    extent = Extent((Unread("Workload", "team"),), (Problem("may be read in namespace `team` alone"),))
    data, names = snapshot(
        reading(manifest("LocalQueue", "main", "team"), extent=extent), Redaction.NAMES, schedulers=known_schedulers()
    )
    assert b"team" not in gzip.decompress(data)
    assert "team" in names.values()


CANARY = "canary"
SECRETIVE: dict[str, Any] = {
    "metadata": {
        "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": '{"env":"canary"}',
            "other.example/applied": '{"kind": "Job", "spec": {"env": "canary"}}',
            "third.example/original": "apiVersion: batch/v1\nenv: canary",
        },
        "managedFields": [{"manager": CANARY}],
    },
    "spec": {
        "connectionString": "https://me:canary@prometheus.example/api",
        "headers": {"httpHeaders": [{"name": "Authorization", "value": CANARY}]},
        "template": {"spec": {"initContainers": [{"env": [{"name": "A", "value": CANARY}]}]}},
        "runtimeEnvYAML": "env_vars: {A: canary}",
        "sparkConf": {"spark.hadoop.secret": CANARY},
        "driver": {"envVars": {"A": CANARY}},
        "components": [
            {"template": {"kind": "Secret", "stringData": {"a": CANARY}, "data": {"a": CANARY}}},
            {"template": {"kind": "ConfigMap", "data": {"a": CANARY}, "binaryData": {"a": CANARY}}},
        ],
    },
}


@pytest.mark.parametrize("redaction", list(Redaction))
def test_no_secret_is_left_anywhere(redaction: Redaction) -> None:
    assert CANARY not in json.dumps(without_secrets(SECRETIVE, redaction, known_schedulers().spared))
    assert CANARY in json.dumps(SECRETIVE)


@pytest.mark.parametrize("redaction", [Redaction.NAMES, Redaction.ALL])
def test_whereabouts_and_words_for_programs_go_with_the_names(redaction: Redaction) -> None:
    node = {"status": {"addresses": [{"address": CANARY}], "images": [CANARY], "nodeInfo": {"machineID": CANARY}}}
    status = {"hostIP": CANARY, "podIP": CANARY, "containerStatuses": [{"image": CANARY, "imageID": CANARY}]}
    pod = {
        "spec": {"serviceAccountName": CANARY, "containers": [{"image": CANARY, "args": [CANARY]}]},
        "status": status,
    }
    assert CANARY not in json.dumps(
        [without_secrets(each, redaction, known_schedulers().spared) for each in (node, pod)]
    )


@pytest.mark.parametrize("gates", [["--feature-gates=A=true,Bc=False"], ["--feature-gates", "A=true, Bc=false"]])
def test_feature_gates_stay_among_the_arguments(gates: list[str]) -> None:
    container = {"command": ["run", "--token=hunter2"], "args": [*gates, "hunter2"]}
    assert without_secrets(container, Redaction.ALL, known_schedulers().spared) == {"args": gates}
    assert Pseudonyms([container | {"args": gates}], Unredacted(), ReadWords(), labels=True).hide(gates) == gates


def test_ports_keep_the_address_that_they_are_bound_to() -> None:
    container = {"ports": [{"containerPort": 1, "hostIP": "0.0.0.0"}]}
    assert without_secrets(container, Redaction.ALL, known_schedulers().spared) == container


def test_of_volumes_stays_that_they_claim_storage() -> None:
    volumes = [{"name": "a", "secret": {}}, {"name": "b", "persistentVolumeClaim": {"claimName": CANARY}}]
    volumes.append({"name": "c", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"]}}}})
    found = without_secrets({"volumes": volumes}, Redaction.NAMES, known_schedulers().spared)["volumes"]
    assert [list(each)[1] for each in found] == ["persistentVolumeClaim", "ephemeral"]
    assert found[1]["ephemeral"] == volumes[2]["ephemeral"]
    assert CANARY not in json.dumps(found)


def test_annotations_that_kai_reads_are_kept() -> None:
    read = {"pod-group-name": "g", "gpu-fraction": "0.5", "gpu-memory": "1", "gpu-fraction-num-devices": "2"}
    found = without_secrets(
        {"metadata": {"annotations": {**read, "foreign": "x"}}}, Redaction.ALL, known_schedulers().spared
    )
    assert found == {"metadata": {"annotations": read}}


@pytest.mark.parametrize("word", ["preemptible", "lca", "queue"])
def test_a_name_that_is_a_word_of_some_field_stays(word: str) -> None:
    known = known_schedulers()
    spared = known.spared
    pseudonyms = Pseudonyms(
        [{"metadata": {"name": word}}, {"metadata": {"name": "other"}}],
        spared,
        read_words(known.read_words, spared),
        labels=False,
    )
    assert pseudonyms.hide({"spec": {"preemptibility": word}}) == {"spec": {"preemptibility": word}}
    assert set(pseudonyms.of) == {"other"}


def test_what_a_queue_is_called_on_screens_is_a_name() -> None:
    queue = manifest("Queue", "q", group="scheduling.run.ai", spec={"displayName": "Our Team"})
    (found,) = stored(queue)
    assert found["spec"]["displayName"] != "Our Team"


@pytest.mark.parametrize("field", ["connectionString", "externalPrometheusUrl", "image"])
def test_of_an_address_stays_that_it_is_there(field: str) -> None:
    assert without_secrets({"spec": {field: CANARY}}, Redaction.NAMES, known_schedulers().spared) == {
        "spec": {field: "redacted"}
    }
    assert without_secrets({"spec": {field: CANARY}}, Redaction.NONE, known_schedulers().spared) == {
        "spec": {field: CANARY}
    }


@pytest.mark.parametrize("redaction", list(Redaction))
@pytest.mark.parametrize("field", ["labels", "matchLabels", "nodeLabels", "nodeSelector"])
def test_a_label_is_kept_whatever_its_key(field: str, redaction: Redaction) -> None:
    spec = {"spec": {field: {"env": "prod", "image": "x", "hostname": "y"}}}
    assert without_secrets(spec, redaction, known_schedulers().spared) == spec


@pytest.mark.parametrize("redaction", list(Redaction))
def test_what_configures_a_scheduler_is_kept(redaction: Redaction) -> None:
    spec: Any = {
        "args": {"full-hierarchy-fairness": "false"},
        "plugins": {"proportion": {"arguments": {"kValue": "2"}}},
    }
    shard = manifest("SchedulingShard", "default", group="kai.scheduler", spec=spec)
    (found,) = stored(shard, redaction=redaction)
    assert found["spec"] == spec


def test_a_word_of_a_note_is_no_name_though_some_object_is_called_so() -> None:
    note = Problem("namespace `quota` has none, so every quota is taken: Workload quota/pods, Cohort pods, pods", None)
    extent = Extent((), (note,))
    objects = (manifest("Workload", "pods", "quota"), manifest("Namespace", "quota", group=""))
    data, _ = snapshot(reading(*objects, extent=extent), Redaction.NAMES, schedulers=known_schedulers())
    (told,) = json.loads(gzip.decompress(data))["metadata"]["cluster"]["notes"]
    assert told["message"] == "namespace `n-1` has none, so every quota is taken: Workload n-1/n-0, Cohort n-0, pods"
