"""The report of coverage: rooms with their shares, and the modules with the most gaps first."""

import runpy
from typing import Any

from tests.meta.repository import ROOT

SCRIPT = runpy.run_path(str(ROOT / ".ci" / "coverage.py"))


def file(lines: int, branches: int, missing: list[list[int]]) -> dict[str, Any]:
    summary = {"covered_lines": lines, "num_statements": 10, "covered_branches": branches, "num_branches": 8}
    return {"summary": {**summary, "missing_branches": len(missing)}, "missing_branches": missing}


FILES = {
    "kubectl_fairshare/input/files/paths.py": file(10, 6, [[7, 9], [7, 8]]),
    "kubectl_fairshare/schedulers/kai/engine.py": file(5, 5, [[3, 4], [30, -1], [5, 6]]),
    "kubectl_fairshare/cli/main.py": file(0, 0, [[1, 2]] * 8),
}


def test_a_room_has_the_sum_of_its_modules() -> None:
    lines = [" ".join(line.split()) for line in SCRIPT["rooms"](FILES)]
    assert lines == [
        "lines branches",
        "schedulers/kai 50.0 % 62.5 %",
        "schedulers 50.0 % 62.5 %",
        "input 100.0 % 75.0 %",
    ]


def test_gaps_are_named_by_module_and_line() -> None:
    assert list(SCRIPT["gaps"](FILES, 2)) == [
        "   3 kubectl_fairshare/schedulers/kai/engine.py: 3, 5, 30",
        "   2 kubectl_fairshare/input/files/paths.py: 7",
    ]
