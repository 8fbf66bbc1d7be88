"""Invariants from text: as ``--never`` takes them, and as the ``keeps`` of a test has them.

Decides nothing: it reads words.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import Json, JsonObject, listed
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.policy.search.invariants import (
    Entitled,
    Invariant,
    NoCascade,
    NoCrash,
    NoEndlessEvictions,
    NoStarvation,
    NoStarvedBurst,
    QuotaBound,
    Safe,
)
from kubectl_fairshare.schedulers.sandbox import Sandbox, queue_named

FORMS: Final = (
    "entitled waits",
    "starvation",
    "starved burst",
    "cascade > N",
    "endless evictions",
    "crashes",
    "QUEUE preempted by QUEUE",
    "QUEUE > RESOURCE=AMOUNT",
)
_IN: Final = r"(?: in (?P<queues>\S.*?))?"
_UP_TO: Final = r"(?: up to (?P<sizes>\S+=\S+))?"
_PATTERNS: Final = {
    "entitled": re.compile(rf"entitled waits{_IN}"),
    "starvation": re.compile(rf"starvation{_IN}"),
    "burst": re.compile(rf"starved burst{_IN}{_UP_TO}"),
    "cascade": re.compile(r"cascade ?> ?(?P<most>\d+)"),
    "endless": re.compile(r"endless evictions"),
    "crash": re.compile(r"crashes"),
    "safe": re.compile(r"(?P<workloads>\S.*?) preempted by (?P<by>\S.*)"),
    "bounded": re.compile(r"(?P<queue>\S+) ?> ?(?P<sizes>\S+=\S+)"),
}


def invariant_called(text: str, sandbox: Sandbox, option: str = "--never") -> Invariant:
    """The invariant that a text of ``--never`` means. Raises ``UsageError`` for any other text."""
    for kind, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text.strip())
        if match is not None:
            return _made(kind, match.groupdict(), _Queues(sandbox, option))
    remedy = did_you_mean(likely(text, FORMS, 1)) or f"write {quoted(FORMS)}"
    raise UsageError(Problem(f"`{text}` names no invariant", option, remedy))


def _made(kind: str, words: Mapping[str, str | None], queues: "_Queues") -> Invariant:
    if kind == "cascade":
        return NoCascade(int(words["most"] or 0))
    if kind == "endless":
        return NoEndlessEvictions()
    if kind == "crash":
        return NoCrash()
    if kind == "safe":
        return Safe(queues.named(words["workloads"]), queues.named(words["by"]))
    if kind == "bounded":
        return QuotaBound(queues.one(words["queue"] or ""), queues.amounts(words["sizes"]))
    if kind == "burst":
        return NoStarvedBurst(queues.named(words["queues"]), queues.amounts(words["sizes"]))
    named = queues.named(words["queues"])
    return Entitled(named) if kind == "entitled" else NoStarvation(named)


def quota_resources(sandbox: Sandbox) -> list[str]:
    """The resources that queues have quota or limits for."""
    return sorted({resource for site in sandbox.sites for _, resource in (*site.guaranteed, *site.most)})


class _Queues:
    """Names of queues and amounts, checked."""

    def __init__(self, sandbox: Sandbox, place: Location | str) -> None:
        self._sandbox = sandbox
        self._place = place

    def one(self, name: str) -> str:
        """A queue. Raises ``UsageError`` with near names for an unknown one."""
        return queue_named(name, self._sandbox, self._place)

    def named(self, text: str | None) -> frozenset[str]:
        """Queues with commas between; ``any``, or nothing, is every queue."""
        names = [name.strip() for name in (text or "").split(",") if name.strip()]
        return frozenset(self.one(name) for name in names if name != "any")

    def amounts(self, text: str | None) -> dict[str, int]:
        """Amounts with commas between: ``cpu=4,memory=1Gi``."""
        pairs = [part.partition("=")[::2] for part in (text or "").split(",") if part]
        return {resource: self.amount(resource, value) for resource, value in pairs}

    def amount(self, resource: str, value: Json) -> int:
        """One amount. Raises ``UsageError`` for an unknown resource, and for what is not a quantity from 0 on."""
        known = quota_resources(self._sandbox)
        if resource not in known:
            remedy = did_you_mean(likely(resource, known, 1)) or f"resources are {quoted(known)}"
            raise UsageError(Problem(f"no queue has quota for `{resource}`", self._place, remedy))
        try:
            found = quantity.amount(resource, value)
        except quantity.QuantityError:
            found = -1
        if found < 0:
            message, remedy = f"`{value}` is not a quantity from 0 on", "write `500m`, `2` or `4Gi`"
            raise UsageError(Problem(message, self._place, remedy))
        return found

    def whole(self, value: Json) -> int:
        """A number of evictions. Raises ``UsageError`` for what is not a whole number from 0 on."""
        if not str(value).isdecimal():
            raise UsageError(Problem(f"`{value}` is not a number of evictions", self._place, "write `0` or more"))
        return int(str(value))


def kept_invariants(keeps: JsonObject, sandbox: Sandbox, locate: Callable[..., Location]) -> Iterator[Invariant]:
    """The invariants of a test's ``keeps``. Raises ``UsageError`` for unknown queues and wrong amounts."""
    for name, value in keeps.items():
        queues = _Queues(sandbox, locate("then", "keeps", name))
        named = frozenset(map(queues.one, value)) if isinstance(value, list) else frozenset()
        if value is False:
            continue
        if name == "entitled":
            yield Entitled(named)
        elif name == "no-starvation":
            yield NoStarvation(named)
        elif name == "no-starved-burst":
            most = dict(value) if isinstance(value, dict) else {}
            named = frozenset(map(queues.one, listed(most, "in")))
            sizes = {resource: queues.amount(resource, each) for resource, each in most.items() if resource != "in"}
            yield NoStarvedBurst(named, sizes)
        elif name == "no-cascade":
            yield NoCascade(queues.whole(value))
        elif name == "no-endless-evictions":
            yield NoEndlessEvictions()
        elif name == "no-crash":
            yield NoCrash()
        elif name == "safe":
            yield Safe(*(frozenset(map(queues.one, value[side])) for side in ("workloads-of", "by")))
        else:
            for queue, amounts in value.items():
                bounds = {resource: queues.amount(resource, each) for resource, each in amounts.items()}
                yield QuotaBound(queues.one(queue), bounds)


def as_kept(invariant: Invariant) -> dict[str, Json]:
    """The invariant as a test's ``keeps`` has it."""
    from kubectl_fairshare.answers.number_text import amount

    if isinstance(invariant, NoCascade):
        return {"no-cascade": invariant.most}
    if isinstance(invariant, NoEndlessEvictions):
        return {"no-endless-evictions": True}
    if isinstance(invariant, NoCrash):
        return {"no-crash": True}
    if isinstance(invariant, Safe):
        return {"safe": {"workloads-of": sorted(invariant.workloads_of), "by": sorted(invariant.by)}}
    if isinstance(invariant, QuotaBound):
        return {"bounded": {invariant.queue: {r: amount(r, v) for r, v in invariant.most.items()}}}
    if isinstance(invariant, NoStarvedBurst):
        named = {"in": sorted(invariant.queues)} if invariant.queues else {}
        return {"no-starved-burst": {**named, **{r: amount(r, v) for r, v in invariant.most.items()}} or True}
    name = "entitled" if isinstance(invariant, Entitled) else "no-starvation"
    return {name: sorted(getattr(invariant, "queues", ())) or True}
