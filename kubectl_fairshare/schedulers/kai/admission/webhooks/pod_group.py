"""KAI's webhook for PodGroups: subgroups form a forest, and each has the one minimum that fits its place.

Source: KAI-Scheduler v0.17, webhook of the pod group controller.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.api.causes import DUPLICATE, FORBIDDEN, INVALID, NOT_FOUND, REQUIRED, Cause, cause
from kubectl_fairshare.api.webhooks import RefusedWriteError
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.admission.laws import POD_GROUP

# Subgroups by name, each with its place in the list.
Groups: TypeAlias = Mapping[str, tuple[int, JsonObject]]


class Complaint(NamedTuple):
    """A misplaced minimum: the cause, and KAI's words if it only warns, on a create or on any write."""

    cause: Cause
    warning: str = ""
    on_create: bool = False


def ask(view: JsonObject, old: JsonObject | None) -> tuple[str, ...]:
    """The warnings about a pod group. Raises ``RefusedWriteError``."""
    spec = view.get("spec", {})
    if "minMember" in spec and "minSubGroup" in spec:
        raise _refusal(_both(("spec", "minSubGroup")))
    items = spec.get("subGroups", ())
    groups = _by_name(items)
    complaints = list(_complaints(groups, spec))
    spoken = tuple(each.warning for each in complaints if _only_warned(each, old))
    for each in complaints:
        if not _only_warned(each, old):
            raise _refusal(each.cause, spoken)
    return spoken


def _only_warned(complaint: Complaint, old: JsonObject | None) -> bool:
    return bool(complaint.warning) and (complaint.on_create or old is not None)


def _refusal(unlisted: Cause, spoken: tuple[str, ...] = ()) -> RefusedWriteError:
    return RefusedWriteError("webhook", (), replace(unlisted, law=POD_GROUP), spoken)


def _both(path: FieldPath) -> Cause:
    return cause(FORBIDDEN, path, "minMember and minSubGroup exclude each other")


def _at(index: int, field: str) -> FieldPath:
    return ("spec", "subGroups", index, field)


def _by_name(items: list[JsonObject]) -> Groups:
    """The subgroups by name. Raises ``RefusedWriteError`` if they do not form a forest."""
    groups: dict[str, tuple[int, JsonObject]] = {}
    for index, each in enumerate(items):
        name = each.get("name", "")
        if name in groups:
            raise _refusal(cause(DUPLICATE, _at(index, "name"), f"the subgroup `{name}` occurs twice"))
        groups[name] = index, each
    for index, each in groups.values():
        if "parent" in each and each["parent"] not in groups:
            raise _refusal(cause(NOT_FOUND, _at(index, "parent"), f"there is no subgroup `{each['parent']}`"))
    rooted: set[str] = set()
    for name, (index, _) in groups.items():
        path = list(_upward(name, groups, rooted))
        if not path:
            raise _refusal(cause(INVALID, _at(index, "parent"), f"the subgroup `{name}` is below itself"))
        rooted.update(path)
    return groups


def _upward(name: str, groups: Groups, rooted: set[str]) -> Iterator[str]:
    """The names from ``name`` up to a root, or to a name that is known to lead to one; none on a cycle."""
    path: dict[str, None] = {}
    at: str | None = name
    while at is not None and at not in rooted:
        if at in path:
            return
        path[at] = None
        at = groups[at][1].get("parent")
    yield from path or (name,)


def _complaints(groups: Groups, spec: JsonObject) -> Iterator[Complaint]:
    children: dict[str | None, int] = {}
    for _, each in groups.values():
        parent = each.get("parent")
        children[parent] = children.get(parent, 0) + 1
    for name in sorted(groups, key=str.encode):
        index, each = groups[name]
        if "minMember" in each and "minSubGroup" in each:
            raise _refusal(_both(_at(index, "minSubGroup")))
        if name in children:
            yield from _of_branch(name, index, each, children[name])
        else:
            yield from _of_leaf(index, each)
    roots, least = children.get(None, 0), spec.get("minSubGroup", 0)
    if least > roots:
        path = ("spec", "minSubGroup")
        yield _too_many(path, least, roots, "")


def _of_leaf(index: int, group: JsonObject) -> Iterator[Complaint]:
    if "minSubGroup" in group:
        yield Complaint(cause(FORBIDDEN, _at(index, "minSubGroup"), "a subgroup without children has no minSubGroup"))
    if "minMember" not in group:
        yield Complaint(cause(REQUIRED, _at(index, "minMember"), "a subgroup without children needs a minMember"))


def _of_branch(name: str, index: int, group: JsonObject, children: int) -> Iterator[Complaint]:
    if "minMember" in group:
        path = _at(index, "minMember")
        words = "minMember cannot be set on a mid-level SubGroup (has child SubGroups); use minSubGroup instead"
        gist = "a subgroup with children has a minSubGroup, not a minMember"
        yield Complaint(cause(FORBIDDEN, path, gist), f'subgroup "{name}": {words}')
    least = group.get("minSubGroup", 0)
    if least > children:
        yield _too_many(_at(index, "minSubGroup"), least, children, f'subgroup "{name}": ')


def _too_many(path: FieldPath, least: int, children: int, lead: str) -> Complaint:
    words = f"minSubGroup ({least}) exceeds the number of direct child SubGroups ({children})"
    return Complaint(cause(INVALID, path, f"{least}, but there are {children}"), lead + words, on_create=True)
