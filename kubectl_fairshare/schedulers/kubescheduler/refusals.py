"""The ResourceQuotas that keep a pod from being created, in words, and as limits that bind.

Decides nothing: it has words only.
Tested in ``tests/unit/cli/commands/test_new_pods.py``.
"""

from collections.abc import Collection, Iterable, Iterator

from kubectl_fairshare.answers.answer import BindingLimit, amount_of
from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.quantity import nano_text

_NANO = 10**9
_OF_CPU = 10**6
"""The unit of cpu, a thousandth, in 10⁻⁹."""


def is_uncreated(computed: Outcome, refusals: Collection[CreationRefusal]) -> bool:
    """Whether the API server is what keeps the pod out: not so if its scheduler never places it."""
    return bool(refusals) and (computed is not Outcome.NEVER or any(each.is_final for each in refusals))


def refused_clause(refusals: Iterable[CreationRefusal]) -> str:
    """That the API server does not create a pod, and why."""
    found = list(refusals)
    when = "never creates it" if any(each.is_final for each in found) else "does not create it"
    return f"the API server {when}: {'; '.join(map(refusal_clause, found))}"


def refusal_clause(of: CreationRefusal) -> str:
    """A bound of a ResourceQuota that another pod would exceed."""
    owner = f"ResourceQuota {of.place.object.name}"
    if of.wanted is None:
        return f"{of.name} must be set by every container ({owner})"
    wanted, used, whole = (nano_text(of.resource, nano) for nano in (of.wanted, of.used, of.wanted + of.used))
    return f"{of.name}: {wanted} requested + {used} used = {whole} > {of.bound_text} ({owner})"


def bound_name(of: CreationRefusal) -> str:
    """The bound by its place alone: ``requests.cpu of ResourceQuota team/compute``."""
    return f"{of.name} of ResourceQuota {of.place.object.namespace}/{of.place.object.name}"


def refused_bindings(refusals: Iterable[CreationRefusal]) -> Iterator[BindingLimit]:
    """The bounds that the pod exceeds; those of amounts that it lacks have no figures."""
    for of in refusals:
        if of.wanted is not None:
            reach = of.bound if of.is_final else of.bound - of.used
            values = (_amount(of, nano) for nano in (of.wanted, reach, of.wanted - reach))
            needed, reachable, short = (amount_of(of.resource, value) for value in values)
            yield BindingLimit(refusal_clause(of), of.place, needed, reachable, short, of.is_final)


def missing_texts(refusals: Iterable[CreationRefusal]) -> tuple[str, str]:
    """What the pod needs of the first bound that it exceeds, with its unit, and how much is missing."""
    limit = next(refused_bindings(refusals), None)
    return ("", "") if limit is None else (f"{limit.needed.text} {limit.needed.resource}", limit.short.text)


def refused_amounts(of: CreationRefusal) -> tuple[int, int, int]:
    """What is wanted, what is used, and the bound, in the units of the resource, rounded up."""
    wanted, used, bound = (_amount(of, nano) for nano in (of.wanted or 0, of.used, of.bound))
    return wanted, used, bound


def _amount(of: CreationRefusal, nano: int) -> int:
    """An amount in the units of its resource, rounded up."""
    return -(-nano // (_OF_CPU if of.resource == "cpu" else _NANO))
