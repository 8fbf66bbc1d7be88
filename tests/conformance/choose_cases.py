"""Chooses from a recording the cases that are kept in ``testdata/conformance``: a few that meet everything.

    python -m tests.conformance.choose_cases ENGINE RECORDING COUNT OUT

What a case meets is (a) every step of the engine's code from one line to the next that its replay takes, and
(b) what was recorded, by kind: of every plan its mode, token, reasons, targets' reasons, of every entry of a
cycle its status and what it says, of a step of a living Kueue its outcome and how many victims it had.
The case that adds the most is taken first, then the next; what was met before counts less each time, so
that rare things are met more than once. Ties go to the first in the file. The order in OUT is that of the file.
"""

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from kubectl_fairshare.conformance.replays import recording_named
from kubectl_fairshare.conformance.run import cases

Case = Mapping[str, Any]
_WATCHED = tuple(
    str(Path(*parts))
    for parts in (
        ("schedulers", "kueue"),
        ("schedulers", "kai"),
    )
)
_NAMES = re.compile(r"\(\S*\)|\{.*?\}|\d\S*|(?<=flavor )\S+|(?<=set )\S+|(?<=for )\S+|(?<=ClusterQueue )\S+|\"\S+\"")


class Steps:
    """Records the steps from line to line in the modules that are watched."""

    def __init__(self) -> None:
        self.met: set[str] = set()
        self._last: dict[FrameType, int] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> "Steps | None":
        if event == "call" and not any(part in frame.f_code.co_filename for part in _WATCHED):
            return None
        if event == "return":
            self._last.pop(frame, None)
        elif event in ("call", "line"):
            before = self._last.get(frame, 0)
            self.met.add(f"{frame.f_code.co_filename}:{before}-{frame.f_lineno}")
            self._last[frame] = frame.f_lineno
        return self


def met(engine: str, case: Case) -> frozenset[str]:
    """All that the case meets."""
    replay, steps = recording_named(engine).replay, Steps()
    sys.settrace(steps)
    try:
        replay(case)
    finally:
        sys.settrace(None)
    return frozenset({*steps.met, *recorded(case)})


def recorded(case: Case) -> Iterator[str]:
    """What was recorded, by kind."""
    expected, config = case["expected"], case.get("config") or {}
    fair = config.get("fairSharing")
    way = "classical" if fair is None else "fair " + " ".join(fair.get("preemptionStrategies") or ["default"])
    yield way
    for plan in expected.get("plans") or ():
        reasons = " ".join(sorted({t["reason"] for t in plan.get("targets") or ()}))
        yield f"plan {way} {plan.get('mode', 'panic')} {plan.get('noFitReason')} {plan.get('borrowing')} {reasons}"
        yield from (f"says {said}" for said in kinds_of(plan.get("inadmissible") or plan.get("message") or ""))
        for pod_set in plan.get("podSets") or ():
            for attempt in pod_set.get("attempts") or ():
                yield f"attempt {way} {attempt['mode']} {attempt.get('preemption')} {attempt.get('borrow')}"
    for entry in expected.get("cycle") or ():
        yield f"entry {way} {entry['status']} {entry.get('mode')} {entry.get('reason')}"
        yield from (f"says {said}" for said in kinds_of(entry.get("message") or ""))
    if "outcome" in expected:
        yield f"{expected['outcome']} {sorted(v['reason'] for v in expected['victims'])}"
    if "usage" in expected:
        yield f"{len(expected['usage'])} queues"
    yield from recorded_of_kai(expected)
    yield from (f"tag {tag}" for tag in case.get("tags") or ())


def recorded_of_kai(expected: Mapping[str, Any]) -> Iterator[str]:
    """What was recorded of KAI, by kind."""
    for gate in (expected.get("gates") or {}).values():
        yield f"gate {gate.get('reason')} {gate.get('resource')} {bool(gate.get('nonPreemptibleOverQuota'))}"
    for job in (expected.get("jobs") or {}).values():
        yield " ".join(f"{name}={job[name]}" for name in sorted(job) if isinstance(job[name], bool))
        for name, action in (job.get("actions") or {}).items():
            yield f"{name} {sorted(field for field in action if action[field])}"
    reclaim = expected.get("reclaim") or {}
    for job in (reclaim.get("jobs") or {}).values():
        yield f"reclaim {job.get('can')} {sorted({str(valid) for valid in job.get('prefixValid') or ()})}"
    for scenario in reclaim.get("scenarios") or ():
        yield f"scenario {scenario}"
    for pair in (expected.get("order") or {}).get("pairs") or ():
        yield f"pair {'lJob' in pair} {pair.get('lFirst')} {pair.get('rFirst')}"


def kinds_of(message: str) -> set[str]:
    """The parts of a message without their names and numbers."""
    return {_NAMES.sub("…", part).strip() for part in re.split("[,;:]", message)}


def chosen(things: list[frozenset[str]], count: int) -> list[int]:
    """The places of the cases taken; ``things`` are what each case meets."""
    times: Counter[str] = Counter()
    left = dict(enumerate(things))
    taken: list[int] = []
    while left and len(taken) < count:
        best = max(left, key=lambda i: (sum(0.001 ** times[thing] for thing in left[i]), -i))
        times.update(left.pop(best))
        taken.append(best)
    return sorted(taken)


def main(engine: str, recording: str, count: str, out: str) -> None:
    """Writes the cases taken to ``out``, the same bytes each time."""
    known = list(cases(Path(recording)))
    things = [met(engine, case) for case in known]
    taken = chosen(things, int(count))
    lines = [json.dumps(known[i], separators=(",", ":")) + "\n" for i in taken]
    Path(out).write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    everything, kept = set[str]().union(*things), set[str]().union(*(things[i] for i in taken))
    sys.stdout.write(f"{len(taken)} of {len(known)} cases meet {len(kept)} of {len(everything)} things\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
