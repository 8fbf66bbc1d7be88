"""Values that Kueue cannot decode: refused by its webhooks, or stored and in the way of everything."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import field_named, quote, undecodable_causes, value_at
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_INTEGERS: Final[dict[str, tuple[FieldPath, ...]]] = {
    "WorkloadPriorityClass": (("value",),),
    "ProvisioningRequestConfig": tuple(
        ("spec", "retryStrategy", name) for name in ("backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds")
    ),
}
_LEAST, _MOST = -(1 << 31), (1 << 31) - 1


@error_rule(
    "K002",
    summary="a value that the schema takes and no program can hold",
    why=(
        "the API server, Kueue's webhooks and its conversion decode objects into types that are narrower than the "
        "schema: 32-bit integers, quantities, times. What does not fit is refused with a message that names no field."
    ),
    remedy="write a value that fits the field",
    covers=("0-undecodable", "0-cohort-undecodable-weight", "1.7-status-undecodable"),
)
def undecodable_value(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each object, at the value that decoding fails at."""
    for each, cause in undecodable_causes(given):
        value = value_at(each, cause.path)
        yield Finding(
            each.at(*cause.path),
            f"{field_named(cause.path)} is {quote(value)}: {cause.message}: the API server refuses it, naming no field",
            Remedy("write a value that fits the field"),
        )


@error_rule(
    "K179",
    summary="a number that the API takes and Kueue, which has 32 bits for it, cannot read",
    why=(
        "a kind without a webhook keeps a number of 64 bits, as the schema takes it. Kueue decodes it into 32, fails, "
        "and with it every list of that kind fails: the manager waits for the list and starts none of what needs it."
    ),
    remedy=f"write a number from {_LEAST} to {_MOST}",
    covers=("1.5-priority-value",),
)
def integer_beyond_32_bits(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each number."""
    for kind, paths in _INTEGERS.items():
        for each in given.of(kind):
            for path in paths if each.stored is not None else ():
                value = value_at(each, path)
                if isinstance(value, int | float) and not _LEAST <= value <= _MOST:
                    yield Finding(
                        each.at(*path),
                        f"{field_named(path)} {quote(value)} does not fit into 32 bits: it is stored, and Kueue then "
                        f"can read no {kind} at all",
                        Remedy(f"write a number from {_LEAST} to {_MOST}"),
                        evidence=(("written", str(value)), ("largest", str(_MOST))),
                    )
