"""What is said of a job before it is submitted is what a living Kueue makes of it: for every kind that it manages.

The Workload's name and priority, its pod sets with their counts, and what each pod asks for; read from the manifest
(``plan``), and from the job in the cluster (``why``). FAIRSHARE_LIVE_KINDS says how many there are of each kind.
"""

import gzip
import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
import yaml

from tests.live.plays.foretelling import Play, Played, create, is_rejection, makes_none, ran, submitted
from tests.live.plays.refusals import mutated
from tests.live.plays.shapes import shape
from tests.live.stage.job_kinds import FRAMEWORKS, KINDS, make
from tests.live.stage.jobs import LIMITS, POD_CLASSES, QUEUE, RESOURCES, RUNTIME_CLASS, WORKLOAD_CLASSES, Jobs, Made
from tests.live.stage.kueue import manager
from tests.live.stage.server import ASSETS, ApiError, Object, Server, missing, server

EACH: Final = int(os.environ.get("FAIRSHARE_LIVE_KINDS", "4"))
SEED: Final = int(os.environ.get("FAIRSHARE_LIVE_SEED", "1"))

SAID: Final[dict[str, str]] = {}
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "kueue-manager", "job-config")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'kueue-manager', 'job-config')}; see .ci/assets/build",
    ),
]


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("kinds")) as started:
        files = sorted((ASSETS / "job-config").glob("*.yaml"))
        started.apply_crds([yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader) for file in files])
        for each in _surroundings():
            create(started.api, each)
        with manager(started, fair=False, frameworks=FRAMEWORKS):
            for each in _queues():
                create(started.api, each)
            yield started


def _surroundings() -> Iterator[Object]:
    for name, limits in LIMITS.items():
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        if limits:
            metadata = {"name": "limits", "namespace": name}
            yield {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": {"limits": limits}}
    for name, value in POD_CLASSES.items():
        yield {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": name},
            "value": value,
        }
    yield {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": RUNTIME_CLASS["name"]},
        "handler": "x",
        "overhead": {"podFixed": RUNTIME_CLASS["overhead"]},
    }


def _queues() -> Iterator[Object]:
    """A queue without any quota: what waits in it tells what it asks for."""
    api = "kueue.x-k8s.io/v1beta2"
    for name, value in WORKLOAD_CLASSES.items():
        yield {"apiVersion": api, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
    yield {"apiVersion": api, "kind": "ResourceFlavor", "metadata": {"name": "none"}, "spec": {}}
    resources = [{"name": name, "nominalQuota": "0"} for name in RESOURCES]
    group = {"coveredResources": [*RESOURCES], "flavors": [{"name": "none", "resources": resources}]}
    spec = {"namespaceSelector": {}, "resourceGroups": [group]}
    yield {"apiVersion": api, "kind": "ClusterQueue", "metadata": {"name": "empty"}, "spec": spec}
    for namespace in LIMITS:
        metadata = {"name": QUEUE, "namespace": namespace}
        yield {"apiVersion": api, "kind": "LocalQueue", "metadata": metadata, "spec": {"clusterQueue": "empty"}}


@pytest.fixture(scope="module")
def play(living: Server, tmp_path_factory: pytest.TempPathFactory) -> Play:
    return Play(living, tmp_path_factory.mktemp("play"))


@pytest.fixture(scope="module")
def played(play: Play) -> list[Played]:
    """All jobs, foretold before any is created, and looked at by Kueue."""
    jobs = Jobs(SEED)
    return submitted(play, [make(jobs, kind, number) for kind in KINDS for number in range(EACH)])


@pytest.fixture(scope="module")
def changed(play: Play) -> list[Played]:
    """Jobs with some of Kueue's labels and annotations that are said to be accepted, exactly, looked at by Kueue."""
    jobs, made = Jobs(SEED + 2), []
    for kind in KINDS:
        for number in range(EACH * 4):
            one = make(jobs, kind, number)
            job, said = mutated(jobs.chance, one.asked)
            made.append(Made(kind, *one.objects[:-1], job))
            SAID[job["metadata"]["name"]] = said
    return submitted(play, made, exactly=True)


@pytest.fixture(scope="module")
def afterwards(play: Play, played: list[Played]) -> tuple[Path, Path]:
    """The state once all is settled, with the Workloads and without."""
    assert played
    whole = play.snapshot("after")
    content = json.loads(gzip.decompress(whole.read_bytes()))
    content["items"] = [each for each in content["items"] if each["kind"] != "Workload"]
    alone = play.folder / "alone.json"
    alone.write_text(json.dumps(content))
    return whole, alone


@pytest.mark.parametrize("kind", KINDS)
def test_a_manifest_becomes_what_was_foretold(
    play: Play, played: list[Played], count: Callable[[str], None], kind: str
) -> None:
    play.wrong = []
    mine = [each for each in played if each.made.kind == kind]
    accepted = [each for each in mine if not each.refused]
    for each in accepted:
        if isinstance(each.told, str):
            if each.workloads or "make no Workload" not in each.told:
                play.wrong.append(f"{each.name}: {each.told}")
        elif not each.workloads:
            play.wrong.append(f"{each.name}: no Workload was made")
        elif "JobSet.replicas=0" not in json.dumps(each.told["fidelity"]):
            play.compare(each.name, shape(each.told), each.workloads)
    count(f"{kind}: {len(accepted)} of {len(mine)} were accepted, {len(play.wrong)} differences")
    assert not play.wrong, "\n".join(play.wrong)
    assert accepted or EACH < 4, [each.refused for each in mine]


@pytest.mark.parametrize("kind", KINDS)
def test_what_kueue_is_told_in_annotations_is_foretold_too(
    play: Play, changed: list[Played], count: Callable[[str], None], kind: str
) -> None:
    play.wrong = []
    mine = [each for each in changed if each.made.kind == kind]
    for each in mine:
        assert not isinstance(each.told, str)
        name = f"{each.name} ({SAID[each.made.asked['metadata']['name']]})"
        if "admission webhook" in each.refused:
            play.wrong.append(f"{name}: {each.refused}")
        elif makes_none(each.told):
            if each.workloads:
                play.wrong.append(f"{name}: a Workload was made; told: {each.told['verdict']}")
        elif not each.refused and not each.workloads:
            play.wrong.append(f"{name}: no Workload was made; told: {each.told['verdict']}")
        elif not each.refused:
            play.compare(name, shape(each.told), each.workloads)
    count(f"{kind}: {len(mine)} jobs, {len(play.wrong)} differences")
    assert not play.wrong, "\n".join(play.wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_stored_job_the_name_is_known_exactly(play: Play, played: list[Played], kind: str) -> None:
    play.wrong = []
    for each in played:
        if each.made.kind == kind and each.workloads and kind != "Deployment":
            told = play.foretell(Made(kind, *map(play.stored, each.made.objects)))
            assert not isinstance(told, str), told
            play.compare(each.name, shape(told), each.workloads, exactly=True)
    assert not play.wrong, "\n".join(play.wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_why_says_the_same_with_the_workload_and_without(
    played: list[Played], afterwards: tuple[Path, Path], kind: str
) -> None:
    for each in (each for each in played if each.made.kind == kind and each.workloads):
        whole, alone = (why(each, "-f", str(path)) for path in afterwards)
        assert {w["workload"]["name"] for w in whole} == {w["metadata"]["name"] for w in each.workloads}
        if whole[0]["verdict"] != "Running":  # nothing but the Workload tells that Kueue let it in
            assert essence(alone[0]) == essence(whole[0]), each.name


def test_why_finds_the_workloads_of_every_kind_in_the_cluster(living: Server, played: list[Played]) -> None:
    first = {each.made.kind: each for each in reversed(played) if each.workloads}
    for each in first.values():
        found = why(each, "--kubeconfig", str(living.kubeconfig))
        assert {w["workload"]["name"] for w in found} == {w["metadata"]["name"] for w in each.workloads}, each.name


@pytest.mark.parametrize("kind", KINDS)
def test_the_webhook_rejects_exactly_what_is_said_to_be_rejected(
    play: Play, count: Callable[[str], None], kind: str
) -> None:
    jobs, chance = Jobs(SEED + 1), random.Random(f"{SEED}/{kind}")
    wrong, rejected, tried = [], 0, 0
    for number in range(3):
        made = make(jobs, kind, number)
        for body in made.objects[:-1]:
            with suppress(ApiError):  # a pod of a group that a LimitRange keeps out
                create(play.living.api, body)
        for _ in range(EACH * 5):
            job, said = mutated(chance, made.asked)
            answer = play.tried(job)
            if answer and "admission webhook" not in answer:
                continue  # the API server takes no such object, whatever Kueue says
            told = play.foretell(Made(kind, *made.objects[:-1], job))
            tried, rejected = tried + 1, rejected + bool(answer)
            if is_rejection(told) != bool(answer):
                ours = told if isinstance(told, str) else f"{told['verdict']}, {told['fidelity']['notModelled']}"
                wrong.append(f"{kind} {number}, {said}: Kueue says {_denied(answer) or 'yes'}; told: {ours[:200]}")
    count(f"{kind}: {tried} jobs, {rejected} of them rejected, {len(wrong)} differences")
    assert not wrong, "\n".join(wrong)
    assert rejected or EACH < 4


def _denied(answer: str) -> str:
    return answer.partition("denied the request: ")[2][:300]


def essence(document: Object) -> Object:
    """What an answer says of a workload, but for where that stands."""
    bindings = [{k: v for k, v in each.items() if k != "place"} for each in document["bindings"]]
    parts = ("verdict", "reason", "priority", "localQueue", "clusterQueue", "byWhatIsModelled")
    return {**{part: document[part] for part in parts}, "bindings": bindings}


def why(each: Played, *given: str) -> list[Object]:
    """The answers about a job."""
    code, out, err = ran("why", each.name, "-n", each.namespace, "-o", "json", "-q", *given)
    assert code == 0, (each.name, out, err)
    document = json.loads(out)
    return list(document["items"]) if document["kind"] == "WhyList" else [document]
