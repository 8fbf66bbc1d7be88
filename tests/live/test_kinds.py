"""What is said of a job before it is submitted is what a living Kueue makes of it: for every kind that it manages.

The Workload's name and priority, its pod sets with their counts, and what each pod asks for; read from the manifest
(``plan``), and from the job in the cluster (``why``). FAIRSHARE_LIVE_KINDS says how many there are of each kind.
"""

import gzip
import io
import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
import yaml

from kubectl_fairshare.cli.main import main
from tests.live.plays.refusals import mutated
from tests.live.plays.shapes import Shape, is_called_so, made_by_kueue, reserved, shape
from tests.live.stage.job_kinds import FRAMEWORKS, KINDS, make
from tests.live.stage.jobs import LIMITS, POD_CLASSES, QUEUE, RESOURCES, RUNTIME_CLASS, WORKLOAD_CLASSES, Jobs, Made
from tests.live.stage.kueue import KUEUE, manager
from tests.live.stage.server import ASSETS, Api, ApiError, Object, Server, missing, server, wait_until

EACH: Final = int(os.environ.get("FAIRSHARE_LIVE_KINDS", "4"))
SEED: Final = int(os.environ.get("FAIRSHARE_LIVE_SEED", "1"))

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


def place(body: Object) -> str:
    """The path of the list that an object belongs to."""
    group, _, version = body["apiVersion"].rpartition("/")
    root = f"/apis/{group}/{version}" if group else f"/api/{version}"
    namespace = body["metadata"].get("namespace")
    within = f"/namespaces/{namespace}" if namespace else ""
    kind = body["kind"].lower()
    return (
        f"{root}{within}/{kind[:-1]}ies"
        if kind.endswith("y")
        else f"{root}{within}/{kind}{'es' * kind.endswith('ss') or 's'}"
    )


def create(api: Api, body: Object) -> Object:
    return api.create(place(body), body)


def ran(*words: str) -> tuple[int, str, str]:
    """Exit code and what was printed by the program in this process."""
    empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(3))
    code = main([*words], empty, out, err)
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return code, texts[0], texts[1]


class Play:
    """Jobs that are foretold, created and compared, in one cluster."""

    def __init__(self, living: Server, folder: Path) -> None:
        self.living = living
        self.folder = folder
        self.wrong: list[str] = []
        self.before = self.snapshot("before")

    def snapshot(self, name: str) -> Path:
        path = self.folder / f"{name}.json.gz"
        code, _, err = ran("snapshot", "--kubeconfig", str(self.living.kubeconfig), "--redact", "none", "-o", str(path))
        assert code == 0, err
        return path

    def foretell(self, made: Made) -> Object | str:
        """What ``plan`` says of a manifest: its document, or its error."""
        path = self.folder / "asked.json"
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*made.objects]}))
        _, out, err = ran("plan", "-f", str(self.before), "-w", str(path), "-o", "json", "-q")
        return dict(json.loads(out)) if out else err

    def submit(self, made: Made) -> str:
        """Creates the objects, and what a controller would make of them; the refusal where one is refused."""
        try:
            for body in made.objects:
                stored = create(self.living.api, body)
            if made.kind == "Deployment":
                self._roll_out(stored)
        except ApiError as error:
            return str(error)
        return ""

    def tried(self, body: Object) -> str:
        """Why the object, or the first pod of a Deployment, is refused; nothing is created."""
        try:
            taken = self.living.api.create(f"{place(body)}?dryRun=All", body)
        except ApiError as error:
            return str(error)
        if body["kind"] != "Deployment":
            return ""
        template, metadata = taken["spec"]["template"], {"name": "first", "namespace": body["metadata"]["namespace"]}
        pod = {"apiVersion": "v1", "kind": "Pod", **template, "metadata": {**template["metadata"], **metadata}}
        return self.tried(pod)

    def stored(self, body: Object) -> Object:
        """An object as the cluster has it."""
        return {**self.living.api.get(f"{place(body)}/{body['metadata']['name']}"), **_kind(body)}

    def _roll_out(self, deployment: Object) -> None:
        """A ReplicaSet and its first pod, as the controllers would create them."""
        template = deployment["spec"]["template"]
        replica_set: Object = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": _owned(deployment, f"{deployment['metadata']['name']}-abcde", template["metadata"]),
            "spec": {"replicas": 1, "selector": deployment["spec"]["selector"], "template": template},
        }
        stored, made = create(self.living.api, replica_set), replica_set["metadata"]["name"]
        metadata = _owned({**stored, **_kind(replica_set)}, f"{made}-fghij", template["metadata"])
        create(self.living.api, {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]})

    def workloads(self) -> dict[str, list[Object]]:
        """The Workloads by namespace, kind and name of each of their owners."""
        found: dict[str, list[Object]] = {}
        for each in self.living.api.get(f"{KUEUE}/workloads")["items"]:
            for owner in each["metadata"].get("ownerReferences") or ():
                found.setdefault(f"{each['metadata']['namespace']}/{owner['kind']}/{owner['name']}", []).append(each)
        return found

    def made_in(self, made: Made, workloads: dict[str, list[Object]]) -> list[Object]:
        """The Workloads of a job once Kueue has looked at one of them, that one first: the others are alike."""
        body = made.asked
        kind, name = body["kind"], body["metadata"]["name"]
        if made.kind == "Deployment":
            kind, name = "Pod", f"{name}-abcde-fghij"
        found = workloads.get(f"{body['metadata']['namespace']}/{kind}/{name}", [])
        wanted = body["spec"].get("replicas", 1) if made.kind == "LeaderWorkerSet" else 1
        return (
            sorted(found, key=lambda w: not reserved(w)) if len(found) == wanted and any(map(reserved, found)) else []
        )

    def compare(self, what: str, shape: Shape, workloads: Sequence[Object], *, exactly: bool = False) -> None:
        """Notes in what the first of the Workloads is not as foretold; the name is that of any."""
        actual, names = made_by_kueue(workloads[0]), [w["metadata"]["name"] for w in workloads]
        if not any(shape.name == n if exactly else is_called_so(shape.name, n) for n in names):
            self.wrong.append(f"{what}: foretold {shape.name}, made {names}")
        for part in ("priority", "pod_sets", "words"):
            ours, theirs = getattr(shape, part), getattr(actual, part)
            if ours != theirs:
                self.wrong.append(f"{what}: {part}\n  foretold {ours}\n  made     {theirs}")


def _kind(body: Object) -> Object:
    return {"apiVersion": body["apiVersion"], "kind": body["kind"]}


def _owned(owner: Object, name: str, metadata: Object) -> Object:
    """The metadata of what a controller makes of ``owner``."""
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"]}
    reference |= {"uid": owner["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}
    own = {"name": name, "namespace": owner["metadata"]["namespace"], "ownerReferences": [reference]}
    return {**{k: metadata[k] for k in ("labels", "annotations") if k in metadata}, **own}


@dataclass
class Played:
    """A job of the play: the plan made for its manifest, the refusal that it met, or its Workloads."""

    made: Made
    told: Object | str
    refused: str
    workloads: list[Object]

    @property
    def name(self) -> str:
        return f"{self.made.asked['kind'].lower()}/{self.made.asked['metadata']['name']}"

    @property
    def namespace(self) -> str:
        return str(self.made.asked["metadata"]["namespace"])


@pytest.fixture(scope="module")
def play(living: Server, tmp_path_factory: pytest.TempPathFactory) -> Play:
    return Play(living, tmp_path_factory.mktemp("play"))


@pytest.fixture(scope="module")
def played(play: Play) -> list[Played]:
    """All jobs, foretold before any is created, and looked at by Kueue."""
    jobs = Jobs(SEED)
    made = [make(jobs, kind, number) for kind in KINDS for number in range(EACH)]
    found = [Played(each, play.foretell(each), "", []) for each in made]
    for each in found:
        each.refused = play.submit(each.made)
    accepted = [each for each in found if not each.refused]

    def settled() -> bool:
        workloads = play.workloads()
        for each in accepted:
            each.workloads = each.workloads or play.made_in(each.made, workloads)
        return all(each.workloads for each in accepted)

    with suppress(TimeoutError):
        wait_until(settled, "Kueue has looked at all jobs", 60 + len(accepted))
    return found


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
        if not each.workloads:
            play.wrong.append(f"{each.name}: no Workload was made")
        elif isinstance(each.told, str):
            play.wrong.append(f"{each.name}: {each.told}")
        else:
            play.compare(each.name, shape(each.told), each.workloads)
    count(f"{kind}: {len(accepted)} of {len(mine)} were accepted, {len(play.wrong)} differences")
    assert not play.wrong, "\n".join(play.wrong)
    assert accepted or EACH < 4, [each.refused for each in mine]


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


def is_rejection(told: Object | str) -> bool:
    """Whether ``plan`` says that Kueue's webhook rejects the job."""
    if isinstance(told, str):
        return "webhook" in told or "Kueue rejects" in told
    return "webhook rejects" in json.dumps(told)


def essence(document: Object) -> Object:
    """What an answer says of a workload, but for where that stands."""
    bindings = [{k: v for k, v in each.items() if k != "place"} for each in document["bindings"]]
    parts = ("verdict", "reason", "priority", "localQueue", "clusterQueue", "byQuotaAlone")
    return {**{part: document[part] for part in parts}, "bindings": bindings}


def why(each: Played, *given: str) -> list[Object]:
    """The answers about a job."""
    code, out, err = ran("why", each.name, "-n", each.namespace, "-o", "json", "-q", *given)
    assert code == 0, (each.name, out, err)
    document = json.loads(out)
    return list(document["items"]) if document["kind"] == "WhyList" else [document]
