"""Rules: namespaceSelector: whose workloads a ClusterQueue accepts."""

from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import local_queue, namespace, older, queue

NAME = "kubernetes.io/metadata.name"


def selecting(**selector: Any) -> str:
    return queue(namespaceSelector=selector)


def test_no_selector_is_not_an_empty_one() -> None:
    (found,) = reported("K074", queue(namespaceSelector=None))
    assert str(found.finding.place) == "ClusterQueue team spec"
    assert not found.finding.remedy.safe
    assert places("K074", queue()) == []
    assert places("K074", older(queue(namespaceSelector=None))) == ["warning ClusterQueue team spec"]


def test_a_local_queue_in_a_namespace_that_is_not_selected_admits_nothing() -> None:
    texts = (selecting(matchLabels={"team": "red"}), local_queue())
    assert places("K075", *texts, namespace(team="blue")) == ["warning LocalQueue team/jobs metadata.namespace"]
    assert places("K075", *texts, namespace(team="red")) == []


def test_of_a_namespace_that_is_not_given_only_the_name_is_known() -> None:
    assert places("K075", selecting(matchLabels={"team": "red"}), local_queue()) == []
    assert len(places("K075", selecting(matchLabels={"team": "red"}), local_queue(), complete=True)) == 1
    by_name = selecting(matchExpressions=[{"key": NAME, "operator": "In", "values": ["other"]}])
    assert places("K075", by_name, local_queue()) == ["info LocalQueue team/jobs metadata.namespace"]


def test_a_selector_that_matches_nothing_is_told_at_the_queue() -> None:
    assert places("K075", selecting(matchLabels={"team": "red"}), namespace(team="blue"), complete=True) == [
        "warning ClusterQueue team spec.namespaceSelector"
    ]


def test_a_misspelt_key_is_the_cause_and_told_instead() -> None:
    texts = (
        selecting(matchLabels={"example.com/taem": "red"}),
        local_queue(),
        namespace(**{"example.com/team": "red"}),
    )
    assert places("K075", *texts) == []
    (found,) = reported("K077", *texts, complete=True)
    assert found.severity == "warning"
    assert str(found.finding.place) == "ClusterQueue team spec.namespaceSelector.matchLabels[example.com/taem]"
    assert len(found.finding.remedy.edits) == 1


@pytest.mark.parametrize("key", ["kubernetes.io/metadata-name", "kubernetes.io/metdata.name", "metadata.name"])
def test_the_api_servers_own_label_is_known_without_namespaces(key: str) -> None:
    assert len(places("K077", selecting(matchLabels={key: "team"}))) == 1


def test_a_key_that_must_not_be_there_is_information() -> None:
    absent = selecting(matchExpressions=[{"key": "kubernetes.io/metadata-name", "operator": "DoesNotExist"}])
    assert places("K077", absent, complete=True) == [
        "info ClusterQueue team spec.namespaceSelector.matchExpressions[0].key"
    ]


def test_a_key_of_its_own_is_no_slip() -> None:
    assert places("K077", selecting(matchLabels={"cost-center": "7"}), namespace(team="red")) == []


def test_an_open_queue_is_advice() -> None:
    assert places("K076", queue()) == ["info ClusterQueue team spec.namespaceSelector"]
    assert places("K076", queue(namespaceSelector=None), selecting(matchLabels={"a": "b"}).replace("team", "x")) == []
