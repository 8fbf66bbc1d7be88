"""Workload: its spec and its CEL rules."""

from collections.abc import Callable

from kubectl_fairshare.api.sameness import ABSENT, same
from kubectl_fairshare.api.structures.object_meta import TYPE_AND_META
from kubectl_fairshare.api.structures.pod_template import POD_TEMPLATE_SPEC
from kubectl_fairshare.api.structures.structure import (
    DNS_LABEL,
    INT32,
    NAME,
    NAME_PATTERN,
    TEXT,
    TRUTH,
    Listing,
    Rule,
    Text,
    Verdict,
    Whole,
    f,
    struct,
)
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.admission.structures.workload_status import (
    WORKLOAD_STATUS,
    WORKLOAD_STATUS_V1BETA1,
)

KUEUE_GROUP = "kueue.x-k8s.io"
SCHEDULING_GROUP = "scheduling.k8s.io"


def _condition_true(workload: Json, kind: str) -> bool:
    conditions = workload.get("status", {}).get("conditions", ())
    return any(each["type"] == kind and each["status"] == "True" for each in conditions)


def _assigned_like_spec(workload: Json, _old: Json) -> Verdict:
    if not _condition_true(workload, "QuotaReserved") or "admission" not in workload["status"]:
        return True
    spec, admission = workload.get("spec", {}), workload["status"]["admission"]
    if "podSets" not in spec or "podSetAssignments" not in admission:
        return None
    return len(spec["podSets"]) == len(admission["podSetAssignments"])


def _while_reserved(gist: str, holds: Callable[[Json, Json], Verdict]) -> Rule:
    def guarded(new: Json, old: Json) -> Verdict:
        if not _condition_true(old, "QuotaReserved"):
            return True
        return holds(new["spec"], old["spec"]) if "spec" in new and "spec" in old else None

    return Rule(f"{gist} while quota is reserved", guarded, transition=True, law="1.7-reserved-immutable")


def _class_stays(new: Json, old: Json) -> bool:
    return ("priorityClassRef" in new) == ("priorityClassRef" in old)


def _class_field_stays(name: str) -> Callable[[Json, Json], bool]:
    def holds(new: Json, old: Json) -> bool:
        if "priorityClassRef" not in new or "priorityClassRef" not in old:
            return True
        return bool(new["priorityClassRef"][name] == old["priorityClassRef"][name])

    return holds


def _pod_class_name_stays(new: Json, old: Json) -> bool:
    reference = new.get("priorityClassRef", {})
    if reference.get("group") != SCHEDULING_GROUP or reference.get("kind") != "PriorityClass":
        return True
    return _class_field_stays("name")(new, old)


def _source_stays(new: Json, old: Json) -> bool:
    name = "priorityClassSource"
    return name not in new or name not in old or bool(new[name] == old[name])


def _name_of_source_stays(new: Json, old: Json) -> bool:
    name = "priorityClassName"
    if "priorityClassSource" not in new or "priorityClassSource" not in old or name not in new or name not in old:
        return True
    return bool(new["priorityClassSource"] == "kueue.x-k8s.io/workloadpriorityclass" or new[name] == old[name])


def _queue_stays(new: Json, old: Json) -> Verdict:
    if not (_condition_true(old, "QuotaReserved") and _condition_true(new, "QuotaReserved")):
        return True
    if "spec" not in new or "spec" not in old:
        return None
    return same(new["spec"].get("queueName", ABSENT), old["spec"].get("queueName", ABSENT))


def _time_limit_stays(new: Json, old: Json) -> Verdict:
    if not (_condition_true(old, "Admitted") and _condition_true(new, "Admitted")):
        return True
    if "spec" not in new or "spec" not in old:
        return None
    name = "maximumExecutionTimeSeconds"
    limits = (new["spec"].get(name, 0), old["spec"].get(name, 0))
    return None if any(isinstance(limit, float) for limit in limits) else bool(limits[0] == limits[1])


def _priority_beside(name: str) -> tuple[Rule, ...]:
    def holds(spec: Json, _old: Json) -> bool:
        return name not in spec or "priority" in spec

    return (Rule(f"{name} needs a priority", holds, law="1.7-priority-class-without-priority"),)


def _min_count_within_count(pod_set: Json, _old: Json) -> Verdict:
    if "minCount" not in pod_set:
        return True
    least, count = pod_set["minCount"], pod_set["count"]
    return None if isinstance(least, float) or isinstance(count, float) else bool(least <= count)


def _kind_of_group(group: str, kind: str) -> Rule:
    def holds(reference: Json, _old: Json) -> bool:
        return bool(reference["group"] != group or reference["kind"] == kind)

    return Rule(f"kind is not {kind} although group is {group}", holds, law="1.7-priority-class-kind")


RULES_POD_SET = (Rule("minCount is above count", _min_count_within_count, law="1.7-minCount"),)
RULES_PRIORITY_CLASS_REF = (
    _kind_of_group(SCHEDULING_GROUP, "PriorityClass"),
    _kind_of_group(KUEUE_GROUP, "WorkloadPriorityClass"),
)
RULES_WORKLOAD_SPEC = _priority_beside("priorityClassRef")
RULES_WORKLOAD_SPEC_V1BETA1 = _priority_beside("priorityClassName")
_ASSIGNED = Rule("podSetAssignments differ in number from podSets", _assigned_like_spec, law="1.7-status-updates")
_QUEUE = Rule(
    "queueName is immutable while quota is reserved", _queue_stays, transition=True, law="1.7-reserved-immutable"
)
_LIMIT = Rule(
    "maximumExecutionTimeSeconds is immutable while admitted",
    _time_limit_stays,
    transition=True,
    law="1.7-reserved-immutable",
)
RULES_WORKLOAD = (
    _ASSIGNED,
    _while_reserved("priorityClassRef is immutable", _class_stays),
    _while_reserved("priorityClassRef.group is immutable", _class_field_stays("group")),
    _while_reserved("priorityClassRef.kind is immutable", _class_field_stays("kind")),
    _while_reserved("priorityClassRef.name of a PriorityClass is immutable", _pod_class_name_stays),
    _QUEUE,
    _LIMIT,
)
RULES_WORKLOAD_V1BETA1 = (
    _ASSIGNED,
    _while_reserved("priorityClassSource is immutable", _source_stays),
    _while_reserved("priorityClassName of a PriorityClass is immutable", _name_of_source_stays),
    _QUEUE,
    _LIMIT,
)

PODSET_SLICE_REQUIRED_TOPOLOGY_CONSTRAINT = struct(
    f("topology", Text(least=1, most=63), "!"),
    f("size", Whole(32, least=1), "!"),
)

POD_SET_TOPOLOGY_REQUEST = struct(
    f("required", Text(most=63), "*"),
    f("preferred", Text(most=63), "*"),
    f("unconstrained", TRUTH, "*"),
    f("podIndexLabel", Text(most=317), "*"),
    f("subGroupIndexLabel", Text(most=317), "*"),
    f("subGroupCount", INT32, "*"),
    f("podSetGroupName", Text(most=256), "*"),
    f("podSetSliceRequiredTopology", Text(most=63), "*"),
    f("podSetSliceSize", INT32, "*"),
    f("podsetSliceRequiredTopologyConstraints", Listing(PODSET_SLICE_REQUIRED_TOPOLOGY_CONSTRAINT, most=3)),
)

POD_SET = struct(
    f("name", DNS_LABEL, default="main"),
    f("template", POD_TEMPLATE_SPEC, "!"),
    f("count", Whole(32, least=0), "k", default=1),
    f("minCount", Whole(32, least=1), "*"),
    f("topologyRequest", POD_SET_TOPOLOGY_REQUEST, "*"),
    rules=RULES_POD_SET,
)

PRIORITY_CLASS_REF = struct(
    f("group", Text(choices=("kueue.x-k8s.io", "scheduling.k8s.io")), "!"),
    f("kind", Text(choices=("WorkloadPriorityClass", "PriorityClass")), "!"),
    f("name", Text(pattern=NAME_PATTERN, least=1, most=253), "!"),
    rules=RULES_PRIORITY_CLASS_REF,
)

PREEMPTION_GATE = struct(
    f("name", Text(least=1, most=63), "!k"),
)

WORKLOAD_SPEC = struct(
    f("podSets", Listing(POD_SET, least=1, most=18, keys=("name",)), "k"),
    f("queueName", NAME),
    f("priorityClassRef", PRIORITY_CLASS_REF, "*"),
    f("priority", INT32, "*"),
    f("active", TRUTH, "*", default=True),
    f("maximumExecutionTimeSeconds", Whole(32, least=1), "*"),
    f("preemptionGates", Listing(PREEMPTION_GATE, most=8, keys=("name",))),
    rules=RULES_WORKLOAD_SPEC,
)

WORKLOAD = struct(
    *TYPE_AND_META,
    f("spec", WORKLOAD_SPEC, "k"),
    f("status", WORKLOAD_STATUS),
    rules=RULES_WORKLOAD,
)

POD_SET_TOPOLOGY_REQUEST_V1BETA1 = struct(
    f("required", TEXT, "*"),
    f("preferred", TEXT, "*"),
    f("unconstrained", TRUTH, "*"),
    f("podIndexLabel", TEXT, "*"),
    f("subGroupIndexLabel", TEXT, "*"),
    f("subGroupCount", INT32, "*"),
    f("podSetGroupName", TEXT, "*"),
    f("podSetSliceRequiredTopology", TEXT, "*"),
    f("podSetSliceSize", INT32, "*"),
)

POD_SET_V1BETA1 = struct(
    f("name", DNS_LABEL, default="main"),
    f("template", POD_TEMPLATE_SPEC, "!k"),
    f("count", Whole(32, least=0), "!k", default=1),
    f("minCount", Whole(32, least=1), "*"),
    f("topologyRequest", POD_SET_TOPOLOGY_REQUEST_V1BETA1, "*"),
    rules=RULES_POD_SET,
)

WORKLOAD_SPEC_V1BETA1 = struct(
    f("podSets", Listing(POD_SET_V1BETA1, least=1, most=18, keys=("name",)), "!k"),
    f("queueName", NAME),
    f("priorityClassName", NAME),
    f("priority", INT32, "*"),
    f(
        "priorityClassSource",
        Text(choices=("kueue.x-k8s.io/workloadpriorityclass", "scheduling.k8s.io/priorityclass", "")),
        default="",
    ),
    f("active", TRUTH, "*", default=True),
    f("maximumExecutionTimeSeconds", Whole(32, least=1), "*"),
    rules=RULES_WORKLOAD_SPEC_V1BETA1,
)

WORKLOAD_V1BETA1 = struct(
    *TYPE_AND_META,
    f("spec", WORKLOAD_SPEC_V1BETA1),
    f("status", WORKLOAD_STATUS_V1BETA1),
    rules=RULES_WORKLOAD_V1BETA1,
)
