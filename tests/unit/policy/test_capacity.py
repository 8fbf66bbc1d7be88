"""``capacity``: every figure gets in, one unit more does not, under each scheduler."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.capacity.rooms import _AT_LAST, ScaledShape, _Asked, _between, _room, _Rulings, capacity
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Ruling
from tests.screens import ROOT, Screen
from tests.unit.policy.test_sandboxes import INPUTS, snapshot_of

Run = Callable[[str], Screen]
GPU = "nvidia.com/gpu"
IN = {Outcome.ADMITTED, Outcome.PREEMPTS}


def rows(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare capacity {words} -o json").stdout)["queues"]


@pytest.mark.parametrize("scheduler", INPUTS)
def test_the_figure_gets_in_and_one_unit_more_does_not(scheduler: str) -> None:
    snapshot = snapshot_of(scheduler)
    sandbox = scheduler_named(scheduler).review.sandbox(snapshot)

    found = capacity(scheduler_named(scheduler), snapshot, ScaledShape({}), (), (GPU,)).rows

    assert found
    for row in found:
        for room, wanted in ((row.now, {Outcome.ADMITTED}), (row.preempting, IN)):
            assert room is not None
            assert room.size is not None
            size = int(room.size.value)
            assert size == 0 or sandbox.ruling(MadeUpWork(row.queue, {GPU: size}), row.pool).outcome in wanted
            assert sandbox.ruling(MadeUpWork(row.queue, {GPU: size + 1}), row.pool).outcome not in wanted


@pytest.mark.parametrize("scheduler", [*INPUTS, "koordinator"])
def test_a_smaller_size_gets_in_the_same_way_and_one_more_does_not(scheduler: str) -> None:
    """Of a shape of which not even one unit gets in, under each scheduler."""
    resource, snapshot = ("cpu", tree()) if scheduler == "koordinator" else (GPU, snapshot_of(scheduler))
    sandbox, shape = scheduler_named(scheduler).review.sandbox(snapshot), {resource: 1_000_000}

    found = capacity(scheduler_named(scheduler), snapshot, ScaledShape(shape), (), ()).rows

    ways = [(sandbox, "now", {Outcome.ADMITTED}), (sandbox, "preempting", IN), (sandbox.idle(), "ever", {*IN})]
    sizes = [
        (each, wanted, row.queue, int(smaller.value))
        for row in found
        for each, way, wanted in ways
        for smaller in getattr(row, way).smaller
    ]
    assert {queue for _, _, queue, _ in sizes} == {row.queue for row in found if row.ever.smaller}
    assert sizes
    for each, wanted, queue, size in sizes:
        assert each.ruling(MadeUpWork(queue, {resource: size}), "").outcome in wanted
        assert each.ruling(MadeUpWork(queue, {resource: size + 1}), "").outcome not in wanted


def tree() -> Snapshot:
    """Quotas of Koordinator, with pods."""
    manifests = read([str(ROOT / "testdata/koordinator/tree.yaml")], known_schedulers()).manifests
    return assemble(manifests, known_schedulers()).snapshot


def test_a_smaller_size_is_told_where_no_unit_gets_in(run: Run) -> None:
    etl = next(row for row in rows(run, "-f testdata/demo/org --queue etl --request nvidia.com/gpu=24"))
    assert (etl["now"]["size"]["value"], etl["preempting"]["size"]["value"]) == (0, 0)
    assert [each["amount"]["value"] for each in etl["now"]["smaller"]] == [4]
    assert [each["amount"]["value"] for each in etl["preempting"]["smaller"]] == [19]
    screen = run("kubectl-fairshare capacity -f testdata/demo/org --queue etl --request nvidia.com/gpu=24").stdout
    assert "gets in now with 4 nvidia.com/gpu; gets in after preemption with 19" in " ".join(screen.split())


def test_now_is_at_most_after_preemption_which_is_at_most_ever(run: Run) -> None:
    for row in rows(run, "-f testdata/demo/org"):
        sizes = [row[when]["size"]["value"] for when in ("now", "preempting", "ever")]
        assert sizes == sorted(sizes)


def test_whose_work_goes_and_what_binds_are_named(run: Run) -> None:
    speech = next(row for row in rows(run, "-f testdata/demo/org --queue speech"))

    assert speech["preempting"]["victims"] == ["vision"]
    assert "a100" in speech["now"]["binds"]


TWO_FLAVORS = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: reserved}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: vision}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - {name: reserved, resources: [{name: cpu, nominalQuota: 4}]}
    - {name: spot, resources: [{name: cpu, nominalQuota: 3}]}
"""


BLOCKED = """
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
waitForPodsReady: {timeout: 5m, blockAdmission: true}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: starting, namespace: default}
spec:
  queueName: q
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]
status:
  admission:
    clusterQueue: vision
    podSetAssignments: [{name: main, count: 1, flavors: {cpu: reserved}, resourceUsage: {cpu: 1}}]
  conditions:
  - {type: QuotaReserved, status: "True", reason: A, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}
"""


def test_copies_that_have_a_choice_of_flavors_take_what_the_scheduler_gives_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(TWO_FLAVORS)

    (row,) = rows(run, f"-f {tmp_path}/two.yaml --request cpu=1")

    assert row["copies"] == 7
    assert row["now"]["size"]["value"] == 4000


@pytest.mark.parametrize(("release", "said"), [("0.16", True), ("0.18.4", True), ("0.18.6", False), ("0.20", False)])
def test_where_a_flavor_without_candidates_may_win_the_figures_are_of_work_for_one_flavor(
    run: Run, release: str, said: bool
) -> None:
    document = json.loads(run(f"kubectl-fairshare capacity -f testdata/demo --release {release} -o json").stdout)
    assert any("can use that flavor alone" in note for note in document["notes"]) is said


@pytest.mark.parametrize(("mixed", "said"), [(True, True), (False, False)])
def test_a_topology_next_to_other_flavors_must_be_asked_for(run: Run, tmp_path: Path, mixed: bool, said: bool) -> None:
    """Kueue implies the request only where all flavors of a queue have a topology."""
    held = json.loads((ROOT / "testdata/consistency/kueue-mixed-topologies.json").read_text())
    for each in held["items"] if not mixed else ():
        if each["kind"] == "ResourceFlavor":
            each["spec"]["topologyName"] = "default"
    (tmp_path / "state.json").write_text(json.dumps(held))
    document = json.loads(run(f"kubectl-fairshare capacity -f {tmp_path}/state.json -o json").stdout)
    assert any("of work that asks for one" in note for note in document["notes"]) is said


def test_nothing_gets_in_while_pods_that_are_not_ready_block_admission(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(f"{TWO_FLAVORS}---{BLOCKED}")

    found = rows(run, f"-f {tmp_path}/two.yaml --resource cpu")

    assert [row["now"]["size"]["value"] for row in found] == [0, 0]
    assert [row["copies"] for row in found] == [0, 0]


@pytest.mark.parametrize("fair", [False, True])
def test_each_size_is_the_one_that_trying_all_sizes_finds(fair: bool) -> None:
    snapshot = snapshot_of("kueue")
    if fair:
        configured = replace(snapshot.part(KueueState).configuration, strategies=(FINAL_SHARE, INITIAL_SHARE))
        snapshot = snapshot.with_part(replace(snapshot.part(KueueState), configuration=configured))
    sandbox = scheduler_named("kueue").review.sandbox(snapshot)
    for number, size in enumerate((3, 5, 2, 4, 6)):
        sandbox = sandbox.placed(f"held-{number}", MadeUpWork(("vision", "speech")[number % 2], {GPU: size}))

    for queue in ("vision", "speech"):
        asked = _Asked(next(s for s in sandbox.sites if s.queue == queue), "a100", {GPU: 1})
        room, _ = _room(asked, asked.rulings(sandbox.ruling, _AT_LAST), (), (0, 20))
        outcomes = [sandbox.ruling(MadeUpWork(queue, {GPU: size}), "a100").outcome in IN for size in range(1, 25)]

        assert room.size is not None
        assert int(room.size.value) == outcomes.index(False)


def test_a_feature_that_is_not_modelled_makes_the_answer_inexact(run: Run) -> None:
    command = "kubectl-fairshare capacity -f testdata/diff/before.yaml --release 0.1.0 -o json"
    found = json.loads(run(command).stdout)

    assert found["fidelity"]["exact"] is False
    assert "not exact: " in run(command.removesuffix(" -o json")).stdout


@pytest.mark.parametrize(("name", "size"), [("small", 1000), ("again-small", 4000)])
@pytest.mark.parametrize(("started", "exact"), [("10:00:01", True), ("10:00:00", False)])
def test_room_that_rests_on_the_order_of_equal_pods_is_not_exact(
    run: Run, tmp_path: Path, started: str, exact: bool, name: str, size: int
) -> None:
    """One order of two pods of a borrower makes room on the node, the other does not; that of their names is shown."""

    def pod(name: str, cpu: int, at: str) -> object:
        spec = {"nodeName": "n1", "containers": [{"name": "c", "image": "c", "resources": {"requests": {"cpu": cpu}}}]}
        status = {"phase": "Running", "startTime": f"2026-01-01T{at}Z"}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "b"}, "spec": spec} | {
            "status": status
        }

    quotas = [
        {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "ElasticQuota", "spec": {"min": {"cpu": 4}}}
        | {"metadata": {"name": "quota", "namespace": namespace}}
        for namespace in "ab"
    ]
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1"},
        "status": {"allocatable": {"cpu": 5, "pods": 9}},
    }
    objects = (*quotas, node, pod("large", 4, "10:00:00"), pod(name, 1, started))
    (tmp_path / "in.yaml").write_text(yaml.safe_dump_all(objects))

    found = json.loads(run(f"kubectl-fairshare capacity -f {tmp_path}/in.yaml --queue a --complete -o json").stdout)
    assert found["fidelity"]["exact"] is exact
    assert exact or [row["preempting"]["size"]["value"] for row in found["queues"]] == [size]


def test_few_sizes_are_tried_where_each_unit_more_asked_for_is_one_less_that_may_be_taken() -> None:
    for room in (3, 319, 61_824, 858_521_600):
        tried: list[int] = []

        def ask(units: int, room: int = room, tried: list[int] = tried) -> Ruling:
            tried.append(units)
            outcome = Outcome.PREEMPTS if units <= room else Outcome.WAITS
            return Ruling(outcome, within=lambda: max(0, 2 * room + 1 - units))

        assert _between(_Rulings(ask, _AT_LAST, 1, lambda _: Ruling(Outcome.WAITS)), 0, 1 << 31) == room
        assert len(tried) <= 16


def test_preemption_can_be_left_out(run: Run) -> None:
    assert [row["preempting"] for row in rows(run, "-f testdata/demo/org --no-preempting")] == [None] * 7
    assert "not asked" in run("kubectl-fairshare capacity -f testdata/demo/org --no-preempting").stdout
    table = run("kubectl-fairshare capacity -f testdata/demo/org --no-preempting -o csv").stdout
    assert {row["preempting"] for row in csv.DictReader(table.splitlines())} == {""}


def test_under_elastic_quotas_the_victims_queue_is_their_namespace(run: Run) -> None:
    found = [row for row in rows(run, "-f testdata/demo/capacity") if row["preempting"]["victims"]]

    assert {victim for row in found for victim in row["preempting"]["victims"]} == {"research"}


def test_a_shape_is_scaled_as_a_whole(run: Run) -> None:
    (row,) = rows(run, f"-f testdata/demo/org --queue vision --request {GPU}=4")

    assert row["now"]["size"]["value"] % 4 == 0


def test_copies_are_workloads_of_one_unit(run: Run) -> None:
    (row,) = rows(run, "-f testdata/diff/before.yaml --queue vision")

    assert row["copies"] == 20
    assert rows(run, "-f testdata/diff/before.yaml --queue vision --no-copies")[0]["copies"] is None
    assert "COPIES" not in run("kubectl-fairshare capacity -f testdata/diff/before.yaml --no-copies").stdout


def test_copies_that_are_not_counted_are_no_figure(run: Run, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    for gpus, copies, more, text in ((1000, 1000, False, "1000"), (1001, 1000, True, "1000+")):
        queues = Path("testdata/diff/before.yaml").read_text().replace("nominalQuota: 12", f"nominalQuota: {gpus - 8}")
        policy.write_text(queues)
        (row,) = rows(run, f"-f {policy} --queue vision")
        screen = run(f"kubectl-fairshare capacity -f {policy} --queue vision").stdout
        csv = run(f"kubectl-fairshare capacity -f {policy} --queue vision -o csv").stdout

        assert (row["copies"], row["moreCopies"]) == (copies, more)
        (line,) = [each for each in screen.splitlines() if "in a100  " in each]
        assert line.split()[-1] == text
        assert f",{text}," in csv


@pytest.mark.slow
def test_copies_of_jobs_are_counted_up_to_a_hundred(run: Run, tmp_path: Path) -> None:
    part = "{quota: 500000, limit: -1, overQuotaWeight: 1}"
    queue = f"{{resources: {{cpu: {part}, memory: {part}, gpu: {part}}}}}"
    for cores, copies, more in ((3, 3, False), (101, 100, True)):
        policy = tmp_path / "queue.yaml"
        policy.write_text(
            "{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: q}, spec: " + queue + "}\n---\n"
            "{apiVersion: v1, kind: Node, metadata: {name: node-1}, status: {allocatable: "
            f"{{cpu: {cores}, memory: 8Gi, pods: 200}}, conditions: [{{type: Ready, status: 'True'}}]}}}}\n"
        )
        (row,) = rows(run, f"-f {policy} --resource cpu --no-preempting")
        assert (row["copies"], row["moreCopies"]) == (copies, more)


@pytest.mark.parametrize(("figures", "copies"), [(1, 100), (3, 100), (30, 10), (10_000, 5)])
def test_fewer_copies_of_jobs_are_counted_of_many_figures(figures: int, copies: int) -> None:
    assert scheduler_named("kai").review.sandbox(snapshot_of("kai")).most_copies(figures) == copies


def test_more_figures_than_the_state_allows_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_fairshare.schedulers.koordinator.review.sandbox.MOST_STEPS", 40)
    call = "kubectl-fairshare capacity -f testdata/demo/koordinator --scheduler koordinator"
    found = run(call)
    assert (found.code, found.stdout) == (3, "")
    assert "with `--queue` and `--resource`" in found.stderr
    assert run(f"{call} --queue vision --resource cpu").code == 0


def test_many_resources_of_one_queue_make_a_short_screen(run: Run, tmp_path: Path) -> None:
    names = ["cpu", "memory", *(f"vendor.example/device-{letter}" for letter in "abcdefghijklm")]
    quotas = "".join(f"      - {{name: {name}, nominalQuota: 4}}\n" for name in names)
    policy = Path("testdata/diff/before.yaml").read_text()
    head = policy[: policy.index("---")]
    (tmp_path / "many.yaml").write_text(
        f"{head}---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: only}}\nspec:\n"
        f"  namespaceSelector: {{}}\n  resourceGroups:\n  - coveredResources: [{', '.join(names)}]\n"
        f"    flavors:\n    - name: a100\n      resources:\n{quotas}"
    )
    screen = run(f"kubectl-fairshare capacity -f {tmp_path / 'many.yaml'}").stdout

    text = " ".join(screen.split())
    assert "largest workload that fits in only, in units of 1 of each resource, 1Mi memory" in text
    assert "4 vendor.example/device-h and 5 more; no Nodes in the input" in text
    assert text.count("no Nodes in the input") == 1
    assert "vendor.example/device-a in a100" in screen
    assert "QUEUE" not in screen


def test_all_quotas_are_compared_with_the_nodes(run: Run) -> None:
    found = json.loads(run("kubectl-fairshare capacity -f testdata/demo/capacity -o json").stdout)["promises"]

    assert {each["resource"]: (each["quotas"]["value"], each["nodes"]["value"]) for each in found}[GPU] == (10, 10)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--queue visoin", "there is no queue `visoin`"),
        ("--resource tpu", "no queue has quota for `tpu`"),
        ("--request cpu", "`cpu` is not a request"),
        ("--request cpu=1,pods=1", "a pod cannot request `pods`"),
        ("--queue vision --backlog 3xpods=1", "a pod cannot request `pods`"),
        ("--request nvidia.com/gpu=1 --resource nvidia.com/gpu", "excludes `--resource`"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(run: Run, words: str, message: str) -> None:
    screen = run(f"kubectl-fairshare capacity -f testdata/diff/before.yaml {words}")

    assert screen.code == 2
    assert message in screen.stderr


def test_an_input_without_queues_is_not_answered_exactly(run: Callable[[str], Screen]) -> None:
    screen = run("kubectl-fairshare capacity -q -f testdata/demo/jobs --scheduler kueue").stdout
    assert screen.startswith("no queue ")
    assert "not exact: any quota: the input has no ClusterQueue and no Cohort" in " ".join(screen.split())
    assert screen.splitlines()[-1] == "⇒ no queue · not exact (Kueue v0.19, --release assumed)"


def test_a_kai_queue_without_room_says_what_is_short(run: Run) -> None:
    document = json.loads(run("kubectl-fairshare capacity -f testdata/demo/kai --queue speech -o json").stdout)
    (room,) = document["queues"]
    assert room["now"]["size"]["value"] == 0
    assert room["now"]["binds"] == "1 GPU requested, 0 idle on ready nodes"


@pytest.mark.parametrize(
    ("resources", "exact"),
    [
        ("transformations: [{input: cpu, strategy: Retain, outputs: {example.com/credits: 2}}]", False),
        ("excludeResourcePrefixes: [cp]", False),
        ("transformations: [{input: memory, strategy: Replace, outputs: {example.com/credits: 2}}]", True),
    ],
)
def test_figures_of_what_pods_are_charged_for_otherwise_are_not_exact(
    run: Run, tmp_path: Path, resources: str, exact: bool
) -> None:
    """A pod with such a request gets something else: its plan may be never where the figure is 4."""
    configuration = f"---\napiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nresources: {{{resources}}}\n"
    (tmp_path / "state.yaml").write_text(TWO_FLAVORS + configuration)
    document = json.loads(run(f"kubectl-fairshare capacity -f {tmp_path}/state.yaml -o json").stdout)
    assert document["fidelity"]["exact"] is exact
