"""The nodes that a pod does not get."""

from kubectl_fairshare.report.text.node_reasons import elsewhere_lines, node_reason_lines, too_large_clause
from kubectl_fairshare.report.text.view import View


def test_reasons_that_differ_in_the_node_alone_share_a_line() -> None:
    reasons = {"n2": "n2 is full", "n1": "n1 is full", "n3": "n3 is cordoned"}
    assert node_reason_lines(reasons, View(80), placed=False) == [
        "  nodes",
        "    n1 is full (also 1 other node)",
        "    n3 is cordoned",
    ]


def test_the_title_says_whether_the_pod_gets_another_node() -> None:
    assert node_reason_lines({"n1": "n1 is full"}, View(80), placed=True)[0] == "  other nodes"


def test_no_reason_is_no_line() -> None:
    assert node_reason_lines({}, View(80), placed=True) == []


def test_other_nodes_for_a_nominated_pod_are_named() -> None:
    assert elsewhere_lines((), View(80)) == []
    first, *_ = elsewhere_lines(("n1", "n2"), View(80))
    assert first.startswith("  n1, n2 have room, too: ")


def test_a_pod_that_is_larger_than_every_node_has_its_numbers_if_all_lack_the_same_resource() -> None:
    both = too_large_clause([{"cpu": (16000, 8000), "memory": (5, 4)}, {"cpu": (16000, 4000)}])
    assert both == "no single node is large enough for it: it needs 16 cpu, the largest has 8"
    assert too_large_clause([{"cpu": (16000, 8000)}, {"memory": (5, 4)}]) == "no single node is large enough for it"
    assert too_large_clause([{"cpu": (16000, 8000)}, {}]) == too_large_clause([])
