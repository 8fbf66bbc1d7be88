"""A file of jobs over time: each mistake at its line, and the same jobs for a seed."""

from pathlib import Path

import pytest

from kubectl_fairshare.cli.policy.scenario_file import JobScenario
from kubectl_fairshare.model.errors import FairshareError

HEAD = "apiVersion: fairshare.dev/v1alpha1\nkind: JobScenario\n"
JOB = "name: a, namespace: ns, requests: {cpu: 1}"
SECOND = 10**9


def scenario(tmp_path: Path, text: str) -> JobScenario:
    path = tmp_path / "week.yaml"
    path.write_text(HEAD + text, "utf-8")
    return JobScenario(str(path), None, 1 << 20)


WRONG = {
    "jobs: [{name: a, namespace: ns, requests: {cpu: one}}]": "`one` is not a quantity",
    f"jobs: [{{{JOB}, at: soon}}]": "is not a span of time",
    f"jobs: [{{{JOB}, at: -5s}}]": "`-5s` is below 0",
    f"jobs: [{{{JOB}, count: 2}}]": "several jobs need `every` or `meanGap`",
    f"jobs: [{{{JOB}, duration: 1h, meanDuration: 1h}}]": "excludes `duration`",
    f"jobs: [{{{JOB}, pods: 2, minPods: 3}}]": "`minPods` is above `pods`",
    f"jobs: [{{{JOB}}}, {{{JOB}}}]": "two jobs are called `ns/a`",
    f"jobs: [{{{JOB}, priorty: 3}}]": "unknown field of a job `priorty`",
    "changes: [{at: 1h}]": "changes nothing",
    "start: yesterday": "is not a moment",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_mistake_is_reported_at_its_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(FairshareError) as caught:
        scenario(tmp_path, text)
    (problem,) = caught.value.problems
    assert WRONG[text] in f"{problem.place}: {problem.message}".split("week.yaml:")[-1]
    assert problem.help


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(FairshareError) as caught:
        scenario(tmp_path, f"until: later\njobs: [{{{JOB}, at: soon}}]")
    assert len(caught.value.problems) == 2


def test_copies_arrive_at_equal_distances_after_the_start(tmp_path: Path) -> None:
    text = f'start: "2026-01-05T08:00:00Z"\njobs: [{{{JOB}, at: 1h, count: 3, every: 90s, duration: 5m}}]'
    found = scenario(tmp_path, text)

    jobs = list(found.jobs(0))

    assert [(each.created - found.start) // SECOND for each in jobs] == [3600, 3690, 3780]
    assert [each.name for each in jobs] == ["a-0", "a-1", "a-2"]
    assert {each.duration for each in jobs} == {300 * SECOND}


def test_what_is_drawn_depends_on_the_seed_alone(tmp_path: Path) -> None:
    found = scenario(tmp_path, f"jobs: [{{{JOB}, count: 50, meanGap: 1m, meanDuration: 10m}}]")

    assert list(found.jobs(1)) == list(found.jobs(1))
    assert [each.created for each in found.jobs(1)] != [each.created for each in found.jobs(2)]


def test_a_further_entry_changes_no_number_of_the_others(tmp_path: Path) -> None:
    one = f"{{{JOB}, count: 9, meanGap: 1m}}"
    more = "{name: b, namespace: ns, requests: {cpu: 1}, count: 9, meanGap: 1m}"

    alone = list(scenario(tmp_path, f"jobs: [{one}]").jobs(4))
    both = list(scenario(tmp_path, f"jobs: [{one}, {more}]").jobs(4))

    assert both[:9] == alone


def test_paths_of_changes_are_relative_to_the_file(tmp_path: Path) -> None:
    (change,) = scenario(tmp_path, "changes: [{at: 1h, overlay: [more.yaml], delete: [Cohort/a]}]").changes
    assert change.overlay == (str(tmp_path / "more.yaml"),)
    assert change.at == 3600 * SECOND
