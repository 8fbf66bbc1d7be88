"""The limits that objects state, and texts of wall times."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.stated_limits import stated_limits, wall_time
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def manifest(data: dict[str, Any]) -> Manifest:
    return Manifest(ObjectKey("batch", "Job", "n", "one"), "v1", data, Origin("", 0))


@pytest.mark.parametrize(
    ("data", "seconds"),
    [
        ({"spec": {"activeDeadlineSeconds": 60}}, [60]),
        ({"spec": {"template": {"spec": {"activeDeadlineSeconds": 30}}, "activeDeadlineSeconds": 60}}, [30, 60]),
        ({"spec": {"runPolicy": {"activeDeadlineSeconds": 7}}}, [7]),
        ({"spec": {"podSets": [{}, {"template": {"spec": {"activeDeadlineSeconds": 9}}}]}}, [9]),
        (
            {
                "spec": {"maximumExecutionTimeSeconds": 100},
                "status": {"accumulatedPastExecutionTimeSeconds": 40},
            },
            [60],
        ),
        ({"metadata": {"annotations": {"batch.example/wall-time": "01:30:00"}}}, [5400]),
        ({"metadata": {"labels": {"kueue.x-k8s.io/max-exec-time-seconds": "300"}}}, [300]),
        ({"spec": {"activeDeadlineSeconds": True}, "metadata": {"annotations": {"x/walltime": "long"}}}, []),
        ({"spec": {"activeDeadlineSeconds": "60"}, "metadata": {"annotations": {"x/walltimes": "1h"}}}, []),
    ],
)
def test_limits_are_read_the_shortest_first(data: dict[str, Any], seconds: list[int]) -> None:
    assert [limit.span // 10**9 for limit in stated_limits([manifest(data)])] == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7200", 7200),
        ("2h30m", 9000),
        ("1d", 86400),
        ("02:30", 9000),
        ("02:30:05", 9005),
        ("1-00:00:00", 86400),
        ("0", None),
        ("-5m", None),
        ("2h junk", None),
        ("", None),
        ("9" * 30, None),
    ],
)
def test_a_wall_time_has_one_of_the_usual_forms(text: str, seconds: int | None) -> None:
    assert wall_time(text) == seconds
