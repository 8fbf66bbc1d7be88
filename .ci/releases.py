#!/usr/bin/env python3
"""Writes the page of laws by release of Kueue from the tables that choose them; ``--check`` compares only."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "releases.md"
sys.path.insert(0, str(ROOT))

from kubectl_fairshare.schedulers.kueue.admission.feature_gates import (  # noqa: E402
    enabled_gates,
    is_known,
    known_gates,
    locked_gates,
)
from kubectl_fairshare.schedulers.kueue.release import decisions, release_named  # noqa: E402
from kubectl_fairshare.schedulers.kueue.release.earlier import EARLIER  # noqa: E402
from kubectl_fairshare.schedulers.kueue.release.later import LATER  # noqa: E402
from kubectl_fairshare.schedulers.kueue.release.law import Number, ReleaseLaw  # noqa: E402
from kubectl_fairshare.schedulers.kueue.release.patches import MEASURED, rules_of  # noqa: E402
from kubectl_fairshare.schedulers.kueue.release.unreproduced import UNREPRODUCED  # noqa: E402
from kubectl_fairshare.schedulers.kueue.release.writes import WRITES  # noqa: E402

_WORDS = {True: "yes", False: "no"}


def lines() -> dict[int, list[Number]]:
    """The releases that are known, by line."""
    last = {minor: patches[-1] for minor, patches in MEASURED.items()}
    for _, minor, patch in (*LATER, *EARLIER):
        last[minor] = max(last[minor], patch)
    return {minor: [(0, minor, patch) for patch in range(most + 1)] for minor, most in sorted(last.items())}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, frozenset):
        return ", ".join(f"`{each}`" for each in sorted(value)) or "none"
    return str(value)


def cell(values: list[Any]) -> str:
    """The values of one line in a few words: the first, and each other one with the patch from which on it holds."""
    runs, patch = [], 0
    for value, alike in groupby(values):
        runs.append((_text(value), patch))
        patch += len([*alike])
    first, later = runs[0][0], [f"from .{since}: {text}" for text, since in runs[1:]]
    return "; ".join([first, *later])


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table in Markdown."""
    names = [*head]
    yield f"| {' | '.join(names)} |"
    yield f"| {' | '.join(['---'] * len(names))} |"
    for row in rows:
        yield f"| {' | '.join(each.replace('|', chr(92) + '|') for each in row)} |"
    yield ""


def _by_line(value_at: Callable[[Number], Any]) -> list[str]:
    return [cell([value_at(number) for number in numbers]) for numbers in lines().values()]


_LINES = tuple(f"0.{minor}" for minor in lines())


def _laws(laws: Iterable[ReleaseLaw]) -> Iterator[str]:
    def rows() -> Iterator[list[str]]:
        for law in laws:
            gate = f" Needs the gate `{law.gate}`." if law.gate else ""
            yield [f"{law.sentence}{gate} (`{law.field}`)", *_by_line(partial(_by_default, law)), law.source]

    yield from table(("law", *_LINES, "source"), rows())


def _by_default(law: ReleaseLaw, number: Number) -> Any:
    """The value of a law in a release with its default gates."""
    return law.at(number) if not law.gate or _gate(law.gate, number).startswith("on") else False


def _grades() -> Iterator[str]:
    def rows() -> Iterator[list[str]]:
        for minor, patches in MEASURED.items():
            known = [number for number in (*EARLIER, *LATER) if number[1] == minor]
            ruled = {n[2] for number in known for n in (number, _before(number)) if rules_of(n)}
            sides = ([p for p in sorted(ruled) if p < patches[0]], [p for p in sorted(ruled) if p > patches[-1]])
            named = ", ".join(_span(minor, side) for side in sides if side) or "none"
            yield [f"0.{minor}", _span(minor, patches), named]

    yield from table(("line", "exact", "by the rules of a measured patch"), rows())


def _span(minor: int, patches: Sequence[int]) -> str:
    first, last = (f"0.{minor}.{patch}" for patch in (patches[0], patches[-1]))
    return first if first == last else f"{first} to {last}"


def _before(number: Number) -> Number:
    return number[0], number[1], number[2] - 1


def _patches() -> Iterator[str]:
    def rows() -> Iterator[list[str]]:
        for number, patch in sorted({**EARLIER, **LATER}.items()):
            clauses = [f"{text} ({feature})" if feature else text for feature, text in patch.changes]
            unread = [] if patch.whole else ["its notes were read in part"]
            yield [".".join(map(str, number)), "; ".join(clauses + unread)]

    yield from table(("release", "changed since the patch before"), rows())


def _gate(gate: str, number: Number) -> str:
    release = release_named(".".join(map(str, number)))
    if not is_known(gate, release):
        return "unknown"
    on = gate in enabled_gates({}, release)
    return ("on" if on else "off") + (", locked" if gate in locked_gates(release) else "")


def _gates() -> Iterator[str]:
    def rows() -> Iterator[list[str]]:
        releases = [release_named(".".join(map(str, n))) for numbers in lines().values() for n in numbers]
        for gate in sorted({gate for release in releases for gate in known_gates(release)}):
            row = _by_line(partial(_gate, gate))
            if len({*row}) > 1:
                yield [f"`{gate}`", *row]

    yield from table(("gate", *_LINES), rows())


def page() -> str:
    """The page."""
    parts = (
        ("What a job asks for, and how amounts add up", decisions.AMOUNTS),
        ("Which flavors a Workload gets", decisions.FLAVORS),
        ("Who is preempted", decisions.PREEMPTION),
        ("Admission fair sharing", decisions.PAST_USAGE),
        ("Where topologies place pods", decisions.TOPOLOGIES),
        ("What conditions and messages say", decisions.TEXTS),
        ("Versions, limits, and what the manager knows", decisions.API),
        ("What the API server and the webhooks take", WRITES),
    )
    text = [
        "# Kueue: laws by release",
        "",
        "Generated from the tables that choose the laws of each release, `kubectl_fairshare/schedulers/kueue/release`.",
        "A release that is added there appears here. `from .6: yes` is true from patch level 6 of the line on. Sources",
        "are numbers of changes in Kueue's repository. To compare two releases: [upgrades](../upgrades.md).",
        "",
        "## How sure an answer is",
        "",
        *_grades(),
        "A release outside this table is not exact. What the grades mean: [exit codes](exit-codes.md).",
        "",
        "## Laws",
        "",
    ]
    for title, laws in parts:
        text += [f"### {title}", "", *_laws(laws)]
    text += ["## What is not reproduced", "", "A state that uses it is not exact in a release that says `yes`.", ""]
    text += [*_laws(UNREPRODUCED)]
    text += ["## Patches without measurements of their own", ""]
    text += ["A state that uses the feature in parentheses is not exact if the patch is between the release that runs"]
    text += ["and the measured one of its line.", "", *_patches()]
    text += [
        "## Feature gates",
        "",
        "Those that are not the same in all lines. Naming an unknown one stops the manager.",
        "",
    ]
    text += [*_gates()]
    return "\n".join(text).rstrip() + "\n"


def main(args: list[str]) -> int:
    """Writes the page, or with ``--check`` says whether it is out of date; returns the exit code."""
    text = page()
    if PAGE.is_file() and PAGE.read_text("utf-8") == text:
        return 0
    if "--check" in args:
        print(f"out of date: {PAGE.relative_to(ROOT)}; run .ci/releases.py", file=sys.stderr)
        return 1
    PAGE.write_text(text, "utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
