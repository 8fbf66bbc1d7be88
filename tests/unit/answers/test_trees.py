"""A chain of thousands of cohorts is shown: nothing is walked by calls that nest."""

import json

import pytest

from kubectl_fairshare.answers.trees import branches, walk
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.documents.proof import proof
from kubectl_fairshare.report.shares import SharesReport
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.shares import KueueNode, ShareTree
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.schedulers.kueue.words.shares_answer import shares_answer
from kubectl_fairshare.schedulers.question import SharesQuestion
from kubectl_fairshare.trace import Step
from tests.unit.schedulers.kueue.build import cohort, queue, state

DEPTH = 3000


@pytest.fixture(scope="module")
def tree() -> ShareTree:
    """One queue below a chain of DEPTH cohorts, the lowest called c0."""
    shares = KueueEngine().shares(state(cohort("c0"), queue("q", "c0", 4)).snapshot)
    (root,) = shares.trees
    chain = _named(root, 0, root.children)
    for i in range(1, DEPTH):
        chain = _named(root, i, (chain,))
    return replace(shares, trees=(chain,))


def _named(node: KueueNode, i: int, children: tuple[KueueNode, ...]) -> KueueNode:
    own = replace(node.own, name=f"c{i}", parent=f"c{i + 1}" if i + 1 < DEPTH else None)
    return replace(node, key=cluster_key("Cohort", own.name), parent=own.parent or "", own=own, children=children)


def test_every_node_is_met_parents_first(tree: ShareTree) -> None:
    names = [node.name for node in walk(tree.trees)]

    assert names == [*(f"c{i}" for i in reversed(range(DEPTH))), "q"]


def test_branches_stop_growing_and_tell_the_depth(tree: ShareTree) -> None:
    labels = [label for label, _ in branches(tree.trees)]

    assert labels[1] == f"└─ c{DEPTH - 2}"
    assert labels[-1].strip() == f"└─ ({DEPTH}) q"
    assert max(map(len, labels)) < 60


@pytest.mark.slow
def test_rows_and_documents_name_the_parent(tree: ShareTree) -> None:
    report = SharesReport(shares_answer(tree, SharesQuestion()))
    nodes = json.loads(json.dumps(report.document({})))["queues"]

    assert [nodes[0]["parent"], nodes[1]["parent"], nodes[-1]["parent"]] == ["", f"c{DEPTH - 1}", "c0"]
    assert report.csv().splitlines()[-1].startswith("ClusterQueue,q,c0,")
    assert list(report.names())[-1] == "clusterqueue.kueue.x-k8s.io/q"


def test_a_long_proof_is_written_from_its_foundation_up() -> None:
    step = Step(Law.POLICY, (("cluster queue", "q0"),), holds=True)
    for i in range(1, DEPTH):
        step = Step(Law.POLICY, (("cluster queue", f"q{i}"),), holds=True, rests_on=(step,))

    written = proof([step], {}, sentence)

    assert written["conclusions"] == [DEPTH - 1]
    assert [s["restsOn"][0] for s in written["steps"][1:]] == list(range(DEPTH - 1))
