from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from tests.unit.schedulers.kueue.jobs.contexts import context_of
from tests.unit.schedulers.kueue.jobs.scenario import manifest

SECOND = 10**9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-21T02:36:55Z", 1795228615 * SECOND),
        ("1970-01-01T00:00:00.5Z", SECOND // 2),
        ("1970-01-01T00:00:00.000000001Z", 1),
        ("1970-01-01T00:00:00.0000000019Z", 1),
        ("1970-01-01T01:30:00+01:30", 0),
        ("1969-12-31T22:00:00-02:00", 0),
        ("1969-12-31T23:59:59Z", -SECOND),
    ],
)
def test_moments_are_read(text: str, expected: int) -> None:
    assert nanoseconds(text) == expected


@pytest.mark.parametrize(
    "text", ["", "2026-11-21", "2026-11-21T02:36:55", "2026-13-01T00:00:00Z", "2026-11-21T25:00:00Z", "2026-W01-1"]
)
def test_other_texts_are_no_moments(text: str) -> None:
    with pytest.raises(ValueError, match=r"moment|month|hour"):
        nanoseconds(text)


def workload(**condition: str) -> dict[str, Any]:
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": "w", "namespace": "team", "creationTimestamp": "1970-01-01T00:00:01Z"},
        "status": {
            "conditions": [
                {"type": "PodsReady", "status": "True", "reason": "AdmissionCheck"},
                {"type": "Evicted", "lastTransitionTime": "1970-01-01T00:00:09Z", **condition},
            ]
        },
    }


def queued(data: dict[str, Any], timestamp: str = "Eviction") -> int:
    configuration = Configuration(requeuing_timestamp=timestamp)
    return pending_of(manifest(data), context_of([], configuration, {})).queued // SECOND


@pytest.mark.parametrize(
    ("reason", "status", "timestamp", "expected"),
    [
        ("PodsReadyTimeout", "True", "Eviction", 9),
        ("PodsReadyTimeout", "True", "Creation", 1),
        ("PodsReadyTimeout", "False", "Eviction", 1),
        ("AdmissionCheck", "True", "Eviction", 9),
        ("AdmissionCheck", "True", "Creation", 9),
        ("AdmissionCheck", "False", "Creation", 1),
        ("Preempted", "True", "Eviction", 1),
        ("ClusterQueueStopped", "True", "Eviction", 1),
    ],
)
def test_only_some_evictions_send_a_workload_to_the_back(
    reason: str, status: str, timestamp: str, expected: int
) -> None:
    assert queued(workload(reason=reason, status=status), timestamp) == expected


def test_a_workload_without_a_moment_gets_the_default() -> None:
    data = workload(reason="Preempted", status="True")
    del data["metadata"]["creationTimestamp"]
    pending = pending_of(manifest(data), Context(default_created=7))
    assert (pending.created, pending.queued) == (7, 7)


def test_a_text_that_is_no_moment_is_named() -> None:
    data = workload(reason="Preempted", status="True")
    data["metadata"]["creationTimestamp"] = "yesterday"
    with pytest.raises(FairshareError, match=r"`metadata.creationTimestamp` is not a moment: `yesterday`"):
        pending_of(manifest(data), Context())
