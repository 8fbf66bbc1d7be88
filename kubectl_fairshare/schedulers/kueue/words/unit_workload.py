"""The unit workload of a saturated organisation: as asked for, or the one that suggests itself."""

from collections.abc import Iterable

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree
from kubectl_fairshare.schedulers.kueue.words.selection import unknown

_OPTION = "--request"


def unit_workload(tree: ShareTree, requests: Iterable[str]) -> tuple[dict[str, int], str]:
    """The requests of the unit workload, and why it has that shape (empty where it was asked for).

    Raises ``UsageError`` for a request that is none, and where none suggests itself.
    """
    resources = sorted({pair.resource for pair in tree.totals})
    asked = dict(_parsed(text, resources) for one in requests for text in one.split(","))
    if asked:
        return asked, ""
    accelerators = [r for r in resources if "/" in r]
    for found, why in ((accelerators, "the only accelerator here"), (resources, "the only resource here")):
        if len(found) == 1:
            return {found[0]: quantity.amount(found[0], 1)}, f"{why}; {_OPTION} asks for another"
    known = ", ".join(f"`{r}`" for r in accelerators or resources)
    remedy = f"say it with `{_OPTION} {(accelerators or resources or ['cpu'])[0]}=1`"
    raise UsageError(Problem(f"no unit workload suggests itself among {known or 'no resources'}", _OPTION, remedy))


def _parsed(text: str, resources: list[str]) -> tuple[str, int]:
    resource, _, value = text.partition("=")
    if resource not in resources:
        raise unknown("resource", resource, resources, _OPTION)
    try:
        amount = quantity.amount(resource, value)
    except quantity.QuantityError:
        raise UsageError(Problem(f"`{text}` is no request", _OPTION, f"write `{resource}=1`")) from None
    if amount <= 0:
        raise UsageError(Problem(f"`{text}` asks for nothing", _OPTION, f"write `{resource}=1`"))
    return resource, amount
