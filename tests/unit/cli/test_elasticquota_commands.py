"""``shares`` and ``plan`` of ElasticQuotas: documents keep to their schemas, the order of the input means nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.schedulers.elasticquota.conformance.decisions import whole_objects
from tests.sampling import sampled
from tests.schemas import problems
from tests.screens import ROOT, Screen

CLUSTER = "testdata/elasticquota/cluster.yaml"
RECORDED = ROOT / "testdata" / "conformance" / "elasticquota.jsonl.gz"
NAMED = {"name": "few", "namespace": "production"}
Run = Callable[[str], Screen]


def valid(document: Any) -> Any:
    """The document, which keeps to the schema of its kind."""
    assert problems(document) == []
    return document


def asked(run: Run, command: str) -> Any:
    return valid(orjson.loads(run(f"kubectl-fairshare {command} -o json").stdout))


def test_shares_keep_to_their_schema(run: Run) -> None:
    found = asked(run, f"shares -f {CLUSTER}")
    (research,) = (q for q in found["quotas"] if q["namespace"] == "research")
    assert [r["resource"] for r in research["resources"]] == ["cpu", "nvidia.com/gpu"]
    assert research["resources"][1]["borrowed"] == {"quantity": "2", "value": 2}
    assert found["sums"][0]["stranded"] == {"quantity": "3500m", "value": 3500}


def test_shares_of_one_resource(run: Run) -> None:
    found = asked(run, f"shares -f {CLUSTER} --resource nvidia.com/gpu")
    assert [s["resource"] for s in found["sums"]] == ["nvidia.com/gpu"]
    wrong = run(f"kubectl-fairshare shares -f {CLUSTER} --resource nvidia.com/gpus")
    assert (wrong.code, "nvidia.com/gpu" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    ("request_", "outcome", "code"),
    [
        ("cpu=1", "Admitted", 0),
        ("nvidia.com/gpu=3", "Preempts", 0),
        ("cpu=30", "Waits", 4),
        ("cpu=33", "Never", 4),
    ],
)
def test_a_plan_keeps_to_its_schema(run: Run, request_: str, outcome: str, code: int) -> None:
    command = f"plan -f {CLUSTER} -n production --request {request_}"
    found = asked(run, command)
    assert (found["outcome"], found["exitCode"], run(f"kubectl-fairshare {command}").code) == (outcome, code, code)


def test_a_pod_that_is_not_created_spares_nothing(run: Run, tmp_path: Path) -> None:
    few = tmp_path / "few.yaml"
    bound = {"spec": {"hard": {"requests.nvidia.com/gpu": "1"}}}
    few.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "ResourceQuota", **bound, "metadata": NAMED}))
    request = "-n production --request nvidia.com/gpu=3"
    created = asked(run, f"plan -f {CLUSTER} {request}")
    refused = asked(run, f"plan -f {CLUSTER} --overlay {few} {request}")
    assert [bool(each["spared"]) for each in (created, refused)] == [True, False]
    older = asked(run, f"plan -f {CLUSTER} --overlay {few} {request} --api v1alpha1")
    assert (older["victims"], older["notTaken"]) == ([], [])


def test_several_plans_are_a_list(run: Run, tmp_path: Path) -> None:
    web = ROOT / "testdata" / "elasticquota" / "web.yaml"
    other = tmp_path / "other.yaml"
    other.write_text(web.read_text("utf-8").replace("name: web,", "name: other,"))
    found = asked(run, f"plan -f {CLUSTER} -w {web} -w {other}")
    assert [item["subject"]["name"] for item in found["items"]] == ["web-xxxxx", "other-xxxxx"]


def test_the_pod_of_the_state_is_asked_about_as_if_it_were_not_there(run: Run, tmp_path: Path) -> None:
    documents = [d for d in yaml.safe_load_all((ROOT / CLUSTER).read_text("utf-8")) if d["metadata"]["name"] == "serve"]
    path = tmp_path / "serve.yaml"
    path.write_text(yaml.safe_dump(documents[0]))
    found = asked(run, f"plan -f {CLUSTER} -w {path}")
    assert (found["outcome"], found["feasibleNodes"]) == ("Admitted", ["gpu-1"])


def only(tmp_path: Path, name: str, **changed: Any) -> Path:
    """A file with one Pod of the cluster, with fields of its spec changed."""
    (pod,) = (
        d
        for d in yaml.safe_load_all((ROOT / CLUSTER).read_text("utf-8"))
        if (d["kind"], d["metadata"]["name"]) == ("Pod", name)
    )
    pod["spec"] |= changed
    path = tmp_path / f"{name}.yaml"
    path.write_text(yaml.safe_dump(pod))
    return path


def test_a_pod_that_is_on_a_node_is_told_to_be(run: Run, tmp_path: Path) -> None:
    path = only(tmp_path, "serve")
    assert asked(run, f"plan -f {CLUSTER} -w {path}")["pod"]["node"] == "gpu-1"
    assert "as if not yet on gpu-1" in run(f"kubectl-fairshare plan -f {CLUSTER} -w {path}").stdout


def test_a_place_kept_in_the_state_is_that_of_the_pod_asked_about(run: Run, tmp_path: Path) -> None:
    documents = list(yaml.safe_load_all((ROOT / CLUSTER).read_text("utf-8")))
    for document in documents:
        if document["metadata"]["name"] == "serve-next":
            document["status"]["nominatedNodeName"] = "gpu-2"
        if document["metadata"]["name"] == "sweep-2":
            document["metadata"]["deletionTimestamp"] = "2026-03-02T00:00:00Z"
    state = tmp_path / "state.yaml"
    state.write_text(yaml.safe_dump_all(documents))
    found = asked(run, f"plan -f {state} -w {only(tmp_path, 'serve-next')}")
    assert (found["course"], found["eligibility"]["leaving"]) == ("NotEligible", "research/sweep-2")


@pytest.mark.parametrize(("cpu", "refused"), [("30", []), ("49", ["requests.cpu"])])
def test_a_resource_quota_that_keeps_the_pod_from_being_created_is_told(run: Run, cpu: str, refused: list[str]) -> None:
    command = f"plan -f {CLUSTER} -n research --request cpu={cpu}"
    found = asked(run, command)
    assert [r["name"] for r in found["refusedAtCreation"]] == refused
    assert (found["outcome"] == "Never") is bool(refused)
    assert bool(found["bindings"]) is bool(refused)


def test_a_pod_that_exists_is_not_created_again(run: Run, tmp_path: Path) -> None:
    large = [{"name": "main", "image": "i", "resources": {"requests": {"cpu": "60"}}}]
    found = asked(run, f"plan -f {CLUSTER} -w {only(tmp_path, 'train', containers=large)}")
    assert found["refusedAtCreation"] == []


def test_what_is_wrong_with_a_template_is_told_at_its_line(run: Run, tmp_path: Path) -> None:
    web = (ROOT / "testdata" / "elasticquota" / "web.yaml").read_text("utf-8")
    path = tmp_path / "web.yaml"
    path.write_text(web.replace("containers:", "priorityClassName: absent\n      containers:", 1))
    screen = run(f"kubectl-fairshare plan -f {CLUSTER} -w {path} --complete")
    assert screen.code == 3
    assert f"error: {path}:" in screen.stderr
    assert "PriorityClass `absent` is not in the input" in screen.stderr
    assert "`kubectl get priorityclass absent -o yaml`" in screen.stderr


def test_without_nodes_it_is_told_what_would_make_the_quotas_admit(run: Run, tmp_path: Path) -> None:
    documents = [d for d in yaml.safe_load_all((ROOT / CLUSTER).read_text("utf-8")) if d["kind"] != "Node"]
    path = tmp_path / "quotas.yaml"
    path.write_text(yaml.safe_dump_all(documents))
    screen = run(f"kubectl-fairshare plan -f {path} -n production --request nvidia.com/gpu=3")
    assert "preemption on gpu-1, gpu-2 would make the quotas admit it" in screen.stdout
    assert "min of production: nvidia.com/gpu 6 → 8: the quotas admit it" in screen.stdout


@pytest.mark.parametrize("name", ["gpu", "requests.cpu", "limits.memory", "pods"])
def test_what_no_container_may_request_is_refused(run: Run, name: str) -> None:
    screen = run(f"kubectl-fairshare plan -f {CLUSTER} -n production --request {name}=1")
    assert screen.code == 2
    assert f"a container cannot request `{name}`" in screen.stderr


def test_where_nothing_single_helps_that_is_said(run: Run) -> None:
    screen = run(f"kubectl-fairshare plan -f {CLUSTER} -n production --request cpu=31,nvidia.com/gpu=4")
    assert "tried without effect:" in screen.stdout
    assert "what would help" not in screen.stdout


def test_an_answer_without_nodes_is_half(run: Run, tmp_path: Path) -> None:
    documents = [d for d in yaml.safe_load_all((ROOT / CLUSTER).read_text("utf-8")) if d["kind"] != "Node"]
    path = tmp_path / "quotas.yaml"
    path.write_text(yaml.safe_dump_all(documents))
    found = asked(run, f"plan -f {path} -n research --request cpu=1")
    assert (found["outcome"], found["byWhatIsModelled"], found["quotaHalfOnly"]) == ("Unknown", "Admitted", True)
    assert run(f"kubectl-fairshare plan -f {path} -n research --request cpu=1").code == 5


def test_yaml_says_what_json_says(run: Run) -> None:
    command = f"kubectl-fairshare plan -f {CLUSTER} -n production --request nvidia.com/gpu=3"
    assert yaml.safe_load(run(f"{command} -o yaml").stdout) == orjson.loads(run(f"{command} -o json").stdout)


def test_the_version_below_is_a_switch(run: Run) -> None:
    found = asked(run, f"plan -f {CLUSTER} -n production --request cpu=1 --release 1.36")
    assert found["fidelity"]["version"] == "903da7d (Kubernetes 1.36)"


def test_the_order_of_the_input_means_nothing(run: Run, tmp_path: Path) -> None:
    documents = list(yaml.safe_load_all((ROOT / CLUSTER).read_text("utf-8")))
    path = tmp_path / "turned.yaml"
    path.write_text(yaml.safe_dump_all(documents[::-1]))
    for question in ("nvidia.com/gpu=3", "cpu=30"):
        here = run(f"kubectl-fairshare plan -f {CLUSTER} -n production --request {question} -o name")
        there = run(f"kubectl-fairshare plan -f {path} -n production --request {question} -o name")
        assert here.stdout == there.stdout


def test_a_scheduler_whose_quotas_are_not_there_is_told(run: Run) -> None:
    screen = run(f"kubectl-fairshare shares -f {CLUSTER} --scheduler kueue")
    assert (screen.code, "the input has no quotas of `kueue`" in screen.stderr) == (2, True)
    assert "help: it has quotas of `elasticquota`" in screen.stderr


def test_an_input_without_quotas_has_those_of_no_scheduler(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "pod.yaml"
    path.write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\n")
    screen = run(f"kubectl-fairshare shares -f {path} --scheduler elasticquota")
    assert (screen.code, "help: it has quotas of no scheduler" in screen.stderr) == (2, True)


def test_koordinators_quotas_have_a_house_of_their_own(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "koordinator.yaml"
    path.write_text(
        "apiVersion: scheduling.sigs.k8s.io/v1alpha1\nkind: ElasticQuota\n"
        "metadata: {name: q, namespace: a}\nspec: {min: {cpu: 1}}\n"
    )
    screen = run(f"kubectl-fairshare shares -f {path}")
    assert (screen.code, "Koordinator 1.8.0" in screen.stdout) == (0, True)
    both = run(f"kubectl-fairshare shares -f {CLUSTER} -f {path}")
    assert (both.code, "which belong to Koordinator" in both.stdout) == (0, True)
    other = run(f"kubectl-fairshare shares -f {CLUSTER} -f {path} --scheduler koordinator")
    assert (other.code, "for pods of scheduler-plugins only" in other.stdout) == (0, True)


WAITING = "testdata/elasticquota/waiting.yaml"


@pytest.mark.parametrize("name", ["job/sweep", "sweep-2", "serve-next", "web", "gated", "done", "stray", "nightly"])
def test_reasons_keep_to_their_schema(run: Run, name: str) -> None:
    found = asked(run, f"why -f {WAITING} {name}")
    assert (found["kind"], found["scheduler"]) == ("Why", "elasticquota")


def test_pods_of_several_names_are_a_list(run: Run) -> None:
    found = asked(run, f"why -f {WAITING} sweep-1 job/sweep")
    assert [item["reason"] for item in found["items"]] == ["Placed", "OverSumMin"]


def test_all_that_wait_keep_to_their_schema(run: Run) -> None:
    groups = asked(run, f"why -f {WAITING} -A")["groups"]
    assert [(group["verdict"], group["reason"], len(group["workloads"])) for group in groups] == [
        ("Never", "OverMax", 1),
        ("Unmanaged", "OtherScheduler", 1),
        ("NotNow", "NoSingleNode", 1),
        ("NotNow", "OverSumMin", 1),
        ("NotNow", "RefusedByResourceQuota", 1),
        ("Waiting", "NextAttempt", 1),
        ("Waiting", "NextPreemption", 1),
        ("Waiting", "SchedulingGated", 1),
    ]


def test_a_derivation_keeps_to_its_schema(run: Run) -> None:
    found = asked(run, f"shares -f {CLUSTER} --explain research")
    (_, gpus) = found["resources"]
    assert [(term["name"], term["amount"]["value"]) for term in gpus["allMinima"]] == [
        ("production", 6),
        ("research", 4),
    ]


def recorded() -> list[Any]:
    """Every fiftieth recorded case."""
    return [case for number, case in enumerate(cases(RECORDED)) if number % 50 == 0]


@pytest.mark.parametrize("case", sampled(recorded(), 4), ids=lambda case: str(case["name"]))
def test_every_document_and_screen_can_be_made(case: Any, run: Run, tmp_path: Path) -> None:
    objects = whole_objects(case)
    namespace, name = case["pending"].split("/")
    (asking,) = (
        o
        for o in objects
        if o["kind"] == "Pod" and (o["metadata"]["namespace"], o["metadata"]["name"]) == (namespace, name)
    )
    state, pod = tmp_path / "state.json", tmp_path / "pod.json"
    state.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    pod.write_bytes(orjson.dumps(asking))
    found = asked(run, f"plan -f {state} -w {pod}")
    assert found["course"] == case["expected"]["outcome"]
    screen = run(f"kubectl-fairshare plan -f {state} -w {pod}")
    assert screen.code == found["exitCode"]
    assert max(len(line) for line in screen.stdout.splitlines() if "requested" not in line) <= 120
    asked(run, f"shares -f {state}")
    assert run(f"kubectl-fairshare shares -f {state}").code == 0
    why = asked(run, f"why -f {state} {namespace}/pod/{name}")
    assert why["plan"]["course"] == case["expected"]["outcome"]
    comes = case["expected"]["outcome"] in ("Schedulable", "Preempt") or why["reason"] == "VictimsLeaving"
    assert (why["verdict"] == "Waiting") is comes
    assert run(f"kubectl-fairshare why -f {state} {namespace}/pod/{name}").code == 0
    asked(run, f"why -f {state} -A")
