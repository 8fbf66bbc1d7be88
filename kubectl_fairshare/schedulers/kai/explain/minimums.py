"""The largest minimums of pods with which a job starts: its PodGroup's own, that of one sub-group, or several.

Tested in ``tests/unit/schedulers/kai/explain/test_smaller.py``.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.amount_search import largest
from kubectl_fairshare.schedulers.kai.explain.alternatives import (
    Alternative,
    Helped,
    is_as_good,
    largest_sizes,
    with_group,
)
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.model.objects import PodGroup
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import Session

_MOST_SUB_GROUPS: Final = 8
"""Up to so many sub-groups, each is tried alone, and the minimum of each is as large as the others let it be."""
_PARTS: Final = (0.75, 0.5, 0.25, 0.0)
_Minimums = Mapping[str, int]
"""New minimums by sub-group, that of the PodGroup itself as ""."""
_Tried = Callable[[_Minimums], Remedy | None]


def lower_minimums(session: Session, job: Job, helped: Helped) -> Iterator[Remedy]:
    """The job with a smaller minimum of pods, which starts with that many: of one sub-group if that is enough."""
    group = job.group
    before = {name: most for name, most in _minimums(group).items() if most > 1}

    def tried(minimums: _Minimums) -> Remedy | None:
        changes = tuple(_changes(group, minimums))
        changed = with_group(session.state, _with_minimums(group, minimums))
        return helped(Alternative(RemedyKind.PODS, changes, changed, session.shard, job.name))

    if len(before) > _MOST_SUB_GROUPS:
        parts = ({name: max(int(most * part), 1) for name, most in before.items()} for part in _PARTS)
        yield from islice(filter(None, map(tried, parts)), 1)
        return
    alone = (tuple(_largest(tried, name, most)) for name, most in before.items())
    yield from next(filter(None, alone), ()) or _together(tried, before)


def _largest(tried: _Tried, name: str, most: int) -> Iterator[Remedy]:
    return largest_sizes(most - 1, lambda minimum: tried({name: minimum}))


def _together(tried: _Tried, before: _Minimums) -> Iterator[Remedy]:
    """The lower minimums of several sub-groups, each as large as the others let it be."""
    lowered = dict.fromkeys(before, 1)
    least = tried(lowered) if len(before) > 1 else None
    if least is None:
        return

    def is_enough(name: str, minimum: int) -> bool:
        return is_as_good(tried({**lowered, name: minimum}), least)

    for name, most in before.items():
        lowered[name] = largest(1, most, lambda minimum, name=name: is_enough(name, minimum)) or 1  # type: ignore[misc]
    remedy = tried(lowered)
    if remedy is not None:
        yield remedy


def _minimums(group: PodGroup) -> dict[str, int]:
    """The minimum of each sub-group, otherwise of the PodGroup."""
    if not group.sub_groups:
        return {"": group.min_member or 1}
    return {each.name: each.min_member or 1 for each in group.sub_groups}


def _changes(group: PodGroup, minimums: _Minimums) -> Iterator[NewValue]:
    known = _minimums(group)
    for number, (name, before) in enumerate(known.items()):
        after = minimums.get(name, before)
        if after != before:
            path = ("spec", "subGroups", number, "minMember") if name else ("spec", "minMember")
            yield NewValue("", "minMember", float(before), float(after), Place(group.key, path), name)


def _with_minimums(group: PodGroup, lower: _Minimums) -> PodGroup:
    """The PodGroup with the lower minimums of some of its sub-groups, or of itself."""
    if not group.sub_groups:
        return replace(group, min_member=lower[""])
    lowered = (replace(one, min_member=lower[one.name]) if one.name in lower else one for one in group.sub_groups)
    return replace(group, sub_groups=tuple(lowered))
