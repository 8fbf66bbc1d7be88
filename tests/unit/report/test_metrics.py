"""``report --metrics``: read by Prometheus' own parsers, the same figures as the answers, and the documented use."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sampling import sampled
from tests.screens import ROOT, Screen
from tests.unit.input.units.folders import REAL

openmetrics = pytest.importorskip("prometheus_client.openmetrics.parser")
prometheus = pytest.importorskip("prometheus_client.parser")
Run = Callable[[str], Screen]
Samples = dict[str, dict[frozenset[tuple[str, str]], float]]
STATES = ("demo/org", "demo/kai", "demo/koordinator", "elasticquota/cluster.yaml")
PAGE = (ROOT / "docs" / "metrics.md").read_text("utf-8")


def families(text: str) -> list[Any]:
    found = list(openmetrics.text_string_to_metric_families(text))
    classic = list(prometheus.text_string_to_metric_families(text))
    assert [(f.name, f.documentation, len(f.samples)) for f in found] == [
        (f.name, f.documentation, len(f.samples)) for f in classic
    ]
    return found


def samples(text: str) -> Samples:
    return {f.name: {frozenset(s.labels.items()): s.value for s in f.samples} for f in families(text)}


def value(found: Samples, name: str, **labels: str) -> float:
    """The one sample of a family with these labels."""
    (only,) = (v for at, v in found[f"fairshare_{name}"].items() if labels.items() <= dict(at).items())
    return only


@pytest.mark.parametrize("state", sampled(STATES, 4, first=2))
def test_both_parsers_of_prometheus_read_all_families(run: Run, state: str) -> None:
    text = run(f"kubectl-fairshare report --metrics -f testdata/{state} --now 2026-03-02T10:00:00Z").stdout
    found = families(text)
    assert all(each.type == "gauge" and each.documentation.endswith(".") for each in found)
    assert {each.name for each in found} >= {f"fairshare_queue_{name}" for name in ("guaranteed", "used", "entitled")}
    assert text.endswith("# EOF\n")
    for each in found:
        names = [frozenset(sample.labels.items()) for sample in each.samples]
        assert len(names) == len(set(names)), each.name


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_the_counts_are_those_of_shares(run: Run, state: str) -> None:
    found = samples(run(f"kubectl-fairshare report --metrics -f testdata/{state}").stdout)
    shares = json.loads(run(f"kubectl-fairshare why -A -f testdata/{state} -o json").stdout)
    roots = [v for at, v in found["fairshare_queue_waiting_workloads"].items() if "parent" not in dict(at)]
    assert sum(roots) == shares["pending"]
    waiting = sum(found["fairshare_waiting_workloads"].values())
    assert waiting == sum(len(group["workloads"]) for group in shares["groups"])


@pytest.mark.slow
def test_the_figures_of_a_queue_are_those_of_the_answers(run: Run) -> None:
    found = samples(run("kubectl-fairshare report --metrics -f testdata/demo/org --now 2026-03-02T10:00:00Z").stdout)
    gpu = {"queue": "vision", "kind": "ClusterQueue", "pool": "a100", "resource": "nvidia.com/gpu", "unit": "integer"}
    names = ("guaranteed", "used", "borrowed", "entitled", "reclaimable")
    assert [value(found, f"queue_{name}", **gpu) for name in names] == [12, 32, 20, 12, 32]
    assert value(found, "queue_lent", **{**gpu, "queue": "speech"}) == 12 - 4
    assert value(found, "answers_exact", scheduler="kueue") == 1
    assert value(found, "report_timestamp_seconds", scheduler="kueue") == 1772445600


@pytest.mark.slow
def test_cpu_is_in_cores_and_memory_in_bytes(run: Run) -> None:
    found = samples(run("kubectl-fairshare report --metrics -f testdata/demo/koordinator").stdout)
    assert value(found, "queue_used", queue="vision", resource="cpu", unit="core") == 44
    assert value(found, "queue_used", queue="vision", resource="memory", unit="byte") == 128 * 2**30
    kai = samples(run("kubectl-fairshare report --metrics -f testdata/demo/kai").stdout)
    assert value(kai, "queue_used", queue="product", resource="cpu", unit="core") == 24


def test_a_limit_is_named_by_its_object_and_field_and_names_are_escaped(run: Run, tmp_path: Path) -> None:
    text = """
apiVersion: v1
kind: List
items:
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {name: a}
  spec:
    namespaceSelector: {}
    resourceGroups:
    - {coveredResources: [cpu], flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2500m}]}]}
- {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: a, namespace: ns}, spec: {clusterQueue: a}}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: Workload
  metadata: {name: w, namespace: ns, creationTimestamp: "2026-03-02T09:00:00Z"}
  spec:
    queueName: a
    podSets:
    - {name: main, count: 1, template: {spec: {containers: [{name: c, image: x, resources: {requests: {cpu: 5}}}]}}}
"""
    (tmp_path / "state.yaml").write_text(text, "utf-8")
    found = samples(run(f"kubectl-fairshare report --metrics -f {tmp_path}/state.yaml").stdout)
    at = {"queue": "a", "object": "ClusterQueue/a", "field": "nominalQuota", "resource": "cpu", "pool": "any"}
    assert value(found, "limit_waiting_workloads", **at) == 1
    assert value(found, "waiting_workloads", queue="a", verdict="Never") == 1
    assert value(found, "queue_guaranteed", queue="a", unit="core") == 2.5
    assert value(found, "queue_oldest_waiting_timestamp_seconds", queue="a") == 1772442000


def blocks() -> list[Any]:
    return [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.slow
def test_the_cron_job_calls_the_command_as_it_is(run: Run, tmp_path: Path) -> None:
    pod = blocks()[0]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (report,) = pod["initContainers"]
    args = " ".join(report["args"]).replace("/metrics", str(tmp_path))
    assert run(f"kubectl-fairshare {args} -f testdata/demo/org").code == 0
    assert families((tmp_path / "fairshare.prom").read_text("utf-8"))
    (push,) = pod["containers"]
    assert "@/metrics/fairshare.prom" in push["args"]


@pytest.mark.slow
def test_the_page_names_all_families_and_alerts_use_no_other(run: Run) -> None:
    known = set()
    for state in STATES:
        known |= set(
            samples(run(f"kubectl-fairshare report --metrics -f testdata/{state} --now 2026-03-02T10:00:00Z").stdout)
        )
    named = set(re.findall(r"`(fairshare_\w+)`", PAGE))
    assert named == known | {"fairshare_limit_waiting_workloads"}
    rules = blocks()[1]["groups"][0]["rules"]
    assert len(rules) == 4
    for rule in rules:
        assert rule.keys() <= {"alert", "expr", "for", "annotations"}
        assert set(re.findall(r"fairshare_\w+", rule["expr"])) <= known
        assert rule["expr"].count("(") == rule["expr"].count(")")


def test_an_amount_without_bound_is_infinite(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    path.write_text(REAL.replace("nominalQuota: 8", "nominalQuota: '9223372036854775807'"), "utf-8")
    screen = run(f"kubectl-fairshare report --metrics -f {path}")
    assert screen.code == 0, screen
    assert value(samples(screen.stdout), "queue_guaranteed", queue="team") == float("inf")
