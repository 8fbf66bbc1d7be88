"""Smaller requests with which a workload gets in that does not, one resource at a time; each is decided.

Why one resource at a time: of 4 cpu and 2 GPUs that do not get in, 2 cpu with 2 GPUs and 4 cpu with one may both do; of
smaller requests in both there are many, and none is the largest.
Tested in ``tests/unit/policy/test_capacity.py``.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Ruling

_MEBIBYTE: Final = 1 << 20


def smaller_requests(
    work: MadeUpWork, ask: Callable[[MadeUpWork], Ruling], wanted: frozenset[Outcome]
) -> Iterator[tuple[Amount, tuple[Gap, ...]]]:
    """The largest amount of each resource, in place of its request, with a wanted outcome; and what is not modelled.

    Amounts are whole thousandths of cores, mebibytes, or units.
    """
    for resource, request in sorted(work.request.items()):
        step = _MEBIBYTE if quantity.is_binary(resource) else 1
        of = cache(lambda steps, resource=resource, step=step: ask(_with(work, resource, steps * step)))
        # Below the request, which itself does not get in.
        steps = largest(1, (request - 1) // step, lambda steps, of=of: of(steps).outcome in wanted)  # type: ignore[misc]
        if steps is not None:
            value = steps * step
            yield Amount(resource, value, amount(resource, value)), (*of(steps).gaps, *of(steps).chance())


def _with(work: MadeUpWork, resource: str, value: int) -> MadeUpWork:
    return replace(work, request={**work.request, resource: value})
