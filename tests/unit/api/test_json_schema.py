"""The JSON Schemas of kinds say what the structures say."""

from jsonschema import Draft202012Validator

from kubectl_fairshare.api.json_schema import documents
from kubectl_fairshare.schedulers.kueue.admission.kinds import API

SCHEMAS = dict(documents("kueue", API))


def test_there_is_one_for_each_kind_and_version() -> None:
    assert {path.partition("/")[2] for path in SCHEMAS} == {
        f"{v}/{k}.json" for k in API.kinds for v in ("v1beta1", "v1beta2")
    }


def test_a_structure_stands_once_under_its_name() -> None:
    queue = SCHEMAS["kueue/v1beta2/ClusterQueue.json"]
    assert queue["properties"]["spec"] == {"$ref": "#/$defs/ClusterQueueSpec"}
    assert {"FlavorQuotas", "ResourceQuota", "LabelSelector"} < queue["$defs"].keys()
    quota = queue["$defs"]["ResourceQuota"]
    assert quota["required"] == ["name", "nominalQuota"]
    assert quota["additionalProperties"] is False


def test_it_accepts_and_rejects_as_its_structure_does() -> None:
    check = Draft202012Validator(SCHEMAS["kueue/v1beta2/LocalQueue.json"])
    queue = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "a"}}
    assert check.is_valid({**queue, "spec": {"clusterQueue": "a"}})
    for spec in ({"clusterQueue": "A"}, {"clusterqueue": "a"}, {"stopPolicy": "Stop"}, {"clusterQueue": 1}):
        assert not check.is_valid({**queue, "spec": spec})
