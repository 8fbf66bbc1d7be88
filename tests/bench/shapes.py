"""Inputs that grow in one way each: the shapes that ``tests.bench.scaling`` doubles.

A shape is a function of its size that returns files by name; the file ``work`` is what ``plan -w`` asks about,
if a shape has one of its own. The number beside a shape is the size from which it is doubled.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

Files = Mapping[str, str]
Make = Callable[[int], Files]

QUEUES: Final = "kueue.x-k8s.io/v1beta2"
GPU: Final = "nvidia.com/gpu"
FRAME: Final = f"""\
apiVersion: {QUEUES}
kind: ResourceFlavor
metadata: {{name: plain}}
spec: {{}}
---
apiVersion: {QUEUES}
kind: ClusterQueue
metadata: {{name: main}}
spec:
  namespaceSelector: {{}}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{{name: plain, resources: [{{name: cpu, nominalQuota: 8}}]}}]
---
apiVersion: {QUEUES}
kind: LocalQueue
metadata: {{name: main, namespace: default}}
spec: {{clusterQueue: main}}
---
"""
WORK: Final = """\
apiVersion: batch/v1
kind: Job
metadata: {name: asked, namespace: default, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  template:
    spec:
      containers: [{name: main, image: busybox, resources: {requests: {cpu: 2}}}]
"""


class Shape(NamedTuple):
    """One way to grow, from ``start`` on."""

    name: str
    start: int
    make: Make


SHAPES: Final[list[Shape]] = []


def shape(start: int) -> Callable[[Make], Make]:
    def noted(make: Make) -> Make:
        SHAPES.append(Shape(make.__name__.strip("_").replace("_", " "), start, make))
        return make

    return noted


def one(*parts: str) -> Files:
    return {"all.yaml": FRAME + "".join(parts)}


def documents(*objects: Any) -> str:
    """Documents in JSON, which is YAML."""
    return "".join(f"---\n{json.dumps(each)}\n" for each in objects)


def an_object(kind: str, name: str, api: str = QUEUES, namespace: str = "", **more: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **more}


def queue(name: str, cohort: str = "", quota: int = 8, **more: Any) -> dict[str, Any]:
    resources = [{"name": "cpu", "nominalQuota": quota}]
    groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "plain", "resources": resources}]}]
    spec = {"namespaceSelector": {}, "resourceGroups": groups, **({"cohortName": cohort} if cohort else {}), **more}
    return an_object("ClusterQueue", name, spec=spec)


def pod_template(cpu: int = 1) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "c", "image": "x", "resources": {"requests": {"cpu": cpu}}}]}}


def waiting(number: int, **more: Any) -> dict[str, Any]:
    spec = {"queueName": "main", "podSets": [{"name": "main", "count": 1, "template": pod_template(9)}]}
    found = an_object("Workload", f"w{number}", namespace="default", spec=spec, **more)
    found["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    return found


def _running(number: int, queue: str = "main") -> dict[str, Any]:
    assignment = {"name": "main", "count": 1, "flavors": {"cpu": "plain"}, "resourceUsage": {"cpu": "1"}}
    found = waiting(number)
    found["spec"]["podSets"][0]["template"] = pod_template(1)
    conditions = [_condition("QuotaReserved"), _condition("Admitted")]
    found["status"] = {
        "admission": {"clusterQueue": queue, "podSetAssignments": [assignment]},
        "conditions": conditions,
    }
    return found


def _condition(kind: str, message: str = "x") -> dict[str, Any]:
    moment = "2026-01-01T00:00:00Z"
    return {"type": kind, "status": "True", "reason": "R", "message": message, "lastTransitionTime": moment}


def _text(objects: Iterator[dict[str, Any]]) -> Files:
    return one(documents(*objects))


@shape(60)
def cluster_queues(size: int) -> Files:
    return _text(queue(f"q{n}") for n in range(size))


@shape(60)
def cluster_queues_as_json(size: int) -> Files:
    return {
        "frame.yaml": FRAME,
        "all.json": json.dumps({"kind": "List", "items": [queue(f"q{n}") for n in range(size)]}),
    }


@shape(60)
def wide_cohort(size: int) -> Files:
    return _text(queue(f"q{n}", "company") for n in range(size))


@shape(12)
def deep_cohorts(size: int) -> Files:
    above = ({"parentName": f"c{n - 1}"} if n else {} for n in range(size))
    cohorts = [an_object("Cohort", f"c{n}", spec=spec) for n, spec in enumerate(above)]
    return one(documents(*cohorts, *(queue(f"q{n}", f"c{size - 1}") for n in range(2))))


@shape(30)
def cohort_cycles(size: int) -> Files:
    return _text(an_object("Cohort", f"c{n}", spec={"parentName": f"c{(n + 1) % size}"}) for n in range(size))


@shape(60)
def waiting_workloads(size: int) -> Files:
    return _text(waiting(n) for n in range(size))


@shape(60)
def running_workloads(size: int) -> Files:
    return _text(_running(n) for n in range(size))


@shape(100)
def namespaces_with_labels(size: int) -> Files:
    def each() -> Iterator[dict[str, Any]]:
        for n in range(size):
            found = an_object("Namespace", f"ns{n}", "v1")
            found["metadata"]["labels"] = {"team": f"t{n}"}
            yield found
            yield an_object("LocalQueue", "q", namespace=f"ns{n}", spec={"clusterQueue": f"q{n % 3}"})

    return _text(each())


@shape(150)
def selectors(size: int) -> Files:
    rules = [{"key": f"k{n}", "operator": "In", "values": [f"v{n}"]} for n in range(size)]
    return one(documents(queue("q", namespaceSelector={"matchExpressions": rules})))


@shape(150)
def values_of_one_selector(size: int) -> Files:
    rules = [{"key": "k", "operator": "In", "values": [f"v{n}" for n in range(4 * size)]}]
    return one(documents(queue("q", namespaceSelector={"matchExpressions": rules})))


@shape(80)
def jobs(size: int) -> Files:
    def each() -> Iterator[dict[str, Any]]:
        for n in range(size):
            found = an_object("Job", f"j{n}", "batch/v1", "default", spec={"template": pod_template()})
            found["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "main"}
            yield found

    return _text(each())


@shape(400)
def plain_objects(size: int) -> Files:
    return one(
        *(f"---\napiVersion: v1\nkind: Service\nmetadata: {{name: s{n}}}\nspec: {{ports: []}}\n" for n in range(size))
    )


@shape(500)
def unknown_fields(size: int) -> Files:
    found = queue("q")
    found["spec"] |= {f"unknown{n}": n for n in range(size)}
    return one(documents(found))


@shape(300)
def unknown_fields_of_a_workload(size: int) -> Files:
    found = waiting(1)
    found["spec"] |= {f"unknown{n}": {"a": n} for n in range(size)}
    return one(documents(found))


@shape(400)
def labels(size: int) -> Files:
    found = queue("q")
    found["metadata"]["labels"] = {f"l{n}": f"v{n}" for n in range(size)}
    return one(documents(found))


@shape(60)
def flavors_of_a_queue(size: int) -> Files:
    flavors = [{"name": f"f{n}", "resources": [{"name": "cpu", "nominalQuota": 1}]} for n in range(size)]
    spec = {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["cpu"], "flavors": flavors}]}
    objects = [an_object("ResourceFlavor", f"f{n}", spec={"nodeLabels": {"x": f"{n}"}}) for n in range(size)]
    return one(documents(*objects, an_object("ClusterQueue", "q", spec=spec)))


@shape(100)
def conditions(size: int) -> Files:
    return one(documents({**waiting(1), "status": {"conditions": [_condition(f"T{n}") for n in range(size)]}}))


@shape(120)
def events(size: int) -> Files:
    def each() -> Iterator[dict[str, Any]]:
        yield waiting(1)
        for n in range(size):
            about = {"apiVersion": QUEUES, "kind": "Workload", "name": "w1", "namespace": "default"}
            more = {"involvedObject": about, "reason": "Pending", "message": f"waits {n}", "type": "Warning"}
            yield an_object("Event", f"e{n}", "v1", "default", lastTimestamp="2026-01-01T00:00:00Z", **more)

    return _text(each())


@shape(60)
def pod_sets(size: int) -> Files:
    found = waiting(1)
    found["spec"]["podSets"] = [{"name": f"p{n}", "count": 1, "template": pod_template()} for n in range(size)]
    return one(documents(found))


@shape(60)
def containers(size: int) -> Files:
    found = waiting(1)
    containers = [{"name": f"c{n}", "resources": {"requests": {"cpu": "1m"}}} for n in range(size)]
    found["spec"]["podSets"][0]["template"]["spec"]["containers"] = containers
    return one(documents(found))


@shape(100)
def nodes(size: int) -> Files:
    allocatable = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    return _text(an_object("Node", f"n{n}", "v1", status={"allocatable": allocatable}) for n in range(size))


@shape(60)
def findings(size: int) -> Files:
    return _text(queue(f"q{n}", queueingStrategy="StrictFifo", quota=n) for n in range(size))


@shape(60)
def findings_with_a_fix(size: int) -> Files:
    return _text(queue(f"q{n}", queueingStrateg="StrictFIFO") for n in range(size))


@shape(60)
def separate_files(size: int) -> Files:
    return {"frame.yaml": FRAME} | {f"d/{n}.yaml": documents(queue(f"q{n}", "company")) for n in range(size)}


@shape(60)
def duplicates(size: int) -> Files:
    return _text(queue("same", quota=n) for n in range(size))


@shape(120)
def references_to_nothing(size: int) -> Files:
    return _text(
        an_object("LocalQueue", f"l{n}", namespace="default", spec={"clusterQueue": f"no{n}"}) for n in range(size)
    )


@shape(60)
def config_maps(size: int) -> Files:
    data = {"x": "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfairSharing: {}\n"}
    return _text(an_object("ConfigMap", f"m{n}", "v1", "kueue-system", data=data) for n in range(size))


@shape(100)
def elastic_quotas(size: int) -> Files:
    spec = {"min": {"cpu": "4"}, "max": {"cpu": "8"}}
    api = "scheduling.x-k8s.io/v1alpha1"
    return {"all.yaml": documents(*(an_object("ElasticQuota", f"e{n}", api, f"ns{n}", spec=spec) for n in range(size)))}


@shape(40)
def pods_with_elastic_quotas(size: int) -> Files:
    api = "scheduling.x-k8s.io/v1alpha1"
    quota = an_object("ElasticQuota", "e", api, "default", spec={"min": {"cpu": "4"}, "max": {"cpu": "8"}})
    node = an_object("Node", "n", "v1", status={"allocatable": {"cpu": "4000", "memory": "8Gi", "pods": "9999"}})
    pods = [
        an_object("Pod", f"p{n}", "v1", "default", spec={**pod_template()["spec"], "nodeName": "n"})
        for n in range(size)
    ]
    waiting = an_object("Pod", "w", "v1", "default", spec=pod_template(2)["spec"])
    return {"all.yaml": documents(quota, node, *pods, waiting), "work": documents(waiting)}


@shape(40)
def kai_queues(size: int) -> Files:
    def level(name: str, **spec: Any) -> dict[str, Any]:
        amounts = {each: {"quota": -1, "limit": -1, "overQuotaWeight": 1} for each in ("cpu", "memory", "gpu")}
        return an_object("Queue", name, "scheduling.run.ai/v2", spec={"resources": amounts, **spec})

    queues = [level(f"q{n}", parentQueue="top") for n in range(size)]
    pod = an_object("Pod", "w", "v1", "default", spec={**pod_template()["spec"], "schedulerName": "kai-scheduler"})
    pod["metadata"]["labels"] = {"kai.scheduler/queue": "q0"}
    node = an_object("Node", "n", "v1", status={"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}})
    return {"all.yaml": documents(level("top"), *queues, node, pod), "work": documents(pod)}


@shape(60)
def workloads_of_many_queues(size: int) -> Files:
    def each() -> Iterator[dict[str, Any]]:
        for n in range(size):
            yield queue(f"q{n}", "company")
            yield an_object("LocalQueue", f"l{n}", namespace="default", spec={"clusterQueue": f"q{n}"})
            yield waiting(n)
            yield _running(n + size, f"q{n}")
            found = waiting(n + 2 * size)
            found["spec"]["queueName"] = f"l{n}"
            yield found

    return _text(each())
