"""Values that Kueue cannot decode: its webhooks reject them, or they are stored and break every list."""

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


@error_rule("K002")
def undecodable_value(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each object, at the value that cannot be decoded."""
    for each, cause in undecodable_causes(given):
        value = value_at(each, cause.path)
        yield Finding(
            each.at(*cause.path),
            f"{field_named(cause.path)} is {quote(value)}: {cause.message}: the API server rejects it",
            Remedy("write a value that fits the field"),
        )


@error_rule("K179")
def integer_beyond_32_bits(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each number."""
    for kind, paths in _INTEGERS.items():
        for each in given.of(kind):
            for path in paths if each.stored is not None else ():
                value = value_at(each, path)
                if isinstance(value, int | float) and not _LEAST <= value <= _MOST:
                    yield Finding(
                        each.at(*path),
                        f"{field_named(path)} {quote(value)} does not fit into 32 bits: it is stored, but then Kueue "
                        f"cannot list any {kind}",
                        Remedy(f"write a number from {_LEAST} to {_MOST}"),
                        evidence=(("written", str(value)), ("largest", str(_MOST))),
                    )
