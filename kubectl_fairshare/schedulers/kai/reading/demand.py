"""The requests that ``--demand`` assumes, in KAI's amounts.

Tested in ``tests/unit/cli/test_kai_commands.py``.
"""

import math
from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.demand import OPTION, Demand, QueueDemand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES

Requests = Mapping[str, float]
"""What a queue requests of some resources; infinite without end."""

_GPU: Final = "gpu"
_FORMS: Final = {_GPU: "a number of devices", "cpu": "cores, as `4` or `500m`", "memory": "bytes, as `64Gi`"}


def requests_of(demand: Demand) -> dict[str, Requests]:
    """What the named queues request. Raises ``UsageError`` for a resource that KAI does not count, or another text."""
    return {name: _requests(of) for name, of in demand.queues.items()}


def _requests(of: QueueDemand) -> Requests:
    if of.whole:
        return dict.fromkeys(RESOURCES, math.inf if of.unlimited else 0.0)
    return dict(_amount(name, text) for name, text in of.amounts.items())


def _amount(name: str, text: str) -> tuple[str, float]:
    """An amount of a resource; without one, of devices."""
    name = _GPU if name in ("", "nvidia.com/gpu") else name
    if name not in RESOURCES:
        raise UsageError(Problem(f"KAI does not count `{name}`", OPTION, f"write one of {', '.join(_FORMS)}"))
    try:
        amount = float(text if name == _GPU else quantity.amount(name, text))
    except ValueError:
        amount = math.nan
    if not 0 <= amount < math.inf:
        raise UsageError(Problem(f"`{text}` is not an amount of {name}", OPTION, f"write {_FORMS[name]}"))
    return name, amount
