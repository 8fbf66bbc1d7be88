"""What of pods and nodes a topology reads, with the errors for those that cannot be read."""

from typing import Any

import pytest

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.schedulers.kueue.reading.topology import assignment, occupied_by
from kubectl_fairshare.schedulers.kueue.reading.typed import MisreadError
from kubectl_fairshare.schedulers.recording import manifests_of


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"spec": {"nodeName": "x1", "containers": [False]}}, "spec.containers[0]"),
        ({"spec": {"nodeName": "x1", "containers": [{"resources": 5}]}}, "spec.containers[0].resources"),
        ({"spec": {"nodeName": "x1"}, "status": ["x"]}, "status"),
    ],
)
def test_a_pod_of_another_type_is_a_problem_at_its_field(more: dict[str, Any], field: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "other"}, **more}
    problems: list[Problem] = []
    assert occupied_by(manifests_of([pod], "test"), problems) == {}
    assert [str(problem.place) for problem in problems] == [f"Pod other/p {field}"]


@pytest.mark.parametrize("count", ["2", 1.5, True, [2]])
def test_a_number_of_pods_of_another_type_is_told(count: Any) -> None:
    counted = {"domainCount": 1, "valuesPerLevel": [{"universal": "x1"}], "podCounts": {"universal": count}}
    with pytest.raises(MisreadError, match="`topologyAssignment`: a number of pods must be a whole number"):
        assignment({"levels": ["host"], "slices": [counted]})
