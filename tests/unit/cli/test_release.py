"""``--release``: which Kueue answers, how it is found, and what is never called exact."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import sampled
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
ORG = ROOT / "testdata" / "demo" / "org"
COMMANDS = (
    *("shares", "shares --saturated", "shares --explain search", "shares --by localqueue", "cycle", "capacity"),
    *("why -A", "why workload/embed -n search", f"plan -w {ORG.parent / 'jobs' / 'finetune.yaml'}"),
)
MANAGER = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: kueue-controller-manager, namespace: kueue-system}
spec: {template: {spec: {containers: [{name: manager, image: "registry.k8s.io/kueue/kueue:v0.20.3"}]}}}
"""


def fidelity(run: Run, command: str) -> Any:
    return json.loads(run(f"kubectl-fairshare {command} -o json").stdout)["fidelity"]


@pytest.mark.parametrize(
    ("release", "exact"),
    sampled([("0.19", True), ("0.20", True), ("0.20.3", False), ("0.15.1", False), ("0.18.1", True)], 5, first=2),
)
def test_every_answer_says_the_release_and_an_unmeasured_one_is_never_exact(
    run: Run, release: str, exact: bool
) -> None:
    for command in COMMANDS:
        found = fidelity(run, f"{command} -f {ORG} --release {release}")
        assert (found["version"], found["exact"]) == (f"v{release}", exact), command


def test_a_manager_among_the_manifests_says_what_runs_unless_an_option_names_another(run: Run, tmp_path: Path) -> None:
    manager = tmp_path / "manager.yaml"
    manager.write_text(MANAGER, encoding="utf-8")
    assert fidelity(run, f"shares -f {ORG} -f {manager}")["version"] == "v0.20.3"
    assert fidelity(run, f"shares -f {ORG} -f {manager} --release 0.19")["version"] == "v0.19"


def test_the_repository_can_name_its_release(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".fairshare.yaml").write_text('kueue-version: "0.20"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert fidelity(run, f"shares -f {ORG}")["version"] == "v0.20"
    assert fidelity(run, f"shares -f {ORG} --release 0.19")["version"] == "v0.19"


def test_a_text_that_is_not_a_release_is_a_mistake_of_usage(run: Run) -> None:
    screen = run(f"kubectl-fairshare shares -f {ORG} --release next")
    assert screen.code == 2
    assert "`next` is not a release" in screen.stderr


def test_v1beta1_is_an_error_where_it_is_not_served(run: Run, tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text("apiVersion: kueue.x-k8s.io/v1beta1\nkind: ResourceFlavor\nmetadata: {name: f}\n", encoding="utf-8")
    assert "info[K005]" in run(f"kubectl-fairshare lint {old}").stdout
    screen = run(f"kubectl-fairshare lint {old} --release 0.20")
    assert "error[K005]" in screen.stdout
    assert screen.code == 1


def test_a_feature_that_the_release_changed_otherwise_is_named(run: Run) -> None:
    past = ROOT / "testdata" / "kueue" / "past-usage.yaml"
    assert fidelity(run, f"cycle -f {past} --release 0.19")["exact"] is True
    found = fidelity(run, f"cycle -f {past} --release 0.20")
    assert [gap["feature"] for gap in found["notModelled"]] == ["ChangedAdmissionFairSharing"]


DEMO = "testdata/demo"
INSTALLED = {
    "org": ("kueue-controller-manager", "registry.example/kueue"),
    "kai": ("kai-operator", "registry.example/operator"),
    "koordinator": ("koord-scheduler", "registry.example/koordinator-sh/koord-scheduler"),
    "plugins": ("scheduler-plugins-scheduler", "registry.k8s.io/scheduler-plugins/kube-scheduler"),
}
"""The program of each scheduler, by the folder of a state."""
GRADES = [
    *(("org", "v0.19.2", "exact"), ("org", "v0.15.1", "not exact")),
    *(("kai", "v0.17.0", "by rules"), ("kai", "v0.17.3", "by rules"), ("kai", "v0.18.0", "not exact")),
    *(("koordinator", "v1.8.0", "exact"), ("koordinator", "v1.8.1", "by rules"), ("koordinator", "v1.9.0", "by rules")),
    *(("org", "v0.19.2-rc.1", "by rules"), ("koordinator", "v1.8.0-rc.1", "by rules")),
    *(("koordinator", "v1.4.0", "not exact"), ("plugins", "v0.34.7", "by rules"), ("plugins", "v0.35.4", "by rules")),
    *(("plugins", "v0.33.5", "not exact"), ("plugins", "v0.36.1", "not exact")),
]


@pytest.mark.parametrize("redaction", sampled(["none", "names", "all"], 3, first=2))
@pytest.mark.parametrize(("folder", "release", "grade"), GRADES)
def test_only_what_was_run_is_exact_also_in_a_snapshot(
    run: Run, tmp_path: Path, folder: str, release: str, grade: str, redaction: str
) -> None:
    files = installed(folder, release, tmp_path)
    assert run(f"kubectl-fairshare snapshot {files} --redact {redaction} -o {tmp_path}/s.json.gz").code == 0
    for source in (files, f"-f {tmp_path}/s.json.gz"):
        found = fidelity(run, f"shares {source}")
        assert (found["grade"], found["exact"]) == (grade, grade == "exact")
        assert bool(found["rulesOf"] and found["laterChanges"]) is (grade == "by rules")
        gaps = {gap["feature"] for gap in found["notModelled"]}
        assert ("ReleaseNotMeasured" in gaps) is (grade == "not exact")


def installed(folder: str, release: str, tmp_path: Path) -> str:
    """The options for a state beside a Deployment of its scheduler in that release."""
    name, image = INSTALLED[folder]
    pod = {"spec": {"containers": [{"name": "main", "image": f"{image}:{release}"}]}}
    metadata = {"name": name, "namespace": "home"}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": pod}}
    (tmp_path / "manager.json").write_text(json.dumps(deployment))
    state = "testdata/elasticquota/cluster.yaml" if folder == "plugins" else f"{DEMO}/{folder}"
    return f"-f {state} -f {tmp_path}/manager.json"


@pytest.mark.parametrize("suffix", ["-rc.1", "-alpha.0", "-20260801-3f2a"])
@pytest.mark.parametrize(("folder", "release", "grade"), [each for each in GRADES if "-" not in each[1]])
def test_a_release_with_a_suffix_is_at_most_answered_by_the_rules_of_the_release(
    run: Run, tmp_path: Path, folder: str, release: str, grade: str, suffix: str
) -> None:
    """Candidates, and builds of others, are not what was run."""
    both = (release, f"{release}{suffix}")
    whole, other = (fidelity(run, f"shares {installed(folder, each, tmp_path)}") for each in both)
    assert other["grade"] == ("by rules" if grade == "exact" else grade)
    assert other["rulesOf"] == (whole["rulesOf"] if grade != "exact" else release)


def test_devices_of_claims_are_not_answered_by_rules_of_a_patch_of_kai(run: Run, tmp_path: Path) -> None:
    state = ROOT / "testdata" / "reports" / "kai-shared-claim" / "state.yaml"
    text = state.read_text("utf-8")
    assert fidelity(run, f"shares -f {state}")["grade"] == "exact"
    for release, grade in (("v0.17.0", "by rules"), ("v0.17.4", "not exact")):
        pod = {
            "spec": {
                "containers": [{"name": "main", "image": f"ghcr.io/kai-scheduler/kai-scheduler/operator:{release}"}]
            }
        }
        operator = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "kai-operator", "namespace": "h"},
        }
        (tmp_path / "state.yaml").write_text(f"{text}\n---\n{json.dumps({**operator, 'spec': {'template': pod}})}\n")
        assert fidelity(run, f"shares -f {tmp_path}/state.yaml")["grade"] == grade


def test_an_option_names_the_release_of_koordinator_that_decides(run: Run, tmp_path: Path) -> None:
    containers = [{"name": "main", "image": "registry.example/koord-scheduler:v1.4.0"}]
    metadata = {"name": "koord-scheduler", "namespace": "home"}
    spec = {"template": {"spec": {"containers": containers}}}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    (tmp_path / "manager.json").write_text(json.dumps(deployment))
    asked = f"shares -f {DEMO}/koordinator -f {tmp_path}/manager.json --release 1.8"
    assert fidelity(run, asked)["exact"] is True


@pytest.mark.parametrize(
    ("state", "release", "says"),
    [
        ("demo/org", "0.17", "Kueue v0.17"),
        ("demo/koordinator", "1.9", "Koordinator v1.9"),
        ("elasticquota/cluster.yaml", "1.36", "Kubernetes 1.36"),
    ],
)
def test_one_option_names_the_release_of_whatever_scheduler_decides(
    run: Run, state: str, release: str, says: str
) -> None:
    screen = run(f"kubectl-fairshare shares -f testdata/{state} --release {release}")
    assert screen.code == 0, screen
    assert says in " ".join(screen.stdout.splitlines()[-2:])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("-f testdata/demo/koordinator --release 0.17", "write 1.8 or 1.9"),
        ("-f testdata/demo/koordinator --release 1.7 --scheduler koordinator", "write 1.8 or 1.9"),
        ("-f testdata/elasticquota/cluster.yaml --release 1.30", "write 1.35 or 1.36"),
        ("-f testdata/demo/org --release 1.8", "is a release of Koordinator, but this input is for Kueue"),
    ],
)
def test_a_release_of_another_scheduler_is_an_error_that_names_those_of_this_one(
    run: Run, words: str, says: str
) -> None:
    screen = run(f"kubectl-fairshare shares {words}")
    assert (screen.code, screen.stdout) == (2, "")
    assert says in screen.stderr


def test_releases_of_koordinator_are_compared_as_those_of_kueue_are(run: Run) -> None:
    screen = run("kubectl-fairshare diff testdata/demo/koordinator --release 1.8..1.9")
    assert screen.code == 0, screen
    assert "Koordinator 1.8.0 and v1.9" in screen.stdout


@pytest.mark.parametrize(
    ("state", "older", "value"),
    [("demo/koordinator", "--koordinator-release", "1.9"), ("elasticquota/cluster.yaml", "--kubernetes", "1.36")],
)
def test_an_older_name_of_the_option_still_works_and_is_not_shown(run: Run, state: str, older: str, value: str) -> None:
    asked = f"kubectl-fairshare shares -f testdata/{state}"
    assert run(f"{asked} {older} {value}").stdout == run(f"{asked} --release {value}").stdout
    assert older not in run("kubectl-fairshare shares --help-all").stdout
    assert run("kubectl-fairshare shares --help-all").stdout.count("--release ") == 1


UPGRADED = """
{apiVersion: kueue.x-k8s.io/v1beta1, kind: ResourceFlavor, metadata: {name: f}, spec: {}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {namespaceSelector: {},
 resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 2}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: l, namespace: default}, spec: {clusterQueue: q}}
---
{apiVersion: v1, kind: LimitRange, metadata: {name: r, namespace: default}, spec: {limits: [{type: Container,
 defaultRequest: {cpu: 1}}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: default, uid: u,
 creationTimestamp: "2026-01-01T00:00:00Z"}, spec: {queueName: l, active: true, priority: 0, podSets: [{name: main,
 count: 1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i,
 resources: {limits: {cpu: 3}}}]}}}]}}
"""


@pytest.mark.parametrize(
    ("releases", "outcomes", "new"),
    [
        ("0.19..0.19", [], []),
        ("0.19..0.19.3", [("Admitted", "Never")], ["K098"]),
        ("0.19.3..0.19", [("Never", "Admitted")], []),
        ("0.19.3..0.20", [], ["K005"]),
    ],
)
def test_one_state_is_compared_under_two_releases(
    run: Run, tmp_path: Path, releases: str, outcomes: list[tuple[str, str]], new: list[str]
) -> None:
    """AdjustResources: limits are copied before the LimitRange fills requests since 0.19.3; 0.20 serves no v1beta1."""
    (tmp_path / "state.yaml").write_text(UPGRADED, "utf-8")
    screen = run(f"kubectl-fairshare diff {tmp_path}/state.yaml --release {releases} -o json")
    document = json.loads(screen.stdout)
    found = [(each["before"]["outcome"], each["after"]["outcome"]) for each in document["outcomes"]]
    assert (found, [each["rule"] for each in document["newFindings"]]) == (outcomes, new)
    assert document["fidelity"]["grade"] == "exact"


@pytest.mark.parametrize("releases", ["0.19..", "..0.19", ".."])
def test_a_range_of_releases_names_both(run: Run, releases: str) -> None:
    screen = run(f"kubectl-fairshare diff testdata/demo/org --release {releases}")
    assert screen.code == 2
    assert "--release 0.17..0.19" in screen.stderr


def test_lint_knows_its_former_option(run: Run) -> None:
    call = "kubectl-fairshare lint testdata/demo/org -o json"
    named = [json.loads(run(f"{call} {option} 0.20").stdout) for option in ("--release", "--kueue-version")]
    assert named[0] == named[1]
    assert named[0]["kueueVersion"] == "0.20"


KAI = f"-f {ORG.parent / 'kai' / 'queues.yaml'} -f {ORG.parent / 'kai' / 'cluster.yaml'}"


def test_the_one_option_names_the_release_of_kai_too_and_one_that_is_not_modelled_is_refused(run: Run) -> None:
    found = fidelity(run, f"shares {KAI} --release 0.17.0")
    assert (found["scheduler"], found["version"], found["exact"]) == ("KAI", "v0.17.0", False)
    for release in ("0.18", "0.16.2"):
        screen = run(f"kubectl-fairshare shares {KAI} --release {release}")
        assert screen.code == 2
        assert f"KAI {release} is not modelled, only 0.17 is" in screen.stderr


def test_a_release_that_two_schedulers_have_is_that_of_the_one_that_decides(run: Run) -> None:
    assert fidelity(run, f"shares {KAI} --release 0.17")["scheduler"] == "KAI"
    assert fidelity(run, f"shares -f {ORG} --release 0.17")["version"] == "v0.17"
