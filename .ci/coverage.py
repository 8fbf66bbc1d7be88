#!/usr/bin/env python3
"""Prints the branch coverage of the rooms that decide, and where their gaps are.

``.ci/coverage.py`` runs the default and the slow tests with coverage measured in every process; arguments are passed
to pytest, so ``.ci/coverage.py tests/unit/input`` measures some tests alone. It prints lines and branches of each room,
then the modules with the most branches that no test takes, with their lines. ``--modules N`` says how many [15]. The
exit code is that of pytest.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = "kubectl_fairshare"
ROOMS: Final = ("schedulers", "lint", "input", "jobs", "api", "editing", "model")
SETTINGS: Final = """\
[run]
branch = true
parallel = true
patch = subprocess
source = {package}
data_file = {folder}/data
"""
Summary = Mapping[str, int]
_SHOWN: Final = 12


def measured(tests: list[str], folder: Path) -> tuple[int, dict[str, Any]]:
    """What pytest exits with, and the report of coverage by file."""
    settings = folder / "coveragerc"
    settings.write_text(SETTINGS.format(package=PACKAGE, folder=folder), encoding="utf-8")
    run = [sys.executable, "-m", "coverage"]
    rc = ["--rcfile", str(settings)]
    done = subprocess.run(
        [*run, "run", *rc, "-m", "pytest", "-q", "-m", "not live and not bench", *tests], cwd=ROOT, check=False
    )
    subprocess.run([*run, "combine", "-q", *rc], cwd=ROOT, check=True)
    report = folder / "report.json"
    subprocess.run([*run, "json", "-q", *rc, "-o", str(report)], cwd=ROOT, check=False)
    return done.returncode, json.loads(report.read_text(encoding="utf-8"))["files"]


def percent(summary: Iterable[Summary], covered: str, total: str) -> str:
    """``97.3 %`` of a kind of thing in some files; empty without any."""
    every = list(summary)
    whole = sum(each[total] for each in every)
    return f"{100 * sum(each[covered] for each in every) / whole:.1f} %" if whole else ""


def rooms(files: Mapping[str, Any]) -> Iterator[str]:
    """A line for each room, each scheduler on its own."""
    houses = sorted({Path(path).parts[2] for path in files if path.startswith(f"{PACKAGE}/schedulers/")})
    places = [f"schedulers/{each}" for each in houses if not each.endswith(".py")] + list(ROOMS)
    yield f"{'':28} {'lines':>8} {'branches':>9}"
    for place in places:
        inside = [each["summary"] for path, each in files.items() if path.startswith(f"{PACKAGE}/{place}/")]
        if inside:
            lines = percent(inside, "covered_lines", "num_statements")
            yield f"{place:28} {lines:>8} {percent(inside, 'covered_branches', 'num_branches'):>9}"


def gaps(files: Mapping[str, Any], most: int) -> Iterator[str]:
    """The modules with the most branches that no test takes, each with the lines at which they begin."""
    within = {path: each for path, each in files.items() if path.startswith(tuple(f"{PACKAGE}/{r}/" for r in ROOMS))}
    ordered = sorted(within.items(), key=lambda item: (-item[1]["summary"]["missing_branches"], item[0]))
    for path, each in ordered[:most]:
        missing = each["summary"]["missing_branches"]
        starts = sorted({start for start, _ in each["missing_branches"]})
        more = " …" if len(starts) > _SHOWN else ""
        if missing:
            yield f"{missing:4} {path}: {', '.join(map(str, starts[:_SHOWN]))}{more}"


def main() -> int:
    """Runs the tests and prints the tables."""
    parser = argparse.ArgumentParser(prog=".ci/coverage.py", description=__doc__)
    parser.add_argument("--modules", type=int, default=15, help="how many modules with gaps to print [15]")
    options, tests = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        code, files = measured(tests, Path(folder))
    print("\n".join(rooms(files)))
    print("\nbranches that no test takes, by module:")
    print("\n".join(gaps(files, options.modules)))
    return code


if __name__ == "__main__":
    sys.exit(main())
