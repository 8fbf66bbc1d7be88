"""A real API server rejects exactly the pods and jobs that are said to be rejected.

Random namespaces with quotas, scopes, LimitRanges and random pods, each created in a dry run, and random jobs. No
controller runs, so the quotas' status is written here. FAIRSHARE_LIVE_CREATIONS says how many pods are tried.
"""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pytest

from kubectl_fairshare.answers.fidelity import INVALID, REJECTED
from kubectl_fairshare.jobs.context import pod_context
from kubectl_fairshare.jobs.creation import creation_gaps
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.jobs.pod_validation import rejected_amounts
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.new_objects import rejections
from tests.live.stage.choices import choices
from tests.live.stage.server import Api, ApiError, Object, missing, server, wait_until

PODS: Final = int(os.environ.get("FAIRSHARE_LIVE_CREATIONS", "600"))
SEED: Final = int(os.environ.get("FAIRSHARE_LIVE_SEED", "1"))
EACH: Final = 6
"""So many pods are tried in a namespace."""
HARD: Final = ("cpu", "requests.cpu", "limits.cpu", "memory", "limits.memory", "requests.example.com/gpu", "pods")
SCOPES: Final = ("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass")
CLASSES: Final = {"high": 100, "low": -5}

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd")), reason=f"not built: {missing('kube-apiserver', 'etcd')}"
    ),
]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with server(tmp_path_factory.mktemp("creation")) as started:
        for name, value in CLASSES.items():
            body = {"metadata": {"name": name}, "value": value, "globalDefault": name == "low"}
            started.api.create("/apis/scheduling.k8s.io/v1/priorityclasses", body)
        yield started.api


def amounts(chance: random.Random, names: Sequence[str]) -> Object:
    return {name: str(chance.randrange(5)) for name in names if chance.random() < 0.6}


def container(chance: random.Random, name: str) -> Object:
    names = ("cpu", "memory")
    found: Object = {"name": name, "image": "none"}
    requests, limits = amounts(chance, names), amounts(chance, names)
    for resource in requests.keys() & limits.keys() if chance.random() < 0.9 else ():
        limits[resource] = str(max(int(limits[resource]), int(requests[resource])))
    if chance.random() < 0.2:
        limits["example.com/gpu"] = str(chance.randrange(1, 4))
        if chance.random() < 0.3:
            requests["example.com/gpu"] = str(chance.randrange(2, 4))
    elif chance.random() < 0.1:
        requests["example.com/gpu"] = "1"
    return found | ({"resources": {"requests": requests, "limits": limits}} if chance.random() < 0.85 else {})


def pod(chance: random.Random) -> Object:
    spec: Object = {"containers": [container(chance, f"c{n}") for n in range(chance.choice((1, 1, 2)))]}
    if chance.random() < 0.3:
        start = container(chance, "start")
        spec["initContainers"] = [start | ({"restartPolicy": "Always"} if chance.random() < 0.5 else {})]
    if chance.random() < 0.3:
        spec["activeDeadlineSeconds"] = 60
    if chance.random() < 0.4:
        spec["priorityClassName"] = chance.choice(list(CLASSES))
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "asked"}, "spec": spec}


def quota(chance: random.Random, name: str) -> Object:
    scope = chance.choice(SCOPES) if chance.random() < 0.4 else ""
    hard = {n: str(chance.randrange(1, 9)) for n in HARD if chance.random() < 0.35} or {"pods": "3"}
    spec: Object = {"hard": {"pods": "2"} if scope == "BestEffort" else hard}
    if scope == "PriorityClass" and chance.random() < 0.7:
        operator = chance.choice(("In", "NotIn", "Exists", "DoesNotExist"))
        values = {"values": ["high"]} if operator.endswith("In") else {}
        spec["scopeSelector"] = {"matchExpressions": [{"scopeName": scope, "operator": operator, **values}]}
    elif scope:
        spec["scopes"] = [scope]
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": name}, "spec": spec}


def limit_range(chance: random.Random) -> Object:
    item: Object = {"type": "Container"}
    for which in ("default", "defaultRequest"):
        item[which] = amounts(chance, ("cpu", "memory"))
    for resource in item["default"].keys() & item["defaultRequest"].keys():
        item["default"][resource] = "4"
    metadata = {"name": "defaults"}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": {"limits": [item]}}


def furnished(api: Api, chance: random.Random, namespace: str) -> None:
    """A namespace with ResourceQuotas, whose status says what is used, and perhaps a LimitRange."""
    api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
    root = f"/api/v1/namespaces/{namespace}"
    if chance.random() < 0.4:
        api.create(f"{root}/limitranges", limit_range(chance))
    for number in range(chance.choice((1, 1, 2))):
        made = api.create(f"{root}/resourcequotas", quota(chance, f"q{number}"))
        hard = made["spec"]["hard"]
        used = {name: str(chance.randrange(int(bound) + 1)) for name, bound in hard.items()}
        path = f"{root}/resourcequotas/q{number}/status"
        api.merge(path, {"status": {"hard": hard, "used": used}})


def read(api: Api, namespace: str) -> dict[ObjectKey, Manifest]:
    """Everything that the API server decides on, as it is stored."""
    root = f"/api/v1/namespaces/{namespace}"
    listed = [
        *api.items(f"{root}/resourcequotas", "v1", "ResourceQuota"),
        *api.items(f"{root}/limitranges", "v1", "LimitRange"),
        *api.items("/apis/scheduling.k8s.io/v1/priorityclasses", "scheduling.k8s.io/v1", "PriorityClass"),
    ]
    return {each.key: each for each in map(manifest_of, listed)}


def manifest_of(data: Any) -> Manifest:
    group = data["apiVersion"].rpartition("/")[0]
    key = ObjectKey(group, data["kind"], data["metadata"].get("namespace", ""), data["metadata"]["name"])
    return Manifest(key, data["apiVersion"].rpartition("/")[2], data, Origin("live", 0))


def answer_of(api: Api, namespace: str, asked: Object) -> str:
    """How the API server takes the pod: an empty text, or its reason."""
    try:
        api.create(f"/api/v1/namespaces/{namespace}/pods?dryRun=All", asked)
    except ApiError as error:
        return str(error)
    return ""


def test_the_api_server_rejects_what_is_said(api: Api, count: Callable[[str], None]) -> None:
    chance = random.Random(SEED)
    namespaces = [f"n{number}" for number in range(PODS // EACH)]
    for namespace in namespaces:
        furnished(api, chance, namespace)
    api.create("/api/v1/namespaces", {"metadata": {"name": "last"}})
    none = {"hard": {"pods": "0"}}
    api.create("/api/v1/namespaces/last/resourcequotas", {"metadata": {"name": "seen"}, "spec": none})
    api.merge("/api/v1/namespaces/last/resourcequotas/seen/status", {"status": {**none, "used": {"pods": "0"}}})
    wait_until(lambda: "exceeded" in answer_of(api, "last", pod(random.Random(0))), "the API server knows all quotas")
    rejected = 0
    for namespace in namespaces:
        manifests = read(api, namespace)
        around = surroundings(manifests.values(), pod_context(manifests.values(), []))
        for _ in range(EACH):
            asked = pod(chance)
            answer = answer_of(api, namespace, asked)
            key = ObjectKey("", "Pod", namespace, "asked")
            gaps = creation_gaps(manifests, [(key, asked["spec"])], around)
            found = {gap.feature for gap in gaps}
            told = (answer, found, asked, [m.data for m in manifests.values()])
            assert (INVALID in found) == ("is invalid" in answer), told
            assert (REJECTED in found) == ("quota" in answer) or INVALID in found, told
            rejected += bool(answer)
    count(f"creation: {len(namespaces) * EACH} pods, {rejected} rejected by ResourceQuotas, 0 differences")
    assert 0 < rejected < len(namespaces) * EACH


def some(chance: random.Random, **fields: Sequence[Any]) -> Object:
    """A few of the fields, each with one of its values."""
    return {name: chance.choice(values) for name, values in fields.items() if chance.random() < 0.06}


def batch_job(chance: random.Random, name: str) -> Object:
    """The spec of a Job, most of them with a mistake or two."""
    amounts_of = some(chance, cpu=("1", "-1", "500m"), gpu=("1",), **{"example.com/gpu": ("1", "0", "500m")})
    limits = some(chance, cpu=("1", "-1"), **{"example.com/gpu": ("1", "2"), "hugepages-2Mi": ("2Mi",)})
    limits |= {"cpu": "2"} if "hugepages-2Mi" in limits else {}
    container = {"name": "c", "image": "none", "resources": {"requests": amounts_of, "limits": limits}}
    container |= some(chance, name=("", "A", "c" * 64), image=("",))
    second = {"name": chance.choice(("d", "d", "c")), "image": chance.choice(("none", "none", ""))}
    containers = chance.choice((*[[container]] * 20, [container, second], []))
    labels = some(chance, a=("b", "b c"), **{"job-name": (name, "other"), "controller-uid": ("1",)})
    policy = {"restartPolicy": chance.choice((*["Never"] * 8, "OnFailure", "Always"))}
    pod_spec = {"containers": containers} | (policy if chance.random() < 0.95 else {})
    pod_spec |= some(chance, initContainers=([second], []))
    selectors: Sequence[Object] = (
        {"matchLabels": {"a": "b"}},
        {"matchLabels": {"job-name": name}},
        {"matchExpressions": [{"key": "a", "operator": "Exists"}]},
        {"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]},
    )
    return {
        **some(chance, parallelism=(0, 1, -1, 100_001), completions=(0, 1, 5, -1), backoffLimit=(0, -1)),
        **some(chance, activeDeadlineSeconds=(1, -1), ttlSecondsAfterFinished=(0, -1)),
        **some(chance, completionMode=("Indexed", "NonIndexed"), backoffLimitPerIndex=(1, -1)),
        **some(chance, manualSelector=(True, False), selector=selectors),
        "template": {"metadata": {"labels": labels}, "spec": pod_spec},
    }


def test_the_api_server_rejects_the_jobs_that_are_said_to_be_invalid(api: Api, count: Callable[[str], None]) -> None:
    chance, rejected = random.Random(SEED), 0
    for _ in range(PODS):
        name = chance.choice((*["j"] * 12, "a.b", "A", "a_b", "a" * 53, "a" * 63, "a" * 64))
        spec: Object = batch_job(chance, name)
        kind, path = "Job", "jobs"
        if chance.random() < 0.3:
            kind, path, spec = "CronJob", "cronjobs", {"schedule": "@daily", "jobTemplate": {"spec": spec}}
        metadata = {"name": name, "labels": some(chance, l=("m", "-"))}
        asked = {"apiVersion": "batch/v1", "kind": kind, "metadata": metadata, "spec": spec}
        answer = ""
        try:
            api.create(f"/apis/batch/v1/namespaces/default/{path}?dryRun=All", asked)
        except ApiError as error:
            answer = str(error)
        manifest = manifest_of(asked)
        template = spec["jobTemplate"]["spec"]["template"] if kind == "CronJob" else spec["template"]
        clauses = [*rejections(manifest), *rejected_amounts(template["spec"])]
        assert bool(clauses) == bool(answer), (answer, clauses, asked)
        rejected += bool(answer)
    count(f"creation: {PODS} jobs, {rejected} rejected as invalid, 0 differences")
    assert 0 < rejected < PODS


def test_the_api_server_rejects_the_choices_that_are_said_to_be_invalid(api: Api, count: Callable[[str], None]) -> None:
    chance, rejected, wrong = random.Random(SEED), 0, []
    for _ in range(PODS * 3):
        spec: Object = {"containers": [{"name": "c", "image": "none"}], **choices(chance)}
        asked: Object = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "asked"}, "spec": spec}
        path = "/api/v1/namespaces/default/pods"
        if chance.random() < 0.3:
            spec = {"template": {"spec": {**spec, "restartPolicy": "Never"}}}
            asked = {**asked, "apiVersion": "batch/v1", "kind": "Job", "spec": spec}
            path = "/apis/batch/v1/namespaces/default/jobs"
        answer = ""
        try:
            api.create(f"{path}?dryRun=All", asked)
        except ApiError as error:
            answer = error.body
        clauses = [*rejections(manifest_of(asked))]
        if bool(clauses) != bool(answer):
            wrong.append((answer[:400], clauses, asked))
        rejected += bool(answer)
    count(f"creation: {PODS * 3} pods and jobs with choices, {rejected} rejected as invalid, {len(wrong)} differences")
    assert not wrong, "\n".join(map(str, wrong))
    assert 0 < rejected < PODS * 3


CLASSED: Final[Object] = {
    "priorityClassName": ("high", "low", "polite"),
    "priority": (0, 7, 100, -5),
    "preemptionPolicy": ("Never", "PreemptLowerPriority"),
    "runtimeClassName": ("heavy", "light"),
    "overhead": ({"cpu": "250m"}, {"cpu": "0.25"}, {"cpu": "1"}, {"memory": "1Mi"}),
}


def test_the_api_server_rejects_pods_that_contradict_their_classes(api: Api, count: Callable[[str], None]) -> None:
    polite = {"metadata": {"name": "polite"}, "value": 7, "preemptionPolicy": "Never"}
    api.create("/apis/scheduling.k8s.io/v1/priorityclasses", polite)
    for name, overhead in (("heavy", {"overhead": {"podFixed": {"cpu": "250m"}}}), ("light", {})):
        api.create("/apis/node.k8s.io/v1/runtimeclasses", {"metadata": {"name": name}, "handler": "h", **overhead})
    kinds = (("scheduling.k8s.io/v1", "PriorityClass"), ("node.k8s.io/v1", "RuntimeClass"))
    stored = [
        each
        for v, k in kinds
        for each in api.items(f"/apis/{v}/{'priority' if k[0] == 'P' else 'runtime'}classes", v, k)
    ]
    manifests = {each.key: each for each in map(manifest_of, stored)}
    around = surroundings(manifests.values(), pod_context(manifests.values(), []))
    plain: Object = {"containers": [{"name": "c", "image": "none"}]}
    known = {"containers": [{"name": "c", "image": "none"}], "priorityClassName": "polite", "runtimeClassName": "heavy"}
    wait_until(
        lambda: not answer_of(api, "default", {"metadata": {"name": "a"}, "spec": known}), "all classes are known"
    )
    chance, rejected = random.Random(SEED), 0
    for _ in range(PODS):
        some_of_them = {name: chance.choice(values) for name, values in CLASSED.items() if chance.random() < 0.4}
        spec: Object = {**plain, **some_of_them}
        asked = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "asked"}, "spec": spec}
        answer = answer_of(api, "default", asked)
        gaps = creation_gaps(manifests, [(ObjectKey("", "Pod", "default", "asked"), spec)], around)
        assert bool(gaps) == bool(answer), (answer, gaps, some_of_them)
        rejected += bool(answer)
    count(f"creation: {PODS} pods with classes, {rejected} rejected, 0 differences")
    assert 0 < rejected < PODS
