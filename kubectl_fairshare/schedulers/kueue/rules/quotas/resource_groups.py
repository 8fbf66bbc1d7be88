"""The structure that the API server requires of resource groups."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Related, Remedy, Remove, Reorder
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import by_object, lawful, quote, value_at
from kubectl_fairshare.lint.words.figures import few, several
from kubectl_fairshare.model.json import FieldPath, Json, listed, mapping, rows
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_GROUPS: Final = ("spec", "resourceGroups")


@error_rule("K011")
def resource_count_mismatch(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each group, at its first flavor with another number of resources."""
    for each, cause in lawful(given, "CQ03"):
        covered = [str(name) for name in listed(value_at(each, (*cause.path, "coveredResources")))]
        flavors = rows(value_at(each, (*cause.path, "flavors")))
        wrong = [i for i, flavor in enumerate(flavors) if _differs(flavor, covered)]
        if not wrong:
            continue
        places = [each.at(*cause.path, "flavors", i, "resources") for i in wrong]
        flavor = flavors[wrong[0]]
        names = [str(quota.get("name")) for quota in rows(flavor["resources"])]
        yield Finding(
            places[0],
            f"flavor {quote(flavor.get('name'))} has quotas for {several(len(names), 'resource')}, but the group "
            f"covers {len(covered)}: {_difference(names, covered)}",
            Remedy("write one entry for each of `coveredResources`, in that order"),
            evidence=(("covered", str(len(covered))), ("in the flavor", str(len(names)))),
            related=tuple(Related("the same here", place) for place in places[1:]),
        )


def _differs(flavor: Mapping[str, Json], covered: list[str]) -> bool:
    """Whether a flavor has another number of resources; one that has a resource twice is reported as that."""
    names = [str(quota.get("name")) for quota in rows(flavor.get("resources"))]
    twice = len(set(names)) < len(names) and set(names) == set(covered)
    return len(listed(flavor.get("resources"))) != len(covered) and not twice


def _difference(names: list[str], covered: list[str]) -> str:
    lacking = [each for each in covered if each not in names]
    more = [each for each in names if each not in covered]
    parts = []
    if lacking:
        parts.append(f"{few(lacking)} missing")
    if more:
        parts.append(f"{few(more)} not covered")
    return ", ".join(parts) or "one of them occurs twice"


@error_rule("K012")
def resource_order(given: KueueGiven) -> Iterator[Finding]:
    """One finding for the flavors with another order, and one for each flavor with other resources."""
    for each, causes in by_object(given, "CQ04"):
        groups: dict[FieldPath, list[FieldPath]] = {}
        for path in dict.fromkeys(cause.path[:-2] for cause in causes):
            if _order(each, path) is None:
                yield _other_resources(each, path)
            else:
                groups.setdefault(path[:3], []).append(path)
        for paths in groups.values():
            yield _out_of_order(each, paths)


def _covered_resources(each: Examined, path: FieldPath) -> list[str]:
    """The covered resources of the group of the flavor whose resources are at ``path``."""
    return [str(name) for name in listed(value_at(each, (*path[:3], "coveredResources")))]


def _names(each: Examined, path: FieldPath) -> list[str]:
    return [str(quota.get("name")) for quota in rows(value_at(each, path))]


def _order(each: Examined, path: FieldPath) -> tuple[int, ...] | None:
    """The order that a flavor's resources should have; None if they are not the covered ones."""
    covered, names = _covered_resources(each, path), _names(each, path)
    if sorted(names) != sorted(covered) or len(set(names)) != len(names):
        return None
    return tuple(names.index(name) for name in covered)


def _out_of_order(each: Examined, paths: Sequence[FieldPath]) -> Finding:
    covered, names = _covered_resources(each, paths[0]), _names(each, paths[0])
    flavors = [str(value_at(each, (*path[:-1], "name"))) for path in paths]
    has = f"flavor {few(flavors)} has its" if len(paths) == 1 else f"flavors {few(flavors)} have their"
    return Finding(
        each.at(*paths[0]),
        f"{has} resources in another order than `coveredResources`: the API server rejects it",
        Remedy(
            "write them in the order of `coveredResources`",
            tuple(Reorder(each.at(*path), _order(each, path) or ()) for path in paths),
            safe=True,
        ),
        (("coveredResources", few(covered)), ("in the flavor", few(names))),
        (
            Related("the required order", each.at(*paths[0][:3], "coveredResources")),
            *(Related("also in another order", each.at(*path)) for path in paths[1:]),
        ),
    )


def _other_resources(each: Examined, path: FieldPath) -> Finding:
    covered, names = _covered_resources(each, path), _names(each, path)
    flavor = quote(value_at(each, (*path[:-1], "name")))
    return Finding(
        each.at(*path),
        f"flavor {flavor} has quotas for other resources than `coveredResources`: {_difference(names, covered)}",
        Remedy("write one entry for each of `coveredResources`"),
        (("coveredResources", few(covered)), ("in the flavor", few(names))),
        (Related("the required order", each.at(*path[:3], "coveredResources")),),
    )


@error_rule("K013")
def resource_covered_twice(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each repetition, with the first place."""
    for each, cause in lawful(given, "CQ05"):
        resource = value_at(each, cause.path)
        first = _first(each, resource)
        yield Finding(
            each.at(*cause.path),
            f"`{resource}` is covered twice: the API server rejects it",
            Remedy("cover it in one group only, and remove its quotas from the other"),
            related=(Related("covered here first", each.at(*first)),),
        )


def _first(each: Examined, resource: Json) -> FieldPath:
    for i, group in enumerate(rows(value_at(each, _GROUPS))):
        covered = listed(group.get("coveredResources"))
        if resource in covered:
            return (*_GROUPS, i, "coveredResources", covered.index(resource))
    return _GROUPS


@error_rule("K014")
def flavor_twice(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each repetition, with the first place."""
    for each, causes in by_object(given, "CQ06"):
        for path in dict.fromkeys(cause.path[:5] for cause in causes):
            flavor = mapping(value_at(each, path))
            first = _first_flavor(each, flavor.get("name"))
            again = value_at(each, first) == flavor and path[:3] == first[:3]
            edits: tuple[Edit, ...] = (Remove(each.at(*path)),) if again else ()
            yield Finding(
                each.at(*path, "name") if "name" in flavor else each.at(*path),
                f"flavor {quote(flavor.get('name'))} occurs twice: the API server rejects it",
                Remedy("keep it in one place, or create another ResourceFlavor for the other place", edits, safe=again),
                related=(Related("used here first", each.at(*first)),),
            )


def _first_flavor(each: Examined, name: Json) -> FieldPath:
    for i, group in enumerate(rows(value_at(each, _GROUPS))):
        for j, flavor in enumerate(rows(group.get("flavors"))):
            if flavor.get("name") == name:
                return (*_GROUPS, i, "flavors", j)
    return _GROUPS


@error_rule("K015")
def too_many_quotas(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each exceeded bound."""
    for each, cause in lawful(given, "CQ09"):
        where = f"group {cause.path[-1] + 1}" if isinstance(cause.path[-1], int) else str(each.key)
        yield Finding(
            each.at(*cause.path),
            f"{where} has {cause.message}: the API server rejects it",
            Remedy("spread them over several ClusterQueues of one cohort"),
        )
