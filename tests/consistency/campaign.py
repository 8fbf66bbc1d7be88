"""Many states in turn: prints each contradiction, and keeps the smallest state that still has it."""

import argparse
import gc
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from tests.consistency.contradictions import contradictions
from tests.consistency.recorded import FOLDER
from tests.consistency.states import HOUSES, State, states

_TIDY_EVERY: Final = 50
_AT_ONCE: Final = 5


def main(words: Sequence[str]) -> int:
    """Prints what was tried and what contradicts; 1 if anything does."""
    parser = argparse.ArgumentParser(prog="python -m tests.consistency", description=__doc__)
    parser.add_argument("--house", choices=HOUSES, default="kueue", help="the scheduler [kueue]")
    parser.add_argument("--states", type=int, default=300, help="how many states [300]")
    parser.add_argument("--seed", type=int, default=None, help="the same seed draws the same states [drawn, printed]")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes [1]")
    parser.add_argument("--keep", type=Path, default=None, metavar="FOLDER", help="save a small state of each kind")
    parser.add_argument(
        "--recordings", type=Path, default=FOLDER, metavar="FOLDER", help="recorded states to start from"
    )
    options = parser.parse_args(words)
    seed = Random().getrandbits(32) if options.seed is None else options.seed
    print(f"{options.house}: {options.states} states from seed {seed}", flush=True)
    began, kinds, tried, odd = time.monotonic(), Counter[str](), 0, 0
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(options.jobs) as pool:
        folder = Path(name)
        drawn = states(options.house, seed, options.states, options.recordings)
        for state, found in pool.map(partial(_contradicted, folder), drawn, chunksize=_AT_ONCE):
            tried, odd = tried + 1, odd + bool(found)
            for kind, text in found.items():
                print(f"state {state.name}: {kind}: {text}", file=sys.stderr, flush=True)
                if not kinds[kind] and options.keep is not None:
                    _save(smaller(state, kind, folder), kind, options.keep)
                kinds[kind] += 1
    for kind, times in sorted(kinds.items()):
        print(f"{kind:24} {times:6} states")
    result = f"{odd} with contradictions, of {len(kinds)} kinds" if odd else "no contradiction"
    print(f"{tried} states tried, {result}, {time.monotonic() - began:.0f} s")
    return bool(kinds)


def _contradicted(folder: Path, state: State) -> tuple[State, dict[str, str]]:
    """The first contradiction of each kind, found in a folder of this process."""
    found: dict[str, str] = {}
    for each in contradictions(state, folder / str(os.getpid())):
        found.setdefault(each.kind, each.text)
    if int(state.name.rpartition("/")[2]) % _TIDY_EVERY == 0:
        gc.collect()
    return state, found


def smaller(state: State, kind: str, folder: Path) -> State:
    """The state without the objects that the contradiction does not need."""
    for each in state.objects:
        less = state.having([other for other in state.objects if other is not each])
        if any(found.kind == kind for found in contradictions(less, folder)):
            state = less
    return state


def _save(state: State, kind: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    content = {"apiVersion": "v1", "kind": "List", "items": state.objects}
    (folder / f"{state.house}-{kind}.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
