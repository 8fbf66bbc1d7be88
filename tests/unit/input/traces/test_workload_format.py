"""Logs of the Parallel Workloads Archive: all 18 fields, comments, and mistakes at their lines."""

import pytest

from kubectl_fairshare.input.traces.queue_names import QueueNames
from kubectl_fairshare.input.traces.workload_format import FIELDS, QUEUE_FIELDS, read_log
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.model.errors import FairshareError

LINE = "7 100 20 300 4 250 2048 8 600 4096 1 11 12 13 1 2 -1 -1"


def read(text: str, template: str = "{queue}") -> PastWork:
    return read_log("x.swf", text.encode(), {"cpu": 1000}, QueueNames(template, QUEUE_FIELDS))


def test_a_line_has_18_fields() -> None:
    assert len(FIELDS) == len(LINE.split()) == 18


def test_requested_processors_and_memory_come_before_used_ones() -> None:
    (job,) = read(LINE).jobs
    (pods,) = job.pod_sets
    assert (pods.count, pods.requests) == (8, {"cpu": 1000, "memory": 4096 * 1024})
    used = LINE.replace(" 8 600 4096 ", " -1 600 -1 ")
    (pods,) = read(used).jobs[0].pod_sets
    assert (pods.count, pods.requests) == (4, {"cpu": 1000, "memory": 2048 * 1024})


def test_moments_count_from_the_start_of_the_log() -> None:
    (job,) = read(f"; UnixStartTime: 1000\n{LINE}").jobs
    assert [job.created, job.admitted, job.finished] == [1100 * 10**9, 1120 * 10**9, 1420 * 10**9]
    assert any("no `UnixStartTime`" in note for note in read(LINE).notes)


@pytest.mark.parametrize("start", ["8447328044732800", "-5", "inf", "yesterday", ""])
def test_a_start_that_is_no_moment_is_told(start: str) -> None:
    found = read(f"; UnixStartTime: {start}\n{LINE}")
    assert found.jobs[0].created == 100 * 10**9
    assert any("no `UnixStartTime` that is a moment" in note for note in found.notes)


def test_queues_and_partitions_have_the_names_of_the_header() -> None:
    text = f"; Queue: 1 Night Shift\n; Partition: 2 fat\n{LINE}"
    (job,) = read(text, "u{user}/{queue}-{partition}").jobs
    assert (job.namespace, job.queue) == ("u11", "night-fat")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 2 3", "the line has 3 fields, not 18"),
        (LINE.replace("300", "x"), "field 4 (run time) is not a number: `x`"),
        (LINE.replace("300", "nan"), "field 4 (run time) is not a number: `nan`"),
        (LINE.replace("300", "1e400"), "field 4 (run time) is not a number: `1e400`"),
        (LINE.replace(" 8 ", " inf "), "field 8 (requested number of processors) is not a number: `inf`"),
        (LINE.replace(" 8 ", " 3e9 "), "field 8 (requested number of processors) is too large: `3e9`"),
        (LINE.replace("300", "1e12"), "field 4 (run time) is too large: `1e12`"),
        (LINE.replace("100", "-1"), "field 2 (submit time) is not known: `-1`"),
        (f"{LINE.replace('7 100', '3 100')}\n{LINE}\n{LINE}", "job `default/job-7` occurs twice"),
    ],
)
def test_a_mistake_is_reported_at_its_line(line: str, message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        read(f"; Note: n\n{line}\n")
    last = 2 + line.count("\n")
    assert [(str(p.place), p.message) for p in caught.value.problems] == [(f"x.swf:{last}:1", message)]


def test_a_log_without_a_job_is_an_error() -> None:
    with pytest.raises(FairshareError, match="the log has no job"):
        read("; Version: 2\n")
