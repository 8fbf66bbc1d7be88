"""Pods that wait for a scheduler which a house does not answer for: when they start is not judged.

Tested in ``tests/unit/schedulers/test_other_schedulers.py``.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final

from kubectl_fairshare.answers.fidelity import OTHER_HOUSE, OTHER_SCHEDULER, Gap
from kubectl_fairshare.jobs.pod_templates import other_scheduler
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named

_WITHOUT_HOUSE: Final = frozenset({"volcano", "yunikorn", "runai-scheduler"})
"""Schedulers with quotas of their own, for which there is no house."""
_SHOWN: Final = 3


def is_of_another(name: str, house: str) -> bool:
    """Whether a scheduler's name is the usual one of a scheduler with quotas of its own, other than the house's."""
    usual = {each.scheduler: each.name for each in known_schedulers() if each.scheduler}
    return name in _WITHOUT_HOUSE or usual.get(name, house) != house


def answers_for(profiles: Collection[str] | None, name: str, house: str) -> bool:
    """Whether a scheduler runs the house's plugin, or may by its name: without a profile, any one of no other quotas.

    ``profiles`` are those that run the plugin, None without a configuration.
    """
    return name in (profiles or ()) or not is_of_another(name, house)


def other_scheduler_gap(name: str, places: Iterable[Place], snapshot: Snapshot | None = None, *, touches: bool) -> Gap:
    """The gap for pods at ``places`` of another scheduler; ``snapshot``: the state, which may have its quotas."""
    houses = (each.name for each in known_schedulers() if each.scheduler == name)
    held = snapshot is not None and any(scheduler_named(house).holds(snapshot) for house in houses)
    return Gap(OTHER_HOUSE if held else OTHER_SCHEDULER, (*places,), touches, name)


def unjudged_gaps(
    manifests: Iterable[Manifest], answered: Callable[[str], bool], snapshot: Snapshot | None = None
) -> tuple[Gap, ...]:
    """A gap for each scheduler that waiting pods name, and that is not ``answered`` for: it touches no other answer."""
    found = {name: places for name, places in other_schedulers(manifests).items() if not answered(name)}
    return tuple(other_scheduler_gap(name, places[:_SHOWN], snapshot, touches=False) for name, places in found.items())


def other_schedulers(manifests: Iterable[Manifest]) -> dict[str, list[Place]]:
    """The schedulers other than Kubernetes' own that waiting pods and templates of pods name, sorted; and where."""
    found: dict[str, list[Place]] = {}
    for manifest in manifests:
        if (named := other_scheduler(manifest)) is not None:
            found.setdefault(named[0], []).append(named[1])
    return dict(sorted(found.items()))
