"""Random states of the schedulers of pods: nodes, quotas, pods that run and pods that wait."""

import json
from random import Random
from typing import Any, Final

Manifest = dict[str, Any]
PRIORITIES: Final = [0, 0, 10, 100, -5]
KOORDINATOR: Final = "quota.scheduling.koordinator.sh"


def node(number: int, dice: Random, gpus: bool) -> Manifest:
    """A ready node, small enough to be full."""
    name = f"n{number}"
    amounts = {"cpu": dice.choice(["2", "4", "8"]), "memory": dice.choice(["8Gi", "16Gi"]), "pods": "20"}
    if gpus:
        amounts["nvidia.com/gpu"] = dice.choice(["1", "2", "4"])
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "spec": {"unschedulable": True} if dice.random() < 0.05 else {},
        "status": {"allocatable": amounts, "capacity": amounts, "conditions": [{"type": "Ready", "status": "True"}]},
    }


def pod(name: str, namespace: str, scheduler: str, requests: Manifest, place: str, dice: Random) -> Manifest:
    """A pod that runs on ``place``, or waits if that is empty."""
    minute = dice.randrange(60)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"uid-{name}",
            "creationTimestamp": f"2026-08-01T11:{minute:02}:00Z",
        },
        "spec": {
            "schedulerName": scheduler,
            "priority": dice.choice(PRIORITIES),
            "containers": [{"name": "main", "image": "busybox", "resources": {"requests": requests}}],
        }
        | ({"nodeName": place} if place else {}),
        "status": {"phase": "Running", "startTime": f"2026-08-01T11:{minute:02}:30Z"}
        if place
        else {"phase": "Pending"},
    }


def requests(dice: Random) -> Manifest:
    """What a pod requests: cpu, perhaps memory."""
    asked = {"cpu": dice.choice(["250m", "500m", "1", "2", "3"])}
    return asked | ({"memory": dice.choice(["1Gi", "2Gi", "4Gi"])} if dice.random() < 0.5 else {})


def pods_on(nodes: list[Manifest], namespaces: list[str], scheduler: str, dice: Random) -> list[Manifest]:
    """Pods that run as far as the nodes have cpu, memory and places for them, then pods that wait."""
    free = {each["metadata"]["name"]: dict(each["status"]["allocatable"]) for each in nodes}
    made = []
    for number in range(dice.randrange(9)):
        asked, place = requests(dice), dice.choice(sorted(free))
        left = {resource: amount_of(free[place][resource]) - amount_of(asked[resource]) for resource in asked}
        if min(left.values()) >= 0:
            free[place] |= {resource: f"{amount}m" for resource, amount in left.items()}
            made.append(pod(f"run{number}", dice.choice(namespaces), scheduler, asked, place, dice))
    waiting = range(dice.choice([1, 2, 3, 5]))
    return [
        *made,
        *(pod(f"pend{n}", dice.choice(namespaces), scheduler, requests(dice), "", dice) for n in waiting),
    ]


def amount_of(quantity: str) -> int:
    """A quantity in thousandths."""
    for suffix, factor in (("Gi", 1000 << 30), ("Mi", 1000 << 20), ("m", 1)):
        if quantity.endswith(suffix):
            return int(quantity.removesuffix(suffix)) * factor
    return int(quantity) * 1000


def elasticquota_state(dice: Random) -> list[Manifest]:
    """Namespaces with and without an ElasticQuota of scheduler-plugins."""
    nodes = [node(number, dice, gpus=False) for number in range(dice.choice([1, 2, 3]))]
    names = ["a", "b", "c"][: dice.choice([1, 2, 3, 3])]
    quotas = [_elastic_quota(name, dice) for name in names]
    budgets = [_budget(dice.choice(names))] if dice.random() < 0.2 else []
    spaces = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in [*names, "free"]]
    asked = [*names, *names, *names, "free"]
    return [*nodes, *spaces, *quotas, *budgets, *pods_on(nodes, asked, "capacityscheduler", dice)]


def _elastic_quota(namespace: str, dice: Random) -> Manifest:
    least, more = dice.choice([0, 1, 2, 4]), dice.choice([0, 1, 2, 4])
    spec: Manifest = {"min": {"cpu": str(least)}}
    if dice.random() < 0.8:
        spec["max"] = {"cpu": str(least + more)}
    if dice.random() < 0.5:
        memory = dice.choice([1, 2, 8])
        spec["min"]["memory"] = f"{memory}Gi"
        if "max" in spec:
            spec["max"]["memory"] = f"{memory + dice.choice([0, 1, 4])}Gi"
    return {
        "apiVersion": "scheduling.x-k8s.io/v1alpha1",
        "kind": "ElasticQuota",
        "metadata": {"name": "quota", "namespace": namespace},
        "spec": spec,
    }


def _budget(namespace: str) -> Manifest:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "keep", "namespace": namespace},
        "spec": {"selector": {}, "minAvailable": 1},
        "status": {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1},
    }


def koordinator_state(dice: Random) -> list[Manifest]:
    """A tree of quotas of Koordinator, two levels deep."""
    nodes = [node(number, dice, gpus=False) for number in range(dice.choice([1, 2, 3]))]
    quotas = []
    leaves = []
    for top in ("x", "y")[: dice.choice([1, 2])]:
        below = dice.random() < 0.6
        least, most = dice.choice([2, 4, 6]), dice.choice([6, 8, 10])
        quotas.append(_koordinator_quota(top, "", below, least, most, dice))
        names = [f"{top}{n}" for n in range(2)] if below else []
        quotas += [_koordinator_quota(name, top, False, dice.choice([0, 1, least // 2]), most, dice) for name in names]
        leaves += names or [top]
    made = pods_on(nodes, ["default"], "koord-scheduler", dice)
    for each in made:
        labels = {f"{KOORDINATOR}/name": dice.choice(leaves)}
        if dice.random() < 0.2:
            labels[f"{KOORDINATOR}/preemptible"] = "false"
        each["metadata"]["labels"] = labels
    return [*nodes, *quotas, *made]


def _koordinator_quota(name: str, parent: str, above: bool, least: int, most: int, dice: Random) -> Manifest:
    labels = {f"{KOORDINATOR}/is-parent": "true" if above else "false"}
    if parent:
        labels[f"{KOORDINATOR}/parent"] = parent
    if dice.random() < 0.3:
        labels[f"{KOORDINATOR}/allow-lent-resource"] = dice.choice(["true", "false"])
    weight = {f"{KOORDINATOR}/shared-weight": json.dumps({"cpu": dice.choice([1, 2, 5]), "memory": "8Gi"})}
    return {
        "apiVersion": "scheduling.sigs.k8s.io/v1alpha1",
        "kind": "ElasticQuota",
        "metadata": {"name": name, "namespace": "default", "labels": labels, "annotations": weight},
        "spec": {"min": {"cpu": str(least), "memory": f"{least}Gi"}, "max": {"cpu": str(most), "memory": "16Gi"}},
    }


def kai_state(dice: Random) -> list[Manifest]:
    """Departments and queues of KAI with PodGroups of one to three pods that need GPUs."""
    nodes = [node(number, dice, gpus=True) for number in range(dice.choice([1, 2, 3]))]
    queues = [_kai_queue("d", "", dice), *(_kai_queue(f"q{n}", "d", dice) for n in range(dice.choice([1, 2, 3])))]
    classes = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}
        for name, value in (("train", 50), ("build", 100), ("high", 75))
    ]
    leaves = [each["metadata"]["name"] for each in queues[1:]]
    free = {each["metadata"]["name"]: int(each["status"]["allocatable"]["nvidia.com/gpu"]) for each in nodes}
    made: list[Manifest] = []
    for number in range(dice.randrange(7)):
        place, gpus = dice.choice(sorted(free)), dice.choice([1, 1, 2])
        if free[place] >= gpus:
            free[place] -= gpus
            made += _pod_group(f"run{number}", dice.choice(leaves), gpus, [place], dice)
    for number in range(dice.choice([1, 2, 3, 4])):
        places = [""] * dice.choice([1, 1, 2, 3])
        made += _pod_group(f"pend{number}", dice.choice(leaves), dice.choice([1, 1, 2, 4]), places, dice)
    return [*nodes, *classes, *queues, *made]


def _kai_queue(name: str, parent: str, dice: Random) -> Manifest:
    quota = dice.choice([0, 1, 2, 4])
    limit = dice.choice([-1, -1, quota + 1, 4])
    gpu = {"quota": -1 if not parent else quota, "limit": -1 if not parent else limit, "overQuotaWeight": 1}
    rest = {"quota": -1, "limit": -1, "overQuotaWeight": 1}
    spec: Manifest = {"resources": {"gpu": gpu, "cpu": rest, "memory": rest}}
    if parent:
        spec["parentQueue"] = parent
        if dice.random() < 0.3:
            spec["priority"] = dice.choice([50, 100, 200])
    metadata = {"name": name, "creationTimestamp": f"2026-04-0{1 + dice.randrange(9)}T04:39:38Z"}
    return {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": metadata, "spec": spec}


def _pod_group(name: str, queue: str, gpus: int, places: list[str], dice: Random) -> list[Manifest]:
    created = f"2026-08-01T{dice.randrange(10, 12)}:{dice.randrange(60):02}:{dice.randrange(60):02}Z"
    labels = {"kai.scheduler/queue": queue}
    annotations = {"kai.scheduler/last-start-timestamp": created} if places[0] else {}
    group = {
        "apiVersion": "scheduling.run.ai/v2alpha2",
        "kind": "PodGroup",
        "metadata": {
            "name": name,
            "namespace": "team",
            "uid": f"pg-{name}",
            "creationTimestamp": created,
            "labels": labels,
            "annotations": annotations,
        },
        "spec": {
            "queue": queue,
            "minMember": dice.choice([1, len(places)]),
            "priorityClassName": dice.choice(["train", "train", "build", "high"]),
        },
    }
    asked = {"cpu": "100m", "memory": "256Mi", "nvidia.com/gpu": str(gpus)}
    pods = [pod(f"{name}-{n}", "team", "kai-scheduler", asked, place, dice) for n, place in enumerate(places)]
    for each in pods:
        each["metadata"] |= {"labels": labels, "annotations": {"pod-group-name": name}, "creationTimestamp": created}
        del each["spec"]["priority"]
    return [group, *pods]
