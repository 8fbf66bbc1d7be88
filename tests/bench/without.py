"""Measures what each thing that only makes searches and plays of Kueue fast buys: commands without it, to those with.

``python -m tests.bench.without`` prints a line for each; answers must be the same bytes, or it exits with 1. A thing
that buys less than a fifth of every command is not worth its lines.
"""

import argparse
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from kubectl_fairshare.schedulers.kueue.cycle.motion.lasting import LastingNominations
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.preemption.classical import ClassicalSearch
from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import KnownRefusals
from kubectl_fairshare.schedulers.kueue.preemption.feasibility import Feasibility
from kubectl_fairshare.schedulers.kueue.preemption.foresight import Foresight
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.review.sizes import KueueSizes
from kubectl_fairshare.schedulers.kueue.tree.headroom import Countdown
from tests.bench.organisation import Object, Organisation, Size, classical, flat, listed
from tests.bench.run import JOBS, Row, cost, environment, make
from tests.screens import ROOT


def _never(*_: object, **__: object) -> bool:
    return False


def _always(*_: object, **__: object) -> bool:
    return True


ENDS = {"is_lost": _never, "is_lost_at_once": _never}
WITHOUT: Mapping[str, tuple[type, Mapping[str, Callable[..., object]]]] = {
    "replay": (Replay, {"followed_by": lambda *_: None}),
    "the end of hopeless searches": (Feasibility, ENDS),
    "searches that are foreseen to fail": (Foresight, {"fails": _never}),
    "known refusals": (KnownRefusals, {"__call__": lambda self, *given: self._search.by_shares(*given)}),
    "the countdown": (
        Countdown,
        {"ends": lambda self, _, ledger: not self._room.missing(ledger(), inside=self._inside)},
    ),
    "spans of sizes": (KueueSizes, {"around": lambda *_: None}),
    "nominations of the first cycle": (Nominations, {"untied": lambda *_: None}),
    "nominations kept while victims leave": (Play, {"_kept": lambda *_: None}),
    "nominations that last": (LastingNominations, {"again": lambda *_: None}),
    "leaps over candidates": (ClassicalSearch, {"_spares_all": _never}),
    "a class that nobody takes": (ClassicalSearch, {"_competes": _always}),
    "attempts that borrow anyway": (ClassicalSearch, {"_borrows_anyway": _never}),
}
"""What is left out: methods of a class, and what takes their place."""
WAITED_IN = Size(queues=150, cohorts=16, running=1500, departments=5)
"""The organisation of the forecast: one tree, in each queue of which a workload waits."""


def without(name: str, words: Sequence[str]) -> None:
    """Runs the program in this process without one thing, or with all."""
    if name in WITHOUT:
        owner, methods = WITHOUT[name]
        for method, instead in methods.items():
            setattr(owner, method, instead)
    sys.argv = ["kubectl-fairshare", *words]
    runpy.run_module("kubectl_fairshare", run_name="__main__")


def commands(place: Path) -> Mapping[str, Sequence[str]]:
    """What is measured."""
    state = str(place / "state.json")
    plans = {name: ("plan", "-f", state, "-w", str(place / f"{name}.json"), "-o", "json") for name in JOBS[1]}
    demo = str(ROOT / "testdata" / "demo" / "org")
    waiting = Organisation(WAITED_IN).objects(heads=True)
    shapes = {
        "a forecast": waiting,
        "one of a flat tree": flat(waiting),
        "one without fair sharing": classical(waiting),
    }
    forecasts = {name: _forecast(place / f"{name}.json", objects) for name, objects in shapes.items()}
    everything = ("why", "-A", "--limit", "20", "-f", str(place / "a forecast.json"), "-o", "json")
    capacity = ("capacity", "-f", demo, "-o", "json")
    return {**plans, "capacity of the demo": capacity, **forecasts, "why -A": everything}


def _forecast(state: Path, objects: list[Object]) -> Sequence[str]:
    state.write_bytes(listed(objects))
    return ("forecast", "-f", str(state), "--default-duration", "2h", "--seeds", "1", "-o", "json")


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 1 where an answer differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.without", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="the least of so many counts [3]")
    options = parser.parse_args(arguments)
    differs = False
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "1"
        make(place, 1)
        for name, words in commands(place).items():
            figures = {what: _least(what, words, options.rounds) for what in ("nothing", *WITHOUT)}
            for what in WITHOUT:
                print(Row(f"{name}, without {what}", figures[what][0] / figures["nothing"][0]), flush=True)
                differs |= figures[what][1] != figures["nothing"][1]
    return int(differs)


def _least(what: str, words: Sequence[str], rounds: int) -> tuple[float, bytes]:
    """Seconds of a command, and its answer."""
    command = [sys.executable, "-m", "tests.bench.without", what, *words]
    seconds = min(cost(command)[0] for _ in range(rounds))
    answer = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, check=False).stdout
    return seconds, answer


if __name__ == "__main__":
    if sys.argv[1:2] and not sys.argv[1].startswith("-"):
        without(sys.argv[1], sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1:]))
