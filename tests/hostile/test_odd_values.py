"""A value of another type or size than any server stores ends in an answer or in a sentence, never as a bug."""

import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.input.cluster.lists import version_number
from tests.sampling import sampled
from tests.screens import shown

API = "kueue.x-k8s.io/v1beta2"
ODD: dict[str, Any] = {
    "list": ["a"],
    "nested list": [["a"]],
    "mapping": {"a": 1},
    "number": 5,
    "fraction": 0.5,
    "true": True,
    "null": None,
    "empty": "",
    "long": "9" * 5_000,
    "large": 10**30,
    "control": "\x1b\x00",
}
FIELDS = ("reason", "message", "type", "status", "lastTransitionTime", "observedGeneration")


def state(kind: str, field: str, odd: Any) -> str:
    condition = {"type": kind, "status": "True", "reason": "AdmissionCheck", "message": "m", field: odd}
    container = {"name": "c", "resources": {"requests": {"cpu": "1"}}}
    pod_set = {"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}
    about = {"name": "w", "namespace": "n", "resourceVersion": "9" * 5_000, "creationTimestamp": "2026-01-01T00:00:00Z"}
    items = [
        {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": "q"}, "spec": {"namespaceSelector": {}}},
        {
            "apiVersion": API,
            "kind": "LocalQueue",
            "metadata": {"name": "l", "namespace": "n"},
            "spec": {"clusterQueue": "q"},
            "status": {"conditions": [condition]},
        },
        {
            "apiVersion": API,
            "kind": "Workload",
            "metadata": about,
            "spec": {"queueName": "l", "podSets": [pod_set]},
            "status": {"conditions": [condition]},
        },
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


@pytest.mark.parametrize("odd", sampled(ODD, 3))
@pytest.mark.parametrize("field", FIELDS)
def test_an_odd_condition_is_not_a_bug(tmp_path: Path, field: str, odd: str) -> None:
    path = tmp_path / "state.json"
    for kind in ("Evicted", "QuotaReserved", "Admitted", "Requeued", "Finished"):
        path.write_text(state(kind, field, ODD[odd]))
        for command in ("shares -f", "why -A -f", "lint"):
            screen = shown(f"kubectl-fairshare {command} {path}")
            assert screen.code in (0, 1, 3, 4, 5), screen


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("0", 0), ("9" * 5_000, 0), ("-1", 0), ("x", 0), (None, 0), (["7"], 0), (7, 0), ("", 0), ("\u0667x", 0)],
)
def test_a_version_is_a_number_that_a_store_counts(text: Any, number: int) -> None:
    assert version_number(text) == number
