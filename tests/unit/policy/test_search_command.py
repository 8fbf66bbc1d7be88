"""``search`` on the command line: what it prints, what ``test`` replays, and where processes search."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.search import Covered
from kubectl_fairshare.report.search import covered_text
from tests.screens import Screen

Run = Callable[[str], Screen]
FEW = "--workloads 2 --random 10 --jobs 1"
STARVED = f'search -f testdata/search/s2a-alone.yaml --never "starved burst up to cpu=3" {FEW}'


def test_what_is_refuted_is_replayed_by_test(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "found.yaml"

    found = run(f"kubectl-fairshare {STARVED} --write {file} -o json")
    replayed = run(f"kubectl-fairshare test {file} -o json")

    refuted = json.loads(found.stdout)["refuted"][0]
    (test,) = json.loads(replayed.stdout)["suites"][0]["tests"]
    assert (found.code, replayed.code) == (1, 1)
    assert test["status"] == "Failed"
    assert refuted["breach"] in test["mismatches"][0]["actual"]


def test_work_of_the_input_is_searched_beside_on_demand_and_replayed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "found.yaml"
    state, few = "-f testdata/diff/before.yaml -f testdata/diff/state.yaml", "--workloads 1 --random 0 --jobs 1"
    words = f"search {state} {few} --resource nvidia.com/gpu --sizes 1 --never 'speech > nvidia.com/gpu=6'"

    busy = run(f"kubectl-fairshare {words} --busy --write {file} -o json")
    idle = run(f"kubectl-fairshare {words} --write {file}.idle -o json")

    assert (busy.code, idle.code) == (1, 0)
    assert "idle" not in yaml.safe_load(file.read_text())["given"]
    assert run(f"kubectl-fairshare test {file}").code == 1


def test_hypothetical_nodes_and_deleted_objects_are_those_of_the_search_and_of_the_file(
    run: Run, tmp_path: Path
) -> None:
    file, policy = tmp_path / "found.yaml", tmp_path / "queues.yaml"
    amounts = {name: {"quota": 4, "limit": -1, "overQuotaWeight": 1} for name in ("gpu", "cpu", "memory")}
    queues = [
        {
            "apiVersion": "scheduling.run.ai/v2",
            "kind": "Queue",
            "metadata": {"name": name},
            "spec": {"parentQueue": "" if name == "org" else "org", "resources": amounts},
        }
        for name in ("org", "a", "b", "gone")
    ]
    policy.write_text(yaml.safe_dump_all(queues))
    few = "--workloads 2 --random 0 --jobs 1 --resource nvidia.com/gpu --sizes 2,4"
    words = (
        f"search -f {policy} --overlay-delete queue/gone --nodes 1xnvidia.com/gpu=4,cpu=64,memory=1Ti,name=big {few}"
    )

    found = run(f"kubectl-fairshare {words} --never 'b > nvidia.com/gpu=3' --write {file} -o json")
    replayed = run(f"kubectl-fairshare test {file} -o json")

    assert (found.code, replayed.code) == (1, 1), (found.stderr, replayed.stderr)
    written = yaml.safe_load(file.read_text())
    assert written["given"]["nodes"] == ["1xnvidia.com/gpu=4,cpu=64,memory=1Ti,name=big"]
    assert written["tests"][0]["when"]["delete"] == ["queue/gone"]
    assert [each["status"] for each in json.loads(replayed.stdout)["suites"][0]["tests"]] == ["Failed"]


def test_nodes_of_a_test_are_checked_at_their_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fairshare-test.yaml"
    file.write_text("given:\n  paths: [queues.yaml]\n  nodes: [cpu=4]\ntests:\n- name: a\n  then: {findings: []}\n")
    (tmp_path / "queues.yaml").write_text("apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: a}\n")
    screen = run(f"kubectl-fairshare test {file}")
    assert screen.code == 2
    assert "fairshare-test.yaml:3:11: `cpu=4` has no count" in screen.stderr


def test_the_file_has_the_settings_and_the_idle_state_of_the_search(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "found.yaml"

    run(f"kubectl-fairshare {STARVED} --fair-sharing --write {file}")

    given = yaml.safe_load(file.read_text())["given"]
    assert given["settings"] == {"fair-sharing": True}
    assert given["idle"] is True


def test_a_policy_that_is_not_modelled_is_not_called_free_of_counterexamples(run: Run) -> None:
    screen = run(f'kubectl-fairshare search -f testdata/search/both.yaml --never "cascade > 9" {FEW} --release 0.1.0')

    assert screen.code == 1
    assert "not exact" in screen.stdout


def test_a_counterexample_under_a_gate_that_is_not_modelled_is_not_exact(run: Run, tmp_path: Path) -> None:
    gate = "kind: Configuration\nfeatureGates: {ConcurrentAdmission: true}\n"
    (tmp_path / "gate.yaml").write_text(f"apiVersion: config.kueue.x-k8s.io/v1beta2\n{gate}")
    files = f"-f testdata/diff/before.yaml -f {tmp_path / 'gate.yaml'}"
    screen = run(f"kubectl-fairshare search {files} --never 'entitled waits' --workloads 2 --random 0 --jobs 1")
    assert screen.code == 1
    assert "refuted · not exact: concurrent admission" in " ".join(screen.stdout.split())


def test_what_was_covered_is_said_and_not_called_a_proof(run: Run) -> None:
    screen = run(f'kubectl-fairshare search -f testdata/search/both.yaml --never "cascade > 9" {FEW}')

    assert screen.code == 0
    assert "all loads of up to 2 workloads in 3 sizes" in screen.stdout
    assert "Larger loads and other" in screen.stdout
    assert "states in" in screen.stderr


def test_loads_ask_for_what_the_invariant_is_about(run: Run, tmp_path: Path) -> None:
    quotas = "[{name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 4Gi}]"
    flavor = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n---\n"
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        f"{flavor}apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: a}}\nspec:\n"
        "  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu, memory]\n"
        f"    flavors: [{{name: f, resources: {quotas}}}]\n"
    )
    few = "--workloads 2 --random 0 --jobs 1"
    broken = run(f'kubectl-fairshare search -f {policy} --never "a > cpu=2" {few}')
    other = run(f'kubectl-fairshare search -f {policy} --never "a > cpu=2" --resource memory {few}')

    assert broken.code == 1
    assert "cpu) over 1 queue" in " ".join(broken.stdout.split())
    assert other.code == 0
    assert "note: only drawn loads can break `a > cpu=2`: the others ask for no cpu" in " ".join(other.stdout.split())


def test_a_search_that_ends_in_the_first_length_names_its_loads() -> None:
    covered = Covered("cpu", (Amount("cpu", 1000, "1"),), 2, 0, 1, 16, 16, 0, 1)

    assert covered_text(covered).startswith("covered: some loads of 1 workload in 1 size (1 cpu) over 2 queues.")


def test_the_same_call_finds_the_same(run: Run) -> None:
    words = f"kubectl-fairshare {STARVED} -o json -q"

    assert run(words).stdout == run(words).stdout


def test_priorities_of_a_load_are_replayed(run: Run, tmp_path: Path) -> None:
    policy, file = tmp_path / "policy.yaml", tmp_path / "found.yaml"
    text = Path("testdata/diff/before.yaml").read_text()
    policy.write_text(text.replace("{reclaimWithinCohort: Any}", "{withinClusterQueue: LowerPriority}"))

    found = run(f'kubectl-fairshare search -f {policy} --never "cascade > 0" {FEW} --write {file} -o json')

    arrivals = json.loads(found.stdout)["refuted"][0]["arrivals"]
    assert [each["priority"] for each in arrivals] == [0, 100]
    assert run(f"kubectl-fairshare test {file}").code == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize(("backend", "needs"), [("loky", "joblib"), ("dask", "distributed"), ("ray", "ray")])
def test_several_processes_find_what_one_finds(
    run: Run, monkeypatch: pytest.MonkeyPatch, backend: str, needs: str
) -> None:
    pytest.importorskip(needs)
    monkeypatch.setattr("kubectl_fairshare.cli.policy.searching._ALONE", 0.0)
    words = STARVED.replace("--jobs 1", f"--jobs 2 --backend {backend} --budget 1h")

    assert run(f"kubectl-fairshare {words} -q -o json").stdout == run(f"kubectl-fairshare {STARVED} -q -o json").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--never nonsense", "`nonsense` names no invariant"),
        ('--never "starvation" --budget soon', "`soon` is not a time"),
        ('--never "starvation" --sizes 1,2', "needs `--resource`"),
        ('--never "starvation" --resource cpu --sizes many', "`many` is not a quantity"),
        ('--never "starvation" --resource cpu --sizes 0', "`0` is not a quantity above 0"),
        ('--never "starvation" --workloads 0 --random 0', "leaves nothing to try"),
        ('--never "starved burst up to cpus=1"', "no queue has quota for `cpus`"),
        ('--never "starved burst up to cpu=-1"', "`-1` is not a quantity from 0 on"),
        ('--never "starvation" --queue z', "there is no queue `z`"),
        ('--never "starvation" --resource tpu', "no queue has quota for `tpu`"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(run: Run, words: str, message: str) -> None:
    screen = run(f"kubectl-fairshare search -f testdata/search/both.yaml --jobs 1 {words}")

    assert screen.code == 2
    assert message in screen.stderr


TRANSFORMED = """apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: a}
spec:
  namespaceSelector: {}
  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kueue-manager-config, namespace: kueue-system}
data:
  controller_manager_config.yaml: |
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    resources: {transformations: [{input: %s, strategy: Retain, outputs: {example.com/credits: "2"}}]}
"""


@pytest.mark.parametrize(("changed", "code"), [("cpu", 1), ("example.com/other", 0)])
def test_what_kueue_charges_otherwise_leaves_a_search_not_exact(
    run: Run, tmp_path: Path, changed: str, code: int
) -> None:
    """Loads ask for cpu as it is charged: their own pods may be charged for more, which queues do not cover."""
    (tmp_path / "org.yaml").write_text(TRANSFORMED % changed)
    words = "--never 'cascade > 5' --workloads 1 --random 0 --jobs 1 -o json"
    screen = run(f"kubectl-fairshare search -f {tmp_path / 'org.yaml'} {words}")
    fidelity = json.loads(screen.stdout)["fidelity"]
    assert (screen.code, fidelity["exact"]) == (code, not code)
