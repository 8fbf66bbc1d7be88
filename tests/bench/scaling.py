"""``python -m tests.bench.scaling``: how the work of every command grows when the input doubles, shape by shape.

Every shape of ``tests.bench.shapes`` is doubled four times and given to every command in every format. What is
measured is the processor time of a forked process that has the program loaded already, so neither start-up nor a
busy machine counts. A doubling that takes more than ``--limit`` times as long is measured again several times, the
smaller and the larger input in turn, and reported if the quickest runs say the same. A run that takes more than ten
seconds is ended: that is a verdict of its own, as its time says nothing about growth. The exit code is 1 if a growth
is too fast, a run is ended or an internal error is printed.
"""

import argparse
import contextlib
import gc
import io
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench import more_shapes  # noqa: F401 -- its shapes are among SHAPES then
from tests.bench.shapes import SHAPES, WORK, Shape

LIMIT: Final = 2.6
DOUBLINGS: Final = 4
LONGEST: Final = 10
"""Seconds of processor time for one run."""
FLOOR: Final = 0.06
"""Seconds below which a run says more about the machine than about the program."""
AGAIN: Final = 4
_FRAME_ONLY: Final = "all.yaml"

_SCREENS: Final = {
    "shares": ("text", "wide", "json", "yaml", "csv", "name", "svg", "markdown"),
    "shares --saturated": ("json",),
    "plan": ("text", "json", "yaml", "name", "markdown"),
    "why -A": ("text", "json", "yaml", "markdown"),
    "why job/asked": ("text", "json"),
    "cycle": ("text", "json", "yaml", "markdown", "svg"),
    "capacity": ("text", "json", "csv"),
    "diff": ("text", "json", "markdown", "html", "csv"),
    "lint": ("text", "concise", "json", "sarif", "junit", "github", "gitlab", "markdown"),
    "lint --select all": ("text",),
    "lint --diff": ("text",),
    "lint --diff --unsafe-fixes": ("text",),
    "lint --fix --unsafe-fixes": ("text",),
    "lint --write-baseline": ("text",),
    "report": ("html",),
    "snapshot": ("file",),
    "snapshot --redact all": ("file",),
    "snapshot --redact none": ("file",),
    "completion of names": ("text",),
}
CALLS: Final = tuple((command, form) for command, forms in _SCREENS.items() for form in forms)


class Cost(NamedTuple):
    """What one run took: seconds of processor time, bytes of memory beyond the start, and its exit code.

    The code is the negative number of a signal if one ended the run, as in ``subprocess``.
    """

    seconds: float
    memory: int
    code: int

    @property
    def ended(self) -> bool:
        """Whether a signal ended the run, so that its seconds are those until then."""
        return self.code < 0


class Growth(NamedTuple):
    """The costs of one command on one shape, from the smallest input to the largest; ``size`` is of the largest.

    Only the last run can have been ended by a signal: no larger input is tried then.
    """

    shape: str
    command: str
    form: str
    costs: tuple[Cost, ...]
    size: int

    @property
    def worst(self) -> float:
        """The largest factor of a doubling whose result is worth measuring; runs that were ended do not count."""
        whole = [cost for cost in self.costs if not cost.ended]
        return max(
            (b.seconds / max(a.seconds, FLOOR / 4) for a, b in pairwise(whole) if b.seconds > FLOOR), default=1.0
        )

    def refused(self, limit: float) -> bool:
        """Whether the larger inputs are refused at a stated bound, in little more time than it takes to read them."""
        before, last = self.costs[-2:] if len(self.costs) > 1 else (self.costs[0], self.costs[0])
        return last.code == before.code == 3 and last.seconds < limit * before.seconds

    def fault(self, limit: float) -> str:
        """What is wrong with this growth; empty if nothing is."""
        last = self.costs[-1]
        if last.ended:
            return f"ENDED by {signal.Signals(-last.code).name} after {last.seconds:.0f} s at {self.size / 1000:.0f} KB"
        if last.code == 70:
            return "INTERNAL ERROR"
        return "TOO FAST" if self.worst > limit and not self.refused(limit) else ""

    def __str__(self) -> str:
        times = " ".join(f"{cost.seconds:7.3f}" for cost in self.costs)
        what = f"{self.shape:34} {self.command:28} {self.form:9}"
        return f"{what} {times}  x{self.worst:4.2f}  exit {self.costs[-1].code:3}  {self.size / 1000:6.0f} KB"


def arguments(command: str, form: str, folder: Path) -> list[str]:
    """The command line for one shape in ``folder``."""
    words, here = command.split(), str(folder / "in")
    if command == "completion of names":
        return ["__complete", "shares", "-f", here, "--queue", ""]
    if command.startswith("snapshot"):
        return [*words, "-f", here, "-o", str(folder / "out.gz")]
    if words[0] == "report":
        return [*words, "-f", here, "-o", str(folder / "out.html")]
    if words[0] == "diff":
        return ["diff", str(folder / "frame"), here, "-o", form, "--color", "never"]
    if "--write-baseline" in words:
        return ["lint", here, "--write-baseline", str(folder / "base.json")]
    if words[0] == "lint":
        return [*words, here, "-o", form]
    work = ["-w", str(folder / "work.yaml")] if words[0] == "plan" else []
    return [*words, *work, "-f", here, "-o", form]


def lay_out(shape: Shape, size: int, folder: Path) -> int:
    """Writes the files of a shape; returns their size."""
    files = dict(shape.make(size))
    (folder / "work.yaml").write_text(files.pop("work", WORK), encoding="utf-8")
    for name, text in files.items():
        path = folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    first = dict(shape.make(1))
    first.pop("work", None)
    (folder / "frame").mkdir()
    for name, text in first.items():
        path = folder / "frame" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return sum(len(text.encode()) for text in files.values())


def cost(args: Sequence[str], folder: Path) -> Cost:
    """One run in a forked process; ``--fix`` works on a copy."""
    if "--fix" in args:
        shutil.rmtree(folder / "copy", ignore_errors=True)
        shutil.copytree(folder / "in", folder / "copy")
        args = [str(folder / "copy") if each == str(folder / "in") else each for each in args]
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _run(list(args), writer)
    os.close(writer)
    with os.fdopen(reader) as said:
        words = said.read().split()
    _, status, usage = os.wait4(child, 0)
    if not words:
        return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))
    return Cost(float(words[0]), int(words[1]), int(words[2]))


def _run(args: list[str], writer: int) -> None:
    """What the forked process does: it says what the run took, and ends."""
    from kubectl_fairshare.cli.main import main

    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 1))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    nothing = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 -- open to the end
    before = resource.getrusage(resource.RUSAGE_SELF)
    code = _complete(args[1:]) if args[0] == "__complete" else main(args, None, nothing, nothing)
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    os.write(writer, f"{seconds} {(after.ru_maxrss - before.ru_maxrss) * 1024} {code}".encode())
    os._exit(0)


def _complete(words: list[str]) -> int:
    from kubectl_fairshare.cli.completing.program import complete

    with contextlib.redirect_stdout(io.StringIO()):
        return complete(words)


def growth(shape: Shape, command: str, form: str, folder: Path, sizes: Sequence[int], limit: float) -> Growth:
    """The costs of a command on one shape at all sizes; ``folder`` has the files of each size, by its number."""
    calls = [(arguments(command, form, folder / str(n)), folder / str(n)) for n in range(len(sizes))]
    costs = []
    for args, place in calls:
        costs.append(cost(args, place))
        if costs[-1].ended:
            break
    found = Growth(shape.name, command, form, tuple(costs), sizes[len(costs) - 1])
    for _ in range(AGAIN):
        if found.worst <= limit:
            break
        for number, (args, place) in enumerate(calls[: len(costs)]):
            if costs[number].ended:
                continue
            costs[number] = min(costs[number], cost(args, place))
        found = found._replace(costs=tuple(costs))
    return found


def growths(
    shapes: Sequence[Shape], calls: Sequence[tuple[str, str]], doublings: int, limit: float
) -> Iterator[Growth]:
    """All growths, shape by shape."""
    _load()
    for shape in shapes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            sizes = []
            for number in range(doublings + 1):
                (folder / str(number)).mkdir()
                sizes.append(lay_out(shape, shape.start * 2**number, folder / str(number)))
            for command, form in calls:
                yield growth(shape, command, form, folder, sizes, limit)


def _load() -> None:
    """Runs every command once, so that forked processes find the program loaded, and do not collect it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(SHAPES[0], 1, folder)
        from kubectl_fairshare.cli.main import main

        for command, form in CALLS:
            args = arguments(command, form, folder)
            if args[0] == "__complete":
                _complete(args[1:])
            else:
                main(args, None, io.StringIO(), io.StringIO())
    gc.collect()
    gc.freeze()


def main(words: Sequence[str]) -> int:
    """Prints a line for each shape, command and format; 1 where one grows too fast."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scaling", description=__doc__)
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"largest factor for a doubling [{LIMIT}]")
    parser.add_argument("--doublings", type=int, default=DOUBLINGS, help=f"how often each shape doubles [{DOUBLINGS}]")
    parser.add_argument("--shape", action="append", default=[], help="only shapes with this in their names")
    parser.add_argument("--command", action="append", default=[], help="only these calls: a part of command and format")
    options = parser.parse_args(words)
    shapes = [s for s in SHAPES if not options.shape or any(word in s.name for word in options.shape)]
    calls = [c for c in CALLS if not options.command or any(word in " ".join(c) for word in options.command)]
    bad, number = [], 0
    for found in growths(shapes, calls, options.doublings, options.limit):
        number += 1
        fault = found.fault(options.limit)
        print(f"{found}  {fault}".rstrip(), flush=True)
        if fault:
            bad.append(f"{found}  {fault}")
    print(f"{number} growths of {len(shapes)} shapes, {len(bad)} at fault (limit {options.limit:g} for a doubling)")
    for line in bad:
        print(line)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
