"""Workloads together, cycle by cycle: the same as a simulation in which all arrive at once and nothing ends."""

import random
from pathlib import Path

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.simulation import SimulatedJob
from kubectl_fairshare.answers.together import Together
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.simulation.parameters import Parameters
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.policy.together import together
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.question import PlanQuestion, Wishes
from tests.unit.policy.forecast.cutting import as_text, workload
from tests.unit.policy.forecast.test_plays import random_jobs, random_queues
from tests.unit.policy.simulation.states import SECOND, job, policy, queue

KUEUE = scheduler_named("kueue")
NOW = 1000 * SECOND
STARTS = (Outcome.ADMITTED, Outcome.PREEMPTS)


def given(folder: Path, *jobs: SimulatedJob) -> Reading:
    """Jobs as Workloads in a file."""
    path = folder / "work.yaml"
    path.write_text(as_text([workload(each, number) for number, each in enumerate(jobs)]))
    return read((str(path),), known_schedulers())


def asked(folder: Path, *jobs: SimulatedJob) -> PlanQuestion:
    return PlanQuestion(given(folder, *jobs), Wishes(), "")


def started(found: Together) -> set[str]:
    return {each.job.key for each in found.jobs if each.computed in STARTS}


@pytest.mark.parametrize("seed", range(40))
def test_together_is_a_simulation_in_which_all_come_at_once(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    queues = random_queues(chance)
    names = ["vision", "speech", "search"][: len(queues)]
    jobs = [replace(each, duration=None) for each in random_jobs(chance, names)]
    snapshot = policy(tmp_path, *queues, fair=chance.random() < 0.5)
    at_once = {each.key: NOW for each in jobs}
    whole = simulate(KUEUE, snapshot, jobs, Parameters(most_evictions=300), (), at_once)
    found = together(KUEUE, snapshot, asked(tmp_path, *(SimulatedJob(each, "") for each in jobs)), NOW)
    if whole.ties or not found.fidelity.all_outcomes or whole.endless:
        assert whole.endless is not found.rests
        return
    assert started(found) == {each.job.key for each in whole.jobs if len(each.admitted) > len(each.evictions)}
    assert {each.job.key: len(each.evicted) for each in found.jobs} == {
        each.job.key: len(each.evictions) for each in whole.jobs
    }
    assert found.rests
    cycles = [each.cycle for each in found.jobs if each.cycle is not None]
    assert cycles == sorted(cycles)


@pytest.mark.parametrize("seed", range(20))
def test_the_first_cycle_is_the_one_that_cycle_answers(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    queues = random_queues(chance)
    snapshot = policy(tmp_path, *queues)
    jobs = random_jobs(chance, ["vision", "speech", "search"][: len(queues)])
    reading = given(tmp_path, *(SimulatedJob(each, "") for each in jobs))
    whole = assemble((*snapshot.manifests.values(), *reading.manifests), known_schedulers()).snapshot
    cycle = KUEUE.cycle(whole)
    found = together(KUEUE, whole, None, NOW)
    first = {each.key.name for each in cycle.entries if each.outcome is Outcome.ADMITTED}
    assert len(found.jobs) == len(jobs)
    in_one = {each.job.name for each in found.jobs if each.cycle == 1}
    evicted = {each.job.name for each in found.jobs if each.evicted}
    assert in_one | evicted >= first
    assert in_one <= first


def test_the_work_of_the_input_is_asked_about_as_it_waits(tmp_path: Path) -> None:
    """With or without its file; a job that runs is left out, with a note, and may have to stop."""
    jobs = [job(f"j{number}", "vision", number, 2, None) for number in range(5)]
    runs = SimulatedJob(
        job("old", "speech", 0, 4, None), "speech", admitted=[SECOND], held={("a100", "nvidia.com/gpu"): 4}
    )
    snapshot = policy(tmp_path, queue("vision", 4), queue("speech", 0))
    reading = given(tmp_path, *(SimulatedJob(each, "") for each in jobs), runs)
    whole = assemble((*snapshot.manifests.values(), *reading.manifests), known_schedulers()).snapshot
    alone, named = together(KUEUE, whole, None, NOW), together(KUEUE, whole, PlanQuestion(reading, Wishes(), ""), NOW)
    assert started(alone) == {"vision/j0", "vision/j1"}
    assert [each.job.key for each in alone.displaced] == ["speech/old"]
    assert (named.jobs, named.displaced) == (alone.jobs, alone.displaced)
    assert [note.message for note in named.notes] == ["1 job runs already, and is not asked about"]
    assert {each.reason for each in alone.jobs if each.computed is Outcome.WAITS} == {
        "quota 4 nvidia.com/gpu in a100 of Cohort all and all below it"
    }


def test_a_folder_of_new_jobs_is_created_in_its_order(tmp_path: Path) -> None:
    snapshot = policy(tmp_path, queue("vision", 3))
    jobs = [SimulatedJob(job(name, "vision", 0, 2, None), "") for name in ("z", "a")]
    manifests = [workload(each, number) for number, each in enumerate(jobs)]
    for each in manifests:
        del each["metadata"]["uid"], each["metadata"]["creationTimestamp"], each["status"]
    path = tmp_path / "new.yaml"
    path.write_text(as_text(manifests))
    found = together(KUEUE, snapshot, PlanQuestion(read((str(path),), known_schedulers()), Wishes(), ""), NOW)
    assert started(found) == {"vision/z"}
    assert found.fidelity.exact
    assert any("in the order given" in each for each in found.assumed)
