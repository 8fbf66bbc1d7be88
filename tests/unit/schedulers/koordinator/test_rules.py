"""Rules whose edges the examples do not show."""

from pathlib import Path
from typing import Any

import orjson

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.schedulers.koordinator.linting import LINTED
from kubectl_fairshare.schedulers.koordinator.model.names import GROUP, KIND, VERSION
from tests.screens import ROOT
from tests.unit.lint.examples import found_in

PREFIX = "quota.scheduling.koordinator.sh/"
RULES = ROOT / "testdata" / "rules"


def test_every_row_of_the_catalogue_has_a_rule() -> None:
    covered = {tag for rule in known_rules() if rule.id.startswith("Q") for tag in rule.covers}
    assert covered == {"14-resource-quota-pods", *(f"L{i}" for i in range(1, 29))}


def test_a_finding_has_the_words_of_the_webhook() -> None:
    (placed,) = found_in(RULES / "Q003" / "bad.yaml", also=next(r for r in known_rules() if r.id == "Q003"))
    words = "checkMinQuotaSum all children's MinQuota > current MinQuota, current: org"
    assert words in placed.reported.finding.message


def test_the_house_has_a_structure_for_its_kind_only() -> None:
    assert [rule.id for rule in LINTED.rules] == [f"Q{i:03}" for i in range(1, 32)]


def found_of(tmp_path: Path, *objects: object) -> list[str]:
    """The rules of Koordinator and the messages of what they find in these objects."""
    path = tmp_path / f"state-{len(list(tmp_path.iterdir()))}.yaml"
    path.write_bytes(b"---\n".join(orjson.dumps(each) + b"\n" for each in objects))
    placed = (each.reported for each in found_in(path))
    return [f"{r.rule.id} {r.finding.message}" for r in placed if r.rule.id.startswith("Q")]


def quota(name: str, parent: str = "", least: str = "4", most: str = "8", **labels: str) -> dict[str, Any]:
    named = {"parent": parent} if parent else {}
    marks = {f"{PREFIX}{key.replace('_', '-')}": value for key, value in {**named, **labels}.items()}
    metadata = {"name": name, "namespace": "quotas", "labels": marks}
    spec = {"min": {"cpu": least}, "max": {"cpu": most}}
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": KIND, "metadata": metadata, "spec": spec}


def template(quota: str, namespace: str = "team", **requests: str) -> dict[str, Any]:
    """A Job whose pods name a quota."""
    spec = {"containers": [{"name": "main", "image": "i", "resources": {"requests": requests or {"cpu": "1"}}}]}
    pod = {"metadata": {"labels": {f"{PREFIX}name": quota}}, "spec": {**spec, "schedulerName": "koord-scheduler"}}
    metadata = {"name": "job", "namespace": namespace}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"template": pod}}


def node(**allocatable: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": allocatable}}


def test_each_cycle_of_parents_is_a_finding_and_other_mistakes_stay(tmp_path: Path) -> None:
    loops = [quota("a", "b", is_parent="true"), quota("b", "a", is_parent="true"), quota("c", "c", is_parent="true")]
    org = [quota("org", is_parent="true"), quota("x", "org", "3"), quota("y", "org", "3")]
    found = found_of(tmp_path, *loops, *org)
    assert [text.partition(":")[2].partition(";")[0] for text in found if text.startswith("Q005")] == [
        " a → b → a",
        " c → c",
    ]
    assert [text[:4] for text in found if text.startswith("Q003")] == ["Q003"]


def test_templates_count_like_pods(tmp_path: Path) -> None:
    (typo,) = found_of(tmp_path, quota("vision"), template("visoin"))
    assert typo.startswith(
        "Q009 no quota is called `visoin`: 1 pod with this label belongs to the default quota, which"
    )
    (free,) = found_of(tmp_path, quota("vision"), template("vision", cpu="1", **{"nvidia.com/gpu": "1"}))
    assert free.startswith("Q010 max does not list `nvidia.com/gpu`, which 1 pod of `vision` would use")
    (parent,) = found_of(tmp_path, quota("org", is_parent="true"), quota("x", "org"), template("org"))
    assert parent.endswith("pod can not be linked to a parentQuotaGroup,quota:org, pod:job-xxxxx")
    assert not found_of(tmp_path, quota("team"), template("team"))


def test_a_resource_that_nodes_list_as_0_scales_min_to_0(tmp_path: Path) -> None:
    (scaled,) = found_of(tmp_path, node(cpu="0"), quota("a"))
    assert scaled == "Q014 the min of the top quotas adds up to 4 cpu, and there is 0 cpu: each min is scaled to 0"
    (unscaled,) = found_of(tmp_path, node(memory="1Gi"), quota("a"))
    assert unscaled.startswith("Q015 no node has `cpu`: this min is not scaled")


def test_a_large_min_that_is_not_lent_is_found_without_pods(tmp_path: Path) -> None:
    kept = {"allow_lent_resource": "false"}
    (idle,) = found_of(tmp_path, node(cpu="40"), quota("a", **kept))
    assert idle == "Q030 `a` does not lend: the part of its min that it does not request is kept from others"
    assert not found_of(tmp_path, node(cpu="41"), quota("a", **kept))


def test_the_dimension_that_the_revoker_forgets_is_found(tmp_path: Path) -> None:
    def pod(name: str, priority: int, **requests: str) -> dict[str, Any]:
        spec = {**template("a", **requests)["spec"]["template"]["spec"], "nodeName": "n1", "priority": priority}
        metadata = {"name": name, "namespace": "team", "labels": {f"{PREFIX}name": "a"}}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running"}}

    a = quota("a")
    a["spec"] = {"min": {"cpu": "1", "memory": "1Gi"}, "max": {"cpu": "8", "memory": "8Gi"}}
    arguments = {"monitorAllQuotas": True}
    plugin = [{"name": "ElasticQuota", "args": arguments}]
    enabled = {"multiPoint": {"enabled": [{"name": "ElasticQuota"}]}}
    profile = {"schedulerName": "koord-scheduler", "plugins": enabled, "pluginConfig": plugin}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [profile],
    }
    state = [node(cpu="2", memory="2Gi"), a, pod("first", 0, cpu="4"), pod("second", 9, memory="4Gi")]
    found = [text for text in found_of(tmp_path, *state, config) if text.startswith("Q025")]
    assert [text.partition(",")[2].partition(":")[0] for text in found] == [
        " and evictions for `monitorAllQuotas` leave too much `memory`"
    ]
    arguments["monitorAllQuotas"] = False
    (over,) = [text for text in found_of(tmp_path, *state, config) if text.startswith("Q025")]
    assert over.startswith("Q025 `a` uses more than its runtime, and `monitorAllQuotas` is off")


def test_a_tree_that_the_webhook_fills_in_does_not_differ(tmp_path: Path) -> None:
    def trees(*objects: object) -> list[str]:
        return [text for text in found_of(tmp_path, *objects) if text.startswith("Q007")]

    org, team = quota("org", is_parent="true", tree_id="t"), quota("team", "org", is_parent="true")
    assert not trees(org, team, quota("one", "team"), quota("two", "team", tree_id="t"))
    (other,) = trees(org, team, quota("one", "team", tree_id="u"))
    assert other.endswith("one tree id is different from parent team, [u] vs [t]")
    team["metadata"]["resourceVersion"] = "1"  # stored without the webhook
    assert trees(org, team)[0].endswith("team tree id is different from parent org, [] vs [t]")


def test_a_quota_that_cannot_be_decoded_is_one_finding(tmp_path: Path) -> None:
    org = quota("org", is_parent="true", tree_id="t")
    org["metadata"]["labels"][f"{PREFIX}is-parent"] = True
    others = [quota("team", "org", is_parent="true"), quota("one", "team", tree_id="t"), template("org")]
    assert [text[:4] for text in found_of(tmp_path, org, *others) if text[:4] != "Q022"] == []
    assert any(text.startswith("Q004") for text in found_of(tmp_path, *others))
