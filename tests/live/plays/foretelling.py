"""Jobs that are foretold, created and compared with what a living Kueue makes of them."""

import io
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kubectl_fairshare.cli.main import main
from tests.live.plays.shapes import Shape, is_called_so, made_by_kueue, reserved
from tests.live.stage.jobs import Made
from tests.live.stage.kueue import KUEUE
from tests.live.stage.server import Api, ApiError, Object, Server, wait_until


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
                stored = self._known(body)
            if made.kind == "Deployment":
                self._roll_out(stored)
        except ApiError as error:
            return str(error)
        return ""

    def _known(self, body: Object) -> Object:
        """Creates an object, also where Kueue does not know yet what it names: that was created just before."""
        for _ in range(40):
            try:
                return create(self.living.api, body)
            except ApiError as error:
                if "not found" not in error.body:
                    raise
            time.sleep(0.05)
        return create(self.living.api, body)

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
            if part == "pod_sets" and all(each.requests is None for each in theirs):  # Kueue has counted none
                ours = tuple(replace(each, requests=None) for each in ours)
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


def submitted(play: Play, made: Sequence[Made], *, exactly: bool = False) -> list[Played]:
    """The jobs, created and looked at by Kueue; ``exactly``: only those that shall have a Workload for certain."""
    found = [Played(each, play.foretell(each), "", []) for each in made]
    if exactly:
        found = [each for each in found if is_certain(each.told) or makes_none(each.told)]
    for each in found:
        each.refused = play.submit(each.made)
    accepted = [each for each in found if not each.refused and not makes_none(each.told)]

    def settled() -> bool:
        workloads = play.workloads()
        for each in accepted:
            each.workloads = each.workloads or play.made_in(each.made, workloads)
        return all(each.workloads for each in accepted)

    with suppress(TimeoutError):
        wait_until(settled, "Kueue has looked at all jobs", 60 + len(accepted))
    workloads = play.workloads()
    for each in found:
        if makes_none(each.told) and not each.refused:
            each.workloads = play.made_in(each.made, workloads)
    return found


def makes_none(told: Object | str) -> bool:
    """Whether it is said that Kueue accepts the job, and no API server takes its Workload."""
    return (
        not isinstance(told, str) and "the Workload that Kueue makes of" in json.dumps(told) and not is_rejection(told)
    )


def is_certain(told: Object | str) -> bool:
    """Whether it is said for certain that Kueue makes a Workload of the job."""
    if isinstance(told, str) or told["kind"] != "Plan" or not told["fidelity"]["exact"] or "standing" not in told:
        return False
    return "makes no Workload" not in told["verdict"]


def is_rejection(told: Object | str) -> bool:
    """Whether ``plan`` says that Kueue's webhook rejects the job."""
    if isinstance(told, str):
        return "webhook" in told or "Kueue rejects" in told
    return "webhook rejects" in json.dumps(told)
