"""Rules about its queues."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import RuleTexts, warning_rule
from tests.unit.lint.fourth.given import GROUP, FourthGiven


@warning_rule("F001", texts=RuleTexts("a queue", "There should be none.", "take it out"), since="Fourth 1.2")
def queue_there(given: FourthGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    for each in given.of("Queue", GROUP):
        yield Finding(each.at("spec"), f"{len(given.queues)} queues", Remedy("take it out"))
