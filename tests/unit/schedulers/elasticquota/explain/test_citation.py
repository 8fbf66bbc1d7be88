"""The objects that a plan rests on. That they alone decide the same: ``tests/property/test_elasticquota_cited.py``."""

from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited_objects
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from tests.unit.schedulers.elasticquota.build import budget, kept, node, planned, pod, quota, state


def names(*objects: object, asking: str = "a/new", cpu: int = 2) -> list[str]:
    at = state(*objects)  # type: ignore[arg-type]
    return [key.name for key in cited_objects(at, planned(at, pod(asking, cpu=cpu)))]


def test_pods_that_quotas_count_are_cited_wherever_they_are() -> None:
    objects = (node("n", cpu=4), quota("a", {"cpu": 4}), pod("a/far", "elsewhere", cpu=1), pod("x/far", "elsewhere"))
    assert names(*objects) == ["n", "far", "quota"]


def test_a_place_kept_for_another_is_cited() -> None:
    assert "waiting" in names(node("n", cpu=4), quota("a", {"cpu": 4}), kept(pod("a/waiting", cpu=1), "n"))


def test_budgets_are_cited_of_namespaces_that_lose_pods() -> None:
    quotas = (quota("a", {"cpu": 4}), quota("b", {"cpu": 0}), quota("c", {"cpu": 1}))
    objects = (node("n", cpu=4), *quotas, pod("b/old", "n", cpu=3), budget("b", "old"), budget("c", "other"))
    at = state(*objects)
    found = planned(at, pod("a/new", cpu=3))
    assert found.chosen is not None
    assert found.chosen.victims[0].taken.law is Law.BORROWER
    cited = [(key.kind, key.namespace) for key in cited_objects(at, found)]
    assert ("PodDisruptionBudget", "b") in cited
    assert ("PodDisruptionBudget", "c") not in cited
