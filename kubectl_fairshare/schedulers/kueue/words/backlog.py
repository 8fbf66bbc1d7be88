"""The backlogs that ``--demand`` and ``--request`` describe: a unit workload, and how many of it each queue has."""

from collections.abc import Iterable, Iterator, Mapping
from math import gcd

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.demand import OPTION, Demand, QueueDemand, demanded
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.cycle.saturation import reached_queues
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.selection import queue_named, unknown

_REQUEST = "--request"


class Backlogs(Value, frozen=True):
    """``units`` is the number of unit workloads of each queue that has any, None for an endless backlog.

    ``shape`` is what one requests, ``reason`` why, empty with ``--request``.
    """

    shape: Mapping[str, int]
    reason: str
    units: Mapping[str, int | None]


def backlogs(state: State, tree: ShareTree, demand: Demand, request: Iterable[str]) -> Backlogs:
    """The backlogs of a question. Raises ``UsageError`` for queues, resources and amounts that make none."""
    wanted = _by_queue(state, demand)
    shape, reason = unit_workload(tree, request, [of for of in wanted.values() if not of.whole])
    units: dict[str, int | None] = {}
    for name in reached_queues(state):
        of = wanted.get(name)
        number = _units(name, of, shape) if of is not None and not of.unlimited else None
        if number != 0 and (of is not None or demand.unlimited):
            units[name] = number
    return Backlogs(shape, reason, units)


def _by_queue(state: State, demand: Demand) -> dict[str, QueueDemand]:
    """What each ClusterQueue that is meant requests: itself, or the nearest of its cohorts that is named."""
    forest, found = state.forest, dict[int, QueueDemand]()
    for name, of in demand.queues.items():
        target, local = queue_named(state.kueue, name, OPTION)
        if local:
            message = f"`{name}` is a LocalQueue, which has no quota of its own"
            raise UsageError(Problem(message, OPTION, f"name its ClusterQueue: `{target}`"))
        node = forest.queue_ids.get(target, forest.cohort_ids.get(target))
        if node is None:
            message = f"`{name}` has no figures: its cohorts form a cycle"
            raise UsageError(Problem(message, OPTION, "fix `parentName` of one of them"))
        if not forest.nodes[node].is_queue and not of.whole:
            message = f"`{name}` is a Cohort, and its queues could share an amount in many ways"
            remedy = f"name its ClusterQueues, or write `{name}=0` or `{name}=unlimited`"
            raise UsageError(Problem(message, OPTION, remedy))
        found[node] = of
    outer_first = sorted(found, key=lambda node: len(forest.path(node)))
    return {forest.nodes[q].name: found[n] for n in outer_first for q in forest.queues_below(n)}


def _units(name: str, of: QueueDemand, shape: Mapping[str, int]) -> int:
    """The number of unit workloads that request the amounts. Raises ``UsageError`` where there is no such number."""
    numbers = {_multiple(name, resource or _only(name, shape), text, shape) for resource, text in of.amounts.items()}
    if len(numbers) > 1:
        listed = ", ".join(map(str, sorted(numbers)))
        message = f"the amounts of `{name}` are different numbers of unit workloads: {listed}"
        remedy = f"set the unit workload with `{_REQUEST}`, or write amounts of the same number"
        raise UsageError(Problem(message, OPTION, remedy))
    return next(iter(numbers), 0)


def _only(name: str, shape: Mapping[str, int]) -> str:
    """The resource of an amount without one."""
    if len(shape) > 1:
        message = f"the amount of `{name}` could be of any of {', '.join(f'`{r}`' for r in shape)}"
        raise UsageError(Problem(message, OPTION, f"write `{name}={next(iter(shape))}=20`"))
    return next(iter(shape))


def _multiple(name: str, resource: str, text: str, shape: Mapping[str, int]) -> int:
    amount = demanded(resource, text)
    if resource not in shape:
        message = f"the unit workload does not request {resource}, which `{name}` requests"
        raise UsageError(Problem(message, OPTION, f"add it to the unit workload: `{_REQUEST} {resource}=1`"))
    if amount % max(1, shape[resource]):
        unit = quantity.text(resource, shape[resource])
        message = f"{text} {resource} of `{name}` is not a multiple of the unit workload's {unit}"
        raise UsageError(Problem(message, OPTION, f"write a multiple, or set the unit workload with `{_REQUEST}`"))
    return amount // max(1, shape[resource])


def unit_workload(
    tree: ShareTree, requests: Iterable[str], wanted: Iterable[QueueDemand] = ()
) -> tuple[dict[str, int], str]:
    """The requests of the unit workload, and why it has that shape (empty with ``--request``).

    Without ``--request``: what queues request of several resources in one proportion, otherwise one unit of the only
    resource that they name, of the only accelerator, or of the only resource. Raises ``UsageError`` for a malformed
    request, and without one if several shapes are possible.
    """
    resources = sorted({pair.resource for pair in tree.totals})
    asked = dict(_request(text, resources) for one in requests for text in one.split(","))
    if asked:
        return asked, ""
    amounts = [dict(_named_amounts(of, resources)) for of in wanted]
    together = [each for each in amounts if len(each) > 1 and any(each.values())]
    if together:
        return _proportion(together), f"in the proportion of `{OPTION}`; {_REQUEST} sets another"
    named = sorted({resource for each in amounts for resource in each})
    accelerators = [r for r in resources if "/" in r]
    for found, why in (
        (named, f"the only resource of `{OPTION}`"),
        (() if named else accelerators, "the only accelerator here"),
        (() if named else resources, "the only resource here"),
    ):
        if len(found) == 1:
            return {found[0]: quantity.amount(found[0], 1)}, f"{why}; {_REQUEST} sets another"
    raise _undecided(named or accelerators or resources)


def _undecided(possible: list[str]) -> UsageError:
    message = f"the unit workload could be any of {', '.join(f'`{r}`' for r in possible)}"
    message = message if possible else "no queue has quota, so there is no unit workload"
    return UsageError(Problem(message, _REQUEST, f"choose it with `{_REQUEST} {(possible or ['cpu'])[0]}=1`"))


def _named_amounts(of: QueueDemand, resources: list[str]) -> Iterator[tuple[str, int]]:
    for resource, text in of.amounts.items():
        if resource:
            if resource not in resources:
                raise unknown("resource", resource, resources, OPTION)
            yield resource, demanded(resource, text)


def _proportion(amounts: list[dict[str, int]]) -> dict[str, int]:
    """The smallest whole amounts in the proportion of all; accelerators first. Raises ``UsageError`` for several."""
    shapes = [{resource: amount // gcd(*each.values()) for resource, amount in each.items()} for each in amounts]
    if any(shape != shapes[0] for shape in shapes):
        message = f"the amounts of `{OPTION}` have different proportions, so there is no unit workload for all"
        raise UsageError(Problem(message, OPTION, f"choose it with `{_REQUEST} {next(iter(amounts[0]))}=1`"))
    return dict(sorted(shapes[0].items(), key=lambda each: "/" not in each[0]))


def _request(text: str, resources: list[str]) -> tuple[str, int]:
    resource, _, value = text.partition("=")
    if resource not in resources:
        raise unknown("resource", resource, resources, _REQUEST)
    try:
        amount = quantity.amount(resource, value)
    except quantity.QuantityError:
        raise UsageError(Problem(f"`{text}` is not a request", _REQUEST, f"write `{resource}=1`")) from None
    if amount <= 0:
        raise UsageError(Problem(f"`{text}` requests nothing", _REQUEST, f"write `{resource}=1`"))
    return resource, amount
