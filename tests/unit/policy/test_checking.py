"""``test``: what a test cannot say, because it would pass whatever the scheduler decides."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen, beside
from tests.unit.policy.test_suite import POLICY, statuses

Run = Callable[[str], Screen]


@pytest.fixture
def checked(run: Run, tmp_path: Path) -> Callable[..., Screen]:
    """Runs tests that are given as YAML."""

    def screen(tests: str, words: str = "", given: str = f"paths: [{POLICY}]") -> Screen:
        path = tmp_path / "fairshare-test.yaml"
        path.write_text(f"given: {{{beside(given, tmp_path)}}}\ntests:\n{tests}")
        return run(f"kubectl-fairshare test {path} {words}")

    return screen


SUBMIT = "{submit: {queue: vision, request: {nvidia.com/gpu: 1}}}"


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("{name: a, then: {}}", "`then` checks nothing"),
        ("{name: a, then: {allow-unknown: true}}", "`then` checks nothing"),
        ("{name: a, then: {outcome: Admitted}}", "`outcome` is about `submit`, which is missing"),
        ("{name: a, then: {victims: {at-most: 1}}}", "`victims` is about `submit`, which is missing"),
        ("{name: a, when: WHEN, then: {outcome: []}}", "`outcome` is empty"),
        ("{name: a, then: {keeps: {}}}", "`keeps` is empty"),
        ("{name: a, then: {keeps: {entitled: false}}}", "`keeps` names no invariant"),
        ("{name: a, then: {keeps: {no-cascade: x}}}", "`x` is not a number of evictions"),
        ("{name: a, then: {keeps: {bounded: {vision: {gpus: 1}}}}}", "no queue has quota for `gpus`"),
        ("{name: a, then: {holds: {vision: {nvidia.com/gpus: 1}}}}", "no queue has quota for `nvidia.com/gpus`"),
        ("{name: a, then: {share: {vision: {at-least: x}}}}", "`at-least` must be a number, not `x`"),
        ("{name: a, when: WHEN, then: {victims: {at-most: x}}}", "`at-most` must be a number, not `x`"),
        ("{name: a, when: WHEN, then: {victims: {never-from: [visoin]}}}", "there is no queue `visoin`"),
        ("{name: a, then: {why: {name: nosuch}}}", "`nosuch`"),
        ("{name: a, when: {delete: [ClusterQueue/visoin]}, then: {findings: []}}", "no object `ClusterQueue/visoin`"),
        ("{name: a, when: {usage: {vision: {nvidia.com/gpu: -1}}}, then: {findings: []}}", "`-1` is below 0"),
        ("{name: a, when: WHEN0, then: {outcome: Admitted}}", "`count` must be 1 or more, not 0"),
    ],
)
def test_what_cannot_fail_is_an_error_at_its_line(checked: Callable[..., Screen], test: str, message: str) -> None:
    none = SUBMIT.replace("1}}}", "1}, count: 0}}")
    screen = checked(f"- {test.replace('WHEN0', none).replace('WHEN', SUBMIT)}\n")

    assert message in screen.stderr
    assert "fairshare-test.yaml:3:" in screen.stderr
    assert screen.code in (2, 3)


def test_only_must_select_a_test(checked: Callable[..., Screen]) -> None:
    screen = checked("- {name: a, then: {findings: []}}\n", "--only zzz")

    assert (screen.code, "no test has `zzz` in its name" in screen.stderr) == (2, True)


@pytest.mark.parametrize("group", ["scheduling.x-k8s.io", "scheduling.sigs.k8s.io"])
def test_where_pods_are_decided_alone_a_count_is_so_many_pods(
    checked: Callable[..., Screen], tmp_path: Path, group: str
) -> None:
    quota = {"apiVersion": f"{group}/v1alpha1", "kind": "ElasticQuota", "metadata": {"name": "a", "namespace": "a"}}
    quota["spec"] = {"min": {"cpu": 8}, "max": {"cpu": 8}}
    nodes = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": n}, "status": {"allocatable": {"cpu": 4, "pods": 9}}}
        for n in ("n1", "n2")
    ]
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [quota, *nodes]}))
    running = "running: [{queue: a, request: {cpu: 2}, count: 3}]"
    one = "submit: {queue: a, request: {cpu: 2}}"

    tests = f"- {{name: fits, when: {{{running}, {one}}}, then: {{outcome: Admitted, holds: {{a: {{cpu: 8}}}}}}}}\n"
    found = json.loads(checked(tests, "-o json", f"paths: [{policy}]").stdout)
    assert statuses(found["suites"][0]) == ["Passed"]
    several = tests.replace(one, one.replace("2}}", "2}, count: 2}"))
    assert "`count` must be 1: each pod is decided alone" in checked(several, given=f"paths: [{policy}]").stderr
