"""Tables with a mapping of columns: forms of moments and durations, and mistakes at their lines."""

import pytest

from kubectl_fairshare.input.traces.columns import ColumnMapping, read_table
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.job_trace import TracedJob

HOUR = 3600 * 10**9


def job(cells: dict[str, str]) -> TracedJob:
    titles = ",".join(cells)
    columns = ColumnMapping([*(f"{name}={name}" for name in cells), "request.cpu=:1"])
    (found,) = read_table("t.csv", f"{titles}\n{','.join(cells.values())}\n".encode(), columns).jobs
    return found


@pytest.mark.parametrize(
    "text",
    ["2026-01-05T08:00:00Z", "2026-01-05 08:00:00", "2026-01-05T09:00:00+01:00", "1767600000", "1767600000.0"],
)
def test_a_moment_has_many_forms(text: str) -> None:
    assert job({"created": text}).created == 1767600000 * 10**9


@pytest.mark.parametrize("text", ["3600", "01:00:00", "1h", "60m", "0-01:00:00"])
def test_a_duration_has_many_forms(text: str) -> None:
    assert job({"created": "0", "duration": text}).duration == HOUR


def test_an_end_and_a_start_give_the_duration() -> None:
    assert job({"created": "0", "admitted": "10", "finished": "3610"}).duration == HOUR


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"created": "soon"}, "`created` cannot be read: `soon`"),
        ({"created": "0", "duration": "long"}, "`duration` cannot be read: `long`"),
        ({"created": "0", "count": "1.5"}, "`count` cannot be read: `1.5`"),
        ({"created": "9", "admitted": "8"}, "`admitted` is before `created`"),
        ({"created": "0", "admitted": "8", "finished": "7"}, "`finished` is before `admitted`"),
        ({"created": "1e400"}, "`created` cannot be read: `1e400`"),
    ],
)
def test_a_wrong_cell_is_reported_at_its_line(cells: dict[str, str], message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        job(cells)
    assert [(str(p.place), p.message) for p in caught.value.problems] == [("t.csv:2:1", message)]


def test_a_column_that_is_not_there_is_named_with_a_near_one() -> None:
    with pytest.raises(FairshareError) as caught:
        read_table("t.csv", b"submitted,cpus\n0,1\n", ColumnMapping(["created=submited", "request.cpu=cpus"]))
    assert "did you mean `submitted`" in str(caught.value.problems[0].help)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_titles_say_what_separates_cells(separator: str) -> None:
    table = separator.join(["name", "at", "cpus", "\n7", "1", "2"]).encode().replace(separator.encode() + b"\n", b"\n")
    columns = ColumnMapping(["name=name", "created=at", "request.cpu=cpus"])
    (job,) = read_table("t.csv", table, columns).jobs
    assert (job.name, job.pod_sets[0].requests) == ("7", {"cpu": 2000})
    with pytest.raises(FairshareError) as caught:
        read_table("t.csv", table, ColumnMapping(["created=zzz", "request.cpu=cpus"]))
    assert caught.value.problems[0].help == "columns are `name`, `at`, `cpus`"


def test_a_job_that_occurs_twice_is_reported_at_its_line() -> None:
    with pytest.raises(FairshareError, match="job `default/a` occurs twice") as caught:
        read_table("t.csv", b"name,at\na,0\nb,0\na,5\n", ColumnMapping(["name=name", "created=at", "request.cpu=:1"]))
    assert str(caught.value.problems[0].place) == "t.csv:4:1"


@pytest.mark.parametrize(("text", "amount", "lacks"), [("0.5", 1, 1), ("1.5", 2, 1), ("2", 2, 0)])
def test_a_part_of_a_device_counts_as_a_whole_one_and_says_so(text: str, amount: int, lacks: int) -> None:
    found = job({"created": "0", "request.nvidia.com/gpu": text})
    assert found.pod_sets[0].requests["nvidia.com/gpu"] == amount
    assert found.lacks == ("a part of one nvidia.com/gpu, counted as whole",) * lacks


def test_a_short_line_is_reported() -> None:
    with pytest.raises(FairshareError, match=r"the line has 1 columns, and none for `request.cpu`"):
        read_table("t.csv", b"created,cpus\n0\n", ColumnMapping(["created=created", "request.cpu=cpus"]))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(end: str) -> None:
    table = end.join(["created", "0", "60", ""]).encode()
    assert len(read_table("t.csv", table, ColumnMapping(["created=created", "request.cpu=:1"])).jobs) == 2


def test_a_cell_without_end_is_reported_at_its_line() -> None:
    with pytest.raises(FairshareError, match="field larger than field limit") as caught:
        read_table("t.csv", b'created\n0\n"' + b"x" * 200_000, ColumnMapping(["created=created", "request.cpu=:1"]))
    assert "t.csv:3" in str(caught.value.problems[0].place)
