"""``trace``: one line for each job, from dumps of every scheduler and from other programs' logs."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.schemas import validator
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
DATA = ROOT / "testdata" / "traces"


def traced(run: Run, tmp_path: Path, options: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    out = tmp_path / "t.jsonl"
    screen = run(f"kubectl-fairshare trace {options} -o {out}")
    assert screen.code == 0, screen.stderr
    header, *lines = map(json.loads, out.read_text("utf-8").splitlines())
    return header, {line["name"]: line for line in lines}


@pytest.mark.parametrize("source", ["kueue", "pods", "groups"])
def test_every_line_follows_the_schema(run: Run, tmp_path: Path, source: str) -> None:
    header, jobs = traced(run, tmp_path, f"-f {DATA}/{source}.yaml")
    for line in (header, *jobs.values()):
        validator("Trace", "v1alpha1").validate(line)
    assert header["jobs"] == len(jobs) > 0


def test_a_finished_workload_has_all_its_moments(run: Run, tmp_path: Path) -> None:
    _, jobs = traced(run, tmp_path, f"-f {DATA}/kueue.yaml --redact none")
    assert jobs["job-train-1"] == {
        "name": "job-train-1",
        "namespace": "team-vision",
        "queue": "main",
        "created": "2026-03-02T08:00:00Z",
        "podSets": [
            {
                "name": "main",
                "count": 2,
                "requests": {"cpu": "4", "nvidia.com/gpu": "2"},
                "nodeSelector": {"zone": "a"},
                "tolerations": [{"operator": "Exists", "key": "gpu", "effect": "NoSchedule"}],
            }
        ],
        "priority": 100,
        "priorityClass": "urgent",
        "durationSeconds": 3600.0,
        "reserved": "2026-03-02T08:00:05Z",
        "admitted": "2026-03-02T08:00:05Z",
        "finished": "2026-03-02T09:00:05Z",
    }


def test_events_give_the_runs_before_an_eviction_and_more_exact_moments(run: Run, tmp_path: Path) -> None:
    _, jobs = traced(run, tmp_path, f"-f {DATA}/kueue.yaml --redact none")
    again = jobs["job-again-2"]
    assert again["admitted"] == "2026-03-02T08:10:00.25Z"
    assert again["evicted"] == [{"at": "2026-03-02T09:30:00.5Z", "reason": "Preempted"}]
    assert again["readmitted"] == ["2026-03-02T10:00:00.125Z"]
    assert again["durationSeconds"] == 1800.0, "only the last run was not interrupted; its end is cut to seconds"


def test_an_admission_is_left_out_where_an_earlier_one_is_lost(run: Run, tmp_path: Path) -> None:
    header, jobs = traced(run, tmp_path, f"-f {DATA}/kueue.yaml --redact none")
    assert "admitted" not in jobs["job-running-3"]
    assert any("moments are lost: 2" in note for note in header["notes"])


def test_an_eviction_counts_once_where_its_event_comes_seconds_after_its_condition(run: Run, tmp_path: Path) -> None:
    text = (DATA / "kueue.yaml").read_text("utf-8")
    condition = (
        '{type: Evicted, status: "False", reason: QuotaReserved, message: m, lastTransitionTime: "2026-03-02T10:'
    )
    assert condition in text
    later = condition.replace('"False", reason: QuotaReserved', '"True", reason: Preempted').replace("T10:", "T09:29:5")
    changed = tmp_path / "late.yaml"
    changed.write_text(text.replace(f'{condition}00:00Z"', f'{later}5Z"'))
    _, jobs = traced(run, tmp_path, f"-f {changed} --redact none")
    assert jobs["job-again-2"]["evicted"] == [{"at": "2026-03-02T09:30:00.5Z", "reason": "Preempted"}]


@pytest.mark.parametrize(
    ("count", "evictions", "admitted"), [(1, ["09:30:00.5"], True), (2, ["08:10:00.1", "09:30:00.5"], False)]
)
def test_an_eviction_in_the_middle_of_an_admission_counts_only_where_kueue_counted_it(
    run: Run, tmp_path: Path, count: int, evictions: list[str], admitted: bool
) -> None:
    text = (DATA / "kueue.yaml").read_text("utf-8")
    first = text.index("- apiVersion: v1\n  kind: Event")
    event = (
        "- apiVersion: v1\n  kind: Event\n  metadata: {namespace: team-vision, name: again.0}\n"
        "  involvedObject: {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, namespace: team-vision, "
        "name: job-again-2}\n  reason: EvictedDueToPreempted\n  message: m\n"
        '  eventTime: "2026-03-02T08:10:00.100000Z"\n'
    )
    changed = tmp_path / "early.yaml"
    changed.write_text((text[:first] + event + text[first:]).replace("count: 1}", f"count: {count}}}"))
    _, jobs = traced(run, tmp_path, f"-f {changed} --redact none")
    again = jobs["job-again-2"]
    assert [each["at"] for each in again["evicted"]] == [f"2026-03-02T{each}Z" for each in evictions]
    assert ("admitted" in again) is admitted, "an eviction without an admission before it: one may be missing"


_WORKLOAD = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: a, name: w, creationTimestamp: "2026-03-02T08:00:00Z"}
spec:
  queueName: main
  podSets:
    - {name: main, count: 2, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}
"""
_LIMITS = """---
apiVersion: v1
kind: LimitRange
metadata: {namespace: a, name: limits}
spec: {limits: [{type: Container, max: {cpu: 1}}]}
"""


_DEVICES = """---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
resources: {deviceClassMappings: [{name: dev, deviceClassNames: [gpu.x]}]}
featureGates: {KueueDRAIntegration: true}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {namespace: a, name: t}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu.x, count: 2}}]}}}
"""
_CLAIMS = ("device claims",)


@pytest.mark.parametrize(
    ("old", "new", "more", "lacks"),
    [
        ("", "", "", ()),
        ("", "", _LIMITS, ()),
        ("[{name: c,", "[{name: d, image: i}, {name: c,", "", ()),
        ("[{name: c,", "[{name: d, image: i}, {name: c,", _LIMITS, ("the containers that LimitRanges limit",)),
        ("{containers", "{resourceClaims: [{name: g}], containers", "", ("DynamicResourceAllocation",)),
        ("{containers", "{resourceClaims: [{name: g, resourceClaimTemplateName: t}], containers", _DEVICES, _CLAIMS),
        ("", "", "status: {reclaimablePods: [{name: main, count: 1}]}", ("pods that end before their job",)),
    ],
)
def test_a_line_says_what_it_does_not_hold_of_a_workload(
    run: Run, tmp_path: Path, old: str, new: str, more: str, lacks: tuple[str, ...]
) -> None:
    changed = tmp_path / "lacking.yaml"
    changed.write_text(_WORKLOAD.replace(old, new, 1) + more)
    _, jobs = traced(run, tmp_path, f"-f {changed} --redact none")
    assert tuple(jobs["w"].get("lacks", ())) == lacks


@pytest.mark.parametrize(
    ("source", "spec", "words"),
    [
        ("kueue", 'containers: [{name: c, image: i, resources: {requests: {cpu: "8"', "node affinity"),
        ("pods", "priority: 7", "affinity"),
        ("groups", "schedulerName: kai-scheduler", "affinity"),
    ],
)
def test_a_job_whose_place_the_trace_does_not_hold_says_so(
    run: Run, tmp_path: Path, source: str, spec: str, words: str
) -> None:
    text = (DATA / f"{source}.yaml").read_text("utf-8")
    assert spec in text
    terms = "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}"
    affinity = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " + terms + "}}"
    changed = tmp_path / "place.yaml"
    changed.write_text(
        text.replace(spec, f"{affinity}, {spec}" if source != "kueue" else f"{affinity}\n          {spec}")
    )
    header, jobs = traced(run, tmp_path, f"-f {changed} --redact none")
    assert {each for job in jobs.values() for each in job.get("lacks", ())} == {words}
    assert any(f"jobs with {words}, which a trace does not hold" in note for note in header["notes"])


def test_what_stops_a_workload_and_no_simulation_plays_is_named(run: Run, tmp_path: Path) -> None:
    text = (DATA / "kueue.yaml").read_text("utf-8").replace("EvictedDueToPreempted", "EvictedDueToPodsReadyTimeout")
    changed = tmp_path / "stopped.yaml"
    limit = "    priority: 100\n    maximumExecutionTimeSeconds: 60\n"
    changed.write_text(text.replace("    priority: 100\n", limit, 1))
    _, jobs = traced(run, tmp_path, f"-f {changed} --redact none")
    assert jobs["job-again-2"]["lacks"] == ["the cause of evictions for PodsReadyTimeout"]
    assert jobs["job-train-1"]["lacks"] == ["a maximum execution time"]


def test_deleted_work_is_measured_against_the_events_that_are_there(run: Run, tmp_path: Path) -> None:
    screen = run(f"kubectl-fairshare trace -f {DATA}/kueue.yaml -o {tmp_path}/t.jsonl")
    assert "deleted jobs with events since 2026-03-02T08:05:00Z: 1, so 20.0% of the jobs since then" in screen.stderr


def test_a_job_whose_workload_is_gone_is_read_from_its_own_status(run: Run, tmp_path: Path) -> None:
    _, jobs = traced(run, tmp_path, f"-f {DATA}/kueue.yaml --redact none")
    assert jobs["export"]["durationSeconds"] == 1200.0
    assert jobs["export"]["podSets"] == [{"name": "main", "count": 3, "requests": {"cpu": "1"}}]


def test_names_are_those_of_a_snapshot_of_the_same_files(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "s.json.gz"
    key = tmp_path / "key.json"
    run(f"kubectl-fairshare snapshot -f {DATA}/kueue.yaml -o {saved} -q")
    _, once = traced(run, tmp_path, f"-f {DATA}/kueue.yaml --key {key}")
    _, again = traced(run, tmp_path, f"-f {saved} --redact none")
    assert once == again
    header, redacted = traced(run, tmp_path, f"-f {saved}")
    assert (header["redacted"], redacted) == ("names", once), "pseudonyms are not hidden once more"
    header, both = traced(run, tmp_path, f"-f {saved} -f {DATA}/pods.yaml --scheduler kueue")
    assert header["redacted"] == "names"
    assert both != once, "beside other files, all names are hidden"
    assert not {"job-train-1", "export", "team-vision"} & {text for j in once.values() for text in map(str, j.values())}
    names = json.loads(key.read_text("utf-8"))
    assert {names[name] for name in once} >= {"job-train-1", "export"}


def test_the_pods_of_a_job_are_one_job_of_an_elastic_quota(run: Run, tmp_path: Path) -> None:
    header, jobs = traced(run, tmp_path, f"-f {DATA}/pods.yaml --redact none")
    sweep = jobs["sweep"]
    assert sweep["podSets"] == [{"name": "main", "count": 2, "requests": {"cpu": "2", "memory": "1Gi"}}]
    assert (sweep["priority"], sweep["queue"]) == (7, "")
    assert sweep["admitted"] == "2026-03-02T08:00:03Z"
    assert sweep["evicted"] == [{"at": "2026-03-02T08:10:00Z", "reason": "Preempted"}]
    assert sweep["finished"] == "2026-03-02T08:50:00Z"
    assert "durationSeconds" not in jobs["serve"]
    assert "admitted" not in jobs["late"]
    assert header["lost"] == {"jobs": 1, "since": "2026-03-02T08:45:00Z"}


def test_a_pod_group_has_its_evictions_from_annotations_and_events(run: Run, tmp_path: Path) -> None:
    header, jobs = traced(run, tmp_path, f"-f {DATA}/groups.yaml --redact none")
    train = jobs["pg-train"]
    assert [each["at"] for each in train["evicted"]] == ["2026-03-02T08:20:00Z", "2026-03-02T08:40:00Z"]
    assert train["durationSeconds"] == 4200.0
    assert train["podSets"][0] | {"requests": {}} == {"name": "main", "count": 2, "requests": {}, "minCount": 1}
    assert train["podSets"][0]["requests"]["nvidia.com/gpu"] == "2"
    assert any("pg-old" in note for note in header["notes"])


def test_a_log_in_the_standard_workload_format_becomes_a_trace(run: Run, tmp_path: Path) -> None:
    header, jobs = traced(run, tmp_path, f"--swf {DATA}/small.swf --queue hpc-{{group}}/{{queue}}")
    assert set(jobs) == {"job-1", "job-2", "job-4"}
    assert (jobs["job-2"]["namespace"], jobs["job-2"]["queue"]) == ("hpc-7", "short")
    assert jobs["job-4"]["podSets"][0]["requests"] == {"cpu": "1", "memory": "1Mi"}
    assert jobs["job-4"]["admitted"] == "1996-10-08T00:03:30Z"
    assert header["notes"][1] == "left out, because they never started: 1 of 4 jobs"


COLUMNS = "name=job_id,queue=team,created=submit_time,wait=wait_s,duration=run,count=replicas,priority=prio"


def test_a_table_becomes_a_trace_with_a_mapping_of_its_columns(run: Run, tmp_path: Path) -> None:
    gpus = f"{COLUMNS},request.nvidia.com/gpu=gpus,namespace=:ml"
    _, jobs = traced(run, tmp_path, f"--csv {DATA}/small.csv --column {gpus}")
    assert jobs["a"]["finished"] == "2026-01-05T09:01:00Z"
    assert jobs["a"]["podSets"][0]["count"] == 2
    assert jobs["b"]["durationSeconds"] == 5400.0
    assert (jobs["c"]["priority"], jobs["c"]["namespace"]) == (-5, "ml")
    assert "durationSeconds" not in jobs["c"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--swf x.swf --csv y.csv", "a trace has one source"),
        ("--swf x.swf -f z.yaml", "a trace has one source"),
        ("--column queue=team", "`--column` is an option for `--csv`"),
        ("--queue main", "`--queue` and `--processor` are options for `--swf`"),
        (f"--swf {DATA}/small.swf --queue '{{grup}}'", "names an unknown field `grup`"),
        (f"--swf {DATA}/small.swf --processor cpu", "`cpu` is not RESOURCE=AMOUNT"),
        (f"--csv {DATA}/small.csv", "no column holds when a job was created"),
        (f"--csv {DATA}/small.csv --column created=submit_time", "no column holds what a job requests"),
        (f"--csv {DATA}/small.csv --column creatd=x", "did you mean `created`"),
        (f"--csv {DATA}/small.csv --column queue", "`queue` is not FIELD=COLUMN"),
    ],
)
def test_a_wrong_call_says_what_to_write(run: Run, tmp_path: Path, options: str, expected: str) -> None:
    screen = run(f"kubectl-fairshare trace {options} -o {tmp_path}/t.jsonl")
    assert screen.code == 2
    assert expected in screen.stderr


def test_what_is_written_is_compressed_unless_the_name_says_otherwise(run: Run, tmp_path: Path) -> None:
    run(f"kubectl-fairshare trace -f {DATA}/kueue.yaml -o {tmp_path}/t.jsonl.gz -q")
    assert gzip.decompress((tmp_path / "t.jsonl.gz").read_bytes()).startswith(b'{"apiVersion"')


def test_a_field_of_another_type_is_told_at_its_line_with_a_remedy(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "in.yaml"
    about = "involvedObject: {kind: Workload, namespace: team-vision, name: job-train-1}"
    event = f"---\napiVersion: v1\nkind: Event\nmetadata: {{name: e, namespace: team-vision}}\n{about}\nmessage: 5\n"
    path.write_text((DATA / "kueue.yaml").read_text("utf-8") + event, "utf-8")
    screen = run(f"kubectl-fairshare trace -f {path} -o {tmp_path}/t.jsonl")
    assert screen.code == 3
    assert re.search(r"in\.yaml:\d+:10: `message` must be a string, not `5`\n  help: fix the field", screen.stderr)
