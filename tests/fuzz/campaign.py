"""Many calls in turn: counts them, and writes those that end wrong to a folder, one of each kind."""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from tests.fuzz.calls import Call, draw
from tests.fuzz.running import outcome, peak, tidy
from tests.fuzz.shrinking import smaller

_DIGITS: Final = re.compile(r"`[^`]*`|'[^']*'|/\S+|\d+(?=[^:]*$)")
_TIDY_EVERY: Final = 200


def main(words: Sequence[str]) -> int:
    """Prints what was tried and what failed; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long [60]")
    parser.add_argument("--count", type=int, default=0, help="how many calls, instead of how long")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same calls [1]")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many calls, as an earlier run made them [0]")
    parser.add_argument(
        "--keep", type=Path, default=None, metavar="FOLDER", help="append what fails to FOLDER/failures.jsonl"
    )
    options = parser.parse_args(words)
    end = time.monotonic() + options.seconds
    tried: Counter[str] = Counter()
    failed: dict[str, Call] = {}
    number = options.skip
    while number < options.skip + options.count if options.count else time.monotonic() < end:
        call = draw(Random(f"{options.seed}/{number}"))
        number += 1
        tried[call.words[0]] += 1
        found = outcome(call)
        if found is not None and kind_of(found) not in failed:
            failed[kind_of(found)] = _kept(call, found, options.keep, number)
        if number % _TIDY_EVERY == 0:
            tidy()
        if number % 5000 == 0:
            print(f"{number} calls, {len(failed)} kinds of failures, {peak() >> 20} MB", flush=True)
    for command, times in sorted(tried.items()):
        print(f"{command:12} {times:8} calls")
    made = number - options.skip
    print(f"{made} calls from seed {options.seed}, {len(failed)} kinds of failures, peak {peak() >> 20} MB")
    return bool(failed)


def _kept(call: Call, found: str, folder: Path | None, number: int) -> Call:
    hangs = found.startswith("hang")  # each try would take as long
    least = call if hangs else smaller(call, lambda each: kind_of(outcome(each) or "") == kind_of(found))
    print(f"call {number}: {found}\n  {' '.join(least.words)}", file=sys.stderr, flush=True)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "failures.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(str(replace(least, because=found, name=f"call-{number}")))
    return least


def kind_of(found: str) -> str:
    """What failures have in common that have one cause: what was said, without values."""
    return _DIGITS.sub("…", found)
