"""The form of a gang: its pods by role, its minimum, its sub-groups.

Source: KAI-Scheduler v0.17, its pod grouper; "kai gangs" in ``docs/laws.md``.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.model.objects import SubGroup, Ungrouped

MIN_MEMBER: Final = "kai.scheduler/batch-min-member"
_TOPOLOGY: Final = "kai.scheduler/topology"
_SEGMENTS: Final = "kai.scheduler/segment-size"
_LONGEST: Final = 64
_MOST: Final = (1 << 31) - 1


class PodRole(Value, frozen=True):
    """``count`` equal pods of a job; ``labels`` are those that the job's controller adds.

    ``sub_group`` is their sub-group, "" without one; ``extra`` the init containers and containers that the controller
    adds, by the field of the pod spec. ``job`` is the template of the Job between the owner and the pods, if there is
    one.
    """

    name: str
    count: int
    template: Field
    sub_group: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, tuple[JsonObject, ...]] = field(default_factory=dict)
    job: Field | None = None

    @property
    def pod(self) -> JsonObject:
        """The pod, without a name: the template with what the controller adds."""
        spec = {**self.template.at("spec").mapping()}
        for name, containers in self.extra.items():
            spec[name] = [*(entry.value for entry in self.template.at("spec", name).entries()), *containers]
        labels = {**self.template.at("metadata", "labels").texts(), **self.labels}
        metadata = {**self.template.at("metadata").mapping(), "labels": labels}
        return {"metadata": metadata, "spec": spec}


class GangShape(Value, frozen=True):
    """The PodGroup of a job, apart from its queue and priority.

    ``suffix`` follows the job's name in the name of the PodGroup. ``copies``: the number of equal PodGroups that KAI
    makes of the job; this is the first. ``priority_class`` counts before that of the labels, if it is not None.
    ``topology``: sub-groups have topology constraints of their own. ``owner`` is the object that KAI groups instead of
    the job: its labels and annotations come before those of the job.
    """

    roles: tuple[PodRole, ...]
    min_member: int | None = 1
    min_sub_group: int | None = None
    sub_groups: tuple[SubGroup, ...] = ()
    suffix: str = ""
    copies: int = 1
    priority_class: str | None = None
    topology: bool = False
    owner: Field | None = None


class UngroupedError(Exception):
    """KAI makes no PodGroup of the job, or which one it makes is not modelled."""

    def __init__(self, ungrouped: Ungrouped) -> None:
        super().__init__(ungrouped.reason)
        self.ungrouped = ungrouped


class Shaped(NamedTuple):
    """How a kind is read, in the versions of its API that KAI's grouper knows."""

    versions: frozenset[str]
    shape: Callable[[Field], GangShape]


Shapes: TypeAlias = Mapping[tuple[str, str], Shaped]
"""By group and kind."""


def rejected(place: Place, reason: str) -> UngroupedError:
    """KAI's pod grouper fails for the job, so its pods are never scheduled."""
    return UngroupedError(Ungrouped(reason, place))


def unmodelled(place: Place, reason: str) -> UngroupedError:
    """KAI may group the job, but not in a way that is reproduced here."""
    return UngroupedError(Ungrouped(reason, place, modelled=False))


def stated_minimum(annotations: Field, least: int = 1) -> int | None:
    """The annotation with the user's minimum; None without one. Raises ``UngroupedError`` below ``least``."""
    entry = annotations.at(MIN_MEMBER)
    text = entry.text()
    if entry.value is None:
        return None
    sign, digits = (text[:1], text[1:]) if text[:1] in ("+", "-") else ("", text)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST and int(digits) <= _MOST):
        raise rejected(entry.place, f"the annotation {MIN_MEMBER} is not a whole number: `{text[:64]}`")
    number = int(sign + digits)
    if number < least:
        raise rejected(entry.place, f"the annotation {MIN_MEMBER} is {number}: it must be {least} or more")
    return number


def constrained(template: Field) -> bool:
    """Whether the annotations of a template ask for a topology."""
    annotations = template.at("metadata", "annotations").texts()
    return any(name.startswith(_TOPOLOGY) and value for name, value in annotations.items())


def check_segments(*holders: Field, empty: bool = False) -> None:
    """Raises ``UngroupedError`` if an object or a template divides its workers into segments.

    ``empty``: an empty annotation counts too.
    """
    for holder in holders:
        entry = holder.at("metadata", "annotations").at(_SEGMENTS)
        if entry.text() or (empty and entry.value is not None):
            raise unmodelled(entry.place, f"workers in segments ({_SEGMENTS})")


def replaced(template: Field, value: Mapping[str, Json]) -> Field:
    """The template with another value, at the same place."""
    return template._replace(value={**value})
