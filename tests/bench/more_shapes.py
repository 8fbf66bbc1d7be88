"""Inputs that grow as texts (comments, anchors, long values, fixes) or as Koordinator's quotas, among ``SHAPES``."""

import json
from typing import Any, Final

from tests.bench.shapes import QUEUES, Files, an_object, documents, one, pod_template, queue, shape, waiting


@shape(1000)
def comments(size: int) -> Files:
    return one("".join(f"# comment number {n}\n" for n in range(size)), "---\n", json.dumps(queue("q")))


@shape(500)
def suppressions(size: int) -> Files:
    return one("".join(f"# fairshare: ignore[K0{n % 50:02}] x\n" for n in range(size)), "---\n", json.dumps(queue("q")))


@shape(800)
def comments_with_a_fix(size: int) -> Files:
    body = documents(queue("q", queueingStrateg="StrictFIFO"))
    return one(body, "".join(f"# comment {n}\n" for n in range(size)))


@shape(60)
def queues_in_blocks_with_a_fix(size: int) -> Files:
    """Queues of eight cohorts, as people write them: most lines of each are those of others."""
    body = (
        f"---\napiVersion: {QUEUES}\nkind: ClusterQueue\nmetadata:\n  name: q{n}\nspec:\n  cohortName: c{n % 8}\n"
        "  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n    - name: plain\n"
        "      resources:\n      - name: cpu\n        nominalQuota: 1\n        borrowingLimit: 0.5\n"
        for n in range(size)
    )
    return one(*body)


@shape(20_000)
def long_line(size: int) -> Files:
    found = queue("q")
    found["metadata"]["annotations"] = {"note": "x " * size}
    return one(documents(found))


@shape(5_000)
def long_name(size: int) -> Files:
    return one(documents(queue("q" * size), waiting(1)))


@shape(5_000)
def long_quantity(size: int) -> Files:
    found = queue("q")
    found["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"] = "1" * size
    return one(documents(found))


@shape(300)
def anchors(size: int) -> Files:
    lines = [f"  l{n}: &a{n} v{n}\n  m{n}: *a{n}\n" for n in range(size)]
    return one(
        "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: x\n  labels:\n",
        *(f"  {line}" for line in "".join(lines).splitlines(keepends=True)),
    )


@shape(300)
def aliases_of_one_anchor(size: int) -> Files:
    head = f"---\napiVersion: {QUEUES}\nkind: ClusterQueue\nmetadata: {{name: q}}\nspec:\n  x: &a [1, 2, 3, {{b: c}}]\n"
    return one(head, "".join(f"  y{n}: *a\n" for n in range(size)))


@shape(20)
def brackets(size: int) -> Files:
    found = queue("q")
    nested: Any = 1
    for _ in range(size):
        nested = [nested]
    return one(documents({**found, "x": nested}))


@shape(1000)
def empty_documents(size: int) -> Files:
    return one("---\n" * size)


@shape(500)
def keys_twice(size: int) -> Files:
    return one(
        "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: x\n", "".join(f"a{n // 2}: 1\n" for n in range(size))
    )


@shape(300)
def suppressed_documents(size: int) -> Files:
    line = "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: s{} # fairshare: ignore[K041]\n"
    return one(*(line.format(n) for n in range(size)))


@shape(200)
def fixes_in_one_mapping(size: int) -> Files:
    return one(documents(queue("q", namespaceSelector={"matchLabels": {f"k{n}": n for n in range(size)}})))


@shape(60)
def fixes_that_are_not_proven(size: int) -> Files:
    found = (queue(f"q{n}", queueingStrateg="StrictFIFO") for n in range(size))
    return one(*(f"---\n{json.dumps(each)} # &\n" for each in found))


@shape(200)
def aliases_of_a_large_anchor(size: int) -> Files:
    large = ", ".join(f"k{n}: v" for n in range(size))
    head = f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x, labels: &a {{{large}}}}}\n"
    return one(head, "".join(f"x{n}: *a\n" for n in range(size)))


@shape(300)
def merged_mappings(size: int) -> Files:
    head = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, labels: &a {b: c}}\n"
    return one(head, "".join(f"x{n}: {{<<: *a, d: e}}\n" for n in range(size)))


@shape(300)
def configuration_in_a_config_map(size: int) -> Files:
    lines = ["apiVersion: config.kueue.x-k8s.io/v1beta2", "kind: Configuration", "integrations:", "  frameworks:"]
    lines += [f"  - example.com/framework{n}" for n in range(size)]
    data = "\n".join(f"    {line}" for line in lines)
    head = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config, namespace: kueue-system}\n"
    return one(f"{head}data:\n  controller_manager_config.yaml: |\n{data}\n")


@shape(300)
def unknown_settings_in_a_config_map(size: int) -> Files:
    lines = ["apiVersion: config.kueue.x-k8s.io/v1beta2", "kind: Configuration"]
    lines += [f"setting{n}: true" for n in range(size)]
    data = "\n".join(f"    {line}" for line in lines)
    head = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config, namespace: kueue-system}\n"
    return one(f"{head}data:\n  controller_manager_config.yaml: |\n{data}\n")


_KOORDINATOR: Final = "quota.scheduling.koordinator.sh/"


def _koordinator_quota(name: str, parent: str, cpu: object, *, holds: bool = False) -> dict[str, Any]:
    """A quota; one that ``holds`` others takes no pods."""
    spec = {"min": {"cpu": "1"}, "max": {"cpu": f"{cpu}"}}
    found = an_object("ElasticQuota", name, "scheduling.sigs.k8s.io/v1alpha1", "default", spec=spec)
    found["metadata"]["labels"] = {f"{_KOORDINATOR}parent": parent, f"{_KOORDINATOR}is-parent": f"{holds}".lower()}
    return found


def _koordinator_pod(name: str, quota: str, node: str = "", cpu: int = 1) -> dict[str, Any]:
    status = {"phase": "Running" if node else "Pending"}
    found = an_object("Pod", name, "v1", "default", spec=pod_template(cpu)["spec"], status=status)
    found["spec"] |= {"schedulerName": "koord-scheduler", "priority": 0 if node else 9}
    found["spec"] |= {"nodeName": node} if node else {}
    found["metadata"]["labels"] = {f"{_KOORDINATOR}name": quota}
    return found


def _koordinator(quotas: list[Any], pods: list[Any], cpu: int = 4000) -> Files:
    node = an_object("Node", "n", "v1", status={"allocatable": {"cpu": f"{cpu}", "memory": "8Gi", "pods": "9999"}})
    asked = _koordinator_pod("w", quotas[-1]["metadata"]["name"], cpu=2)
    return {"all.yaml": documents(node, *quotas, *pods, asked), "work": documents(asked)}


@shape(40)
def koordinator_quotas(size: int) -> Files:
    top = _koordinator_quota("top", "", 900, holds=True)
    return _koordinator([top, *(_koordinator_quota(f"q{n}", "top", 9) for n in range(size))], [])


def _unlike_quotas(size: int) -> list[Any]:
    """Quotas of which no two claim the same: their max differs, and with it their weight."""
    top = _koordinator_quota("top", "", 9000, holds=True)
    return [top, *(_koordinator_quota(f"q{n}", "top", f"{9000 + n}m") for n in range(size))]


@shape(40)
def koordinator_quotas_that_claim_differently(size: int) -> Files:
    return _koordinator(_unlike_quotas(size), [])


@shape(40)
def koordinator_quotas_of_a_later_release(size: int) -> Files:
    container = {"name": "scheduler", "image": "koordinator-sh/koord-scheduler:v1.9.0"}
    spec = {"template": {"spec": {"containers": [container]}}}
    deployment = an_object("Deployment", "koord-scheduler", "apps/v1", "koordinator-system", spec=spec)
    return {**koordinator_quotas(size), "scheduler.yaml": documents(deployment)}


@shape(20)
def pods_of_many_koordinator_quotas(size: int) -> Files:
    """Each quota has a pod that runs beyond its min, and one that waits."""
    pods = [_koordinator_pod(f"p{n}", f"q{n}", "n", 2 + n % 3) for n in range(size)]
    pods += [_koordinator_pod(f"w{n}", f"q{n}", cpu=1 + n % 5) for n in range(size)]
    return _koordinator(_unlike_quotas(size), pods, 4 * size)


@shape(12)
def deep_koordinator_quotas(size: int) -> Files:
    parents = ["", *(f"q{n}" for n in range(size - 1))]
    quotas = [_koordinator_quota(f"q{n}", above, 900, holds=n + 1 < size) for n, above in enumerate(parents)]
    return _koordinator(quotas, [_koordinator_pod("p", quotas[-1]["metadata"]["name"], "n")])


@shape(40)
def pods_with_koordinator_quotas(size: int) -> Files:
    pods = [_koordinator_pod(f"p{n}", "q", "n", 1 + n % 2) for n in range(size)]
    return _koordinator([_koordinator_quota("q", "", 2 * size)], pods, sum(1 + n % 2 for n in range(size)))


@shape(40)
def kai_queues_that_run(size: int) -> Files:
    """Queues beside each other, each with a job that runs: who may reclaim from whom is asked of all pairs."""
    api, group = "scheduling.run.ai/v2", "kai.scheduler/queue"

    def amounts(least: float) -> dict[str, Any]:
        each = {"limit": -1, "overQuotaWeight": 1}
        return {"resources": {"gpu": {**each, "quota": least}} | {r: {**each, "quota": -1} for r in ("cpu", "memory")}}

    def running(n: int) -> dict[str, Any]:
        spec = {**pod_template()["spec"], "schedulerName": "kai-scheduler", "nodeName": f"n{n % 9}"}
        found = an_object("Pod", f"p{n}", "v1", "default", spec=spec, status={"phase": "Running"})
        found["metadata"] |= {"labels": {group: f"q{n}"}, "annotations": {"pod-group-name": f"g{n}"}}
        return found

    queues = (an_object("Queue", f"q{n}", api, spec=amounts(n % 3)) for n in range(size))
    groups = (
        an_object("PodGroup", f"g{n}", "scheduling.run.ai/v2alpha2", "default", spec={"queue": f"q{n}", "minMember": 1})
        for n in range(size)
    )
    status = {"allocatable": {"cpu": "900", "memory": "900Gi", "nvidia.com/gpu": "8", "pods": "999"}}
    nodes = (an_object("Node", f"n{n}", "v1", status=status) for n in range(9))
    pods = [running(n) for n in range(size)]
    waiting_one = running(0)
    waiting_one["metadata"] |= {"name": "w", "annotations": {}}
    del waiting_one["spec"]["nodeName"], waiting_one["status"]
    return {"all.yaml": documents(*queues, *groups, *nodes, *pods, waiting_one), "work": documents(waiting_one)}


def _missing_a_pod(scheduler: str, quotas: list[Any], size: int, **labels: str) -> Files:
    """Jobs that have one pod of two in a namespace whose ResourceQuota rejects more, beside objects of other kinds."""
    spec = {**pod_template()["spec"], "schedulerName": scheduler}
    bound = an_object("ResourceQuota", "all", "v1", "default", spec={"hard": {"pods": f"{size}"}})
    jobs, pods = [], []
    for n in range(size):
        template = {"metadata": {"labels": labels}, "spec": spec}
        job = an_object("Job", f"j{n}", "batch/v1", "default", spec={"parallelism": 2, "template": template})
        job["metadata"]["uid"] = f"j{n}"
        owner = {"apiVersion": "batch/v1", "kind": "Job", "name": f"j{n}", "uid": f"j{n}", "controller": True}
        pod = an_object("Pod", f"j{n}-a", "v1", "default", spec=spec)
        pod["metadata"] |= {"labels": labels, "ownerReferences": [owner], "uid": f"p{n}"}
        jobs.append(job)
        pods.append(pod)
    node = an_object("Node", "n", "v1", status={"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "99"}})
    return {"all.yaml": documents(node, bound, *quotas, *jobs, *pods), "work": documents(jobs[0])}


@shape(20)
def jobs_that_a_resource_quota_keeps_from_pods(size: int) -> Files:
    spec = {"min": {"cpu": "4"}, "max": {"cpu": "8"}}
    quota = an_object("ElasticQuota", "e", "scheduling.x-k8s.io/v1alpha1", "default", spec=spec)
    return _missing_a_pod("default-scheduler", [quota], size)
