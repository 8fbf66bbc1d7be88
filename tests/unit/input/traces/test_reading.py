"""A trace is read as it was written, and each mistake is reported at its line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.traces.reading import read_trace, trace_of
from kubectl_fairshare.input.traces.writing import trace_text
from kubectl_fairshare.jobs.history import Lost, PastWork, in_arrival
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob, TracedPods
from kubectl_fairshare.model.selectors import Toleration

MOMENTS = st.integers(0, 4 * 10**18)
NAMES = st.from_regex(r"[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?", fullmatch=True)
PODS = st.builds(
    TracedPods,
    NAMES,
    st.integers(0, 4096),
    st.dictionaries(st.sampled_from(["cpu", "memory", "nvidia.com/gpu"]), st.integers(0, 2**50)),
    st.none() | st.integers(1, 8),
    st.dictionaries(NAMES, NAMES, max_size=2),
    st.lists(
        st.builds(Toleration, NAMES, st.sampled_from(["Equal", "Exists"]), NAMES, st.sampled_from(["", "NoSchedule"])),
        max_size=2,
    ).map(tuple),
)
JOBS = st.builds(
    TracedJob,
    NAMES,
    NAMES,
    NAMES,
    MOMENTS,
    st.lists(PODS, min_size=1, max_size=2).map(tuple),
    st.integers(-(2**31), 2**31 - 1),
    NAMES,
    st.none() | st.integers(0, 10**6).map(lambda seconds: seconds * 10**9),
    st.none() | MOMENTS,
    st.none() | MOMENTS,
    st.lists(MOMENTS, max_size=2).map(tuple),
    st.lists(st.builds(TracedEviction, MOMENTS, NAMES), max_size=2).map(tuple),
    st.none() | MOMENTS,
)


@given(st.lists(JOBS, max_size=4, unique_by=lambda job: job.key), st.none() | MOMENTS)
def test_what_is_written_is_read_again(jobs: list[TracedJob], until: int | None) -> None:
    work = PastWork("some", "cluster", in_arrival(jobs), until, Lost(2, until), ("a note",))
    assert trace_of("t", trace_text(work, {}, "none", str)) == work


HEADER = trace_text(PastWork("", "csv", ()), {}, "none", str)
LINE = {"name": "a", "namespace": "n", "queue": "q", "created": "2026-01-01T00:00:00Z", "podSets": []}


def problem_of(*lines: object) -> tuple[str, str]:
    text = HEADER + b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with pytest.raises(FairshareError) as caught:
        trace_of("week.jsonl", text)
    first = caught.value.problems[0]
    assert first.help
    return str(first.place), first.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "`podSets` is empty"),
        ({"podSets": [{"name": "m", "count": 1, "requests": {"cpu": "x"}}]}, "`x` is not a quantity"),
        ({"podSets": [{"name": "m", "count": -1, "requests": {}}]}, "`count` is not a number of pods: `-1`"),
        ({"podSets": [{"name": "m", "count": 1, "requests": {"cpu": "-1"}}]}, "`cpu` is negative: `-1`"),
        ({"created": "today"}, "`today` is not a moment"),
        ({"durationSeconds": -5}, "`durationSeconds` is not a duration: `-5`"),
        ({"priority": "high"}, "expected `int`, got `str` - at `$.priority`"),
        ({"name": ""}, "`name` is empty"),
    ],
)
def test_a_mistake_is_reported_at_its_line(change: dict[str, object], message: str) -> None:
    good = LINE | {"podSets": [{"name": "m", "count": 1, "requests": {}}]}
    assert problem_of(good, LINE | change | {"name": change.get("name", "b")}) == ("week.jsonl:3:1", message)


def test_a_job_twice_names_both_lines() -> None:
    good = LINE | {"podSets": [{"name": "m", "count": 1, "requests": {}}]}
    assert problem_of(good, good) == ("week.jsonl:3:1", "job `n/a` occurs twice")


def test_another_file_is_no_trace(tmp_path: Path) -> None:
    other = tmp_path / "x.jsonl"
    other.write_text('{"kind": "List"}\n', encoding="utf-8")
    with pytest.raises(FairshareError, match="the first line is not the header of a trace"):
        read_trace(str(other))
