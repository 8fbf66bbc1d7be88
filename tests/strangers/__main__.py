"""Every command over each folder that is named: what could be read, what was answered, and what was found."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.strangers.running import Course, courses


def lines_of(folder: str, ran: Sequence[Course]) -> Iterable[str]:
    """A line for each command of one repository."""
    yield folder
    for each in ran:
        parts = [f"exit {each.code}", *(f"{number} {word}" for word, number in sorted(each.outcomes.items()))]
        parts += [f"{rule}×{number}" for rule, number in sorted(each.findings.items())]
        parts += [f"Unknown: {feature}" for feature in sorted(each.doubts)]
        yield f"  {each.command:<8}{each.seconds:6.1f} s  {', '.join(parts)}"
        yield from (f"           {line}" for line in each.refused)


def sums_of(ran: Sequence[Course]) -> Iterable[str]:
    """The sums over all repositories."""
    codes = Counter((each.command, each.code) for each in ran)
    yield "sums"
    for (command, code), number in sorted(codes.items()):
        yield f"  {command:<8}exit {code}: {number}"
    for title, counters in (
        ("outcomes", [each.outcomes for each in ran]),
        ("errors and warnings by rule", [each.findings for each in ran]),
        ("Unknown by feature", [each.doubts for each in ran]),
    ):
        total: Counter[str] = sum(counters, Counter())
        yield f"  {title}: {', '.join(f'{name} {number}' for name, number in sorted(total.items())) or 'none'}"
    yield f"  tracebacks: {sum(each.crashed for each in ran)}"


def main(folders: Sequence[str]) -> int:
    """0 if no command ended with a traceback; 2 if no folder was named, or something else."""
    if not folders or not all(Path(folder).is_dir() for folder in folders):
        sys.stderr.write("name folders: python -m tests.strangers FOLDER…\n")
        return 2
    every: list[Course] = []
    for folder in folders:
        ran = list(courses(Path(folder)))
        every += ran
        sys.stdout.write("\n".join(lines_of(folder, ran)) + "\n")
    sys.stdout.write("\n".join(sums_of(every)) + "\n")
    return int(any(each.crashed for each in every))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
