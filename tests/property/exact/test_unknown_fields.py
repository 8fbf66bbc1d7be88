"""No answer is exact where an object that decides has a field, a value or a name that the reproduced release lacks.

The states are random. Put into a status, into metadata of others, or into an object that decides nothing, the same
changes no answer.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.snapshot.redaction import Redaction
from kubectl_fairshare.input.snapshot.snapshot_file import snapshot
from kubectl_fairshare.schedulers import known_schedulers
from tests.consistency.asking import NOW, Program, Reply
from tests.consistency.states import HOUSES, State, drawn
from tests.property.exact import unknown_parts as parts
from tests.property.exact.unknown_parts import Change, Manifest, changed, field, mark, value
from tests.sampling import sampled
from tests.screens import ROOT

WAITING = {"kueue": "Workload", "kai": "PodGroup", "elasticquota": "Pod", "koordinator": "Pod"}
ALL = ("plan", "why", "list", "shares", "capacity", "diff", "cycle")
RULING = tuple(name for name in ALL if name != "shares")
"""The answers that rest on what lets work in, beside the quotas."""
TAINT = value("taints", 0, to={"key": "x", "effect": "NoThing"})
TOLERATION = value("tolerations", 0, to={"key": "x", "operator": "Near"})
REQUIRED = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms", 0)
AFFINITY = value(*REQUIRED, "matchExpressions", 0, to={"key": "x", "operator": "Near", "values": ["y"]})
TEMPLATE = ("podSets", 0, "template", "spec")
DECIDING: dict[str, list[tuple[str, Change, tuple[str, ...]]]] = {
    "kueue": [
        *((kind, field, ALL) for kind in ("ClusterQueue", "Cohort", "ResourceFlavor", "Workload")),
        ("LocalQueue", field, RULING),
        ("LimitRange", field, ("plan", "why", "cycle")),
        *(
            (kind, mark("kueue", "annotations"), ("plan", "cycle"))
            for kind in ("ClusterQueue", "LocalQueue", "Workload")
        ),
        ("Workload", value(*TEMPLATE, "newThing", to=1), ("plan", "why", "cycle")),
        ("Workload", value(*TEMPLATE, "tolerations", 0, to={"operator": "Near"}), ("plan", "cycle")),
        ("ResourceFlavor", value("nodeTaints", 0, to={"key": "x", "effect": "NoThing"}), ("plan", "cycle", "shares")),
        ("ClusterQueue", value("queueingStrategy", to="Newest"), ALL),
        ("ClusterQueue", value("stopPolicy", to="Slow"), ALL),
        ("ClusterQueue", value("preemption", "withinClusterQueue", to="Older"), ALL),
        ("ClusterQueue", value("preemption", "reclaimWithinCohort", to="Older"), ("plan", "cycle")),
        ("ClusterQueue", value("flavorFungibility", "whenCanBorrow", to="Perhaps"), ("plan", "cycle")),
        ("LocalQueue", value("stopPolicy", to="Slow"), ("plan", "why", "cycle")),
        ("Configuration", lambda manifest: manifest.update(newThing=1), ALL),
        ("Configuration", lambda manifest: manifest.update(featureGates={"NewThing": True}), ALL),
    ],
    "kai": [
        *((kind, field, ALL) for kind in ("Queue", "PodGroup", "Pod", "Node", "PriorityClass")),
        *((kind, mark("kai", "labels"), ("plan", "cycle")) for kind in ("Queue", "PodGroup", "Pod")),
        ("PodGroup", value("preemptibility", to="semi-preemptible"), ALL),
        ("Node", TAINT, ("plan", "cycle", "shares")),
        ("Pod", TOLERATION, ("plan", "cycle", "shares")),
        ("Pod", AFFINITY, ("plan", "cycle")),
    ],
    "elasticquota": [
        *((kind, field, ALL) for kind in ("ElasticQuota", "Pod", "Node")),
        ("KubeSchedulerConfiguration", field, ALL),
        ("KubeSchedulerConfiguration", lambda m: m["profiles"][0].update(newThing=1), ALL),
        ("KubeSchedulerConfiguration", lambda m: m["profiles"][0]["pluginConfig"][0]["args"].update(newThing=1), ALL),
        ("ElasticQuota", mark("elasticquota", "labels"), ("plan", "shares")),
        ("Pod", mark("elasticquota", "annotations"), ("plan", "shares")),
        ("PodDisruptionBudget", field, ("plan", "why")),
        ("Node", TAINT, ("plan", "shares")),
        ("Pod", TOLERATION, ("plan", "shares")),
        ("Pod", AFFINITY, ("plan",)),
    ],
    "koordinator": [
        *((kind, field, ALL) for kind in ("ElasticQuota", "Pod", "Node")),
        ("KubeSchedulerConfiguration", field, ALL),
        ("KubeSchedulerConfiguration", lambda m: m["profiles"][0]["plugins"].update(newThing={}), ALL),
        ("KubeSchedulerConfiguration", lambda m: m["profiles"][0]["pluginConfig"][0]["args"].update(newThing=1), ALL),
        ("ElasticQuota", mark("koordinator", "labels"), ("plan", "shares")),
        ("ElasticQuota", mark("koordinator", "annotations"), ("plan", "shares")),
        ("Pod", mark("koordinator", "annotations"), ("plan", "shares")),
        ("Node", TAINT, ("plan", "shares")),
        ("Pod", TOLERATION, ("plan", "shares")),
        ("Pod", AFFINITY, ("plan",)),
    ],
}
ENDED: Manifest = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "ended", "namespace": "team"},
    "spec": {"newThing": 1, "containers": [{"name": "main", "image": "x"}]},
    "status": {"phase": "Succeeded"},
}
FINISHED: Manifest = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "Workload",
    "metadata": {"name": "finished", "namespace": "team", "uid": "f", "resourceVersion": "1"},
    "spec": {
        "newThing": 1,
        "podSets": [{"name": "main", "count": 1, "template": {"spec": {"containers": [{"name": "m", "image": "x"}]}}}],
    },
    "status": {
        "conditions": [
            {
                "type": "Finished",
                "status": "True",
                "reason": "Succeeded",
                "message": "",
                "lastTransitionTime": "2026-08-01T00:00:00Z",
            }
        ]
    },
}
"""Objects with an unknown field that decide nothing."""


def completed(state: State) -> State:
    """The state with the objects of its house that random states lack."""
    more: list[Manifest] = []
    if state.house == "kueue":
        spaces = sorted({o["metadata"]["namespace"] for o in state.objects if o["kind"] == "Workload"})
        item = {"type": "Container", "max": {"cpu": "1000"}}
        more = [
            {
                "apiVersion": "v1",
                "kind": "LimitRange",
                "metadata": {"name": "l", "namespace": n},
                "spec": {"limits": [item]},
            }
            for n in spaces
        ]
        if not any(o["kind"] == "Configuration" for o in state.objects):
            more.append({"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"})
    if state.house in ("elasticquota", "koordinator"):
        more = [configuration(state.house)]
    return state.having([*state.objects, *more])


def configuration(house: str) -> Manifest:
    """The scheduler's profile, as its chart has it, with arguments of a plugin."""
    name, plugin, args = {
        "elasticquota": ("capacityscheduler", "CapacityScheduling", ("NodeResourcesFit", {"scoringStrategy": {}})),
        "koordinator": ("koord-scheduler", "ElasticQuota", ("ElasticQuota", {"enableQueueHint": False})),
    }[house]
    enabled = {"enabled": [{"name": plugin}]}
    plugins = {"preFilter": enabled, "postFilter": {**enabled, "disabled": [{"name": "*"}]}, "reserve": enabled}
    profile = {"schedulerName": name, "plugins": plugins, "pluginConfig": [{"name": args[0], "args": args[1]}]}
    version = "kubescheduler.config.k8s.io/v1"
    return {
        "apiVersion": version,
        "kind": "KubeSchedulerConfiguration",
        "metadata": {"name": "c"},
        "profiles": [profile],
    }


def work(state: State, objects: list[Manifest]) -> list[Manifest]:
    """The first work that waits, with its pods."""
    running = {id(each) for each in state.having(objects).running}
    first = next(o for o in objects if o["kind"] == WAITING[state.house] and id(o) not in running)
    name = first["metadata"]["name"]
    pods = [
        o for o in objects if o["kind"] == "Pod" and o["metadata"].get("annotations", {}).get("pod-group-name") == name
    ]
    return [first, *pods]


def ask(state: State, objects: list[Manifest], question: str, folder: Path) -> Reply:
    """The answer to one question about a state with these objects."""
    program = Program(state.house, folder)
    file, asked = program.file("state", objects), work(state, objects)
    kind, metadata = asked[0]["kind"].lower(), asked[0]["metadata"]
    words = {
        "plan": ("plan", "-w", program.file("work", asked), "-f", file),
        "why": ("why", f"{kind}/{metadata['name']}", "-n", metadata["namespace"], "-f", file, "--now", NOW),
        "list": ("why", "-A", "-f", file, "--now", NOW),
        "shares": ("shares", "-f", file),
        "capacity": ("capacity", "-f", file, "--no-preempting"),
        "diff": ("diff", program.file("before", state.objects), file),
        "cycle": ("cycle", "-f", file),
    }
    return program.ask(*words[question])


def questions(house: str, some: tuple[str, ...] = ALL) -> Iterator[str]:
    return (each for each in some if each != "cycle" or house in ("kueue", "kai"))


def is_exact(reply: Reply) -> bool:
    """Whether the answer is exact; an input that is refused has none."""
    return reply.code != 3 and bool(reply.document["fidelity"]["exact"])


@cache
def exact_states(house: str, folder: Path) -> list[State]:
    """Two states in which every answer is exact, with each kind of object between them."""
    wanted = {kind for kind, _, _ in DECIDING[house]}
    found: list[State] = []
    for each in drawn(house, "unknown", 40):
        state = completed(each)
        kinds = {o["kind"] for o in state.objects} & wanted
        fresh = kinds - {o["kind"] for known in found for o in known.objects}
        if fresh and all(is_exact(ask(state, state.objects, q, folder)) for q in questions(house)):
            found.append(state)
        if wanted <= {o["kind"] for known in found for o in known.objects}:
            return found
    raise AssertionError(f"no state of {house} has {wanted}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("states")


def cases() -> Iterator[Any]:
    for house in HOUSES:
        for number, (kind, change, asked) in enumerate(DECIDING[house]):
            yield pytest.param(house, kind, change, asked, id=f"{house}-{number}-{kind}")


@pytest.mark.parametrize(("house", "kind", "change", "asked"), sampled(cases(), 12))
def test_what_is_unknown_takes_exact_from_every_answer_that_rests_on_it(
    house: str, kind: str, change: Change, asked: tuple[str, ...], folder: Path
) -> None:
    state = next(s for s in exact_states(house, folder) if any(o["kind"] == kind for o in s.objects))
    objects = changed(state.objects, kind, change)
    assert [q for q in questions(house, asked) if is_exact(ask(state, objects, q, folder))] == []


@pytest.mark.parametrize("house", HOUSES)
def test_it_changes_nothing_where_nothing_rests_on_it(house: str, folder: Path) -> None:
    for state in exact_states(house, folder):
        objects = [*state.objects, FINISHED if house == "kueue" else ENDED]
        for kind in sorted({o["kind"] for o in state.objects if "metadata" in o}):
            objects = changed(objects, kind, parts.described)
            objects = objects if kind == "KubeSchedulerConfiguration" else changed(objects, kind, parts.recorded)
        assert [q for q in questions(house) if not is_exact(ask(state, objects, q, folder))] == []


@pytest.mark.parametrize(
    ("kind", "change"), [("Topology", field), ("Node", field), ("Node", TAINT), ("Pod", field), ("Pod", TOLERATION)]
)
def test_where_a_topology_places_pods_their_ground_counts(kind: str, change: Change, folder: Path) -> None:
    ground = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "other", "namespace": "else"},
        "spec": {"nodeName": "a-0", "containers": [{"name": "main", "image": "x"}]},
    }
    given = yaml.safe_load((ROOT / "testdata" / "topology" / "second-look.yaml").read_text("utf-8"))["items"]
    objects, program = [*given, ground], Program("kueue", folder)
    assert is_exact(program.ask("cycle", "-f", program.file("ground", objects)))
    assert not is_exact(program.ask("cycle", "-f", program.file("ground", changed(objects, kind, change))))


def test_a_queue_of_another_tree_counts_for_the_shares_alone(folder: Path) -> None:
    state = exact_states("kueue", folder)[0]
    queue = next(o for o in state.objects if o["kind"] == "ClusterQueue")
    spec = {"namespaceSelector": {}, "resourceGroups": queue["spec"]["resourceGroups"], "newThing": 1}
    apart = {**queue, "metadata": {"name": "apart"}, "spec": spec}
    found = {q: is_exact(ask(state, [*state.objects, apart], q, folder)) for q in ("plan", "why", "shares", "cycle")}
    assert found == {"plan": True, "why": True, "shares": False, "cycle": False}


@pytest.mark.parametrize("redaction", ["names", "all"])
@pytest.mark.parametrize("house", sampled(HOUSES, 4))
def test_a_redacted_snapshot_still_shows_it(house: str, redaction: str, folder: Path) -> None:
    state = exact_states(house, folder)[0]
    for kind, change, asked in DECIDING[house]:
        if kind.endswith("Configuration") or "shares" not in asked:  # a manager's is refused
            continue
        file = Program(house, folder).file("changed", changed(state.objects, kind, change))
        if any(o["kind"] == kind for o in state.objects):
            taken = folder / "taken.json"
            taken.write_bytes(redacted(file, redaction))
            assert not is_exact(Program(house, folder).ask("shares", "-f", str(taken))), kind


def redacted(file: str, redaction: str) -> bytes:
    """The snapshot of a file."""
    reading = read([file], schedulers=known_schedulers(), stdin=None)
    return snapshot(reading, Redaction(redaction), known_schedulers())[0]
