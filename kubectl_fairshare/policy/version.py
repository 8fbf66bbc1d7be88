"""One of the policies that are compared: what was read, what the scheduler makes of it, what lint finds in it."""

from collections.abc import Mapping

from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field


class Version(Value, frozen=True):
    """A policy with the work that it is judged by. ``name`` is how the user named it.

    ``places`` finds the line of a field. ``stored`` are the objects as an API server would store them, as far as that
    is known, and ``findings`` those of lint. A version that is not ``there`` has nothing: no doubt is about it.
    """

    name: str
    snapshot: Snapshot
    places: Mapping[Place, Location]
    stored: Mapping[ObjectKey, JsonObject | Packed] = field(default_factory=dict)
    findings: tuple[RuleFinding, ...] = ()
    there: bool = True
