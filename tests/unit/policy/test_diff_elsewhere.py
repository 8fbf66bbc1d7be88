"""``diff`` under KAI and ElasticQuota: the same question to other schedulers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.screens import Screen

Run = Callable[[str], Screen]
KAI = "testdata/demo/kai --overlay testdata/demo/kai-change.yaml"
CAPACITY = "testdata/demo/capacity"


def document(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare diff {words} -o json").stdout)


def test_a_new_queue_may_reclaim_from_those_over_their_share(run: Run) -> None:
    found = document(run, KAI)

    assert {risk["queue"]: risk["gained"][0]["queues"] for risk in found["running"]} == {
        "product": ["robotics"],
        "speech": ["robotics"],
    }
    assert {row["queue"]["name"] for row in found["rights"]} == {"robotics"}


def test_a_smaller_min_puts_the_pods_of_its_namespace_at_risk(run: Run, tmp_path: Path) -> None:
    quotas = (Path(CAPACITY) / "quotas.yaml").read_text()
    smaller = tmp_path / "quotas.yaml"
    smaller.write_text(
        quotas.replace("nvidia.com/gpu: 6", "nvidia.com/gpu: 1").replace('nvidia.com/gpu: "6"', 'nvidia.com/gpu: "1"')
    )

    found = document(run, f"{CAPACITY} --overlay {smaller}")

    (row,) = [each for each in found["rights"] if each["queue"]["namespace"] == "production"]
    assert (row["before"]["guaranteed"]["value"], row["after"]["guaranteed"]["value"]) == (6, 1)
    assert run(f"kubectl-fairshare diff {CAPACITY} --overlay {smaller} --fail-on guaranteed").code == 1


def test_a_policy_does_not_differ_from_itself(run: Run) -> None:
    for words in ("testdata/demo/kai testdata/demo/kai", f"{CAPACITY} {CAPACITY}"):
        assert document(run, words)["verdict"] == "no change"


def test_versions_of_different_schedulers_are_not_compared(run: Run) -> None:
    screen = run("kubectl-fairshare diff testdata/demo/koordinator testdata/demo/capacity")

    assert (screen.code, screen.stdout) == (2, "")
    assert "BEFORE has quotas of Koordinator, AFTER of ElasticQuota" in screen.stderr


def test_two_units_in_one_folder_are_refused_with_a_help_that_diff_can_follow(run: Run, tmp_path: Path) -> None:
    before = Path("testdata/diff/before.yaml").read_text()
    for name, text in (("a", before), ("b", before.replace("nominalQuota: 12", "nominalQuota: 13"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "queues.yaml").write_text(text)
    screen = run(f"kubectl-fairshare diff {tmp_path} {tmp_path}/a")
    assert screen.code == 3
    assert f"name its files, such as `{tmp_path}/a`" in screen.stderr
    assert "--each" not in screen.stderr
    assert run(f"kubectl-fairshare diff {tmp_path}/a {tmp_path}/b").code == 0
