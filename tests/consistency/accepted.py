"""Whether the objects after a remedy would be stored: our own lint finds no error in them that was not there before.

Errors of lint are what an API server and the schedulers' webhooks reject, but for a few.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from kubectl_fairshare.model.quantity import nano
from tests.consistency.asking import Program
from tests.consistency.changes import UNITS, field_of, parts_of, requests_less, title, with_own_remedy
from tests.consistency.lesser import changes_of, kind_of

Manifest = dict[str, Any]
_SEVERITIES: Final = ("error", "warning", "info")
_STORED: Final = ("E014",)
"""Errors of objects that are stored: of a guarantee above a ResourceQuota, a part cannot be used."""
_CORDON: Final = "node.kubernetes.io/unschedulable"


def new_errors(
    program: Program, before: Sequence[Manifest], after: Sequence[Manifest], *, anywhere: bool = False
) -> list[str]:
    """The errors that lint finds in the changed objects (or ``anywhere``) ``after`` a change, and not ``before`` it.

    What was reported before, perhaps as less than an error, is not new: a min that leaves out what no min had.
    """
    known, found = _findings(program, before, _SEVERITIES), _findings(program, after, _SEVERITIES[:1])
    found = Counter({each: times for each, times in found.items() if each[0] not in _STORED})
    same = () if anywhere else {title(each) for each in after if each in before}
    return sorted(f"{rule} {of}" for rule, of in (found - known).elements() if of not in same)


def _findings(program: Program, objects: Sequence[Manifest], severities: Sequence[str]) -> Counter[tuple[str, str]]:
    """The findings by rule and object; an input that lint refuses is one, too."""
    reply = program.lint(program.file("linted", objects))
    if not reply.document:
        return Counter([("lint", reply.errors)])
    found = (each for each in reply.document["findings"] if each["severity"] in severities)
    return Counter((each["rule"], str((each["place"] or {}).get("object"))) for each in found)


def all_after(objects: list[Manifest], work: list[Manifest], remedy: dict[str, Any]) -> list[Manifest] | None:
    """All objects after any remedy, those of the workload too; None for one that no field states."""
    own = with_own_remedy(work, remedy)
    if own is not None:
        return [*_without(objects, work), *own]
    apart = json.dumps([*_without(objects, work), *work])  # a part that several objects share is changed in one
    everything: list[Manifest] = json.loads(apart)
    for change in changes_of(remedy):
        if not _is_carried_out(everything, work, change):
            return None
    return everything


def _without(objects: Sequence[Manifest], work: Sequence[Manifest]) -> list[Manifest]:
    titles = {title(each) for each in work}
    return [each for each in objects if title(each) not in titles]


def _is_carried_out(everything: list[Manifest], work: Sequence[Manifest], change: dict[str, Any]) -> bool:
    """Whether one change could be made, in place."""
    kind = kind_of(change)
    if kind in ("topologyLevel", "podSetSliceSize"):
        return _asks_topology(next(each for each in everything if title(each) == title(work[0])), change)
    if kind in ("toleration", "nodeSelector"):
        workload = next(each for each in everything if title(each) == title(work[0]))
        made = _tolerate if kind == "toleration" else _select
        changed = [each for each in workload["spec"]["podSets"] if change["podSet"] in (None, each["name"])]
        for pods in changed if "," not in f"{change['beforeQuantity']}{change['afterQuantity']}" else ():
            made(pods["template"]["spec"], change)
        return bool(changed)
    if kind == "request":
        pod = next(each for each in everything if title(each) == title(work[0]))
        amounts = (nano(f"{change[name]}{UNITS.get(change['resource'], '')}") for name in ("before", "after"))
        return requests_less(pod["spec"], change["resource"], *amounts)
    if _is_of_pods(change):
        return _all_request(everything, work, change)
    place = change.get("place") or {}
    called = change["object"] if kind == "end" else place.get("object")
    found = next((each for each in everything if title(each) == called), None)
    if found is None:
        return False
    if change.get("resource") == "nodePool" and not change["to"]:  # the nodes without one
        return found["metadata"]["labels"].pop(parts_of(place["field"])[-1], None) is not None
    if kind == "unschedulable":
        taints = [each for each in found["spec"].get("taints", ()) if each["key"] != _CORDON]
        found["spec"] = {**found["spec"], "unschedulable": False, "taints": taints}
        return True
    if kind in ("deletion", "end"):
        everything.remove(found)
        return True
    return _is_set(found, field_of(change, place["field"]), _value(change))


def _asks_topology(workload: Manifest, change: dict[str, Any]) -> bool:
    """Whether a pod set asks for the old level, or slices of the old size, and now for the new ones."""
    request = next(each["topologyRequest"] for each in workload["spec"]["podSets"] if each["name"] == change["podSet"])
    if kind_of(change) == "podSetSliceSize":
        is_before = bool(request.get("podSetSliceSize") == change["before"])
        request["podSetSliceSize"] = change["after"]
        return is_before
    before, after = (str(change[name]).split(" ") for name in ("beforeQuantity", "afterQuantity"))
    is_before = bool(request.pop(before[0], None) == before[-1])
    request[after[0]] = after[-1] if after[1:] else True
    return is_before


def _is_of_pods(change: dict[str, Any]) -> bool:
    """Whether KAI's pods that wait are to request less."""
    return str((change.get("place") or {}).get("object")).startswith("Pod ") and "bound" in change


def _all_request(everything: list[Manifest], work: Sequence[Manifest], change: dict[str, Any]) -> bool:
    """Whether pods of the workload request the old amount, and now the new one: those of the named pod's sub-group.

    The field is that of the named pod: a request of one of its containers, or the annotation of a part of a GPU.
    """
    titles, unit = {title(each) for each in work if each["kind"] == "Pod"}, UNITS.get(change["resource"], "")
    pods = {title(each): each for each in everything if title(each) in titles}
    group = _sub_group(pods[change["place"]["object"]])
    *above, last = parts_of(change["place"]["field"])
    name = str(last)
    before, after = (f"{change[moment]:.15g}{unit}" for moment in ("before", "after"))
    parts = (_at(pod, above) for pod in pods.values() if _sub_group(pod) == group)
    asked = [part for part in parts if name in part and nano(str(part[name])) == nano(before)]
    for part in asked:
        part[name] = after
    return bool(asked)


def _at(manifest: Manifest, parts: Sequence[str | int]) -> Manifest:
    """The object at a field; an empty one where it is not there."""
    at: Any = manifest
    for part in parts:
        there = part < len(at) if isinstance(part, int) else part in at
        if not there:
            return {}
        at = at[part]
    found: Manifest = at
    return found


def _sub_group(pod: Manifest) -> str:
    return str(pod["metadata"].get("labels", {}).get("kai.scheduler/subgroup-name", ""))


def _value(change: dict[str, Any]) -> object:
    """The new value of the field, as a manifest writes it."""
    if change.get("kind") in ("preemptible", "preemptionPolicy"):
        return {"preemptible": "true", "preemptionPolicy": "PreemptLowerPriority"}[change["kind"]]
    if change.get("resource") == "preemptibility":
        return "preemptible" if change["after"] else "non-preemptible"
    if change.get("kind") in ("min", "max"):
        return f"{change['after']}{UNITS.get(change['resource'], '')}"
    if change.get("bound") and change["resource"] == "memory":
        return change["after"] / 1_000_000
    if change.get("resource") == "minMember":  # ``to`` is the sub-group
        return change["after"]
    stated = (change.get("afterQuantity"), change.get("to") or None, change.get("after"))
    return next((value for value in stated if value is not None), None)


def _tolerate(spec: Manifest, change: dict[str, Any]) -> None:
    taint, _, effect = change["afterQuantity"].rpartition(":")
    key, equal, value = taint.partition("=")
    how = {"operator": "Equal", "value": value} if equal else {"operator": "Exists"}
    spec.setdefault("tolerations", []).append({"key": key, "effect": effect, **how})


def _select(spec: Manifest, change: dict[str, Any]) -> None:
    spec["nodeSelector"] = dict(spec.get("nodeSelector") or {})
    spec["nodeSelector"].pop(str(change["beforeQuantity"]).partition("=")[0], None)
    key, equal, value = str(change["afterQuantity"] or "").partition("=")
    spec["nodeSelector"] |= {key: value} if equal else {}


def _is_set(manifest: Manifest, field: str, value: object) -> bool:
    """Whether the field could be set; objects on the way to it are made."""
    if value is None:
        return False
    *above, last = parts_of(field)
    at: Any = manifest
    for part in above:
        at = at[part] if isinstance(part, int) else at.setdefault(part, {})
    at[last] = int(value) if isinstance(value, float) and value.is_integer() else value
    return True
