"""Resource names that the scheduler ignores, does not charge, or finds on no node."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.finding import Edit, Finding, Remedy, Remove, Rename
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, MEMORY, PODS, STORAGE, exact, is_held
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import LISTS

_PREFIX: Final = "requests."
_LIMITS: Final = "limits."
_TELLING: Final = 5


class WrittenAmount(NamedTuple):
    """An amount as written. ``beside`` are all amounts of the same list."""

    object: Examined
    list: str
    resource: str
    value: Json
    beside: Mapping[str, Json]

    @property
    def place(self) -> Place:
        """The place of the amount."""
        return self.object.at("spec", self.list, self.resource)


def entries(given: ElasticQuotaGiven) -> Iterator[WrittenAmount]:
    """All readable amounts of the ElasticQuotas that the API server accepts, by object."""
    for examined in given.written:
        spec = examined.spec
        for name in LISTS:
            amounts = spec.get(name) or {}
            for resource, value in amounts.items():
                if is_readable(value):
                    yield WrittenAmount(examined, name, resource, value, amounts)


def is_readable(value: Json) -> bool:
    """Whether Go's parser can read a stored amount; it accepts less than the API's pattern."""
    try:
        nano(value)
    except QuantityError:
        return False
    return True


def is_count(resource: str) -> bool:
    """Whether a name counts objects."""
    return resource == PODS or resource.startswith("count/")


@error_rule("E015")
def dropped_resource_name(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each amount with such a name."""
    for entry in entries(given):
        if is_held(entry.resource) or is_count(entry.resource):
            continue
        meant = _intended_resource(entry.resource, given.machines.resources)
        yield Finding(
            entry.place,
            f"`{entry.resource}` is not a resource name that the scheduler knows, so {entry.list} ignores it",
            _name_remedy(entry, meant),
            evidence=((entry.list, f"{entry.value}"),),
        )


def _intended_resource(name: str, offered: frozenset[str]) -> str | None:
    """The resource that an ignored name must mean; None if several are possible, or none is known."""
    if name.startswith(_PREFIX):
        bare = name.removeprefix(_PREFIX)
        return bare if is_held(bare) else None
    if name.startswith(_LIMITS):
        return None
    ending = sorted(r for r in offered if r.endswith(f"/{name}"))
    if len(ending) == 1:
        return ending[0]
    if name == "storage":
        return STORAGE
    return nearest(name, (MEMORY, STORAGE)) if len(name) >= _TELLING else None


def _name_remedy(entry: WrittenAmount, meant: str | None) -> Remedy:
    if entry.resource.startswith(_LIMITS):
        return Remedy("remove it: an ElasticQuota counts requests, never limits", (Remove(entry.place),))
    if meant is None:
        return Remedy("write the name as pods request it, with its domain: `nvidia.com/gpu`")
    if meant in entry.beside:
        return Remedy(f"remove it: `{meant}` is listed already", (Remove(entry.place),))
    edits: tuple[Edit, ...] = (Rename(entry.place, meant),)
    return Remedy(f"write `{meant}`", edits, safe=entry.resource.startswith(_PREFIX))


@warning_rule("E016")
def count_without_effect(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each amount that counts objects."""
    for entry in entries(given):
        if is_count(entry.resource):
            yield Finding(
                entry.place,
                f"`{entry.resource}` in {entry.list} has no effect: the scheduler charges no pod for it",
                Remedy(f"limit it with a ResourceQuota: `hard: {{{entry.resource}: …}}`", (Remove(entry.place),)),
                evidence=((entry.list, f"{entry.value}"),),
            )


@warning_rule("E017")
def resource_on_no_node(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each name of each quota that no Node of the input has; nothing without Nodes."""
    offered = given.machines.resources if given.state.quotas else frozenset()
    reported: set[tuple[ObjectKey, str]] = set()
    for entry in entries(given) if offered else ():
        known = entry.resource in FIXED or entry.resource in offered or not is_held(entry.resource)
        if known or is_count(entry.resource) or _is_zero(entry) or (entry.object.key, entry.resource) in reported:
            continue
        reported.add((entry.object.key, entry.resource))
        meant = nearest(entry.resource, offered)
        edits: tuple[Edit, ...] = (Rename(entry.place, meant),) if meant and meant not in entry.beside else ()
        yield Finding(
            entry.place,
            f"no node offers `{entry.resource}`",
            Remedy(f"write `{meant}`" if meant else "write the name as nodes offer it", edits),
            evidence=((entry.list, f"{entry.value}"), ("nodes", str(len(given.machines.all)))),
            elsewhere=f"a Node with {entry.resource}",
        )


def _is_zero(entry: WrittenAmount) -> bool:
    return exact(entry.resource, entry.value) == 0
