"""What is mutated: states that work, of every scheduler, and jobs of every kind."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from tests.conformance.scenarios import every_scenario, snapshot
from tests.screens import ROOT

DATA: Final = ROOT / "testdata"
_STATES: Final = (
    *("demo/org", "demo/kai", "demo/capacity", "plan/org.yaml", "kai/org", "kai/pools", "kai/why", "nodes"),
    *("elasticquota/cluster.yaml", "diff/before.yaml", "diff/state.yaml", "lint/living/org.yaml"),
    *("koordinator/tree.yaml", "koordinator/ties.yaml", "traces/kueue.yaml", "traces/pods.yaml"),
)
_JOBS: Final = (
    "demo/jobs",
    "kai/train.yaml",
    "kai/pending.yaml",
    "elasticquota/waiting.yaml",
    "elasticquota/web.yaml",
    "koordinator/asked.yaml",
)
_LARGEST: Final = (3, 6, 10, 15, 40)
"""Objects of a state at most: in a small one a change hits what decides, and many more can be tried."""
Document = dict[str, Any]


def _documents(path: Path) -> list[Any]:
    files = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    loaded = (each for file in files for each in yaml.load_all(file.read_bytes(), yaml.CSafeLoader))
    return list(_flat(each for each in loaded if isinstance(each, dict) and "apiVersion" in each))


def _flat(documents: Iterator[Any]) -> Iterator[Any]:
    for each in documents:
        yield from each["items"] if each.get("kind") == "List" else (each,)


@cache
def states() -> tuple[str, ...]:
    """States as JSON lists of objects: it takes less time to read than to copy."""
    found = [_documents(DATA / name) for name in _STATES]
    found += [
        [dict(m.data) for m in snapshot(each.given).manifests.values()] for each in every_scenario() if _is_kueue(each)
    ]
    found += [_documents(path) for path in sorted((DATA / "rules").glob("*/*.yaml"))]
    every_field = [json.loads(line) for line in (DATA / "input" / "every-field.jsonl").read_text().splitlines()]
    found += [[each] for each in every_field]
    return tuple(json.dumps(each, default=str) for each in found if each)


def _is_kueue(scenario: Any) -> bool:
    return not scenario.name.startswith(("elasticquota", "koordinator"))


@cache
def jobs() -> tuple[str, ...]:
    """Jobs as JSON."""
    found = [each for name in _JOBS for each in _documents(DATA / name)]
    for path in sorted((DATA / "jobs").glob("*.yaml")):
        found += [case["when"] for case in yaml.load_all(path.read_bytes(), yaml.CSafeLoader) if _asks(case)]
    return tuple(json.dumps(each, default=str) for each in found)


def _asks(case: Any) -> bool:
    return isinstance(case, dict) and isinstance(case.get("when"), dict) and "kind" in case["when"]


def state(dice: Random) -> list[Any]:
    """One state, or two mixed; a large one is thinned out."""
    found: list[Any] = json.loads(dice.choice(states()))
    if dice.random() < 0.2:
        found += json.loads(dice.choice(states()))
    largest = dice.choice(_LARGEST)
    return dice.sample(found, largest) if len(found) > largest else found


def job(dice: Random, queue: str) -> Document:
    """One job, sent to a queue of the state."""
    found: Document = copy.deepcopy(json.loads(dice.choice(jobs())))
    metadata = found.setdefault("metadata", {})
    if isinstance(metadata, dict) and dice.random() < 0.8:
        labels = metadata.setdefault("labels", {})
        if isinstance(labels, dict):
            labels[dice.choice(["kueue.x-k8s.io/queue-name", "kai.scheduler/queue"])] = queue
    return found
