"""ElasticQuota behind the protocol: options, what it holds, what it refuses, what it has no answer to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.demand import demand_of
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.house import HOUSE
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics
from kubectl_fairshare.schedulers.question import PlanQuestion, SharesQuestion, WhyQuestion, Wishes
from kubectl_fairshare.schedulers.scheduler import Sources

DATA = Path(__file__).resolve().parents[4] / "testdata" / "elasticquota"
NO_SOURCES = Sources(None, 0)


def snapshot(name: str) -> Snapshot:
    known = known_schedulers()
    return assemble(read([str(DATA / name)], known).manifests, known).snapshot


@pytest.fixture(scope="module")
def cluster() -> Snapshot:
    return snapshot("cluster.yaml")


def asked(namespace: str, **wishes: str) -> PlanQuestion:
    given = {name: (value,) if name == "request" else value for name, value in wishes.items()}
    return PlanQuestion(None, Wishes(**given), namespace)  # type: ignore[arg-type]


def test_the_version_below_is_part_of_the_state(cluster: Snapshot) -> None:
    adjusted = HOUSE.adjusted(cluster, {"release": "1.36"}, NO_SOURCES).snapshot
    assert adjusted.part(ElasticQuotaState).semantics is Semantics.K8S_1_36
    assert HOUSE.adjusted(cluster, {"release": None}, NO_SOURCES).snapshot is cluster


def test_it_holds_what_has_an_elasticquota(cluster: Snapshot) -> None:
    assert HOUSE.holds(cluster)
    assert not HOUSE.holds(Snapshot())


def test_a_plan_tells_victims_limits_and_who_is_spared(cluster: Snapshot) -> None:
    (answer,) = HOUSE.plan(cluster, asked("production", request="cpu=8,nvidia.com/gpu=3"))
    assert answer.outcome is Outcome.PREEMPTS
    assert [(v.key.name, v.queue, v.rule) for v in answer.victims] == [("sweep-2", "gpu-2", "borrower")]
    assert [(s.key.name, s.put_back) for s in answer.spared] == [("train", False)]
    assert [(b.needed.text, b.reachable.text, b.short.text) for b in answer.binding] == [("3", "1", "2")]
    assert [(n.asked.text, n.free and n.free.text) for n in answer.needs] == [("8", "44"), ("3", "1")]
    assert [station.name for station in answer.route][1:] == ["production/quota", "gpu-2"]


def test_a_limit_below_the_pod_alone_binds_for_ever(cluster: Snapshot) -> None:
    (answer,) = HOUSE.plan(cluster, asked("research", request="nvidia.com/gpu=9"))
    (limit,) = (b for b in answer.binding if b.needed.resource == "nvidia.com/gpu")
    assert (limit.ever, limit.reachable.text, limit.short.text) == (True, "8", "1")


def test_who_can_make_a_change_is_told(cluster: Snapshot) -> None:
    (answer,) = HOUSE.plan(cluster, asked("production", request="cpu=30"))
    assert {(remedy.maker, remedy.outcome) for remedy in answer.remedies} == {
        (Maker.ADMIN, Outcome.ADMITTED),
        (Maker.OWNER, Outcome.ADMITTED),
        (Maker.OWNER, Outcome.PREEMPTS),
    }


def test_shares_are_a_tree_for_each_quota(cluster: Snapshot) -> None:
    shares = HOUSE.shares(cluster, SharesQuestion(resources=("nvidia.com/gpu",)))
    figures = {node.key.namespace: node.figures[0] for tree in shares.trees for node in tree}
    assert figures["research"].borrowed is not None
    assert figures["research"].borrowed.text == "2"
    assert figures["production"].limit is None


@pytest.mark.parametrize(
    "question",
    [SharesQuestion(queue="reserch"), SharesQuestion(resources=("gpu",)), SharesQuestion(by="namespace")],
)
def test_shares_of_what_is_not_there_are_refused(cluster: Snapshot, question: SharesQuestion) -> None:
    with pytest.raises(UsageError):
        HOUSE.shares(cluster, question)


@pytest.mark.parametrize(
    "ask",
    [
        HOUSE.cycle,
        lambda at: HOUSE.saturation(at, SharesQuestion(demand=demand_of(["unlimited", "research=0"]))),
        lambda at: HOUSE.derivation(at, "research", demand_of(["research=20"])),
    ],
)
def test_what_has_no_answer_says_so_in_the_same_words(cluster: Snapshot, ask: Callable[[Snapshot], object]) -> None:
    with pytest.raises(UsageError, match="has no answer for ElasticQuota"):
        ask(cluster)


def test_why_lists_pods_that_wait_and_counts_the_others() -> None:
    at = snapshot("waiting.yaml")
    answers = HOUSE.why(at, WhyQuestion(namespace="production"))
    listed = frozenset(each.key for each in answers if each.key is not None)
    others = HOUSE.unlisted(at, WhyQuestion(namespace="production"), listed)
    assert others == ("1 on a node", "6 waiting in other namespaces (-A)")
