"""A cycle as a screen, on states that show one thing each."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]
NAME = "kubernetes.io/metadata.name"

STATE = """\
apiVersion: v1
kind: List
items:
- {{apiVersion: v1, kind: Namespace, metadata: {{name: ns}}}}
- {{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {{name: any}}}}
{items}
"""
QUEUE = """\
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {{name: {name}}}
  spec:
    cohortName: all
    namespaceSelector: {{}}
    resourceGroups:
    - coveredResources: [cpu]
      flavors: [{{name: any, resources: [{{name: cpu, nominalQuota: 2}}]}}]
"""
LOCAL = """\
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: LocalQueue
  metadata: {{name: {name}, namespace: ns}}
  spec: {{clusterQueue: {name}}}"""
QUEUE += LOCAL
WORKLOAD = """\
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: Workload
  metadata: {{name: {name}, namespace: {namespace}, uid: {name}, creationTimestamp: "2026-01-01T00:00:0{age}Z"}}
  spec:
    queueName: {queue}
    podSets:
    - name: main
      count: 1
      template: {{spec: {{containers: [{{name: c, resources: {{requests: {{cpu: {cpu}}}}}}}]}}}}"""

TOO_MUCH = (
    "couldn't assign flavors to pod set main: insufficient quota for cpu in flavor any, "
    "previously considered podsets requests (0) + current podset request (9) > maximum capacity (4)"
)


def workload(name: str, queue: str, cpu: int, age: int = 0, namespace: str = "ns") -> str:
    return WORKLOAD.format(name=name, queue=queue, cpu=cpu, age=age, namespace=namespace)


@pytest.fixture
def cycle(run: Run, tmp_path: Path) -> Callable[..., str]:
    def of(*items: str, options: str = "") -> str:
        path = tmp_path / "state.yaml"
        path.write_text(STATE.format(items="\n".join([*(QUEUE.format(name=q) for q in ("a", "b")), *items])))
        screen = run(f"kubectl-fairshare cycle -f {path} {options}")
        assert (screen.code, screen.stderr) == (0, "")
        return screen.stdout

    return of


def test_nobody_waits(cycle: Callable[..., str]) -> None:
    assert cycle().splitlines()[3:] == [
        "no workload waits in an active queue",
        "",
        "⇒ nothing to decide · exact (Kueue v0.19, --release assumed)",
    ]


def test_order_outcome_and_who_stands_behind(cycle: Callable[..., str]) -> None:
    shown = cycle(workload("old", "a", 3), workload("young", "a", 1, age=1), workload("big", "b", 9))
    assert shown.splitlines()[3:] == [
        "#  WORKLOAD  CLUSTERQUEUE  OUTCOME",
        "1  ns/big    b             can never fit",
        f"   ExceedsMaxQuota: {TOO_MUCH}",
        "2  ns/old    a             admitted (any)",
        "",
        "behind the heads, not considered: 1 in a",
        "",
        "⇒ 1 admitted, 1 never · exact (Kueue v0.19, --release assumed)",
    ]


def test_never_is_unknown_where_an_object_that_is_not_given_can_change_it(run: Run, tmp_path: Path) -> None:
    """A ClusterQueue that a LocalQueue names may be of the cohort and lend to it, but not to a queue without one."""
    absent = LOCAL.format(name="zz")
    alone = QUEUE.format(name="alone").replace("    cohortName: all\n", "")
    works = (workload("w", "a", 5), workload("huge", "alone", 5))
    path = tmp_path / "state.yaml"
    path.write_text(STATE.format(items="\n".join([QUEUE.format(name="a"), absent, alone, *works])))
    for options, outcome, text in (("", "Unknown", "unknown"), ("--complete", "Never", "can never fit")):
        asked = f"cycle -f {path} {options}"
        document = json.loads(run(f"kubectl-fairshare {asked} -o json").stdout)
        outcomes = {each["workload"]["name"]: each["outcome"] for each in document["entries"]}
        assert outcomes == {"w": outcome, "huge": "Never"}
        shown = [line.split(maxsplit=3)[1:] for line in run(f"kubectl-fairshare {asked}").stdout.splitlines()]
        assert ["ns/w", "a", text] in shown
        assert ["ns/huge", "alone", "can never fit"] in shown
        listed = json.loads(run(f"kubectl-fairshare why -A -f {path} {options} -o json").stdout)
        assert {w["subject"].split("/")[-1]: g["verdict"] for g in listed["groups"] for w in g["workloads"]} == outcomes


@pytest.mark.parametrize(("release", "outcome"), [("0.16.5", "Unknown"), ("0.17.1", "Unknown"), ("0.19", "Never")])
def test_never_is_unknown_where_a_release_was_not_measured(
    run: Run, tmp_path: Path, release: str, outcome: str
) -> None:
    """Patch releases changed how sums near the bounds of 64 bits are made: here of two pod sets."""
    huge = workload("w", "a", 5 * 10**15)
    pod_set = huge[huge.index("    - name: main") :]
    path = tmp_path / "state.yaml"
    path.write_text(STATE.format(items="\n".join([QUEUE.format(name="a"), huge, pod_set.replace("main", "more")])))
    document = json.loads(run(f"kubectl-fairshare cycle -f {path} --release {release} -o json").stdout)
    assert [each["outcome"] for each in document["entries"]] == [outcome]


def test_a_tie_between_heads_that_compete_is_told_with_every_outcome(cycle: Callable[..., str]) -> None:
    shown = cycle(workload("one", "a", 3), workload("two", "b", 3))
    tie = "\ntie: ns/one and ns/two rank the same, and Kueue does not define which it takes\n   first\n"
    assert tie in shown
    assert (
        "possible, and left to chance (2):\n  ns/one admitted; ns/two not now\n  ns/one not now; ns/two admitted\n"
        in shown
    )
    assert shown.endswith("⇒ 1 admitted, 1 not now · one of 2 possible outcomes (Kueue v0.19, --release\n  assumed)\n")


def test_a_tie_that_changes_nothing_is_not_told(cycle: Callable[..., str]) -> None:
    shown = cycle(workload("one", "a", 1), workload("two", "b", 1))
    assert "tie" not in shown
    assert shown.endswith("⇒ 2 admitted · exact (Kueue v0.19, --release assumed)\n")


def test_who_is_not_considered_at_all(cycle: Callable[..., str]) -> None:
    local = "- {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: a, namespace: x}}"
    shown = cycle(
        local.removesuffix("}") + ", spec: {clusterQueue: a}}",
        workload("lost", "a", 1, namespace="x"),
        options="--complete",
    )
    assert "inadmissible" in shown
    assert '   Misconfigured: workload namespace "x" does not exist: namespaces "x" not found\n' in shown


@pytest.mark.parametrize(
    ("selector", "exact"), [("matchLabels: {tier: gold}", False), (f"matchLabels: {{{NAME}: x}}", True)]
)
def test_labels_of_a_namespace_that_is_not_given_may_decide(
    run: Run, tmp_path: Path, selector: str, exact: bool
) -> None:
    state = STATE.replace("- {{apiVersion: v1, kind: Namespace, metadata: {{name: ns}}}}\n", "")
    queue = QUEUE.format(name="a").replace("namespaceSelector: {}", f"namespaceSelector: {{{selector}}}")
    path = tmp_path / "state.yaml"
    path.write_text(state.format(items="\n".join([queue, workload("w", "a", 1)])))
    screen = run(f"kubectl-fairshare cycle -f {path} -o json")
    assert json.loads(screen.stdout)["fidelity"]["exact"] is exact
