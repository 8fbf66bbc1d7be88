"""Fair sharing weights that the API server rejects, or that no program can read."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import MISSING, lawful, quote, value_at
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.written import nano_of

_WEIGHT = ("spec", "fairSharing", "weight")


@error_rule("K017")
def weight_out_of_range(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each object."""
    for each, cause in lawful(given, "CQ10"):
        value = value_at(each, _WEIGHT)
        below = (nano_of(value) or 0) < 0
        gist = "is below 0" if below else "is neither 0 nor above 1n"
        yield Finding(
            each.at(*(cause.path if value is MISSING else _WEIGHT)),
            f"weight {quote(value)} {gist}: the API server rejects it",
            Remedy("write 0 or a weight above 1n; without the block the weight is 1"),
            evidence=(("weight", str(value)),),
        )


@error_rule("K039")
def unreadable_weight(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each LocalQueue."""
    for each in given.of("LocalQueue"):
        weight = inside(each.spec, "fairSharing", "weight")
        if weight is None or nano_of(weight) is not None:
            continue
        yield Finding(
            each.at(*_WEIGHT),
            f"weight {quote(weight)} is stored, but no program can read it: every v1beta1 list of LocalQueues fails",
            Remedy("write the weight as a plain number, such as `1` or `500m`"),
            evidence=(("weight", str(weight)),),
        )
