"""Pods that want each other, or shun each other, as kube-scheduler counts them."""

from typing import Any

from kubectl_fairshare.schedulers.kai.solver.pod_affinity import PodNeighbours, Resident, pod_terms

ZONE = "zone"
HERE, THERE = {ZONE: "a"}, {ZONE: "b"}


def term(app: str, **fields: Any) -> dict[str, Any]:
    return {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": ZONE, **fields}


def resident(app: str, namespace: str = "team", **affinity: Any) -> Resident:
    return Resident(namespace, {"app": app}, pod_terms(namespace, affinity))


def required(kind: str, *terms: dict[str, Any]) -> dict[str, Any]:
    return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": list(terms)}}


def preferred(kind: str, weight: int, app: str) -> dict[str, Any]:
    entry = {"weight": weight, "podAffinityTerm": term(app)}
    return {kind: {"preferredDuringSchedulingIgnoredDuringExecution": [entry]}}


def test_a_pod_goes_where_those_are_that_it_wants() -> None:
    mine = resident("db", **required("podAffinity", term("web")))
    around = PodNeighbours(mine, [(HERE, [resident("web")])])
    assert around.refusal(HERE) is None
    assert around.refusal(THERE) == "node(s) didn't match pod affinity rules"
    assert around.refusal({}) == "node(s) didn't match pod affinity rules"


def test_the_first_of_a_group_goes_anywhere() -> None:
    mine = resident("web", **required("podAffinity", term("web")))
    assert PodNeighbours(mine, []).refusal(HERE) is None
    assert PodNeighbours(mine, [(THERE, [resident("web")])]).refusal(HERE) is not None


def test_terms_mean_the_own_namespace_unless_they_say_more() -> None:
    other = [(HERE, [resident("web", "elsewhere")])]
    near = resident("db", **required("podAffinity", term("web")))
    named = resident("db", **required("podAffinity", term("web", namespaces=["elsewhere"])))
    every = resident("db", **required("podAffinity", term("web", namespaceSelector={})))
    assert [PodNeighbours(mine, other).refusal(HERE) is None for mine in (near, named, every)] == [False, True, True]
    assert pod_terms("team", required("podAffinity", term("web", namespaceSelector={"matchLabels": {}}))).unmodelled


def test_both_sides_may_shun() -> None:
    shy = resident("db", **required("podAntiAffinity", term("web")))
    there = [(HERE, [resident("web")])]
    assert PodNeighbours(shy, there).refusal(HERE) == "node(s) didn't match pod anti-affinity rules"
    assert PodNeighbours(shy, there).refusal(THERE) is None
    guarded = [(HERE, [resident("web", **required("podAntiAffinity", term("db")))])]
    around = PodNeighbours(resident("db"), guarded)
    assert around.refusal(HERE) == "node(s) didn't satisfy existing pods anti-affinity rules"
    assert PodNeighbours(resident("other"), guarded).refusal(HERE) is None


def test_preferences_of_both_sides_are_summed() -> None:
    likes = resident("db", **preferred("podAffinity", 30, "web"))
    web = resident("web", **preferred("podAntiAffinity", 10, "db"))
    around = PodNeighbours(likes, [(HERE, [web, web]), (THERE, [resident("db")])])
    assert (around.score(HERE), around.score(THERE)) == (40, 0)
    assert PodNeighbours(likes, []).unscored
