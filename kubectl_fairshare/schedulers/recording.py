"""Recordings of a real scheduler: how a house replays and compares them, and recorded objects as manifests.

A house lists its recordings in ``conformance/__init__.py``. The module that one names has ``replay(case)``, which
returns the answer in the form of the case's ``expected``.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Final

from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value

Replay = Callable[[JsonObject], JsonObject]
NONDETERMINISTIC: Final = "nondeterministic"
"""The paths of an answer that vary between runs of the scheduler itself."""
VARIES: Final = "varies"
"""The same, as ``{path, seen}`` with a path as the list of its keys."""
POSSIBLE: Final = "possible"
"""The answers that ties allow, the answer itself among them, where there are several."""
SETS: Final = frozenset(
    {
        "nodes",
        "plans",
        "cycle",
        "inactive",
        "resources",
        "flavors",
        "attempts",
        "chosenNodes",
        "causes",
        "unknownFields",
    }
)
"""Lists whose order has no meaning."""
ADMISSION_FIELDS: Final = ("accepted", "unknownFields", "causes", "stored")


def whole(answer: JsonObject) -> JsonObject:
    """The answer as it is compared: unchanged."""
    return answer


def fields_of_causes(answer: JsonObject) -> JsonObject:
    """An answer of admission as it is compared: each field of its causes once."""
    causes: Json = answer.get("causes") or []
    if not isinstance(causes, list):  # no server answered this: the comparison reports it
        return answer
    fields = {str(cause.get("field")) if isinstance(cause, dict) else str(cause) for cause in causes}
    return {**answer, "causes": sorted(fields)}


class Recording(Value, frozen=True):
    """How recordings of one kind are replayed and compared.

    ``module`` replays a case; ``fields`` are compared; ``sets`` names the lists whose order has no meaning.
    ``compared`` returns the part of an answer that counts. ``apart`` are the fields of whose members each is asked for
    alone: what the scheduler leaves to chance is drawn anew for each.
    """

    module: str
    fields: tuple[str, ...]
    sets: frozenset[str] = SETS
    compared: Callable[[JsonObject], JsonObject] = whole
    apart: frozenset[str] = frozenset()

    @property
    def replay(self) -> Replay:
        """The function that answers a case; its module is imported on first use."""
        replay: Replay = import_module(self.module).replay
        return replay


def manifests_of(objects: Iterable[JsonObject], source: str) -> list[Manifest]:
    """Objects of a recording as manifests, unchanged."""
    return [manifest_of(o, Origin(source, 0, ("objects", i))) for i, o in enumerate(objects)]


def manifest_of(data: JsonObject, origin: Origin) -> Manifest:
    """One recorded object as a manifest. Raises ``FairshareError`` for an object without a name."""
    metadata = data.get("metadata")
    if not isinstance(metadata, dict):
        raise FairshareError(Problem("an object has no metadata", origin.source, "record the case again"))
    group, _, version = str(data.get("apiVersion")).rpartition("/")
    key = ObjectKey(group, str(data.get("kind")), str(metadata.get("namespace", "")), str(metadata.get("name", "")))
    return Manifest(key, version, dict(data), origin)


def accepted_form(data: JsonObject) -> JsonObject:
    """The object with the marks of an API server: the scheduler had it, whatever a webhook would say."""
    metadata = data.get("metadata")
    return {**data, "metadata": {"resourceVersion": "1", **metadata}} if isinstance(metadata, dict) else data
