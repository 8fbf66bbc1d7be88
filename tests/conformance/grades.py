"""How far recordings of Kueue and our answers agree, by field, and how sure the answers about their states are.

``python -m tests.conformance.grades FILE…`` prints a paragraph for each recording. The grade is that of ``cycle`` about
the state of the case, where nothing is missing that no object says: other pods on the nodes, and past usage that only a
manager remembers.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from kubectl_fairshare.conformance.replays import recording_named
from kubectl_fairshare.conformance.run import Agreement, cases, run
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.model.state import KueueState

OF_THE_INPUT: Final = frozenset({"AdmissionFairSharing"})
"""Gaps of states whose past usage is not in their objects."""
_EXACT: Final = "exact"


class Graded(NamedTuple):
    """How many states have each grade, and how many each gap that makes an answer inexact."""

    grades: Mapping[str, int]
    gaps: Mapping[str, int]

    @property
    def inexact(self) -> float:
        """The part of the states whose answer is not exact."""
        return 1 - self.grades.get(_EXACT, 0) / sum(self.grades.values())


def graded(recorded: list[Any]) -> Graded:
    """The grades of the answers about recorded states."""
    grades: Counter[str] = Counter()
    gaps: Counter[str] = Counter()
    for case in recorded:
        found = _gaps(case)
        grades["not exact" if found else _EXACT] += 1
        gaps.update(found)
    return Graded(grades, gaps)


def _gaps(case: Any) -> set[str]:
    snapshot = case_snapshot(case)
    whole = snapshot.with_part(replace(snapshot.part(KueueState), pods_given=True))
    fidelity = scheduler_named("kueue").cycle(whole).fidelity
    return {gap.feature for gap in fidelity.gaps if gap.touches} - OF_THE_INPUT


def told(name: str, agreement: Agreement, found: Graded) -> Iterator[str]:
    """The lines about one recording."""
    yield f"{name}: {agreement.agree} of {agreement.cases} agree; {_counts(found.grades)}"
    yield f"  {', '.join(f'{field} {same}/{of}' for field, (same, of) in agreement.fields.items())}"
    if found.gaps:
        yield f"  not exact by: {_counts(found.gaps)}"


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{each} {number}" for each, number in sorted(counted.items()))


def main(paths: list[str]) -> int:
    """Prints what was found; 1 where an answer is another one."""
    code = 0
    for path in map(Path, paths):
        recorded = [dict(case) for case in cases(path)]
        agreement = run(recording_named("kueue"), recorded, most=0)
        code |= agreement.agree != agreement.cases
        sys.stdout.writelines(f"{line}\n" for line in told(path.name, agreement, graded(recorded)))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
