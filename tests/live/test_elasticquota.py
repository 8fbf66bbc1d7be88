"""What ``plan`` says of a pod under ElasticQuotas is what the real scheduler then does with it.

Random quotas, nodes and pods; before each submission the state is read as kubectl would read it, and ``plan``
asked. FAIRSHARE_LIVE_STEPS says how many pods are submitted (60 unless told).
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.live.stage.asking import planned
from tests.live.stage.quotas import NAMESPACES, QUOTED, Cluster, classes
from tests.live.stage.scheduler import (
    BUDGETS,
    PODS,
    QUOTAS,
    add_budget,
    add_namespace,
    add_node,
    add_quota,
    crds,
    found,
    scheduler,
    state,
    verdict,
)
from tests.live.stage.server import Api, Object, Server, missing, server, wait_until

STEPS: Final = int(os.environ.get("FAIRSHARE_LIVE_STEPS", "60"))
WORLD: Final = 20
MESSAGES: Final = {"OverMax": "more than Max", "OverSumMin": "more than min", "Success": "nodes are available"}

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "capacity-scheduler")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'capacity-scheduler')}; see .ci/assets/build",
    ),
]


@dataclass(frozen=True)
class Happened:
    """What the scheduler did with a pod: the node it bound it to, whom it deleted, else its words."""

    node: str | None
    gone: frozenset[str]
    words: str


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("living")) as started:
        started.apply_crds(crds())
        for name in NAMESPACES:
            add_namespace(started.api, name)
        for path, body in classes():
            started.api.create(path, body)
        yield started


class World:
    """One cluster: nodes and quotas of one seed, with pods that come and go."""

    def __init__(self, api: Api, seed: int) -> None:
        self.api = api
        self.made = Cluster(seed)
        self.chance = self.made.chance
        self.started = 0
        self._clear()
        for i in range(self.chance.randint(1, 3)):
            add_node(api, f"node-{seed}-{i}", self.made.allocatable())
        for name in QUOTED:
            add_quota(api, name, *self.made.bounds())
        for name, app, allowed in self.made.budgets():
            add_budget(api, name, app, allowed)
        self._fill([node["metadata"]["name"] for node in api.get("/api/v1/nodes")["items"]])

    def _clear(self) -> None:
        for namespace in NAMESPACES:
            self.api.delete(f"/api/v1/namespaces/{namespace}/pods?gracePeriodSeconds=0")
            self.api.delete(f"{QUOTAS}/namespaces/{namespace}/elasticquotas")
            self.api.delete(f"{BUDGETS}/namespaces/{namespace}/poddisruptionbudgets")
        self.api.delete("/api/v1/nodes")
        wait_until(
            lambda: not self.api.get(PODS)["items"] and not self.api.get("/api/v1/nodes")["items"], "all is gone"
        )

    def _fill(self, nodes: Sequence[str]) -> None:
        """Puts pods on the nodes, most of one namespace, so that it borrows and room is short from the first step."""
        for i in range(self.chance.randint(2, 3 * len(nodes))):
            body = self.made.old_pod(f"old-{i}")
            body["spec"]["nodeName"] = self.chance.choice(nodes)
            namespace, name = body["metadata"]["namespace"], body["metadata"]["name"]
            self.api.create(f"/api/v1/namespaces/{namespace}/pods", body)
            self._run(namespace, name)

    def names(self) -> frozenset[str]:
        """All pods, as ``namespace/name``."""
        pods = self.api.get(PODS)["items"]
        return frozenset(f"{p['metadata']['namespace']}/{p['metadata']['name']}" for p in pods)

    def let_some_go(self) -> None:
        """Deletes a few running pods, so that there is room again."""
        for name in sorted(self.names()):
            if self.chance.random() < 0.07:
                namespace, _, own = name.partition("/")
                self.api.delete(f"/api/v1/namespaces/{namespace}/pods/{own}?gracePeriodSeconds=0")

    def submit(self, body: Object, expected: Object) -> Happened:
        """Creates the pod, and waits until the scheduler is done with it."""
        before = self.names()
        namespace, name = body["metadata"]["namespace"], body["metadata"]["name"]
        self.api.create(f"/api/v1/namespaces/{namespace}/pods", body)
        placed = expected["course"] in ("Schedulable", "Preempt")
        seen = self._settled(namespace, name, patience=15.0 if placed else 1.2)
        gone = before - self.names()
        node = seen["spec"].get("nodeName")
        if node is None:
            self.api.delete(f"/api/v1/namespaces/{namespace}/pods/{name}?gracePeriodSeconds=0")
            wait_until(lambda: found(self.api, namespace, name) is None, "the pod is gone")
        else:
            self._run(namespace, name)
        return Happened(node, gone, verdict(seen))

    def _settled(self, namespace: str, name: str, patience: float) -> Object:
        """The pod once it is bound, or has been left with a verdict for as long as ``patience``, in seconds."""
        deadline = time.monotonic() + 15
        left_at: float | None = None
        while True:
            seen = found(self.api, namespace, name)
            assert seen is not None, f"{namespace}/{name} vanished"
            now = time.monotonic()
            if seen["spec"].get("nodeName") or now > deadline:
                return seen
            if verdict(seen):
                left_at = left_at or now
                if now > left_at + patience:
                    return seen
            time.sleep(0.05)

    def _run(self, namespace: str, name: str) -> None:
        """Has the pod run since a second of its own, as no kubelet says so."""
        self.started += 1
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 + self.started))
        status = {"status": {"phase": "Running", "startTime": moment}}
        self.api.merge(f"/api/v1/namespaces/{namespace}/pods/{name}/status", status)


def differences(plan: Object, happened: Happened) -> Iterator[str]:
    """In what the scheduler did otherwise than planned."""
    course = plan["course"]
    if course == "Schedulable":
        if happened.node not in plan["feasibleNodes"] or happened.gone:
            yield f"planned on one of {plan['feasibleNodes']}"
    elif course == "Preempt":
        if happened.node not in (nodes := [*plan["choice"]["nodes"], *plan["elsewhere"]]):
            yield f"planned on one of {nodes}"
        else:
            yield from _other_victims(plan, happened)
    elif happened.node is not None or happened.gone:
        yield f"planned {course}"
    elif MESSAGES[plan["preFilter"]["verdict"]] not in happened.words:
        yield f"planned {plan['preFilter']['verdict']}"


def _other_victims(plan: Object, happened: Happened) -> Iterator[str]:
    """The pod may have come to another node than the one on which it preempted."""
    trials = [t for t in plan["trials"] if t["node"] in plan["choice"]["nodes"]]
    told = [{victim["pod"] for victim in trial["victims"]} for trial in trials]
    if happened.gone not in told and not any(trial["ties"] for trial in trials):
        yield f"planned to delete {' or '.join(str(sorted(victims)) for victims in told)}"


def test_the_scheduler_does_what_was_planned(living: Server, tmp_path: Path, count: Callable[[str], None]) -> None:
    courses: dict[str, int] = {}
    wrong: list[str] = []
    number = 0
    for seed in range((STEPS + WORLD - 1) // WORLD):
        world = World(living.api, seed)
        with scheduler(living):
            for _ in range(min(WORLD, STEPS - number)):
                number += 1
                world.let_some_go()
                body = world.made.pod(f"pod-{number}")
                given = state(living.api)
                plan = planned(tmp_path, given, body)
                happened = world.submit(body, plan)
                courses[plan["course"]] = courses.get(plan["course"], 0) + 1
                for difference in differences(plan, happened):
                    wrong.append(f"step {number} (world {seed}): {difference}, but {happened}")
                    (tmp_path / f"step-{number}.json").write_bytes(given)
                    (tmp_path / f"step-{number}-pod.json").write_text(json.dumps(body))
    count(f"{number} pods submitted: {courses}, {len(wrong)} went otherwise")
    assert not wrong, "\n".join(wrong)
    assert courses.get("Preempt"), "the play never came to a preemption"
