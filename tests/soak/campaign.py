"""Properties in turn, each with a new seed, until the time is over.

The suite asks every property about the same few cases each time, so that a failure has one cause: the change at hand.
New cases are tried here. What fails is printed with its seed and kept: each line of ``kept.jsonl`` in this folder is
asked again with every run of the suite.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final

from tests.screens import ROOT

KEPT: Final = Path(__file__).with_name("kept.jsonl")
_FAILED: Final = re.compile(r"^FAILED (\S+?)(?: - .*)?$", re.MULTILINE)
_PROPERTY: Final = re.compile(r"^@given\(", re.MULTILINE)
_SEEDS: Final = 1 << 32
FAILED: Final = 1
"""The exit code of pytest where a test failed."""
FOUND_NOTHING: Final = (0, 5)
"""The exit codes of pytest where all passed, and where a file has no property."""


@dataclass(frozen=True)
class Case:
    """A property, as pytest names it, the seed, and how many cases: the same three draw the same cases."""

    test: str
    seed: int
    examples: int

    def run(self) -> subprocess.CompletedProcess[str]:
        """What pytest prints and returns for it, in a process of its own."""
        command = [sys.executable, "-m", "pytest", "-q", "-rf", "-n", "0", "-p", "no:cacheprovider", "-m", "hypothesis"]
        environment = {**os.environ, "CI": "", "COLUMNS": "1000", "FAIRSHARE_EXAMPLES": str(self.examples)}
        return subprocess.run(
            [*command, f"--hypothesis-seed={self.seed}", self.test],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def __str__(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def main(words: Sequence[str]) -> int:
    """Prints what was asked and what failed; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="how long [20]")
    parser.add_argument("--examples", type=int, default=50, help="cases for a property before the next one's turn [50]")
    parser.add_argument("--seed", type=int, default=None, help="the same seed asks the same cases [drawn, printed]")
    parser.add_argument("--keep", type=Path, default=KEPT, metavar="FILE", help=f"append what fails [{KEPT.name}]")
    parser.add_argument("paths", nargs="*", type=Path, help="files of properties [all]")
    options = parser.parse_args(words)
    seed = Random().randrange(_SEEDS) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    end = time.monotonic() + 60 * options.minutes
    runs = failures = 0
    for case in cases(seed, options.examples, options.paths or files()):
        if time.monotonic() >= end:
            break
        runs += 1
        failures += _asked(case, options.keep)
    print(f"{runs} files of properties asked, {failures} properties failed")
    return bool(failures)


def cases(seed: int, examples: int, paths: Sequence[Path]) -> Iterator[Case]:
    """Every file once, in an order and with seeds that ``seed`` decides, then every file again, without an end."""
    random = Random(seed)
    while True:
        for path in random.sample(paths, len(paths)):
            yield Case(str(path), random.randrange(_SEEDS), examples)


def files() -> list[Path]:
    """The modules of tests that have properties, from the root."""
    modules = sorted((ROOT / "tests").rglob("test_*.py"))
    return [each.relative_to(ROOT) for each in modules if _PROPERTY.search(each.read_text("utf-8"))]


def _asked(case: Case, keep: Path) -> int:
    """How many properties of the file failed; each is kept."""
    done = case.run()
    if done.returncode in FOUND_NOTHING:
        return 0
    if done.returncode != FAILED:  # no property was asked
        raise SystemExit(f"{case.test}: pytest ended with {done.returncode}\n{done.stdout}{done.stderr}")
    names = sorted(set(_FAILED.findall(done.stdout))) or [case.test]
    print(f"{done.stdout}\n{done.stderr}", file=sys.stderr)
    with keep.open("a", encoding="utf-8") as lines:
        for name in names:
            failed = Case(name, case.seed, case.examples)
            print(f"kept: {failed}", end="", flush=True)
            lines.write(str(failed))
    return len(names)


def kept(path: Path = KEPT) -> list[Case]:
    """What failed once; nothing where there is no file."""
    return [Case(**json.loads(line)) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
