"""Jobs with some of Kueue's labels and annotations, right and wrong, as they might be submitted."""

import copy
import random
from collections.abc import Iterator
from typing import Final

from tests.live.stage.jobs import KUEUE
from tests.live.stage.server import Object

_NAMES: Final = ("", "a", "Team_A", "team.a", "-a", "a" * 64)
_GATES: Final = ("", " ", "a.b/c", "a", "a.b/c,a.b/c", "a.b/c, d.e/f", "a.b/c,", f"a.b/{'x' * 70}", "A.b/c")
_NUMBERS: Final = ("0", "1", "2", "+1", "01", "-1", "x", "", "1.5", "99", "9223372036854775808", "5000000000")
_TRUTHS: Final = ("true", "false", "1", "yes", "T", "")
_LEVELS: Final = ("rack", "example.com/rack", "", "a/b/c", "-")
_LABELS: Final = {
    "queue-name": _NAMES,
    "prebuilt-workload-name": _NAMES,
    "pod-group-name": _NAMES,
    "max-exec-time-seconds": _NUMBERS,
    "managed": ("true", "false", ""),
}
_ANNOTATIONS: Final = {
    "elastic-job": ("true", "true", "false"),
    "admission-gated-by": _GATES,
    "prebuilt-workload-name": _NAMES,
    "pod-group-name": _NAMES,
    "pod-group-total-count": _NUMBERS,
    "job-min-parallelism": _NUMBERS,
    "job-completions-equal-parallelism": _TRUTHS,
}
_OF_PODS: Final = {
    "podset-required-topology": _LEVELS,
    "podset-preferred-topology": _LEVELS,
    "podset-unconstrained-topology": _TRUTHS,
    "podset-slice-required-topology": _LEVELS,
    "podset-slice-size": _NUMBERS,
    "podset-group-name": ("g", "1", ""),
    "podset-slice-required-topology-constraints": (
        "",
        "[]",
        '[{"topology":"rack","size":1}]',
        '[{"topology":"rack","size":2},{"topology":"host","size":1}]',
        '[{"topology":"rack","size":3},{"topology":"host","size":2}]',
        '[{"topology":"rack","size":0}]',
    ),
}
_OF_SPEC: Final = 0.15
_SPECS: Final[dict[str, tuple[tuple[tuple[str, ...], object], ...]]] = {
    "RayCluster": (
        (("enableInTreeAutoscaling",), True),
        (("managedBy",), "kueue.x-k8s.io/multikueue"),
        (("workerGroupSpecs", "0", "groupName"), "head"),
        (("workerGroupSpecs", "0", "groupName"), "a_b"),
    ),
    "RayService": ((("rayClusterConfig", "enableInTreeAutoscaling"), True),),
    "RayJob": (
        (("rayClusterSpec", "enableInTreeAutoscaling"), True),
        (("shutdownAfterJobFinishes",), False),
        (("clusterSelector",), {"ray.io/cluster": "theirs"}),
    ),
    "SparkApplication": ((("mode",), "client"), (("dynamicAllocation",), {"enabled": True})),
    "LeaderWorkerSet": ((("replicas",), 1_000_001),),
    "JobSet": (
        (("replicatedJobs", "0", "name"), "a_b"),
        (("replicatedJobs", "0", "name"), "a" * 64),
        (("replicatedJobs", "0", "template", "spec", "template", "metadata"), {"labels": {"a b": "c"}}),
        (("replicatedJobs", "0", "template", "spec", "template", "metadata"), {"labels": {"team": "of five"}}),
    ),
    "Job": (
        (("template", "spec", "hostAliases"), [{"ip": "1.2.3.4", "hostnames": [name]} for name in "ab"]),
        (("template", "spec", "imagePullSecrets"), [{"name": "a"}, {"name": "a"}]),
        (("template", "spec", "imagePullSecrets"), [{"name": "a"}, {"name": "b"}]),
        (("template", "spec", "containers", "0", "ports"), [{"name": n, "containerPort": 80} for n in "ab"]),
        (("template", "spec", "containers", "0", "env"), [{"name": "A", "value": v} for v in "ab"]),
        (("completionMode",), "Indexed"),
        (("parallelism",), 2),
        (("completions",), 2),
    ),
}


def mutated(chance: random.Random, job: Object) -> tuple[Object, str]:
    """A copy of the job with one to three of the keys set, and which."""
    job, said = copy.deepcopy(job), []
    for path, value in _SPECS.get(job["kind"], ()):
        if chance.random() < _OF_SPEC and _put(job["spec"], path, value):
            said.append(f"{'.'.join(path)}={value}")
    templates = list(_templates(job))
    for _ in range(chance.choice((1, 1, 2, 3))):
        kind = chance.choice(("labels", "annotations", "annotations", "pods"))
        keys = {"labels": _LABELS, "annotations": _ANNOTATIONS, "pods": _OF_PODS}[kind]
        key = chance.choice(list(keys))
        value = chance.choice(keys[key])
        holder, where = (chance.choice(templates), "annotations") if kind == "pods" and templates else (job, kind)
        if where == "pods":
            continue
        holder.setdefault("metadata", {}).setdefault(where, {})[f"{KUEUE}/{key}"] = value
        said.append(f"{where} {key}={value[:20]!r}")
    return job, "; ".join(said)


def _put(holder: Object, path: tuple[str, ...], value: object) -> bool:
    """Whether the value could be put there."""
    for name in path[:-1]:
        inner = holder[int(name)] if isinstance(holder, list) else holder.get(name)
        if not inner:
            return False
        holder = inner
    holder[path[-1]] = copy.deepcopy(value)
    return True


def _templates(job: Object) -> Iterator[Object]:
    """The pod templates of a job, or the Pod itself."""
    todo: list[object] = [job]
    while todo:
        each = todo.pop()
        if isinstance(each, list):
            todo += each
        elif isinstance(each, dict):
            spec = each.get("spec")
            if isinstance(spec, dict) and "containers" in spec:
                yield each
            todo += each.values()
