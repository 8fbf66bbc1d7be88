"""Values that Kueue's webhooks cannot decode."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy, Severity
from kubectl_fairshare.rules.given import Given
from kubectl_fairshare.rules.protocol import rule
from kubectl_fairshare.rules.refusals import field_named, shown, undecodable_causes, value_at


@rule(
    "K002",
    "undecodable-value",
    Severity.ERROR,
    summary="a value that the schema takes and no program can hold",
    why=(
        "the API server, Kueue's webhooks and its conversion decode objects into types that are narrower than the "
        "schema: 32-bit integers, quantities, times. What does not fit is refused with a message that names no field."
    ),
    remedy="write a value that fits the field",
    covers=("0-undecodable", "0-cohort-undecodable-weight", "1.7-status-undecodable"),
)
def undecodable_value(given: Given) -> Iterator[Finding]:
    """One finding for each object, at the value that decoding fails at."""
    for each, cause in undecodable_causes(given):
        value = value_at(each.manifest, cause.path)
        yield Finding(
            each.at(*cause.path),
            f"{field_named(cause.path)} {shown(value)}: {cause.message}: the API server refuses it, and names no field",
            Remedy("write a value that fits the field"),
        )
