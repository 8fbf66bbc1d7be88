"""What the API server and KAI's webhook say of one write of a PodGroup."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kai.admission.judge import judge


def group(*subgroups: dict[str, Any], **spec: Any) -> dict[str, Any]:
    spec = {**spec, **({"subGroups": list(subgroups)} if subgroups else {})}
    metadata = {"name": "g", "namespace": "team"}
    return {"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup", "metadata": metadata, "spec": spec}


def sub(name: str, parent: str | None = None, **more: int) -> dict[str, Any]:
    return {"name": name, **({"parent": parent} if parent else {}), **more}


@pytest.mark.parametrize(
    ("written", "place"),
    [
        (group(minMember=1, minSubGroup=1), "spec.minSubGroup"),
        (group(sub("a", minMember=1), sub("a", minMember=1)), "spec.subGroups[1].name"),
        (group(sub("a", "b", minMember=1)), "spec.subGroups[0].parent"),
        (group(sub("a", "b"), sub("b", "a")), "spec.subGroups[0].parent"),
        (group(sub("r"), sub("c", "r", minMember=1), sub("a", "a")), "spec.subGroups[2].parent"),
        (group(sub("a", minMember=1, minSubGroup=0)), "spec.subGroups[0].minSubGroup"),
        (group(sub("a", minMember=1), sub("b", minMember=1, minSubGroup=0)), "spec.subGroups[1].minSubGroup"),
        (group(sub("a")), "spec.subGroups[0].minMember"),
        (group(sub("b", "a", minMember=1), sub("a", minMember=1)), "spec.subGroups[1].minMember"),
    ],
)
def test_the_webhook_refuses_in_words_alone(written: dict[str, Any], place: str) -> None:
    judgement = judge(written)
    assert (judgement.stage, judgement.causes) == ("webhook", ())
    assert judgement.unlisted is not None
    assert judgement.unlisted.field == place


def test_a_forest_of_subgroups_passes() -> None:
    tree = (sub("a", minSubGroup=1), sub("b", "a", minMember=2), sub("c", "a", minMember=0), sub("d", minMember=1))
    assert judge(group(*tree, minSubGroup=2)).warnings == ()
    assert judge(group(*tree, minSubGroup=2)).accepted


def test_more_subgroups_than_there_are_is_a_warning() -> None:
    judgement = judge(group(sub("a", minSubGroup=2), sub("b", "a", minMember=1), minSubGroup=3))
    assert judgement.accepted
    assert judgement.warnings == (
        'subgroup "a": minSubGroup (2) exceeds the number of direct child SubGroups (1)',
        "minSubGroup (3) exceeds the number of direct child SubGroups (1)",
    )


def test_a_minimum_of_pods_above_subgroups_is_refused_on_create_and_warned_of_on_update() -> None:
    written = group(sub("a", minMember=1), sub("b", "a", minMember=1))
    assert not judge(written).accepted
    judgement = judge(written, old=group())
    assert judgement.accepted
    assert len(judgement.warnings) == 1


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"preemptibility": "semi-preemptible"}, "spec.preemptibility"),
        ({"minMember": -1}, "spec.minMember"),
        ({"subGroups": [{"minMember": 1}]}, "spec.subGroups[0].name"),
        ({"subGroups": [{"name": "A", "minMember": 1}]}, "spec.subGroups[0].name"),
    ],
)
def test_the_schema_refuses_with_causes(spec: dict[str, Any], field: str) -> None:
    judgement = judge(group(**spec))
    assert (judgement.stage, [c.field for c in judgement.causes]) == ("schema", [field])
