"""Questions that several checks ask about a Workload's Go view. Tested through ``workload`` and ``workload_status``.

Tested in ``tests/unit/schedulers/kueue/admission/webhooks/test_workload_status.py``.
"""

from typing import Final

from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.schedulers.kueue.model.objects import ELASTIC_JOB

_REPLACES: Final = "kueue.x-k8s.io/workload-slice-replacement-for"


def pod_sets(view: JsonObject) -> Json:
    """The pod sets of the spec."""
    return view.get("spec", {}).get("podSets", [])


def annotations(view: JsonObject) -> JsonObject:
    """The object's annotations."""
    written: JsonObject = view.get("metadata", {}).get("annotations", {})
    return written


def is_elastic(view: JsonObject) -> bool:
    """Whether the workload is a slice of an elastic job."""
    return annotations(view).get(ELASTIC_JOB) == "true"


def replaces_a_slice(view: JsonObject) -> bool:
    """Whether the workload replaces another slice."""
    return _REPLACES in annotations(view)


def reserves_quota(view: JsonObject) -> bool:
    """Whether the condition QuotaReserved is true; if there are several of that type, the first counts."""
    for condition in view.get("status", {}).get("conditions", []):
        if condition.get("type") == "QuotaReserved":
            return bool(condition.get("status") == "True")
    return False
