"""The CEL rules of Kueue's CustomResourceDefinitions, as functions.

Files of structures name them by the keys of ``RULES``. A rule gets the new value and the old one. It returns None if
the server could not evaluate it. Source: Kueue v0.19, CustomResourceDefinitions of ``kueue.x-k8s.io``.
"""

from collections.abc import Callable
from typing import Final

from kubectl_fairshare.api.sameness import ABSENT, same
from kubectl_fairshare.api.structures.structure import CelRule, Verdict
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import replace

EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_HOSTNAME: Final = "kubernetes.io/hostname"
_KUEUE: Final = "kueue.x-k8s.io"
_SCHEDULING: Final = "scheduling.k8s.io"
_RESERVED: Final = "1.7-reserved-immutable"
_NO_EFFECT: Final = "effect is not NoSchedule, PreferNoSchedule or NoExecute"


def _resources_as_many_as_covered(group: Json, _old: Json) -> bool:
    covered = len(group["coveredResources"])
    return all(len(flavor["resources"]) == covered for flavor in group["flavors"])


def _preference_follows_search(fungibility: Json, _old: Json) -> bool:
    if "preference" not in fungibility:
        return True
    return bool(fungibility["whenCanBorrow"] == "TryNextFlavor" and fungibility["whenCanPreempt"] == "TryNextFlavor")


def _borrowing_preemption_needs_reclaim(preemption: Json, _old: Json) -> bool:
    borrowing = preemption.get("borrowWithinCohort")
    return not (
        preemption["reclaimWithinCohort"] == "Never" and borrowing is not None and borrowing["policy"] != "Never"
    )


def _borrowing_needs(parent: str) -> tuple[CelRule]:
    def holds(spec: Json, _old: Json) -> bool:
        if parent in spec:
            return True
        groups = spec.get("resourceGroups", ())
        quotas = (quota for group in groups for flavor in group["flavors"] for quota in flavor["resources"])
        return not any("borrowingLimit" in quota for quota in quotas)

    return (CelRule("borrowingLimit needs a cohort", holds, law="CQ01"),)


def _one_source(source: Json, _old: Json) -> bool:
    return ("kubeConfig" in source) != ("clusterProfileRef" in source)


def _all_different(clusters: Json, _old: Json) -> bool:
    return len(set(clusters)) == len(clusters)


def _levels_differ(levels: Json, _old: Json) -> bool:
    return len({level["nodeLabel"] for level in levels}) == len(levels)


def _hostname_lowest(levels: Json, _old: Json) -> bool:
    return not any(level["nodeLabel"] == _HOSTNAME for level in levels) or levels[-1]["nodeLabel"] == _HOSTNAME


def _effects_known(taints: Json, _old: Json) -> bool:
    return all(taint["effect"] in EFFECTS for taint in taints)


def _keyless_exist(tolerations: Json, _old: Json) -> bool:
    return all("key" in each or each.get("operator") == "Exists" for each in tolerations)


def _timed_not_executing(tolerations: Json, _old: Json) -> bool:
    return all("tolerationSeconds" not in each or each.get("effect") == "NoExecute" for each in tolerations)


def _operators_known(tolerations: Json, _old: Json) -> bool:
    return all(each.get("operator", "Exists") in ("Equal", "Exists") for each in tolerations)


def _existing_valueless(tolerations: Json, _old: Json) -> bool:
    return all(each.get("operator") != "Exists" or "value" not in each for each in tolerations)


def _toleration_effects_known(tolerations: Json, _old: Json) -> bool:
    return all(each.get("effect", "NoExecute") in EFFECTS for each in tolerations)


def _labelled_for_topology(spec: Json, _old: Json) -> Verdict:
    if "topologyName" not in spec:
        return True
    return len(spec["nodeLabels"]) >= 1 if "nodeLabels" in spec else None


def _fixed_with_topology(name: str) -> CelRule:
    def holds(spec: Json, old: Json) -> bool:
        return "topologyName" not in old or same(spec.get(name, ABSENT), old.get(name, ABSENT))

    return CelRule(
        f"{name} is immutable once topologyName is set", holds, transition=True, law="1.4-topology-immutable"
    )


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


def _while_reserved(gist: str, holds: Callable[[Json, Json], Verdict]) -> CelRule:
    def guarded(new: Json, old: Json) -> Verdict:
        if not _condition_true(old, "QuotaReserved"):
            return True
        return holds(new["spec"], old["spec"]) if "spec" in new and "spec" in old else None

    return CelRule(f"{gist} while quota is reserved", guarded, transition=True, law=_RESERVED)


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
    if reference.get("group") != _SCHEDULING or reference.get("kind") != "PriorityClass":
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


def _queue_stays_if_named(new: Json, old: Json) -> Verdict:
    if not (_condition_true(old, "QuotaReserved") and _condition_true(new, "QuotaReserved")):
        return True
    if "spec" not in new or "spec" not in old:
        return None
    names = [each["spec"].get("queueName", ABSENT) for each in (new, old)]
    return ABSENT in names or same(*names)


def _source_must_be_there(new: Json, old: Json) -> Verdict:
    name = "priorityClassSource"
    return None if name not in new or name not in old else bool(new[name] == old[name])


def _limit_stays(new: Json, old: Json) -> Verdict:
    if not (_condition_true(old, "Admitted") and _condition_true(new, "Admitted")):
        return True
    if "spec" not in new or "spec" not in old:
        return None
    name = "maximumExecutionTimeSeconds"
    limits = (new["spec"].get(name, 0), old["spec"].get(name, 0))
    return None if any(isinstance(limit, float) for limit in limits) else bool(limits[0] == limits[1])


def _priority_beside(name: str) -> tuple[CelRule]:
    def holds(spec: Json, _old: Json) -> bool:
        return name not in spec or "priority" in spec

    return (CelRule(f"{name} needs a priority", holds, law="1.7-priority-class-without-priority"),)


def _min_count_within_count(pod_set: Json, _old: Json) -> Verdict:
    if "minCount" not in pod_set:
        return True
    least, count = pod_set["minCount"], pod_set["count"]
    return None if isinstance(least, float) or isinstance(count, float) else bool(least <= count)


def _kind_of_group(group: str, kind: str) -> CelRule:
    def holds(reference: Json, _old: Json) -> bool:
        return bool(reference["group"] != group or reference["kind"] == kind)

    return CelRule(f"kind is not {kind} although group is {group}", holds, law="1.7-priority-class-kind")


def _values_per_level(assignment: Json, _old: Json) -> bool:
    levels = len(assignment["levels"])
    return all(len(part["valuesPerLevel"]) == levels for part in assignment["slices"])


def _counts_per_domain(part: Json, _old: Json) -> Verdict:
    if "individual" not in part["podCounts"]:
        return True
    return len(part["podCounts"]["individual"]) == domains if (domains := _domains(part)) is not None else None


def _roots_per_domain(part: Json, _old: Json) -> Verdict:
    rooted = [len(value["individual"]["roots"]) for value in part["valuesPerLevel"] if "individual" in value]
    if not rooted:
        return True
    return all(count == domains for count in rooted) if (domains := _domains(part)) is not None else None


def _domains(part: Json) -> int | None:
    count = part["domainCount"]
    return None if isinstance(count, float) else int(count)


def _one_form(value: Json, _old: Json) -> bool:
    return ("universal" in value) != ("individual" in value)


def _cluster_stays(status: Json, old: Json) -> bool:
    name = "clusterName"
    return name not in old or name not in status or bool(status[name] == old[name])


def _named_or_nominated(status: Json, _old: Json) -> bool:
    return "clusterName" not in status or not status.get("nominatedClusterNames")


_ASSIGNED: Final = CelRule(
    "podSetAssignments differ in number from podSets", _assigned_like_spec, law="1.7-status-updates"
)
_KEPT: Final = (
    CelRule("queueName is immutable while quota is reserved", _queue_stays, transition=True, law=_RESERVED),
    CelRule("maximumExecutionTimeSeconds is immutable while admitted", _limit_stays, transition=True, law=_RESERVED),
)

RULES: Final[dict[str, tuple[CelRule, ...]]] = {
    "resource-group": (
        CelRule(
            "a flavor has fewer or more resources than coveredResources", _resources_as_many_as_covered, law="CQ03"
        ),
    ),
    "flavor-fungibility": (
        CelRule(
            "preference needs whenCanBorrow and whenCanPreempt to be TryNextFlavor",
            _preference_follows_search,
            law="CQ11",
        ),
    ),
    "preemption": (
        CelRule(
            "borrowWithinCohort needs a reclaimWithinCohort other than Never",
            _borrowing_preemption_needs_reclaim,
            law="CQ12",
        ),
    ),
    "cluster-queue-spec": _borrowing_needs("cohortName"),
    "cluster-queue-spec-v1beta1": _borrowing_needs("cohort"),
    "controller-name": (CelRule("controllerName is immutable", same, transition=True, law="1.5-controller-immutable"),),
    "cluster-queue-name": (
        CelRule("clusterQueue is immutable", same, transition=True, law="1.3-cluster-queue-immutable"),
    ),
    "cluster-source": (
        CelRule("not exactly one of kubeConfig and clusterProfileRef is set", _one_source, law="1.6-cluster-source"),
    ),
    "clusters": (CelRule("a cluster is named twice", _all_different, law="1.6-cluster-twice"),),
    "levels": (
        CelRule("levels are immutable", same, transition=True, law="1.5-levels-immutable"),
        CelRule("a level is named twice", _levels_differ, law="1.5-level-twice"),
        CelRule("kubernetes.io/hostname is not the lowest level", _hostname_lowest, law="1.5-hostname-not-lowest"),
    ),
    "taints": (CelRule(_NO_EFFECT, _effects_known, law="1.4-taint-effect"),),
    "tolerations": (
        CelRule("operator is not Exists although the key is absent", _keyless_exist, law="1.4-toleration-without-key"),
        CelRule(
            "effect is not NoExecute although tolerationSeconds is set",
            _timed_not_executing,
            law="1.4-toleration-seconds",
        ),
        CelRule("operator is neither Equal nor Exists", _operators_known, law="1.4-toleration-operator"),
        CelRule("value is set although operator is Exists", _existing_valueless, law="1.4-toleration-value"),
        CelRule(_NO_EFFECT, _toleration_effects_known, law="1.4-toleration-effect"),
    ),
    "resource-flavor-spec": (
        CelRule("topologyName needs at least one nodeLabel", _labelled_for_topology, law="1.4-topology-without-label"),
        _fixed_with_topology("nodeLabels"),
        _fixed_with_topology("tolerations"),
        _fixed_with_topology("topologyName"),
    ),
    "pod-set": (CelRule("minCount is above count", _min_count_within_count, law="1.7-minCount"),),
    "priority-class-ref": (
        _kind_of_group(_SCHEDULING, "PriorityClass"),
        _kind_of_group(_KUEUE, "WorkloadPriorityClass"),
    ),
    "workload-spec": _priority_beside("priorityClassRef"),
    "workload-spec-v1beta1": _priority_beside("priorityClassName"),
    "workload": (
        _ASSIGNED,
        _while_reserved("priorityClassRef is immutable", _class_stays),
        _while_reserved("priorityClassRef.group is immutable", _class_field_stays("group")),
        _while_reserved("priorityClassRef.kind is immutable", _class_field_stays("kind")),
        _while_reserved("priorityClassRef.name of a PriorityClass is immutable", _pod_class_name_stays),
        *_KEPT,
    ),
    "workload-v1beta1": (
        _ASSIGNED,
        _while_reserved("priorityClassSource is immutable", _source_stays),
        _while_reserved("priorityClassName of a PriorityClass is immutable", _name_of_source_stays),
        *_KEPT,
    ),
    "topology-assignment": (CelRule("valuesPerLevel are not as many as levels", _values_per_level),),
    "topology-assignment-slice": (
        CelRule("podCounts.individual are not as many as domainCount", _counts_per_domain),
        CelRule("individual roots are not as many as domainCount", _roots_per_domain),
    ),
    "one-form": (CelRule("not exactly one of universal and individual is set", _one_form),),
    "workload-status": (
        CelRule("clusterName is immutable once set", _cluster_stays, transition=True),
        CelRule("clusterName and nominatedClusterNames are both set", _named_or_nominated),
    ),
}


def former_kept(rules: tuple[CelRule, ...]) -> tuple[CelRule, ...]:
    """The rules for Workloads before 0.19: a queue's name may be added and removed while quota is reserved."""
    queue = _KEPT[0]
    former = replace(queue, holds=_queue_stays_if_named)
    return tuple(former if rule is queue else rule for rule in rules)


def former_source(rules: tuple[CelRule, ...]) -> tuple[CelRule, ...]:
    """The rules for Workloads of v1beta1 before 0.18: the source of the priority class must be there."""
    gist = "priorityClassSource is immutable"
    former = _while_reserved(gist, _source_must_be_there)
    return tuple(former if rule.gist.startswith(gist) else rule for rule in rules)


def _hostname_stays_lowest(levels: Json, old: Json) -> bool:
    lowest = {each[-1]["nodeLabel"] if each else "" for each in (levels, old)}
    return lowest == {_HOSTNAME} or same(levels, old)


LATER_FLAVOR: Final = (
    CelRule("topologyName needs at least one nodeLabel", _labelled_for_topology, law="1.4-topology-without-label"),
    _fixed_with_topology("topologyName"),
)
"""The rules for ResourceFlavors since 0.20: labels and tolerations may change."""
LATER_LEVELS: Final = (
    CelRule(
        "levels change, and kubernetes.io/hostname is not the lowest level before and after",
        _hostname_stays_lowest,
        transition=True,
        law="1.5-levels-immutable",
    ),
    *RULES["levels"][1:],
)
"""The rules for the levels of Topologies since 0.20."""
