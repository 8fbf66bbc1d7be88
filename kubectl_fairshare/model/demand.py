"""What a question assumes that queues request: ``--demand``, in the same forms for every scheduler."""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value, field, replace

OPTION: Final = "--demand"
UNLIMITED: Final = "unlimited"
_FORMS: Final = "write `unlimited`, `QUEUE=0`, `QUEUE=unlimited`, `QUEUE=20` or `QUEUE=cpu=64,nvidia.com/gpu=20`"


class QueueDemand(Value, frozen=True):
    """What one queue requests. ``amounts`` are texts by resource; without a resource, the name is empty.

    ``unlimited``: an endless backlog. Without it and without amounts, the queue is idle.
    """

    amounts: Mapping[str, str] = field(default_factory=dict)
    unlimited: bool = False

    @property
    def idle(self) -> bool:
        """Whether the queue requests nothing."""
        return not self.unlimited and not self.amounts

    @property
    def whole(self) -> bool:
        """Whether it says all that the queue requests, whatever the resource."""
        return self.unlimited or self.idle


class Demand(Value, frozen=True):
    """The requests that a question assumes: those of named queues, and with ``unlimited`` endless ones of all others.

    ``texts`` are the values of the option.
    """

    unlimited: bool = False
    queues: Mapping[str, QueueDemand] = field(default_factory=dict)
    texts: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether the question assumes any requests."""
        return bool(self.texts)

    @property
    def clause(self) -> str:
        """What is assumed, in a clause."""
        named = " ".join(text for text in self.texts if text != UNLIMITED)
        if not self.unlimited:
            return f"as if {named}" if named else ""
        return "as if every queue requested more than the cluster has" + (f", but {named}" if named else "")


NO_DEMAND: Final = Demand()
ENDLESS: Final = Demand(unlimited=True, texts=(UNLIMITED,))
"""Every queue requests without end."""


def demand_of(texts: Iterable[str]) -> Demand:
    """The demand that values of ``--demand`` describe; the last one about a queue's resource counts.

    Raises ``UsageError`` for another form.
    """
    demand = Demand(texts=tuple(texts))
    for text in demand.texts:
        queue, sign, amounts = text.partition("=")
        if text == UNLIMITED:
            demand = replace(demand, unlimited=True)
        elif not queue or not sign or not amounts:
            raise UsageError(Problem(f"`{text}` does not say what a queue requests", OPTION, _FORMS))
        else:
            before = demand.queues.get(queue)
            demand = replace(demand, queues={**demand.queues, queue: _queue_demand(text, amounts, before)})
    return demand


def _queue_demand(text: str, amounts: str, before: QueueDemand | None) -> QueueDemand:
    if amounts in ("0", UNLIMITED):
        return QueueDemand(unlimited=amounts == UNLIMITED)
    found: dict[str, str] = {}
    for part in amounts.split(","):
        name, sign, value = part.partition("=")
        resource, amount = (name, value) if sign else ("", part)
        if not amount or (sign and not resource):
            raise UsageError(Problem(f"`{text}` does not say what a queue requests", OPTION, _FORMS))
        found[resource] = amount
    return QueueDemand({**(before.amounts if before else {}), **found})


def demanded(resource: str, text: str) -> int:
    """An amount in the units of ``model.amounts``. Raises ``UsageError`` for another text, or a negative amount."""
    try:
        amount = quantity.amount(resource, text)
    except quantity.QuantityError:
        amount = -1
    if amount < 0:
        raise UsageError(Problem(f"`{text}` is not an amount of {resource}", OPTION, f"write `QUEUE={resource}=20`"))
    return amount
