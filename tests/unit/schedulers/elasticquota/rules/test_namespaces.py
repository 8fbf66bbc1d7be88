"""Rules: which namespaces have a quota, and of which project."""

import json

from kubectl_fairshare.finding import Replace
from tests.unit.schedulers.elasticquota.rules.objects import pod, quota
from tests.unit.schedulers.kueue.rules.asking import places, reported

OLD = "scheduling.sigs.k8s.io/v1alpha1"


CURRENT = "scheduling.x-k8s.io/v1alpha1"


def namespace(name: str) -> str:
    return json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}) + "\n"


def test_every_quota_after_the_first_is_told_and_the_first_alone_counts() -> None:
    texts = [quota("a", {"cpu": n}, {"cpu": 2}, name=f"q{n}") for n in (1, 2, 3)]
    assert places("E007", *texts) == [
        "error ElasticQuota a/q2 metadata.name",
        "error ElasticQuota a/q3 metadata.name",
    ]
    assert reported("E001", *texts) == ()


def test_the_old_group_is_told_by_name() -> None:
    (found,) = reported("E027", quota("a", {"cpu": 4}, version=OLD))
    assert "`scheduling.sigs.k8s.io` is Koordinator's group" in found.finding.message
    assert found.finding.remedy.edits == (Replace(found.finding.place, CURRENT),)


def test_koordinators_own_quota_is_no_mistake() -> None:
    labelled = quota("a", {"cpu": 4}, version=OLD, labels={"quota.scheduling.koordinator.sh/parent": "root"})
    assert reported("E027", labelled) == ()
    profile = {"apiVersion": "config.koordinator.sh/v1alpha1", "kind": "ClusterColocationProfile"}
    beside = json.dumps({**profile, "metadata": {"name": "p"}}) + "\n"
    assert reported("E027", quota("a", {"cpu": 4}, version=OLD), beside) == ()


def test_other_versions_of_the_right_group_are_not_served() -> None:
    texts = quota("a", {"cpu": 4}, version="scheduling.x-k8s.io/v1beta1")
    assert places("E037", texts) == ["error ElasticQuota a/a apiVersion"]
    assert reported("K001", texts) == ()


def test_pods_beside_those_of_quotas_are_told_unless_the_system_owns_them() -> None:
    own = pod("a", requests={"cpu": 1}, node="n1")
    texts = quota("a", {"cpu": 4}), own, pod("kube-system", "dns", node="n1"), pod("web", "far", node="n2")
    assert reported("E012", *texts) == ()
    assert places("E012", *texts, pod("web", "near", node="n1"), complete=True) == [
        "warning Pod web/near spec.nodeName"
    ]


def test_a_namespace_is_missed_once_the_input_has_any() -> None:
    assert reported("E034", quota("a", {"cpu": 4})) == ()
    assert places("E034", quota("a", {"cpu": 4}), namespace("b")) == ["info ElasticQuota a/a metadata.namespace"]
    assert reported("E034", quota("a", {"cpu": 4}), namespace("a")) == ()


def test_a_min_is_idle_only_where_pods_are_known() -> None:
    assert reported("E036", quota("a", {"cpu": 4})) == ()
    assert places("E036", quota("a", {"cpu": 4}), pod("b")) == ["info ElasticQuota a/a spec.min"]
