"""How the figures of one quota come about."""

import json

from kubectl_fairshare.schedulers.elasticquota.explain.derivation import Term, derivation
from kubectl_fairshare.schedulers.elasticquota.explain.shares import shares
from tests.screens import ROOT, shown
from tests.unit.schedulers.elasticquota.build import node, pod, quota, state


def test_the_terms_of_each_sum_are_told_the_largest_first() -> None:
    quotas = (quota("a", {"cpu": 4}, {"cpu": 9}), quota("b", {"cpu": 2}))
    pods = (pod("a/small", "n", cpu=1), pod("a/large", "n", cpu=5), pod("a/waits", cpu=7), pod("b/other", "n", cpu=1))
    at = state(node("n", cpu=9), *quotas, *pods)
    table = shares(at, {})
    (cpu,) = derivation(at, table, table.quotas[0]).resources
    assert cpu.pods == (Term("large", 5000), Term("small", 1000))
    assert cpu.minima == (Term("a", 4000), Term("b", 2000))
    assert cpu.uses == (Term("a", 6000), Term("b", 1000))
    assert sum(term.amount for term in cpu.pods) == cpu.figures.used


def test_what_is_nothing_is_no_term() -> None:
    at = state(quota("a", {"cpu": 4}), quota("b", {}), pod("b/other", "n", gpu=1))
    table = shares(at, {})
    gpu = derivation(at, table, table.quotas[0]).resources[1]
    assert (gpu.pods, gpu.minima, gpu.uses) == ((), (), (Term("b", 1),))


def test_a_derivation_closes_with_how_sure_it_is_as_its_document_does() -> None:
    command = f"kubectl-fairshare shares -f {ROOT / 'testdata' / 'elasticquota' / 'cluster.yaml'} --explain research"
    last = " ".join(shown(command).stdout.split("⇒")[-1].split())
    assert last.startswith("ElasticQuota research/quota, term by term · exact (CapacityScheduling")
    assert json.loads(shown(f"{command} -o json").stdout)["fidelity"]["exact"] is True
