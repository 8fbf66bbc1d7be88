"""Simulations of jobs over time with inputs gone wrong: states of each scheduler, scenarios, traces, policies."""

import copy
import json
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

import yaml

from tests.fuzz import seeds
from tests.fuzz.mutants import mutate

_QUEUES: Final = {
    "org.yaml": ("speech", "main"),
    "kai.yaml": ("red", "red"),
    "elasticquota.yaml": ("ha", ""),
    "koordinator.yaml": ("speech", "speech"),
}
_API: Final = "fairshare.dev/v1alpha1"
_START: Final = "2026-01-05T08:00:00Z"
_REQUESTS: Final = {"cpu": "2", "nvidia.com/gpu": "2"}
_SPANS: Final = ("0s", "1ns", "500ms", "7s", "1h", "-1s", "NaN", "300y", 5, None, "", "1e400s", "9" * 40 + "s")


class Play(NamedTuple):
    """The words of a call, its files, and those that are gzipped."""

    words: list[str]
    files: dict[str, str]
    packed: list[str]


@cache
def _state(name: str) -> str:
    path = seeds.DATA / "simulate" / name
    return json.dumps([each for each in yaml.load_all(path.read_bytes(), yaml.CSafeLoader) if each])


def play(dice: Random) -> Play:
    """A simulation, a comparison or a calibration; one of its files, or several, gone wrong."""
    name = dice.choice(list(_QUEUES))
    state = json.loads(_state(name))
    files = {"in.yaml": _mutated(dice, state, dice.choice([0, 0, 0, 1, 2]))}
    words = ["simulate", "-f", "{}/in.yaml"]
    forms = ["text", "json", "csv"]
    if dice.random() < 0.5:
        files["jobs.yaml"] = _mutated(
            dice, [_scenario(dice, *_QUEUES[name])], dice.choice([0, 0, 0, 1, 1, 2]), one=True
        )
        words += ["--scenario", "{}/jobs.yaml"]
    else:
        files["week.jsonl"] = _torn(dice, _trace(dice, *_QUEUES[name]))
        words += ["--trace", "{}/week.jsonl", *dice.choice([[], ["--calibrate"]])]
    if "--calibrate" in words:
        forms = ["text", "json"]
    elif dice.random() < 0.3:
        files["other.yaml"] = _mutated(dice, copy.deepcopy(state), dice.choice([0, 1, 2]))
        words += ["--overlay-set", "other={}/other.yaml", *dice.choice([[], ["--seeds", "2"]])]
        forms = ["text", "json", "csv", "html"]
    words += dice.choice([[], [], ["--checkpoint", "5m"], ["--stopping", "30s"], ["--until", "2h"]])
    packed = [file for file in files if file.endswith("jsonl") and dice.random() < 0.1]
    return Play([*words, "-o", dice.choice(forms)], files, packed)


def _mutated(dice: Random, documents: list[Any], times: int, *, one: bool = False) -> str:
    for _ in range(times):
        if documents:
            mutate(dice, documents)
    if one:
        return json.dumps(documents[0]) if documents else ""
    return "".join(f"---\n{json.dumps(each)}\n" for each in documents)


def _scenario(dice: Random, namespace: str, queue: str) -> dict[str, Any]:
    """A scenario of few jobs, with spans of any size."""
    jobs: list[dict[str, Any]] = [
        {"name": "one", "namespace": namespace, "queue": queue, "duration": "10m", "requests": dict(_REQUESTS)},
        {"name": "many", "namespace": namespace, "queue": queue, "count": 4, "every": "1m", "meanDuration": "5m"},
    ]
    jobs[1] |= {"pods": 2, "requests": dict(_REQUESTS)}
    found: dict[str, Any] = {"apiVersion": _API, "kind": "JobScenario", "start": _START, "jobs": jobs}
    for key in ("until", "checkpoint", "stopping", "sample"):
        if dice.random() < 0.08:
            found[key] = dice.choice(_SPANS)
    for key in ("at", "every", "duration", "meanDuration", "meanGap", "count", "pods", "minPods", "priority"):
        if dice.random() < 0.03:
            dice.choice(jobs)[key] = dice.choice([*_SPANS, 0, -1, 2**31, 2**63, 0.5])
    if dice.random() < 0.2:
        found["changes"] = [{"at": "2m", dice.choice(["overlay", "delete"]): ["in.yaml"]}]
    return found


def _trace(dice: Random, namespace: str, queue: str) -> list[Any]:
    """The lines of a trace."""
    header = {"apiVersion": _API, "kind": "Trace", "scheduler": "kueue", "source": "cluster", "redacted": "none"}
    times = {
        "from": _START,
        "until": "2026-01-05T11:00:00Z",
        "jobs": 4,
        "lost": {"jobs": 0, "since": None},
        "notes": [],
    }
    lines: list[Any] = []
    for number in range(4):
        moment = f"2026-01-05T08:0{number}:00Z"
        pods = [{"name": "main", "count": 2, "requests": dict(_REQUESTS)}]
        line = {"name": f"job-{number}", "namespace": namespace, "queue": queue, "created": moment, "podSets": pods}
        lines.append({**line, "durationSeconds": 600.0, "admitted": moment, "reserved": moment, "evictions": []})
    for _ in range(dice.choice([0, 0, 1, 1, 2])):
        if lines:
            mutate(dice, lines)
    first: list[Any] = [{**header, **times}]
    if dice.random() < 0.05:
        mutate(dice, first)
    return [*first, *lines, *dice.choices(lines, k=int(dice.random() < 0.1))] if lines else first


def _torn(dice: Random, lines: list[Any]) -> str:
    """The lines as text, sometimes cut or with a word that JSON does not have."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    if dice.random() < 0.05:
        text = text.replace("600.0", dice.choice(["NaN", "Infinity", "-1", "1e400", "null", '"x"', "1e300"]))
    return text[: dice.randrange(len(text))] if text and dice.random() < 0.05 else text
