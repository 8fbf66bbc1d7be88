"""The unit workload of a saturated organisation: from ``--request``, or one unit of the only accelerator."""

from collections.abc import Iterable

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree
from kubectl_fairshare.schedulers.kueue.words.selection import unknown

_OPTION = "--request"


def unit_workload(tree: ShareTree, requests: Iterable[str]) -> tuple[dict[str, int], str]:
    """The requests of the unit workload, and why it has that shape (empty with ``--request``).

    Raises ``UsageError`` for a malformed request, and without one if several resources are possible.
    """
    resources = sorted({pair.resource for pair in tree.totals})
    asked = dict(_request(text, resources) for one in requests for text in one.split(","))
    if asked:
        return asked, ""
    accelerators = [r for r in resources if "/" in r]
    for found, why in ((accelerators, "the only accelerator here"), (resources, "the only resource here")):
        if len(found) == 1:
            return {found[0]: quantity.amount(found[0], 1)}, f"{why}; {_OPTION} sets another"
    known = ", ".join(f"`{r}`" for r in accelerators or resources)
    remedy = f"choose it with `{_OPTION} {(accelerators or resources or ['cpu'])[0]}=1`"
    raise UsageError(
        Problem(
            f"the unit workload could be any of {known}"
            if known
            else "no queue has quota, so there is no unit workload",
            _OPTION,
            remedy,
        )
    )


def _request(text: str, resources: list[str]) -> tuple[str, int]:
    resource, _, value = text.partition("=")
    if resource not in resources:
        raise unknown("resource", resource, resources, _OPTION)
    try:
        amount = quantity.amount(resource, value)
    except quantity.QuantityError:
        raise UsageError(Problem(f"`{text}` is not a request", _OPTION, f"write `{resource}=1`")) from None
    if amount <= 0:
        raise UsageError(Problem(f"`{text}` requests nothing", _OPTION, f"write `{resource}=1`"))
    return resource, amount
