"""What every format says of a finding, in the same words."""

from kubectl_fairshare.lint.findings.counts import Counts
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.figures import count


def tally(counts: Counts) -> str:
    """``1 error, 2 warnings``; the word for none."""
    kinds = ((counts.errors, "error"), (counts.warnings, "warning"), (counts.infos, "info"))
    return ", ".join(count(number, kind) for number, kind in kinds if number) or "no findings"


def read(counts: Counts) -> str:
    """``9 files (41 objects)``; of a cluster the objects alone."""
    if not counts.files:
        return count(counts.objects, "object")
    return f"{count(counts.files, 'file')} ({count(counts.objects, 'object')})"


def sentence(placed: Placed) -> str:
    """What is wrong, on one line."""
    return printable(placed.reported.finding.message)


def notes(placed: Placed) -> list[str]:
    """What else there is to know: the numbers, where the object came from, what would make the finding void."""
    finding = placed.reported.finding
    found = [f"{name}: {value}" for name, value in finding.evidence]
    found += [f"{where}: {text}" for text, where in placed.related]
    if placed.template:
        found.append(f"rendered from {placed.template}")
    if placed.reported.doubtful:
        found.append(f"void with {finding.elsewhere} outside of what was read; --complete says that nothing is")
    return [printable(note) for note in found]


def remedy(placed: Placed) -> str:
    """What would mend it, on one line."""
    return printable(placed.reported.finding.remedy.text)


def paragraph(placed: Placed) -> str:
    """The whole finding as lines of plain text."""
    return "\n".join([sentence(placed), *notes(placed), f"help: {remedy(placed)}"])


def releases(rule: Rule) -> str:
    """The releases of the scheduler that a rule holds for; empty for all."""
    if rule.since is None and rule.until is None:
        return ""
    if rule.until is None:
        return f"from {rule.since} on"
    return f"before {rule.until}" if rule.since is None else f"from {rule.since}, before {rule.until}"


def stands_in_file(placed: Placed) -> bool:
    """Whether line and column are those of a file, and not of a stream."""
    return not placed.location.source.startswith("<")


def path(placed: Placed) -> str:
    """The file to blame: of a stream the template that the object was rendered from, where that is known."""
    return placed.location.source if stands_in_file(placed) else placed.template or placed.location.source
