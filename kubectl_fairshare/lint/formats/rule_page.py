"""A rule: summary, reason, remedy and examples, as a page with both, and as a screen with what differs.

Tested in ``tests/golden/test_rule_pages.py`` and ``tests/unit/cli/commands/test_rule.py``.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.formats import wording
from kubectl_fairshare.lint.formats.text import TONES, finding_lines
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View

_ADVICE: Final = "advice (off until `--select advice`)"
_AROUND: Final = 3
"""Lines before and after a change."""
_LEFT_OUT: Final = "…"


class Examples(Value, frozen=True):
    """The texts of both examples, and the findings for the bad one."""

    bad: str
    found: tuple[Placed, ...]
    good: str


def rule_screen(rule: Rule, examples: Examples, view: View) -> str:
    """The rule as a screen: what is found in the bad example, and what the good one has in its place."""
    lines = [f"{rule.id} {view.paint('strong', rule.name)} · {view.paint(TONES[rule.severity], rule.severity.value)}"]
    lines += paragraph(rule.summary, view, "", "")
    for label, text in _facts(rule):
        lines += ["", *paragraph(f"{label}: {text}", view, "", "  ")]
    lines += ["", view.paint("dim", "bad.yaml")]
    lines += [line for placed in examples.found for line in finding_lines(placed, view, grouped=True)]
    lines += ["", view.paint("dim", "bad.yaml → good.yaml"), *_changes(examples, view)]
    lines += ["", *paragraph(f"both as a whole: kubectl fairshare help {rule.id} -o markdown", view, "", "  ", "dim")]
    return "".join(f"{line}\n" for line in lines)


def _facts(rule: Rule) -> Sequence[tuple[str, str]]:
    found = [("why", rule.why), ("remedy", rule.remedy)]
    if releases := wording.releases(rule):
        found.append((rule.scheduler, releases))
    if rule.advice:
        found.append(("default", "off, because it fits many healthy clusters; `--select advice` turns it on"))
    return found


def _changes(examples: Examples, view: View) -> Iterator[str]:
    """What the good example has in place of the bad one, with the lines around it."""
    bad, good = examples.bad.splitlines(), examples.good.splitlines()
    end = 0
    for group in SequenceMatcher(None, bad, good, autojunk=False).get_grouped_opcodes(_AROUND):
        if group[0][1] > end:
            yield f"    {_LEFT_OUT}"
        for kind, start, end, first, last in group:
            if kind == "equal":
                yield from _marked(bad[start:end], " ", "", view)
            else:
                yield from _marked(bad[start:end], "-", "never", view)
                yield from _marked(good[first:last], "+", "good", view)
    if end < len(bad):
        yield f"    {_LEFT_OUT}"


def _marked(lines: Sequence[str], sign: str, tone: Tone, view: View) -> Iterator[str]:
    return (view.paint(tone, f"  {sign} {line}".rstrip()) for line in lines)


def rule_markdown(rule: Rule, examples: Examples | None = None) -> str:
    """The rule as Markdown: the page of the documentation; without examples, the help text for other programs."""
    lines = [
        f"# {rule.id} {rule.name}",
        "",
        f"**{_kind(rule)}** · {as_sentence(rule.summary)}",
        "",
        as_sentence(rule.why),
    ]
    lines += ["", "## What to write", "", as_sentence(rule.remedy)]
    if releases := wording.releases(rule):
        lines += ["", f"The rule applies to {rule.scheduler} {releases}."]
    if examples is not None:
        lines += ["", "## Bad", "", *_fenced("yaml", examples.bad.splitlines())]
        found = [line for placed in examples.found for line in finding_lines(placed, View(), grouped=False)]
        lines += ["", *_fenced("text", found), "", "## Good", "", *_fenced("yaml", examples.good.splitlines())]
    return "\n".join(lines) + "\n"


def _kind(rule: Rule) -> str:
    return f"{rule.severity.value}, {_ADVICE}" if rule.advice else rule.severity.value


def _fenced(language: str, lines: Sequence[str]) -> list[str]:
    return [f"```{language}", *lines, "```"]


def as_sentence(text: str) -> str:
    """A sentence for running text: capital first letter, final period."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def index_markdown(rules: Sequence[Rule]) -> str:
    """The index of the pages."""
    lines = ["# Rules of lint", "", f"{len(rules)} rules. Advice is off unless you add `--select advice`.", ""]
    lines += ["| rule | severity | |", "| --- | --- | --- |"]
    for rule in rules:
        severity = "advice" if rule.advice else rule.severity.value
        summary = rule.summary.replace("|", "\\|")
        lines.append(f"| [{rule.id}]({rule.id}.md) {rule.name} | {severity} | {summary} |")
    return "\n".join(lines) + "\n"
