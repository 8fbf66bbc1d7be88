"""Quotas that are probably not what the author means: fractions, units, names of resources."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, figure, several
from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.quantity import QuantityError, amount, is_binary, nano
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import Tree, known_trees, membership_place, quota_place
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_FIELDS: Final = ("nominalQuota", "borrowingLimit", "lendingLimit")
_NANO: Final = 10**9
_MEBI: Final = 1 << 20
_BINARY: Final = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_DECIMAL: Final = ("k", "M", "G", "T", "P", "E")


class SuspectAmount(NamedTuple):
    """One quota or limit as it is written in an object."""

    resource: str
    value: str | int
    object: ObjectKey
    path: FieldPath

    @property
    def place(self) -> Place:
        """The place of the amount."""
        return Place(self.object, self.path)


class _Form(Enum):
    """The form of an amount that shows a mistake."""

    PLAIN = "plain"
    FRACTION = "fraction"
    TINY = "tiny"
    BINARY = "binary"
    DECIMAL = "decimal"


@lru_cache(maxsize=4096)
def _form(resource: str, value: str | int) -> _Form:
    """The form of an amount of a resource; cached, because thousands of queues write the same few amounts."""
    try:
        exact = nano(value)
    except QuantityError:  # the schema's pattern accepts more than the parser, and another rule reports that
        return _Form.PLAIN
    if resource != "cpu" and exact % _NANO:
        return _Form.FRACTION
    if not is_binary(resource):
        return _Form.PLAIN
    if 0 < exact < _MEBI * _NANO:
        return _Form.TINY
    if not isinstance(value, str):
        return _Form.PLAIN
    if value.endswith(_BINARY):
        return _Form.BINARY
    return _Form.DECIMAL if value.endswith(_DECIMAL) else _Form.PLAIN


def _telling(given: KueueGiven) -> Iterator[tuple[_Form, SuspectAmount]]:
    """The quotas and limits of queues and Cohorts whose form shows a mistake, in order."""
    for kind in ("ClusterQueue", "Cohort"):
        for examined in given.of(kind):
            for form, resource, value, path in _telling_in(examined.spec.get("resourceGroups")):
                yield form, SuspectAmount(resource, value, examined.key, path)


@once_for_equal
def _telling_in(groups: Json) -> Sequence[tuple[_Form, str, str | int, FieldPath]]:
    found: list[tuple[_Form, str, str | int, FieldPath]] = []
    for i, group in enumerate(groups or ()):
        for j, flavor in enumerate(group.get("flavors") or ()):
            for k, quota in enumerate(flavor.get("resources") or ()):
                resource = quota["name"]
                for field in _FIELDS:
                    value = quota.get(field)
                    form = _Form.PLAIN if value is None else _form(resource, value)
                    if form is not _Form.PLAIN:
                        path = ("spec", "resourceGroups", i, "flavors", j, "resources", k, field)
                        found.append((form, resource, value, path))
    return found


@warning_rule("K086")
def unlikely_quota(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each fraction, for each amount below 1Mi, and for each object with G if others write Gi."""
    binary: dict[str, SuspectAmount] = {}
    decimal: dict[tuple[ObjectKey, str], list[SuspectAmount]] = {}
    for form, written in _telling(given):
        if form is _Form.FRACTION:
            yield _fraction(written)
        elif form is _Form.TINY:
            yield _tiny(written)
        elif form is _Form.BINARY:
            binary.setdefault(written.resource, written)
        else:
            decimal.setdefault((written.object, written.resource), []).append(written)
    for (_, resource), found in decimal.items():
        if resource in binary:
            yield _decimal(found, binary[resource].place)


def _fraction(written: SuspectAmount) -> Finding:
    resource, value = written.resource, written.value
    counted = figure(resource, amount(resource, value))
    return Finding(
        written.place,
        f"`{value}` is not a whole amount of `{resource}`; Kueue counts {counted}",
        Remedy("write a whole amount" + (" with a suffix such as `Gi`" if is_binary(resource) else "")),
        evidence=(("written", str(value)), ("counted", counted)),
    )


def _tiny(written: SuspectAmount) -> Finding:
    count = amount(written.resource, written.value)
    return Finding(
        written.place,
        f"`{written.value}` of `{written.resource}` is {several(count, 'byte')}, which is less than pods request",
        Remedy("write a suffix such as `Mi` or `Gi`"),
        evidence=(("written", str(written.value)), ("bytes", str(count))),
    )


def _decimal(found: list[SuspectAmount], other: Place) -> Finding:
    first = found[0]
    return Finding(
        first.place,
        f"`{first.value}` of `{first.resource}` is decimal, and others write `Gi`, `Mi`: probably `{first.value}i`",
        Remedy(f"write `{str(first.value).replace('k', 'K')}i` if that is meant"),
        evidence=(("amounts like this", few([str(w.value) for w in found])),),
        related=(Related("binary here", other),),
    )


@warning_rule("K087")
def nothing_shared(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue without a common pair; one for the tree if no two members have one."""
    for tree in known_trees(given):
        if len(tree.queues) < 2 or not all(queue.spec and queue.quotas for queue in tree.queues):
            continue
        members: dict[object, int] = {}
        for node in tree.nodes:
            for pair in node.quotas:
                members[pair] = members.get(pair, 0) + 1
        respelt = {name for names in spellings(tree).values() for name in names}
        apart = [queue for queue in tree.queues if all(members[pair] == 1 for pair in queue.quotas)]
        apart = [queue for queue in apart if not any(pair.resource in respelt for pair in queue.quotas)]
        whole = len(apart) == len(tree.queues)
        for queue in apart[:1] if whole else apart:
            pairs = sorted(f"{pair.resource} in {pair.flavor}" for pair in queue.quotas)
            yield Finding(
                membership_place(queue),
                _apart(tree.root.name, queue.name, len(tree.queues), whole=whole),
                Remedy("give quota in common flavors, or leave the cohort"),
                evidence=((f"quota of {queue.name}", few(pairs)),),
                elsewhere=f"members of cohort {tree.root.name}",
            )


def _apart(cohort: str, queue: str, count: int, *, whole: bool) -> str:
    if whole:
        return f"no two of the {count} queues of cohort `{cohort}` share a flavor and resource, so nothing can be lent"
    return (
        f"ClusterQueue `{queue}` shares no flavor and resource with cohort `{cohort}`: it can neither lend nor borrow"
    )


@info_rule("K088")
def resource_spelt_differently(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor and resource of a tree, at the spelling that fewer members use."""
    for tree in known_trees(given):
        for (flavor, _), names in sorted(spellings(tree).items()):
            usual = max(names, key=lambda name: (len(names[name]), name.count("/"), name))
            for name in sorted(set(names) - {usual}):
                place, other = names[name][0], names[usual][0]
                yield Finding(
                    place,
                    f"`{name}` and `{usual}` of flavor `{flavor}` are different resources to Kueue",
                    Remedy(f"write `{usual}` if that is meant"),
                    evidence=(
                        (f"members with {name}", str(len(names[name]))),
                        (f"with {usual}", str(len(names[usual]))),
                    ),
                    related=(Related(f"`{usual}` here", other),),
                )


def spellings(tree: Tree) -> Mapping[tuple[str, str], dict[str, list[Place]]]:
    """The different names of one resource in a tree with their places, by flavor and plain form of the resource.

    The plain form is the name in lower case without vendor.
    """
    names: dict[tuple[str, str], set[str]] = {}
    for flavor, resource in {pair for node in tree.nodes for pair in node.quotas}:
        names.setdefault((flavor, resource.rpartition("/")[2].lower()), set()).add(resource)
    found: dict[tuple[str, str], dict[str, list[Place]]] = {}
    for (flavor, plain), spelt in names.items():
        for resource in sorted(spelt) if len(spelt) > 1 else ():
            pair = FlavorResource(flavor, resource)
            places = [quota_place(node, pair, "name") for node in tree.nodes if pair in node.quotas]
            found.setdefault((flavor, plain), {})[resource] = places
    return found
