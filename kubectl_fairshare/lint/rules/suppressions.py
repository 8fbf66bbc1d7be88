"""Suppressions in comments and annotations that have no effect.

Tested in ``tests/unit/cli/linting/test_fixing.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.phrases import did_you_mean


@warning_rule("M001")
def unused_suppression(given: Given) -> Iterator[Finding]:
    """One finding for each rule that a suppression names without effect. This rule runs after all others."""
    for suppression, word in given.unused:
        yield Finding(
            suppression.place,
            f"`{word}` reports nothing here, so there is nothing to suppress",
            Remedy(f"remove `{word}`, or move it to the line of the finding"),
        )


@warning_rule("M002")
def malformed_suppression(given: Given) -> Iterator[Finding]:
    """One finding for each malformed suppression, and one for each word that is not a rule."""
    from kubectl_fairshare.lint.registry import all_rules, rule_called

    for suppression in given.suppressions:
        if suppression.malformed:
            yield Finding(suppression.place, "it does not name a rule to ignore", Remedy(suppression.malformed))
        for word in suppression.words:
            if rule_called(word, given.houses) is None:
                names = [name for each in all_rules(given.houses) for name in (each.name, each.id)]
                near = nearest(word, names)
                remedy = did_you_mean([near] if near else []) or "see `kubectl fairshare lint --list-rules`"
                yield Finding(suppression.place, f"no rule is called `{word}`", Remedy(remedy))
