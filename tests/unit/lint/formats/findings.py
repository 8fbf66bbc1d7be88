"""Findings made up for the renderers, as far from harmless as names can be."""

from kubectl_fairshare.finding import Finding, Related, Remedy, Replace, Severity
from kubectl_fairshare.lint.findings.counts import Counts, counts_of
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.protocol import Rule, RuleTexts
from kubectl_fairshare.lint.run import Reported
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location, ObjectKey, Place

QUEUE = ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "speech")
LENDS = Place(QUEUE, ("spec", "resourceGroups", 0, "flavors", 0, "resources", 0, "lendingLimit"))
HOSTILE = "a|b <script> `tick` %, :: \x1b[31m\r\n]]> & \"quoted\" 'x' @all\x00"
UNREAD = (
    Problem("not valid YAML", Location("org/broken.yaml", 3, 7), "look at the quotes"),
    Problem("permission denied", "org/secret.yaml", "make it readable"),
    Problem("nothing to read"),
)


def made(id: str = "K027", name: str = "lending-limit-above-nominal", severity: Severity = Severity.ERROR) -> Rule:
    """A rule that nothing runs."""
    summary, why = "a ClusterQueue lends more than it has", "Kueue refuses it. Nothing is lent."
    texts = RuleTexts(summary, why, "take the limit away", ("CQ08",))
    return Rule(id, name, severity, lambda: texts, False, None, None, "")


def placed(
    message: str = "`lendingLimit` is 4 more than there is to lend",
    *,
    of: Rule | None = None,
    source: str = "org/speech.yaml",
    line: int = 18,
    excerpt: str = "        lendingLimit: 16  # generous",
    column: int = 23,
    end: int = 25,
    fixable: bool = True,
    elsewhere: str = "",
    template: str = "",
    fingerprint: str = "f00d",
) -> Placed:
    """A finding at its line."""
    rule_ = of or made()
    finding = Finding(
        LENDS,
        message,
        Remedy("12 or less", (Replace(LENDS, 12),) if fixable else (), safe=fixable),
        evidence=(("nominalQuota", "12"), ("lendingLimit", "16")),
        related=(Related("defined here", Place(QUEUE)),),
        elsewhere=elsewhere,
    )
    severity = rule_.severity.milder if elsewhere else rule_.severity
    return Placed(
        Reported(rule_, finding, severity, doubtful=bool(elsewhere)),
        Location(source, line, column),
        end,
        excerpt,
        fingerprint,
        (("defined here", Location("org/flavors.yaml", 3, 9)),),
        template=template,
        fixable=fixable and not template,
    )


def counts(*findings: Placed) -> Counts:
    """What they amount to, in nine files."""
    return counts_of(findings, files=9, objects=41)
