"""What a workload amounts to: foretold, and as Kueue made it."""

import re
from dataclasses import dataclass

from kubectl_fairshare.model.quantity import amount
from tests.live.stage.server import Object


@dataclass(frozen=True)
class PodSet:
    """``requests`` are those of one pod, in the units that Kueue counts in; None where there is no pod."""

    name: str
    count: int
    min_count: int | None
    requests: dict[str, int] | None


@dataclass(frozen=True)
class Shape:
    """What a workload amounts to, and what Kueue says of it while it waits."""

    name: str
    priority: int
    pod_sets: tuple[PodSet, ...]
    words: str


def shape(document: Object) -> Shape:
    """The workload of a plan."""
    workload = document["subject"]
    sets = tuple(map(_pod_set, document["workload"]["podSets"]))
    words = "" if document["outcome"] == "Admitted" else document["condition"]["message"]
    return Shape(workload["name"], workload["priority"], sets, words)


def _pod_set(each: Object) -> PodSet:
    requests = {r["resource"]: r["perPod"]["value"] for r in each["requests"] if r["perPod"]["value"]}
    return PodSet(each["name"], each["count"], each["minCount"], requests if each["count"] else None)


def made_by_kueue(workload: Object) -> Shape:
    """A Workload, with what Kueue counted for it."""
    status = workload["status"]
    counted = {each["name"]: each.get("resources") or {} for each in status.get("resourceRequests") or ()}
    for each in status.get("admission", {}).get("podSetAssignments") or ():
        counted[each["name"]] = each.get("resourceUsage") or {}
    sets = []
    for each in workload["spec"]["podSets"]:
        count = each["count"]
        total = {r: amount(r, q) for r, q in counted.get(each["name"], {}).items()}
        requests = {r: v // count for r, v in total.items() if v} if count and each["name"] in counted else None
        sets.append(PodSet(each["name"], count, each.get("minCount"), requests))
    words = "" if "admission" in status else reserved(workload)
    return Shape(workload["metadata"]["name"], workload["spec"]["priority"], tuple(sets), words)


def reserved(workload: Object) -> str:
    """What Kueue says about its quota; empty while it has not looked."""
    conditions = workload.get("status", {}).get("conditions") or ()
    return next((c["message"] for c in conditions if c["type"] == "QuotaReserved"), "")


def is_called_so(foretold: str, name: str) -> bool:
    """Whether a name is the one that was foretold, ``xxxxx`` standing for what only the cluster could choose."""
    return re.fullmatch(re.escape(foretold).replace("xxxxx", "[0-9a-z]{5}"), name) is not None
