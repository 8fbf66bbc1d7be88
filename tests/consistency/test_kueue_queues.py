"""The queue through which made-up work of Kueue is asked for takes such work."""

from typing import Any

import pytest

from tests.consistency.kueue_queues import local_queue
from tests.consistency.states import State

Manifest = dict[str, Any]


def named(kind: str, name: str, namespace: str = "", **spec: Any) -> Manifest:
    return {"kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


QUEUE = named("ClusterQueue", "cq", namespaceSelector={})
SELECTING = named("ClusterQueue", "cq", namespaceSelector={"matchLabels": {"team": "b"}})
A, B = (named("LocalQueue", "lq", space, clusterQueue="cq") for space in "ab")
SPACES = [{"kind": "Namespace", "metadata": {"name": space, "labels": {"team": space}}} for space in "ab"]


@pytest.mark.parametrize(
    ("objects", "found"),
    [
        ([QUEUE, A, B, *SPACES], ("a", "lq")),
        ([QUEUE, A, B, SPACES[1]], ("b", "lq")),
        ([QUEUE, A, B], ("a", "lq")),
        ([SELECTING, A, B, *SPACES], ("b", "lq")),
        ([QUEUE, named("LocalQueue", "lq", "a", clusterQueue="cq", stopPolicy="Hold"), B, *SPACES], ("b", "lq")),
        ([QUEUE, A, B, named("LimitRange", "limits", "a"), *SPACES], ("b", "lq")),
        ([named("ClusterQueue", "cq"), A, *SPACES], None),
        ([QUEUE, named("LocalQueue", "lq", "a", clusterQueue="other"), *SPACES], None),
    ],
)
def test_a_queue_that_takes_work_of_any_pods(objects: list[Manifest], found: tuple[str, str] | None) -> None:
    assert local_queue(State("kueue", "given", objects), "cq") == found
