"""Rules: topology annotations that Kueue's webhook rejects, each as Kueue v0.19 does."""

import json

import pytest

from tests.unit.schedulers.kueue.rules.asking import reported

PREFIX = "kueue.x-k8s.io/podset-"
REQUIRED = {"required-topology": "rack"}
LAYERS = "slice-required-topology-constraints"


def job(annotations: dict[str, str], pods: int = 4, kind: str = "Job") -> str:
    metadata = {"namespace": "team", "name": "train", "labels": {"kueue.x-k8s.io/queue-name": "jobs"}}
    said = {f"{PREFIX}{name}": value for name, value in annotations.items()}
    container = {"name": "main", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    template = {
        "metadata": {"annotations": said, "labels": {"app": "train"}},
        "spec": {"restartPolicy": "Always" if kind == "StatefulSet" else "Never", "containers": [container]},
    }
    spec = {"parallelism": pods, "completions": pods, "template": template}
    version = "batch/v1"
    if kind == "StatefulSet":
        version, spec = (
            "apps/v1",
            {"replicas": pods, "template": template, "selector": {"matchLabels": {"app": "train"}}, "serviceName": "s"},
        )
    return json.dumps({"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}) + "\n"


def layers(*pairs: tuple[str, int]) -> str:
    return json.dumps([{"topology": level, "size": size} for level, size in pairs])


@pytest.mark.parametrize(
    "annotations",
    [
        REQUIRED,
        {"unconstrained-topology": "T"},
        REQUIRED | {"slice-required-topology": "host", "slice-size": "4"},
        REQUIRED | {LAYERS: layers(("rack", 4), ("host", 2))},
        REQUIRED | {LAYERS: layers(("rack", 4), ("host", 1))},
        REQUIRED | {"group-name": "all"},
        REQUIRED | {"group-name": str(1 << 64)},
        REQUIRED | {"slice-required-topology": "host", "slice-size": "+04"},
    ],
)
def test_what_kueue_accepts(annotations: dict[str, str]) -> None:
    assert reported("K192", job(annotations)) == ()


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        (REQUIRED | {"preferred-topology": "rack"}, "exclude each other"),
        ({"unconstrained-topology": "yes"}, "not a boolean"),
        (REQUIRED | {"slice-required-topology": "host"}, "need a size"),
        (REQUIRED | {"slice-size": "2"}, "needs a level"),
        (REQUIRED | {"slice-required-topology": "host", "slice-size": "two"}, "not a number"),
        (REQUIRED | {"slice-required-topology": "host", "slice-size": "0"}, "below 1"),
        (REQUIRED | {"slice-required-topology": "host", "slice-size": "5"}, "above the 4 pods"),
        (REQUIRED | {LAYERS: layers(("rack", 4)), "slice-size": "2"}, "exclude a list"),
        (REQUIRED | {LAYERS: "rack: 4"}, "not a JSON list"),
        (REQUIRED | {LAYERS: "[]"}, "not one to three"),
        (REQUIRED | {LAYERS: layers(("rack", 0))}, "below 1"),
        (REQUIRED | {LAYERS: layers(("rack", 4), ("rack", 2))}, "named by two"),
        (REQUIRED | {LAYERS: layers(("rack", 4), ("host", 3))}, "does not divide"),
        (REQUIRED | {LAYERS: layers(("rack", 8))}, "above the 4 pods"),
        (REQUIRED | {"group-name": "7"}, "is a number"),
        (REQUIRED | {"group-name": str((1 << 64) - 1)}, "is a number"),
        ({"preferred-topology": "a/b/c"}, "`a/b/c` is not a node label"),
        (REQUIRED | {LAYERS: layers(("-", 4))}, "`-` is not a node label"),
        (REQUIRED | {LAYERS: '[{"topology": "rack", "size": "4"}]'}, "not a JSON list"),
        (REQUIRED | {LAYERS: '[{"topology": "rack", "size": 1.5}]'}, "not a JSON list"),
        (REQUIRED | {LAYERS: "[" * 100_000}, "not a JSON list"),
        (REQUIRED | {"slice-required-topology": "host", "slice-size": "2147483648"}, "not a number"),
        (REQUIRED | {"slice-required-topology": "host", "slice-size": "2147483647"}, "above the 4 pods"),
        ({"group-name": "all"}, "needs a required or a preferred"),
        (REQUIRED | {"group-name": "all", "slice-size": "2", "slice-required-topology": "host"}, "has no slices"),
    ],
)
def test_what_kueue_rejects(annotations: dict[str, str], said: str) -> None:
    (found,) = reported("K192", job(annotations))
    assert said in found.finding.message
    assert str(found.finding.place).startswith("Job team/train")


def test_kinds_whose_webhook_does_not_look() -> None:
    assert reported("K192", job({"unconstrained-topology": "yes"}, kind="StatefulSet")) == ()


def replicated(*members: tuple[str, int, str]) -> str:
    """A JobSet with one group; of each replicated job its name, pods and level."""
    jobs = []
    for name, pods, level in members:
        said = {f"{PREFIX}group-name": "all", f"{PREFIX}required-topology": level}
        pod = {"restartPolicy": "Never", "containers": [{"name": "m", "resources": {"requests": {"cpu": "1"}}}]}
        template = {"metadata": {"annotations": said, "labels": {"app": "train"}}, "spec": pod}
        jobs.append(
            {"name": name, "template": {"spec": {"parallelism": pods, "completions": pods, "template": template}}}
        )
    metadata = {"namespace": "team", "name": "train", "labels": {"kueue.x-k8s.io/queue-name": "jobs"}}
    body = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": metadata}
    return json.dumps(body | {"spec": {"replicatedJobs": jobs}}) + "\n"


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([("a", 1, "rack"), ("b", 4, "rack")], ""),
        ([("a", 1, "rack"), ("b", 4, "rack"), ("c", 4, "rack")], "does not have 2 pod sets, but 3"),
        ([("a", 2, "rack"), ("b", 4, "rack")], "no pod set of one pod"),
        ([("a", 1, "block"), ("b", 4, "rack")], "different levels"),
    ],
)
def test_groups_of_pod_sets(members: list[tuple[str, int, str]], said: str) -> None:
    messages = [each.finding.message for each in reported("K192", replicated(*members))]
    assert [said in message for message in messages] == ([True] if said else [])


def test_a_group_is_made_of_pod_sets_with_a_level() -> None:
    grouped = replicated(("a", 1, "rack"), ("b", 4, "rack"))
    without_group = grouped.replace(f'"{PREFIX}group-name"', '"other-name"')
    assert without_group != grouped
    assert reported("K192", without_group) == ()
    without_level = grouped.replace(f'"{PREFIX}required-topology"', '"other"')
    assert without_level != grouped
    messages = [each.finding.message for each in reported("K192", without_level)]
    assert len(messages) == 2
    assert all("needs a required or a preferred topology" in message for message in messages)


def test_preferred_levels_of_a_group_differ_as_required_ones_do() -> None:
    preferred = replicated(("a", 1, "block"), ("b", 4, "rack")).replace("required-topology", "preferred-topology")
    (found,) = reported("K192", preferred)
    assert "different levels" in found.finding.message
