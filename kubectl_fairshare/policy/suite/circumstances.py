"""From ``when`` to a state: running and waiting work, put into a sandbox of the policy."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.json import JsonObject, listed, mapping, rows
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.described import POD_COUNT
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox, queue_named

Place = Callable[..., Location]
"""The line of a field of the test, by its path below the test."""


class StateBefore:
    """Reads what a case puts into the state. Every error is at its line."""

    def __init__(self, sandbox: Sandbox, locate: Place) -> None:
        self.sandbox = sandbox
        self._locate = locate

    def prepared(self, when: JsonObject) -> Sandbox:
        """The state with running work, usage, and then waiting work. Raises ``UsageError`` for what cannot be."""
        sandbox = self.sandbox
        for number, work in enumerate(rows(when, "running")):
            path = ("when", "running", number)
            name = str(work.get("name") or f"running-{number + 1}")
            for unit, load in self._loads(name, work, path):
                with errors_at(self._locate(*path)):
                    sandbox = sandbox.placed(unit, load, str(work.get("flavor", "")))
        for queue, amounts in mapping(when, "usage").items():
            here = ("when", "usage", queue)
            load = MadeUpWork(self.queue(queue, here), self._amounts(amounts, here))
            with errors_at(self._locate(*here)):
                sandbox = sandbox.placed(f"usage-{queue}", load)
        for number, work in enumerate(rows(when, "pending")):
            path = ("when", "pending", number)
            name = str(work.get("name") or f"pending-{number + 1}")
            for unit, load in self._loads(name, work, path):
                sandbox = sandbox.submitted(unit, load).sandbox
        return self._saturated(sandbox, when) if "saturate" in when else sandbox

    def saturated_queues(self, when: JsonObject) -> list[str]:
        """The queues with an endless backlog: those that ``saturate`` names, otherwise all."""
        named = listed(mapping(when, "saturate"), "queues")
        path = ("when", "saturate", "queues")
        found = [self.queue(str(name), (*path, number)) for number, name in enumerate(named)]
        return found or [site.queue for site in self.sandbox.sites]

    def _saturated(self, sandbox: Sandbox, when: JsonObject) -> Sandbox:
        """The state at rest in which work waits in each of the queues, as it does with an endless backlog.

        A workload that is preempted waits again, so a queue needs another one only while none of its own waits.
        """
        asked = mapping(when, "saturate")
        request = self._amounts(mapping(asked, "request"), ("when", "saturate", "request"))
        priority = self._whole(asked.get("priority", 0), ("when", "saturate", "priority"))
        queues, number, rests = self.saturated_queues(when), 0, True
        while lacking := [q for q in queues if q not in {load.queue for load in sandbox.waiting().values()}]:
            for queue in lacking:
                number += 1
                after = sandbox.submitted(f"{_BACKLOG}-{number}", MadeUpWork(queue, request, 1, priority))
                sandbox, rests = after.sandbox, after.rests
            if number > _MOST_BACKLOG or not rests:
                reason = "cycles do not come to rest" if not rests else f"{_MOST_BACKLOG} workloads do not fill it"
                remedy = 'ask for more in each workload, or see what repeats: `search --never "cascade > 3"`'
                raise UsageError(Problem(f"cannot saturate: {reason}", self._locate("when", "saturate"), remedy))
        return sandbox

    def arriving(self, when: JsonObject) -> list[MadeUpWork]:
        """The workloads that arrive one after another."""
        arriving = enumerate(rows(when, "arrive"))
        return [load for n, work in arriving for _, load in self._loads("", work, ("when", "arrive", n))]

    def submitted(self, when: JsonObject) -> MadeUpWork:
        """The workload that a case is about. Raises ``UsageError`` for several pods where each is decided alone."""
        path = ("when", "submit")
        load = self.load(when["submit"], path)
        if load.count > 1 and self.sandbox.single_pods:
            message = "must be 1: each pod is decided alone"
            remedy = "put the other pods in `pending` or `arrive`"
            raise UsageError(Problem(f"`count` {message}", self._locate(*path, "count"), remedy))
        return load

    def _loads(self, name: str, work: JsonObject, path: tuple[str | int, ...]) -> list[tuple[str, MadeUpWork]]:
        """One workload, or each of its pods where pods are decided one by one; with names."""
        load = self.load(work, path)
        if load.count == 1 or not self.sandbox.single_pods:
            return [(name, load)]
        return [(f"{name}-{number + 1}", replace(load, count=1)) for number in range(load.count)]

    def load(self, work: JsonObject, path: tuple[str | int, ...]) -> MadeUpWork:
        """One workload."""
        if "queue" not in work or "request" not in work:
            missing = "queue" if "queue" not in work else "request"
            raise UsageError(Problem(f"`{missing}` is missing", self._locate(*path), f"write `{missing}`"))
        queue = self.queue(str(work["queue"]), (*path, "queue"))
        request = self._amounts(mapping(work, "request"), (*path, "request"))
        if POD_COUNT in request:
            at = self._locate(*path, "request", POD_COUNT)
            raise UsageError(Problem(f"a pod cannot request `{POD_COUNT}`", at, "write how many there are as `count`"))
        count, priority = (self._whole(work.get(name, default), (*path, name)) for name, default in _NUMBERS)
        if count < 1:
            raise UsageError(
                Problem(f"`count` must be 1 or more, not {count}", self._locate(*path, "count"), "write `1`")
            )
        return MadeUpWork(queue, request, count, priority)

    def queue(self, name: str, path: tuple[str | int, ...]) -> str:
        """The queue that a word names. Raises ``UsageError`` with near names for an unknown one."""
        return queue_named(name, self.sandbox, self._locate(*path))

    def _amounts(self, amounts: JsonObject, path: tuple[str | int, ...]) -> dict[str, int]:
        found = {}
        for resource, value in amounts.items():
            try:
                found[resource] = quantity.amount(resource, value)
                if found[resource] < 0:
                    at = self._locate(*path, resource)
                    raise UsageError(Problem(f"`{value}` is below 0", at, "write 0 or more"))
            except quantity.QuantityError:
                at = self._locate(*path, resource)
                raise UsageError(Problem(f"`{value}` is not a quantity", at, "write `500m`, `2` or `4Gi`")) from None
        return found

    def _whole(self, value: object, path: tuple[str | int, ...]) -> int:
        try:
            return int(str(value))
        except ValueError:
            message = f"`{path[-1]}` must be a whole number, not `{value}`"
            raise UsageError(Problem(message, self._locate(*path), "write a whole number")) from None


@contextmanager
def errors_at(line: Location) -> Iterator[None]:
    """Gives what is wrong inside a line of the test."""
    try:
        yield
    except FairshareError as error:
        raise type(error)(*(replace(problem, place=line) for problem in error.problems)) from None


_BACKLOG = "backlog"
_MOST_BACKLOG = 4096
_NUMBERS = (("count", 1), ("priority", 0))
