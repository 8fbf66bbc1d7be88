"""Queues that may preempt running jobs of KAI are those of which a newcomer does: other newcomers find no other.

Jobs of random sizes and priorities, that no knowledge of quotas went into, are planned on random states; and each that
is said to take a job is planned by the program.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.explain.preemptors.takers import CLASSES, takers
from kubectl_fairshare.schedulers.kai.explain.victims import laws_of_victims
from kubectl_fairshare.schedulers.kai.jobs.groups import submission_of, with_submission
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.consistency.asking import Program
from tests.consistency.states import State, drawn
from tests.property.effort import ASKED

COUNT = ASKED or 30
LOADS = 30 if ASKED else 8
_RECLAIM = (Law.OVER_QUOTA, Law.OVER_SHARE)


_CLASSES = [
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}
    for name, value in CLASSES.items()
]


def opened(state: State) -> Session:
    return open_session(assemble(manifests_of(state.objects, state.name), known_schedulers()).snapshot.part(KaiState))


def newcomer(queue: str, node: str, dice: Random) -> dict[str, Any]:
    """A Job of random size and priority, perhaps for one node."""
    requests = {"nvidia.com/gpu": str(dice.randrange(1, 5)), "cpu": dice.choice(["100m", "1", "2"])}
    spec: dict[str, Any] = {
        "schedulerName": "kai-scheduler",
        "priorityClassName": dice.choice(["train", "build", "high"]),
        "containers": [{"name": "main", "image": "busybox", "resources": {"requests": requests, "limits": requests}}],
    }
    if dice.random() < 0.5:
        spec["nodeSelector"] = {"kubernetes.io/hostname": node}
    count = dice.choice([1, 1, 1, 2, 3])
    metadata = {
        "name": "asked",
        "namespace": "default",
        "labels": {"kai.scheduler/queue": queue},
        "annotations": {"kai.scheduler/batch-min-member": str(count)},
    }
    job = {"parallelism": count, "template": {"spec": spec}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": job}


def taken(session: Session, manifest: dict[str, Any]) -> Iterator[tuple[str, Law]]:
    """What a plan of a job takes."""
    (read,) = manifests_of([manifest], "newcomer")
    job = submission_of(read, session.state)
    after = open_session(with_submission(session.state, job), session.shard)
    yield from laws_of_victims(plan(after, job.group.name, advise=False)).items()


@pytest.mark.slow
def test_a_queue_is_named_if_a_newcomer_of_it_takes_the_job() -> None:
    for state in drawn("kai", "named", COUNT):
        session, dice = opened(state), Random(state.name)
        running = [job for job in session.jobs.values() if job.active]
        known = takers(session, PreemptorNumbers(), running)
        named = {(name, each.queue, each.law in _RECLAIM) for name, found in known.of.items() for each in found}
        leaves = [name for name in sorted(session.standings) if session.is_leaf(name)]
        for _ in range(LOADS):
            queue, node = dice.choice(leaves), dice.choice(sorted(session.nodes))
            manifest = newcomer(queue, node, dice)
            for name, law in taken(session, manifest):
                if name in known.of:
                    assert (name, queue, law in _RECLAIM) in named, (state.name, name, queue, law, manifest)


@pytest.mark.slow
def test_each_named_queue_has_a_newcomer_that_takes_the_job(tmp_path: Path) -> None:
    for state in drawn("kai", "taken", COUNT):
        session, program = opened(state), Program("kai", tmp_path)
        known = takers(session, PreemptorNumbers(), [job for job in session.jobs.values() if job.active])
        file = program.file("state", [*state.objects, *_CLASSES])
        for (queue, name, law), manifest in sorted(known.newcomers.items(), key=str)[:2]:
            reply = program.ask("plan", "-w", program.file("newcomer", [manifest.data]), "-f", file)
            victims = {(each["object"]["name"], each["law"]) for each in reply.document["victims"]}
            assert (name, str(law)) in victims, (state.name, queue, name, law)
        pairs = {(name, each.queue) for name, found in known.of.items() for each in found}
        assert known.doubt or pairs == {(name, queue) for queue, name, _ in known.newcomers}, state.name
