"""The rules as a list: id, severity, name and summary.

Tested in ``tests/unit/cli/commands/test_lint.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.lint.formats.text import TONES
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View

_LONGEST = len("warning")


def rule_list(rules: Sequence[Rule], view: View) -> str:
    """A paragraph per rule, and the number of rules."""
    lines = []
    for rule in rules:
        severity = rule.severity.value
        gap = " " * (_LONGEST - len(severity))
        indent = " " * (len(rule.id) + _LONGEST + 4)
        mark = "  (advice)" if rule.advice else ""
        lines.append(f"{rule.id}  {view.paint(TONES[rule.severity], severity)}{gap}  {rule.name}{mark}")
        lines += paragraph(rule.summary, view, indent, indent)
    advice = sum(rule.advice for rule in rules)
    said = f", {advice} of them advice" if advice else ""
    return "".join(f"{line}\n" for line in [*lines, "", f"{count(len(rules), 'rule')}{said}"])
