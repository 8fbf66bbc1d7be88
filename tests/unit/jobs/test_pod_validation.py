"""Amounts that an API server's validation rejects; a real one answers alike in ``tests/live``."""

import pytest

from kubectl_fairshare.jobs.pod_validation import rejected_amounts

GPU = "example.com/gpu"


def clauses(requests: dict[str, str], limits: dict[str, str], *, described: bool = False) -> list[str]:
    container = {"name": "c", "resources": {"requests": requests, "limits": limits}}
    return [*rejected_amounts({"containers": [container]}, described=described)]


@pytest.mark.parametrize(
    ("requests", "limits", "clause"),
    [
        ({"cpu": "1"}, {}, ""),
        ({}, {"cpu": "1"}, ""),
        ({"cpu": "2"}, {"cpu": "1"}, "requests more cpu than its limit"),
        ({"memory": "-1"}, {}, "has a negative amount of memory"),
        ({}, {"memory": "-1"}, "has a negative amount of memory"),
        ({GPU: "1"}, {GPU: "1"}, ""),
        ({}, {GPU: "1"}, ""),
        ({GPU: "1"}, {}, f"requests {GPU} without a limit"),
        ({GPU: "0"}, {}, f"requests {GPU} without a limit"),
        ({GPU: "1"}, {GPU: "2"}, f"requests another amount of {GPU} than its limit"),
        ({GPU: "500m"}, {GPU: "500m"}, f"has a fraction of {GPU}"),
        ({"hugepages-2Mi": "2Mi"}, {}, "requests hugepages-2Mi without a limit"),
        ({"kubernetes.io/batteries": "2"}, {}, ""),
        ({"gpu": "1"}, {}, "names gpu, which is not a resource of containers"),
    ],
)
def test_amounts_that_no_pod_may_have(requests: dict[str, str], limits: dict[str, str], clause: str) -> None:
    assert clauses(requests, limits) == ([f"container c {clause}"] if clause else [])


def test_a_described_pod_needs_no_limits() -> None:
    assert clauses({GPU: "1"}, {}, described=True) == []
