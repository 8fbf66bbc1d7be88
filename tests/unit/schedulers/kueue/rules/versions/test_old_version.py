"""Rules: objects in v1beta1: what that version lets pass, and what is lost on the way to the one that is stored."""

from kubectl_fairshare.finding import Insert, Rename, Replace
from tests.unit.schedulers.kueue.rules.asking import KUEUE, V1BETA1, document, places, queue, reported


def workload(spec: str, version: str = KUEUE, annotations: str = "") -> str:
    template = "    template:\n      spec:\n        containers:\n        - name: main\n"
    body = f"{annotations}spec:\n{spec.replace('<template>', template)}"
    return document("Workload", body, version, namespace="team")


def test_a_priority_class_without_source_is_lost() -> None:
    spec = "  priority: 5\n  priorityClassName: high\n  podSets:\n  - name: main\n<template>"
    (found,) = reported("K038", workload(spec, V1BETA1))
    assert [type(edit) for edit in found.finding.remedy.edits] == [Insert]
    sourced = spec + "  priorityClassSource: kueue.x-k8s.io/workloadpriorityclass\n"
    assert reported("K038", workload(sourced, V1BETA1)) == ()
    assert reported("K005", workload(spec, V1BETA1)) == ()


def test_a_deprecated_object_is_upgraded_where_names_are_all_that_differs() -> None:
    (found,) = reported("K005", queue("q", "  cohort: c\n").replace(KUEUE, V1BETA1))
    assert [type(edit) for edit in found.finding.remedy.edits] == [Replace, Rename]
    borrow = "  flavorFungibility:\n    whenCanBorrow: Borrow\n"
    (unlike,) = reported("K005", queue("q", borrow).replace(KUEUE, V1BETA1))
    assert unlike.finding.remedy.edits == ()


def test_a_v1beta1_object_that_v1beta2_would_not_take_is_told_at_its_own_field() -> None:
    text = queue("q", "  admissionChecks: [a, a]\n").replace(KUEUE, "kueue.x-k8s.io/v1beta1")
    assert places("K009", text) == ["error ClusterQueue q spec.admissionChecks[1]"]
    assert reported("K005", text) == ()
