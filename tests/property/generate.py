"""Random small cases of a batch quota system, valid as the API server would have them.

A case is ``{name, now, config, objects}`` with plain v1beta2 manifests. Quotas and requests are small, so that queues
are often full, over-used or short of little: where the decisions are.
"""

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

Manifest = dict[str, Any]
Draw = st.DrawFn

NOW = "2026-08-01T12:00:00Z"
API = "kueue.x-k8s.io/v1beta2"
FLAVORS = ["blue", "red"]
QUOTAS = {
    "cpu": ["1", "2", "0", "1500m", "3"],
    "memory": ["1Gi", "2Gi", "0", "512Mi", "3Gi"],
    "nvidia.com/gpu": ["1", "2", "0", "3"],
    "pods": ["2", "3", "0", "4", "8"],
}
REQUESTS = {
    "cpu": ["1", "500m", "100m", "2", "0"],
    "memory": ["1Gi", "512Mi", "256Mi", "0"],
    "nvidia.com/gpu": ["1", "1", "2", "0"],
    "example.com/fpga": ["0", "1"],
}
WEIGHTS = ["0", "1", "2", "500m", "3"]
CONFIGS = [
    {},
    {"fairSharing": {}},
    {"fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]}},
    {"fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare"]}},
    {"fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}},
]

Layout = list[tuple[list[str], list[str]]]
"""Resource groups: the resources that each covers, and its flavors."""


def chance(draw: Draw, percent: int) -> bool:
    """True in about ``percent`` of 100 draws; shrinks to False where that is the rarer.

    The ends of a range are drawn too often, so the numbers that count lie in its middle.
    """
    return (draw(st.integers(0, 99)) - 37) % 100 < percent


@st.composite
def cases(draw: Draw, distinct_ages: bool = True, odd: bool = True) -> Manifest:
    """A whole case.

    With ``distinct_ages`` no two workloads were created in the same second, so that few ties are left to chance. With
    ``odd``, now and then a queue is stopped, a flavor or a namespace is missing, or cohorts form a cycle.
    """
    layout = draw(layouts())
    cohorts = draw(cohort_trees(layout, odd))
    names = sorted({c["metadata"]["name"] for c in cohorts} | {c["spec"].get("parentName", "co0") for c in cohorts})
    queues = [draw(cluster_queues(f"cq{i}", layout, names, odd)) for i in range(draw(st.sampled_from([2, 3, 4, 1])))]
    flavors = [draw(resource_flavors(name)) for name in FLAVORS if not (odd and chance(draw, 3))]
    namespaces = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": {"team": name}}}
        for name in ("team-a", "team-b")
        if name == "team-a" or not (odd and chance(draw, 3))
    ]
    objects = [*flavors, *cohorts, *queues, *namespaces, *_local_queues(queues)]
    objects += draw(workloads(queues, distinct_ages))
    return {"name": "drawn", "now": NOW, "config": draw(st.sampled_from(CONFIGS)), "objects": objects}


@st.composite
def reordered(draw: Draw, case: Manifest) -> Manifest:
    """The same case with its objects in another order."""
    return case | {"objects": draw(st.permutations(case["objects"]))}


def configured(case: Manifest) -> list[Manifest]:
    """The case under each configuration: without fair sharing, and with every choice of strategies."""
    return [case | {"config": config} for config in CONFIGS]


def crowded(case: Manifest, times: int) -> Manifest:
    """The case with ``times`` as much of everything: quotas, pods that wait, and copies of each running workload."""
    made: list[Manifest] = []
    for original in case["objects"]:
        manifest = deepcopy(original)
        spec = manifest.get("spec", {})
        for quota in _quotas_of(spec):
            quota |= {field: multiplied(text, times) for field, text in quota.items() if field != "name"}
        if manifest["kind"] != "Workload":
            made.append(manifest)
        elif "admission" in manifest.get("status", {}):
            made += [_copy(manifest, number) for number in range(times)]
        else:
            counted = [*spec["podSets"], *manifest.get("status", {}).get("reclaimablePods", [])]
            for pods in counted:
                pods |= {field: pods[field] * times for field in ("count", "minCount") if field in pods}
            made.append(manifest)
    return case | {"objects": made}


def _quotas_of(spec: Manifest) -> list[Manifest]:
    groups = spec.get("resourceGroups", [])
    return [quota for group in groups for flavor in group["flavors"] for quota in flavor["resources"]]


def _copy(manifest: Manifest, number: int) -> Manifest:
    metadata = manifest["metadata"]
    names = {"name": f"{metadata['name']}-{number}", "uid": f"{metadata['uid']}-{number}"}
    return manifest | {"metadata": metadata | names}


@st.composite
def layouts(draw: Draw) -> Layout:
    """One resource group with one or two flavors, or two groups with a flavor each."""
    covered = draw(
        st.lists(st.sampled_from(sorted(QUOTAS)), min_size=1, max_size=draw(st.sampled_from([1, 1, 2, 3])), unique=True)
    )
    if len(covered) > 1 and chance(draw, 30):
        return [(covered[:1], FLAVORS[:1]), (covered[1:], FLAVORS[1:])]
    return [(covered, FLAVORS[: draw(st.integers(1, 2))])]


@st.composite
def resource_flavors(draw: Draw, name: str) -> Manifest:
    """A flavor, perhaps labelled, tainted, or tolerant of its own taint."""
    spec: Manifest = {}
    if chance(draw, 40):
        spec["nodeLabels"] = {"pool": name}
    if chance(draw, 10):
        effect = draw(st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"]))
        spec["nodeTaints"] = [{"key": "dedicated", "value": name, "effect": effect}]
        if chance(draw, 30):
            spec["tolerations"] = [{"key": "dedicated", "operator": "Exists"}]
    return {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": name}, "spec": spec}


@st.composite
def cohort_trees(draw: Draw, layout: Layout, odd: bool) -> list[Manifest]:
    """Up to four declared cohorts, at most three levels; a parent may be implicit, or (rarely) a descendant."""
    count = draw(st.sampled_from([1, 2, 3, 1, 4, 0]))
    depths: dict[str, int] = {}
    made: list[Manifest] = []
    for i in range(count):
        name = f"co{i}"
        above = [other for other, depth in depths.items() if depth < 2]
        parent = draw(st.sampled_from([*above * 3, "implicit", None])) if above else None
        depths[name] = 0 if parent is None else depths.get(parent, 0) + 1
        made.append(draw(_cohorts(name, parent, layout)))
    if made and odd and chance(draw, 3):
        made[0]["spec"]["parentName"] = made[-1]["metadata"]["name"]
    return made


@st.composite
def _cohorts(draw: Draw, name: str, parent: str | None, layout: Layout) -> Manifest:
    spec: Manifest = {} if parent is None else {"parentName": parent}
    if chance(draw, 40):
        spec["fairSharing"] = {"weight": draw(st.sampled_from(WEIGHTS))}
    if chance(draw, 40):
        spec["resourceGroups"] = draw(_resource_groups(layout, limited=parent is not None, lends_at_most_nominal=False))
    return {"apiVersion": API, "kind": "Cohort", "metadata": {"name": name}, "spec": spec}


@st.composite
def _resource_groups(draw: Draw, layout: Layout, limited: bool, lends_at_most_nominal: bool) -> list[Manifest]:
    return [
        {
            "coveredResources": covered,
            "flavors": [
                {
                    "name": flavor,
                    "resources": [draw(_quotas(resource, limited, lends_at_most_nominal)) for resource in covered],
                }
                for flavor in draw(st.permutations(flavors))
            ],
        }
        for covered, flavors in layout
    ]


@st.composite
def _quotas(draw: Draw, resource: str, limited: bool, lends_at_most_nominal: bool) -> Manifest:
    values = QUOTAS[resource]
    nominal = draw(st.sampled_from(values))
    quota: Manifest = {"name": resource, "nominalQuota": nominal}
    if limited and chance(draw, 30):
        quota["borrowingLimit"] = draw(st.sampled_from(values))
    if limited and chance(draw, 30):
        quota["lendingLimit"] = draw(st.sampled_from(["0", nominal] if lends_at_most_nominal else values))
    return quota


@st.composite
def cluster_queues(draw: Draw, name: str, layout: Layout, cohorts: list[str], odd: bool) -> Manifest:
    """A ClusterQueue with some or all groups of the layout, in a known cohort, an implicit one, or none."""
    cohort = draw(st.sampled_from([*(cohorts or ["lone"]) * 3, "lone", None]))
    groups = layout[: draw(st.integers(1, len(layout)))]
    spec: Manifest = {
        "namespaceSelector": {"matchLabels": {"team": "team-a"}} if odd and chance(draw, 5) else {},
        "queueingStrategy": draw(st.sampled_from(["BestEffortFIFO", "StrictFIFO"])),
        "resourceGroups": draw(_resource_groups(groups, limited=cohort is not None, lends_at_most_nominal=True)),
    }
    if cohort is not None:
        spec["cohortName"] = cohort
    if chance(draw, 90):
        spec["preemption"] = draw(_preemption())
    if chance(draw, 60):
        spec["flavorFungibility"] = draw(_fungibility())
    if chance(draw, 40):
        spec["fairSharing"] = {"weight": draw(st.sampled_from(WEIGHTS))}
    if odd and chance(draw, 3):
        spec["stopPolicy"] = draw(st.sampled_from(["Hold", "HoldAndDrain"]))
    return {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}


@st.composite
def _preemption(draw: Draw) -> Manifest:
    reclaim = draw(st.sampled_from(["Any", "LowerPriority", "Any", "LowerPriority", "Never"]))
    within = draw(st.sampled_from(["LowerPriority", "LowerOrNewerEqualPriority", "Never"]))
    policies: Manifest = {"withinClusterQueue": within, "reclaimWithinCohort": reclaim}
    if reclaim != "Never" and chance(draw, 40):
        policies["borrowWithinCohort"] = {"policy": "LowerPriority"}
        if chance(draw, 50):
            policies["borrowWithinCohort"]["maxPriorityThreshold"] = draw(st.integers(-1, 2))
    return policies


@st.composite
def _fungibility(draw: Draw) -> Manifest:
    choices = ["MayStopSearch", "TryNextFlavor"]
    fungibility = {"whenCanBorrow": draw(st.sampled_from(choices)), "whenCanPreempt": draw(st.sampled_from(choices))}
    if chance(draw, 50):
        fungibility["preference"] = draw(st.sampled_from(["BorrowingOverPreemption", "PreemptionOverBorrowing"]))
    return fungibility


def _local_queues(queues: list[Manifest]) -> list[Manifest]:
    """One LocalQueue for each queue in each namespace."""
    return [
        {
            "apiVersion": API,
            "kind": "LocalQueue",
            "metadata": {"name": f"lq-{queue['metadata']['name']}", "namespace": namespace},
            "spec": {"clusterQueue": queue["metadata"]["name"]},
        }
        for queue in queues
        for namespace in ("team-a", "team-b")
    ]


@st.composite
def workloads(draw: Draw, queues: list[Manifest], distinct_ages: bool) -> list[Manifest]:
    """Up to eight running and five pending workloads; the first queue runs most, the last one waits most."""
    running, pending = draw(st.sampled_from([4, 6, 8, 2, 0])), draw(st.sampled_from([2, 3, 1, 5]))
    ages = draw(st.lists(st.integers(0, 59), min_size=13, max_size=13, unique=distinct_ages))
    made: list[Manifest] = []
    for i in range(running + pending):
        queue = draw(st.sampled_from(queues if chance(draw, 50) else queues[:1] if i < running else queues[-1:]))
        kind = "run" if i < running else "pend"
        made.append(draw(_workloads(f"{kind}{i}", f"{i:04}", ages[i], queue, runs=i < running)))
    return made


@st.composite
def _workloads(draw: Draw, name: str, uid: str, age: int, queue: Manifest, runs: bool) -> Manifest:
    covered = [r for g in queue["spec"]["resourceGroups"] for r in g["coveredResources"] if r != "pods"]
    count = draw(st.sampled_from([1, 1, 1, 1, 2, 3]))
    names = ["main"] if count == 1 else [f"ps{i}" for i in range(count)]
    pod_sets = [draw(_pod_sets(pod_set, covered, odd=not runs)) for pod_set in names]
    if chance(draw, 15):
        pod_sets[0]["minCount"] = draw(st.integers(1, pod_sets[0]["count"]))
    workload: Manifest = {
        "apiVersion": API,
        "kind": "Workload",
        "metadata": {
            "name": name,
            "namespace": draw(st.sampled_from(["team-a", "team-b"])),
            "uid": uid,
            "creationTimestamp": f"2026-08-01T11:{age:02}:00Z",
        },
        "spec": {
            "queueName": f"lq-{queue['metadata']['name']}",
            "priority": draw(st.sampled_from([0, 0, 1, 2, -1])),
            "active": True,
            "podSets": pod_sets,
        },
    }
    if runs:
        workload["status"] = draw(_running_status(queue, pod_sets, age))
    if chance(draw, 10):
        pod_set = draw(st.sampled_from(pod_sets))
        reclaimable = [{"name": pod_set["name"], "count": draw(st.integers(1, pod_set["count"]))}]
        workload.setdefault("status", {})["reclaimablePods"] = reclaimable
    return workload


@st.composite
def _pod_sets(draw: Draw, name: str, covered: list[str], odd: bool) -> Manifest:
    asked = [r for r in covered if chance(draw, 90)]
    if odd and chance(draw, 5):
        asked.append("example.com/fpga")
    requests = {resource: draw(st.sampled_from(REQUESTS[resource])) for resource in asked}
    pod: Manifest = {
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": "busybox", "resources": {"requests": requests}}],
    }
    if chance(draw, 40):
        pod["tolerations"] = [{"key": "dedicated", "operator": "Exists"}]
    if chance(draw, 5):
        pod["nodeSelector"] = {"pool": draw(st.sampled_from(FLAVORS))}
    if chance(draw, 5):
        operator, value = draw(st.sampled_from(["In", "NotIn"])), draw(st.sampled_from(FLAVORS))
        terms = [{"matchExpressions": [{"key": "pool", "operator": operator, "values": [value]}]}]
        required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
        pod["affinity"] = {"nodeAffinity": required}
    return {"name": name, "count": draw(st.sampled_from([1, 2, 1, 3])), "template": {"spec": pod}}


@st.composite
def _running_status(draw: Draw, queue: Manifest, pod_sets: list[Manifest], age: int) -> Manifest:
    """Quota reserved after creation: per pod set one flavor of each group; perhaps being evicted."""
    reserved = f"2026-08-01T11:{draw(st.integers(age, 59)):02}:30Z"
    assignments = [draw(_assignments(queue, pod_set)) for pod_set in pod_sets]
    kinds = [("QuotaReserved", "QuotaReserved"), ("Admitted", "Admitted")]
    if chance(draw, 15):
        kinds.append(("Evicted", draw(st.sampled_from(["Preempted", "PodsReadyTimeout"]))))
    return {
        "admission": {"clusterQueue": queue["metadata"]["name"], "podSetAssignments": assignments},
        "conditions": [
            {"type": kind, "status": "True", "reason": reason, "message": "", "lastTransitionTime": reserved}
            for kind, reason in kinds
        ],
    }


@st.composite
def _assignments(draw: Draw, queue: Manifest, pod_set: Manifest) -> Manifest:
    count, minimum = pod_set["count"], pod_set.get("minCount", pod_set["count"])
    assigned = draw(st.integers(minimum, count))
    requests = pod_set["template"]["spec"]["containers"][0]["resources"]["requests"]
    flavors: dict[str, str] = {}
    usage: dict[str, str] = {}
    for group in queue["spec"]["resourceGroups"]:
        flavor = draw(st.sampled_from([flavor["name"] for flavor in group["flavors"]]))
        for resource in group["coveredResources"]:
            if resource == "pods" or resource in requests:
                flavors[resource] = flavor
                usage[resource] = multiplied(requests.get(resource, "1"), assigned)
    return {"name": pod_set["name"], "count": assigned, "flavors": flavors, "resourceUsage": usage}


def multiplied(quantity: str, count: int) -> str:
    """``count`` times a quantity with a whole number: ``multiplied("500m", 3)`` is ``1500m``."""
    digits = quantity.rstrip("mMGi")
    return f"{int(digits) * count}{quantity[len(digits) :]}"


@st.composite
def histories(draw: Draw, case: Manifest) -> list[tuple[str, int, str, dict[tuple[str, str], int]]]:
    """Amounts added to queues and removed again: (``add`` or ``remove``, number, queue, amounts).

    Each number is added once and removed at most once, later. Amounts are in the engine's units.
    """
    queues = [o for o in case["objects"] if o["kind"] == "ClusterQueue"]
    steps: list[tuple[str, int, str, dict[tuple[str, str], int]]] = []
    held: list[tuple[int, str, dict[tuple[str, str], int]]] = []
    for number in range(draw(st.integers(0, 8))):
        queue = draw(st.sampled_from(queues))
        frs = [
            (flavor["name"], resource["name"])
            for group in queue["spec"]["resourceGroups"]
            for flavor in group["flavors"]
            for resource in flavor["resources"]
        ]
        amounts = draw(st.dictionaries(st.sampled_from(frs), st.integers(0, 5000), min_size=1))
        steps.append(("add", number, queue["metadata"]["name"], amounts))
        held.append((number, queue["metadata"]["name"], amounts))
        while held and chance(draw, 30):
            steps.append(("remove", *held.pop(draw(st.integers(0, len(held) - 1)))))
    return steps
