"""The steps that a decision rests on."""

from kubectl_fairshare.schedulers.elasticquota.laws import Law
from tests.unit.schedulers.elasticquota.build import node, planned, pod, quota, state


def test_the_proof_names_the_fields_of_the_bound() -> None:
    at = state(node("n", cpu=9), quota("a", {"cpu": 4}, {"cpu": 4}), pod("a/old", "n", cpu=3))
    (step,) = (s for s in planned(at, pod("a/new", cpu=2)).proof if s.law is Law.OVER_MAX)
    assert [str(part.place) for part in step.rests_on if hasattr(part, "place")] == [
        "ElasticQuota a/quota spec.max.cpu"
    ]
    assert step.operand("more") == 1000
