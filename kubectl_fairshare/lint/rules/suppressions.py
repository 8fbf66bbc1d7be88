"""Comments and annotations that ask for silence, and have no effect."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.spelling import nearest


@warning_rule("M001")
def unused_suppression(given: Given) -> Iterator[Finding]:
    """One finding for each rule that a suppression names in vain. What is in vain shows once all others have run."""
    for suppression, word in given.unused:
        yield Finding(
            suppression.place,
            f"`{word}` finds nothing here, so there is nothing to ignore",
            Remedy(f"take `{word}` out, or move it to where the finding is"),
        )


@warning_rule("M002")
def malformed_suppression(given: Given) -> Iterator[Finding]:
    """One finding for each that is of another form, and one for each word that names no rule."""
    from kubectl_fairshare.lint.registry import all_rules, rule_called

    for suppression in given.suppressions:
        if suppression.malformed:
            yield Finding(suppression.place, "it names no rule to ignore", Remedy(suppression.malformed))
        for word in suppression.words:
            if rule_called(word, given.houses) is None:
                names = [name for each in all_rules(given.houses) for name in (each.name, each.id)]
                near = nearest(word, names)
                remedy = f"did you mean `{near}`?" if near else "see `kubectl fairshare lint --list-rules`"
                yield Finding(suppression.place, f"no rule is called `{word}`", Remedy(remedy))
