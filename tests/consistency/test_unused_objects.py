"""An object of which the note says that the answer does not use it changes no answer: every kind in ``testdata``."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from tests.sampling import sampled
from tests.screens import shown

STATES = (
    "testdata/reports/kueue-backlog/state.yaml",
    "testdata/reports/kai-backlog/state.yaml",
    "testdata/reports/eq-backlog/state.yaml",
    "testdata/koordinator/tree.yaml",
)
CALLS = ("shares", "capacity", "why -A", "cycle")
POD = {"schedulerName": "volcano", "containers": [{"name": "c", "image": "i"}]}
TEMPLATE = {"metadata": {}, "spec": POD}
MORE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("apps/v1", "Deployment", {"selector": {}, "template": TEMPLATE}),
    ("apps/v1", "DaemonSet", {"selector": {}, "template": TEMPLATE}),
    ("batch/v1", "CronJob", {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": TEMPLATE}}}),
    (
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        {"replicatedJobs": [{"name": "a", "template": {"spec": {"template": TEMPLATE}}}]},
    ),
    ("grove.io/v1alpha1", "PodCliqueSet", {"template": {"cliques": [{"name": "a", "spec": {"podSpec": POD}}]}}),
    ("batch.volcano.sh/v1alpha1", "Job", {"schedulerName": "volcano"}),
    ("scheduling.x-k8s.io/v1alpha1", "Queue", {}),
    ("scheduling.x-k8s.io/v1alpha1", "QueueUnit", {}),
    ("v1", "Service", {}),
    ("v1", "PersistentVolumeClaim", {}),
)


def objects() -> list[dict[str, Any]]:
    """An object of each kind that ``testdata`` has, and of kinds that make pods."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(Path("testdata").rglob("*.yaml")):
        for each in _objects_in(path):
            found.setdefault((str(each["apiVersion"]), str(each["kind"])), each)
    made = [{"apiVersion": v, "kind": k, "metadata": {"name": "x", "namespace": "ml"}, "spec": s} for v, k, s in MORE]
    return [*(found[kind] for kind in sorted(found)), *made]


def _objects_in(path: Path) -> Iterator[dict[str, Any]]:
    try:
        documents = list(yaml.load_all(path.read_text(), yaml.CSafeLoader))
    except yaml.YAMLError:
        return
    for each in documents:
        if isinstance(each, dict) and {"apiVersion", "kind", "metadata"} <= each.keys():
            yield each


def _words(text: str, without: str = "") -> list[str]:
    """The words of a screen: a command that is too long for a line goes on after a backslash."""
    return " ".join(word for word in text.split() if word != "\\").replace(without, "").split()


ONE_OF_EACH = objects()
answer = cache(shown)
"""What a call shows about a state alone: one of sixteen."""


@pytest.mark.parametrize("number", sampled(range(len(ONE_OF_EACH)), 4), ids=lambda n: ONE_OF_EACH[n]["kind"])
def test_an_object_that_is_not_used_changes_no_answer(number: int, tmp_path: Path) -> None:
    given, dice = ONE_OF_EACH[number], Random(number)
    (added := tmp_path / "added.yaml").write_text(yaml.safe_dump(given))
    for state, call in zip(dice.sample(STATES, 2), dice.sample(CALLS, 2), strict=True):
        before = answer(f"kubectl-fairshare {call} -f {state}")
        after = shown(f"kubectl-fairshare {call} -f {state} -f {added}")
        noted = re.search(r"not used by this answer: .*", after.stderr)
        if noted is not None and re.search(rf"\b{given['kind']}\b", noted[0]):
            assert _words(after.stdout, f"-f {added}") == _words(before.stdout), (state, call)
            assert after.code == before.code
