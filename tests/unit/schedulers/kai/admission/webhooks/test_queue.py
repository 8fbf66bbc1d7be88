"""What the API server and KAI's webhook say of one write of a Queue."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kai.admission.judge import judge


def queue(name: str = "q", parent: str = "", children: tuple[str, ...] = (), **quotas: Any) -> dict[str, Any]:
    resources = {resource: {"quota": quota} for resource, quota in quotas.items()}
    spec = {"resources": resources, **({"parentQueue": parent} if parent else {})}
    status = {"status": {"childQueues": list(children)}} if children else {}
    return {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": name}, "spec": spec, **status}


def refused_for(judgement: Any) -> tuple[str, str]:
    assert judgement.causes == ()
    return judgement.stage, judgement.unlisted.field


def test_a_queue_without_resources_is_refused_in_words_alone_and_warned_of() -> None:
    bare = queue()
    del bare["spec"]["resources"]
    for judgement in (judge(bare), judge(bare, old=queue())):
        assert refused_for(judgement) == ("webhook", "spec.resources")
        assert judgement.warnings == ("resources must be specified",)


def test_nothing_is_defaulted() -> None:
    stored = judge(queue(cpu=1.5)).stored
    assert stored is not None
    assert stored["spec"] == {"resources": {"cpu": {"quota": 1.5}}}


@pytest.mark.parametrize("text", ["", "1d", "5", "1h 5m"])
def test_a_runtime_that_go_cannot_read_passes_the_schema_and_fails_in_the_webhook(text: str) -> None:
    written = queue()
    written["spec"]["reclaimMinRuntime"] = text
    assert refused_for(judge(written)) == ("webhook", "spec.reclaimMinRuntime")


def test_a_priority_is_whole() -> None:
    written = queue()
    written["spec"]["priority"] = 1.5
    assert [c.field for c in judge(written).causes] == ["spec.priority"]


def test_parents_are_looked_at_only_where_quotas_are_checked() -> None:
    child = queue(parent="nobody", cpu=9)
    assert judge(child).accepted
    assert refused_for(judge(child, queues=())) == ("webhook", "spec.parentQueue")


def test_a_parent_without_resources_cannot_get_a_child() -> None:
    parent = queue("p")
    del parent["spec"]["resources"]
    assert refused_for(judge(queue(parent="p"), queues=[parent])) == ("webhook", "spec.parentQueue")


def test_more_than_the_parent_has_is_a_warning() -> None:
    parent = queue("p", cpu=10, gpu=0.5, memory=2)
    judgement = judge(queue(parent="p", cpu=11, gpu=1, memory=2.6), queues=[parent])
    assert judgement.accepted
    assert judgement.warnings == (
        "child queue CPU quota (11) exceeds parent queue p CPU quota (10)",
        "total children CPU quota (11) exceeds parent queue p CPU quota (10)",
        "child queue GPU quota (1.00) exceeds parent queue p GPU quota (0.50)",
        "child queue Memory quota (3) exceeds parent queue p Memory quota (2)",
    )


def test_siblings_are_summed_as_the_parents_status_names_them_and_for_cpu_alone() -> None:
    parent = queue("p", children=("q", "a", "gone"), cpu=10, memory=10)
    others = [queue("a", "p", cpu=6, memory=6), queue("unlisted", "p", cpu=9)]
    judgement = judge(queue(parent="p", cpu=5, memory=5), queues=[parent, *others])
    assert judgement.warnings == ("total children CPU quota (11) exceeds parent queue p CPU quota (10)",)


def test_unlimited_is_compared_like_any_number() -> None:
    unlimited = queue("p", cpu=-1)
    assert len(judge(queue(parent="p", cpu=1), queues=[unlimited]).warnings) == 2
    assert judge(queue(parent="p", cpu=-1), queues=[queue("p", cpu=1)]).warnings == ()


def test_an_update_of_a_parent_is_held_against_its_children() -> None:
    children = [queue("a", "p", cpu=3, gpu=1, memory=1), queue("b", "p", cpu=2, gpu=1, memory=1)]
    old, new = queue("p", children=("a", "b"), cpu=9), queue("p", cpu=2, gpu=1, memory=2)
    assert judge(new, old, queues=children).warnings == (
        "child queue a CPU quota (3) exceeds parent CPU quota (2)",
        "total children CPU quota (5) exceeds parent CPU quota (2)",
        "total children GPU quota (2.00) exceeds parent GPU quota (1.00)",
    )
    assert judge(new, queue("p", cpu=9), queues=children).warnings == ()


def test_a_queue_that_becomes_its_own_parent_meets_its_old_self() -> None:
    old, new = queue("q", cpu=1), queue("q", "q", cpu=2)
    assert judge(new, old, queues=()).warnings == (
        "child queue CPU quota (2) exceeds parent queue q CPU quota (1)",
        "total children CPU quota (2) exceeds parent queue q CPU quota (1)",
    )
    assert not judge(new, queues=()).accepted


def test_a_warning_is_given_once() -> None:
    old = queue("p", children=("a", "a"), cpu=9)
    spoken = judge(queue("p", cpu=1), old, queues=[queue("a", cpu=2)]).warnings
    assert spoken == (
        "child queue a CPU quota (2) exceeds parent CPU quota (1)",
        "total children CPU quota (4) exceeds parent CPU quota (1)",
    )


def test_the_webhook_is_not_told_of_a_status() -> None:
    bare = queue(children=("a",))
    del bare["spec"]["resources"]
    assert judge(bare, old=queue(), subresource="status").accepted
