"""Rules: what a Workload that is written by hand must keep to."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import KUEUE, document, places, reported


def workload(spec: str, version: str = KUEUE, annotations: str = "") -> str:
    template = "    template:\n      spec:\n        containers:\n        - name: main\n"
    body = f"{annotations}spec:\n{spec.replace('<template>', template)}"
    return document("Workload", body, version, namespace="team")


@pytest.mark.parametrize(("least", "found"), [(1, 0), (4, 0), (5, 1)])
def test_a_minimum_is_at_most_the_count(least: int, found: int) -> None:
    text = workload(f"  podSets:\n  - name: main\n    count: 4\n    minCount: {least}\n<template>")
    assert len(reported("K031", text)) == found


def test_one_pod_set_may_have_a_minimum() -> None:
    pod_set = "  - name: {}\n    count: 4\n    minCount: 2\n<template>"
    text = workload("  podSets:\n" + pod_set.format("a") + pod_set.format("b"))
    assert places("K031", text) == ["error Workload team/x spec.podSets[1].minCount"]
