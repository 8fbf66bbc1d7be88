"""What ``plan`` says of a Job is what a living Kueue then does with it: outcome, flavors, victims, message.

Random organisations, with and without fair sharing; before each submission the state is read as kubectl would read
it, and ``plan`` asked. FAIRSHARE_LIVE_STEPS says how many Jobs are submitted (100 unless told).
"""

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.live.asking import planned
from tests.live.kueue import KUEUE, manager, state
from tests.live.organisation import API, PRIORITIES, Organisation
from tests.live.server import Api, ApiError, Object, Server, missing, server, wait_until

STEPS: Final = int(os.environ.get("FAIRSHARE_LIVE_STEPS", "100")) // 2
WORLD: Final = 20
JOBS: Final = "/apis/batch/v1"
CONTENDED: Final = ("no longer fits after processing another workload", "Pending the preemption of")

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "kueue-manager")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'kueue-manager')}; see .ci/assets/build",
    ),
]


@dataclass(frozen=True)
class Happened:
    """What Kueue did with a Job: its flavors once admitted, whom it preempted for it, else its words.

    ``back`` are those of the preempted that hold quota again.
    """

    flavors: dict[str, dict[str, str]] | None
    counts: dict[str, int]
    victims: frozenset[str]
    back: frozenset[str]
    words: str


@pytest.fixture(scope="module", params=[True, False], ids=["fair", "classical"])
def living(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("living")) as started, manager(started, fair=request.param):
        for name, value in PRIORITIES.items():
            body = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
            started.api.create(f"{KUEUE}/workloadpriorityclasses", body)
        yield started


class World:
    """One organisation in the living Kueue, with Jobs that come and go."""

    def __init__(self, api: Api, seed: int) -> None:
        self.api = api
        self.made = Organisation(seed)
        self.jobs = f"{JOBS}/namespaces/{self.made.namespace}/jobs"
        self.workloads = f"{KUEUE}/namespaces/{self.made.namespace}/workloads"
        api.create("/api/v1/namespaces", {"metadata": {"name": self.made.namespace}})
        for plural, body in self.made.objects():
            place = f"namespaces/{self.made.namespace}/" if plural == "localqueues" else ""
            api.create(f"{KUEUE}/{place}{plural}", body)
        for name in self.made.queues:
            wait_until(lambda name=name: self._serves(name), f"ClusterQueue {name} is active")

    def _serves(self, name: str) -> bool:
        status = self.api.get(f"{KUEUE}/namespaces/{self.made.namespace}/localqueues/{name}").get("status", {})
        return condition({"status": status}, "Active")[0] == "True"

    def all_workloads(self) -> dict[str, Object]:
        """The workloads by the Job that owns them."""
        items = self.api.get(self.workloads)["items"]
        return {w["metadata"]["ownerReferences"][0]["name"]: w for w in items if w["metadata"].get("ownerReferences")}

    def submit(self, job: Object, *, admitted: bool) -> Happened:
        """Creates the Job and waits until Kueue is done with it."""
        name = job["metadata"]["name"]
        time.sleep(1.02 - time.time() % 1)  # no two Jobs of one second: Kueue would order them by UID
        self.api.create(self.jobs, job)
        mine = self._settled(name, admitted=admitted)
        preempted = re.compile(rf"\(UID: {mine['metadata']['uid']}, ")
        found = self.all_workloads()
        victims = frozenset(job for job, w in found.items() if preempted.search(condition(w, "Preempted")[1]))
        back = frozenset(job for job in victims if condition(found[job], "QuotaReserved")[0] == "True")
        status, words = condition(mine, "QuotaReserved")
        if status != "True":
            return Happened(None, {}, victims, back, words)
        assigned = mine["status"]["admission"]["podSetAssignments"]
        flavors = {a["name"]: a.get("flavors") or {} for a in assigned}
        return Happened(flavors, {a["name"]: a["count"] for a in assigned}, victims, back, "")

    def _settled(self, name: str, *, admitted: bool) -> Object:
        """The Job's workload once it holds quota, or has been told to wait for a while."""
        deadline, waits_since = time.monotonic() + 20, None
        while True:
            found = self.all_workloads().get(name)
            now = time.monotonic()
            status, words = condition(found, "QuotaReserved") if found is not None else ("", "")
            assert now < deadline or words, f"nothing was said of {name} in 20 s"
            if found is not None and (status == "True" or now > deadline):
                return found
            if found is not None and words:
                waits_since = waits_since or now
                if now > waits_since + (6 if admitted else 0.5):
                    return found
            time.sleep(0.05)

    def forget_who_waits(self) -> None:
        """Takes all Jobs away that hold no quota, so that the next one is alone in asking."""
        while waiting := [n for n, w in self.all_workloads().items() if condition(w, "QuotaReserved")[0] != "True"]:
            self._forget(waiting)

    def _forget(self, names: list[str]) -> None:
        for name in names:
            workload = self.all_workloads().get(name)
            self.api.delete(f"{self.jobs}/{name}?propagationPolicy=Background")
            if workload is not None:
                path = f"{self.workloads}/{workload['metadata']['name']}"
                wait_until(lambda path=path: self._gone(path), f"{path} is gone", 20)

    def _gone(self, path: str) -> bool:
        try:
            found = self.api.get(path)
        except ApiError as error:
            return error.status == 404
        if found["metadata"].get("finalizers"):
            self.api.merge(path, {"metadata": {"finalizers": None}})
        self.api.delete(path)
        return False


def condition(workload: Object, kind: str) -> tuple[str, str]:
    """Status and message of a condition; empty while there is none."""
    for each in workload.get("status", {}).get("conditions") or ():
        if each["type"] == kind:
            return each["status"], each.get("message", "")
    return "", ""


def differences(plan: Object, happened: Happened) -> Iterator[str]:
    """In what Kueue did otherwise than planned."""
    victims = {victim["workload"]["name"] for victim in plan["victims"]} if plan["outcome"] == "Preempts" else set()
    if victims and victims == happened.victims and is_contended(happened):
        return  # as planned; then one that had left was faster than the one for whom it had to leave, perhaps for ever
    if plan["outcome"] in ("Admitted", "Preempts"):
        flavors = {p["name"]: {f["resource"]: f["flavor"] for f in p["flavors"]} for p in plan["podSets"]}
        if happened.flavors != flavors:
            yield f"planned {plan['outcome']} in {flavors}"
        elif not _as_many(plan, happened):
            yield f"planned {[p['count'] for p in plan['podSets']]} pods"
    elif happened.flavors is not None:
        yield f"planned {plan['outcome']}"
    elif happened.words != plan["condition"]["message"]:
        yield f"planned the words {plan['condition']['message']!r}"
    if victims != happened.victims:
        yield f"planned the victims {sorted(victims)}"


def is_contended(happened: Happened) -> bool:
    """Whether the room that the victims left was taken again before the Job could have it."""
    return bool(happened.back) or any(words in happened.words for words in CONTENDED)


def _as_many(plan: Object, happened: Happened) -> bool:
    """Whether as many pods were admitted as planned; in the room that somebody left there may be place for more."""
    counts = {p["name"]: p["count"] for p in plan["podSets"]}
    if plan["outcome"] == "Preempts":
        return all(happened.counts[name] >= planned for name, planned in counts.items())
    return happened.counts == counts


def test_kueue_does_what_was_planned(living: Server, tmp_path: Path, count: Callable[[str], None]) -> None:
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    number = 0
    while number < STEPS:
        world = World(living.api, number // WORLD)
        for _ in range(min(WORLD, STEPS - number)):
            number += 1
            job = world.made.job(number)
            given = state(living.api)
            owners = {w["metadata"]["name"]: name for name, w in world.all_workloads().items()}
            plan = planned(tmp_path, given, job)
            for victim in plan["victims"]:
                victim["workload"]["name"] = owners[victim["workload"]["name"]]
            happened = world.submit(job, admitted=plan["outcome"] in ("Admitted", "Preempts"))
            outcomes[plan["outcome"]] += 1
            outcomes["Contended"] += bool(plan["victims"]) and is_contended(happened)
            for difference in differences(plan, happened):
                wrong.append(f"step {number}: {difference}, but {happened}")
                (tmp_path / f"step-{number}.json").write_bytes(given)
            world.forget_who_waits()
    count(f"{number} Jobs submitted: {dict(outcomes)}, {len(wrong)} differences")
    assert not wrong, "\n".join(wrong)
    assert outcomes["Preempts"], "the play never came to a preemption"
