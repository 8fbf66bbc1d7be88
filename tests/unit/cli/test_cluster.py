"""Every command asks the cluster where no file is named, and a snapshot of it gives the same answers."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.screens import Screen
from tests.unit.input.cluster.served import KUEUE, Fault, Served, in_namespace, organisation, serving

QUESTIONS = (
    "shares -o json",
    "shares --explain ours -o json",
    "shares",
    "plan --queue team/inbox --request cpu=1 -o json",
    "plan --queue team/inbox --request cpu=5",
    "cycle -o json",
    "cycle",
    "why -A -o json",
    "why workload/job-3 -n team -o json",
    "lint -o json",
)
Run = Callable[[str], Screen]


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(organisation()) as found:
        yield found


@pytest.fixture
def ask(served: Served, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command against the cluster."""
    monkeypatch.setenv("KUBECONFIG", served.kubeconfig(tmp_path))
    return lambda words: run(f"kubectl-fairshare {words}")


def unplaced(text: str) -> Any:
    """A document without its places, which a cluster has none of, and without ages: a cluster's are those of now."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            gone = (
                "next",
                "source",
                "line",
                "column",
                "endColumn",
                "excerpt",
                "files",
                "fixable",
                "asOf",
                "ageSeconds",
            )
            return {name: without(held) for name, held in value.items() if name not in gone}
        return [without(item) for item in value] if isinstance(value, list) else value

    return without(json.loads(text)) if text.startswith(("{", "[")) else text


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_snapshot_gives_the_answer_of_the_cluster(ask: Run, tmp_path: Path, question: str) -> None:
    live = ask(question)
    taken = ask(f"snapshot --redact none -o {tmp_path / 's.gz'}")
    kept = ask(f"{question} -f {tmp_path / 's.gz'}")
    assert taken.code == 0
    assert (live.code, live.stderr) == (kept.code, kept.stderr)
    assert live.code in (0, 4)
    if question.endswith("json"):
        assert unplaced(live.stdout) == unplaced(kept.stdout)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_redacted_snapshot_gives_the_same_answer_under_other_names(ask: Run, tmp_path: Path, question: str) -> None:
    ask(f"snapshot -o {tmp_path / 's.gz'} --key {tmp_path / 'names.json'}")
    aliases = {name: alias for alias, name in json.loads((tmp_path / "names.json").read_text()).items()}
    asked = question.replace("team/inbox", f"{aliases['team']}/{aliases['inbox']}").replace("ours", aliases["ours"])
    asked = asked.replace("job-3", aliases["job-3"]).replace("-n team", f"-n {aliases['team']}")
    live, kept = ask(question), ask(f"{asked} -f {tmp_path / 's.gz'}")
    assert (live.code, kept.code) in ((0, 0), (4, 4))
    if question.endswith("json") and not question.startswith("lint"):
        text = json.dumps(unplaced(kept.stdout))
        for name, alias in aliases.items():
            text = text.replace(alias, name)
        assert json.loads(text) == unplaced(live.stdout)


def test_a_snapshot_of_files_gives_their_answer(run: Run, tmp_path: Path) -> None:
    of_files = run("kubectl-fairshare shares -f testdata/demo/org -o json")
    run(f"kubectl-fairshare snapshot --redact none -f testdata/demo/org -o {tmp_path / 's.gz'}")
    kept = run(f"kubectl-fairshare shares -f {tmp_path / 's.gz'} -o json")
    assert unplaced(of_files.stdout) == unplaced(kept.stdout)


def test_a_snapshot_of_a_cluster_names_no_image_and_no_secret(ask: Run, tmp_path: Path) -> None:
    import gzip

    ask(f"snapshot -o {tmp_path / 's.gz'}")
    text = gzip.decompress((tmp_path / "s.gz").read_bytes()).decode()
    for secret in ("hunter2", "hunter3", "secret.example", "ours", "theirs", "job-3"):
        assert secret not in text


def test_places_of_a_cluster_have_no_line(ask: Run) -> None:
    document = json.loads(ask("shares --explain ours -o json").stdout)
    assert '"line": null' in json.dumps(document)
    assert '"object": "ClusterQueue ours"' in json.dumps(document)


def test_the_namespace_of_the_context_is_meant_where_none_is_named(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(
        json.dumps(
            {
                "apiVersion": "batch/v1",
                "kind": "Job",
                "metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "inbox"}},
                "spec": {
                    "template": {
                        "spec": {
                            "restartPolicy": "Never",
                            "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}],
                        }
                    }
                },
            }
        )
    )
    assert "Job team/j" in ask(f"plan -w {tmp_path / 'w.json'}").stdout
    assert "Job other/j" in ask(f"plan -w {tmp_path / 'w.json'} -n other").stdout


def test_what_if_something_changed_in_the_cluster(ask: Run) -> None:
    screen = ask("shares --overlay-delete clusterqueue/theirs -o name")
    assert "clusterqueue.kueue.x-k8s.io/ours" in screen.stdout
    assert "theirs" not in screen.stdout


def test_an_answer_that_rests_on_what_may_not_be_read_is_none(served: Served, ask: Run) -> None:
    served.faults = [Fault("/cohorts", 403, times=99)]
    screen = ask("plan --queue team/inbox --request cpu=1")
    assert screen.code == 5
    assert "not known: not all objects of kind Cohort are in the input" in screen.stdout
    assert (
        "note: Cohort: you may not read this, so these are unknown: parents, quotas and weights of cohorts"
        in screen.stderr
    )


def test_jobs_that_may_not_be_read_decide_nothing(served: Served, ask: Run) -> None:
    served.faults = [Fault("/batch/v1/jobs", 403, times=99), Fault("/pods", 403, times=99)]
    screen = ask("why workload/job-3 -n team")
    assert screen.code == 0
    assert "note: Job: you may read only namespace `team`" in screen.stderr


def test_options_make_up_for_a_configuration_that_may_not_be_read(served: Served, ask: Run) -> None:
    served.faults = [Fault("/configmaps/", 403, times=2)]
    assert ask("plan --queue team/inbox --request cpu=1").code == 5
    screen = ask("plan --queue team/inbox --request cpu=1 --fair-sharing")
    assert (screen.code, screen.stderr) == (0, "")


def test_a_user_of_one_namespace_still_gets_an_answer(served: Served, ask: Run) -> None:
    in_namespace(served, "team")
    served.lists = {p: i for p, i in served.lists.items() if "/namespaces/team/" in p}
    kept = [path for path in served.lists if path.endswith(("/localqueues", "/workloads"))]
    allowed = {path: served.lists[path] for path in kept}
    served.faults = [Fault(f"/{plural}?", 403, times=999) for plural in PLURALS] + [Fault("/configmaps", 403, 99)]
    served.faults = [f for f in served.faults if f.at not in ("/workloads?", "/localqueues?")]
    served.faults += [Fault(f"{KUEUE}/workloads", 403, 99), Fault(f"{KUEUE}/localqueues", 403, 99)]
    served.lists = allowed
    for question in ("shares", "shares --by localqueue", "cycle", "why -n team", "lint"):
        screen = ask(question)
        assert screen.code in (0, 1), (question, screen.stderr)
        assert "note: ClusterQueue: you may not read this" in screen.stderr
        assert "note: Workload: you may read only namespace `team`" in screen.stderr


PLURALS = (
    *("namespaces", "limitranges", "priorityclasses", "runtimeclasses", "resourceflavors", "cohorts", "clusterqueues"),
    *("workloadpriorityclasses", "admissionchecks", "topologies", "jobs", "cronjobs", "pods", "events", "nodes"),
    *("deployments", "statefulsets", "replicasets", "multikueueclusters", "multikueueconfigs", "localqueues"),
    *("provisioningrequestconfigs", "workloads"),
)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("shares -f testdata/demo/org --context x", "cannot read files and a cluster"),
        ("shares --as-group x", "--as-group: needs `--as`"),
        ("shares --request-timeout soon", "`soon` is not a duration"),
        ("lint --fix", "--fix: fixes files, not a cluster"),
        ("lint --diff", "--diff: fixes files, not a cluster"),
    ],
)
def test_a_wrong_call_is_told(ask: Run, words: str, told: str) -> None:
    screen = ask(words)
    assert screen.code == 2
    assert told in screen.stderr


def test_lint_of_a_whole_cluster_is_sure_that_nothing_lies_outside(served: Served, ask: Run) -> None:
    served.lists[f"{KUEUE}/clusterqueues"][0]["spec"]["resourceGroups"][0]["flavors"][0]["name"] = "gone"
    document = json.loads(ask("lint -o json").stdout)
    assert document["complete"] is True
    served.faults = [Fault("/resourceflavors", 403, times=99)]
    assert json.loads(ask("lint -o json").stdout)["complete"] is False


def test_rbac_prints_a_role_for_each_command(run: Run) -> None:
    roles = json.loads(run("kubectl-fairshare rbac shares why -o json").stdout)["items"]
    names = [role["metadata"]["name"] for role in roles]
    parts = ("shares", "why", "configuration", "release")
    assert names == [f"kubectl-fairshare-{part}" for part in parts]


def test_rbac_in_yaml_and_json_say_the_same(run: Run) -> None:
    import yaml

    documents = list(yaml.safe_load_all(run("kubectl-fairshare rbac").stdout))
    assert documents == json.loads(run("kubectl-fairshare rbac -o json").stdout)["items"]


SECRETS = ("hunter2", "hunter3", "canary", "my-token")


def planted() -> dict[str, Any]:
    """A Job with something secret wherever one may stand."""
    source: dict[str, Any] = {"name": "S", "valueFrom": {"secretKeyRef": {"name": "keys", "key": "canary"}}}
    container: dict[str, Any] = {"name": "c", "image": "i", "env": [{"name": "A", "value": "canary"}, source]}
    container |= {"envFrom": [{"secretRef": {"name": "canary"}}], "resources": {"requests": {"cpu": "1"}}}
    probe = {"httpGet": {"port": 1, "httpHeaders": [{"name": "Authorization", "value": "canary"}]}}
    annotations = {
        "kubectl.kubernetes.io/last-applied-configuration": '{"env": "canary"}',
        "tool.example/applied": '{"apiVersion": "batch/v1", "spec": {"env": "canary"}}',
    }
    metadata = {"name": "j", "namespace": "team", "uid": "1", "annotations": annotations}
    template = {
        "metadata": {"annotations": annotations},
        "spec": {"containers": [{**container, "livenessProbe": probe}]},
    }
    return {"metadata": {**metadata, "managedFields": [{"manager": "canary"}]}, "spec": {"template": template}}


@pytest.mark.parametrize("redact", ["none", "names", "all"])
def test_no_secret_gets_into_a_snapshot(
    served: Served, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, redact: str
) -> None:
    monkeypatch.setenv("KUBECONFIG", served.kubeconfig(tmp_path, token="my-token"))
    served.lists["/apis/batch/v1/jobs"] = [planted()]
    settings = next(iter(served.single.values()))
    settings["data"]["other"] = "canary"
    taken = run(f"kubectl-fairshare snapshot --redact {redact} -o {tmp_path / 's.gz'} --key {tmp_path / 'key'}")
    assert taken.code == 0
    stored = gzip.decompress((tmp_path / "s.gz").read_bytes()).decode() + (tmp_path / "key").read_text()
    assert '"Job"' in stored
    assert [secret for secret in SECRETS if secret in stored + taken.stdout + taken.stderr] == []
