"""Objects that schedulers of pods read in the same way: what cannot be read is left out and recorded.

Decides nothing: it reads objects.
Tested in ``tests/unit/schedulers/elasticquota/reading/test_state.py`` and ``tests/unit/schedulers/koordinator``.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.node_demand import DisruptionBudget
from kubectl_fairshare.model.errors import FIX_THE_FIELD, FairshareError, Problem, misread
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity import QuantityError
from kubectl_fairshare.model.selectors import label_selector

T = TypeVar("T")
WRONG_SHAPE: Final = (AttributeError, KeyError, TypeError, IndexError, QuantityError, ValueError)


def read_objects(manifests: Iterable[Manifest], read: Callable[[Manifest], T], problems: list[Problem]) -> list[T]:
    """The result of ``read`` for each manifest; an unreadable one is left out and recorded among ``problems``."""
    found = []
    for manifest in manifests:
        try:
            found.append(read(manifest))
        except FairshareError as error:
            problems.extend(error.problems)
        except WRONG_SHAPE as error:
            text = f"{manifest.key} cannot be read: {misread(error)}"
            problems.append(Problem(text, Place(manifest.key), FIX_THE_FIELD))
    return found


def stored_form(
    manifest: Manifest, scheduler: str, version: str, judge: Callable[[JsonObject], Judgement]
) -> JsonObject | None:
    """A quota as an API server would store it; its group has one ``version`` with the ``scheduler``.

    Raises ``FairshareError`` with everything that it would reject.
    """
    if manifest.version != version:
        message = f"{scheduler} does not serve `{manifest.api_version}`"
        where = Place(manifest.key, ("apiVersion",))
        raise FairshareError(Problem(message, where, f"write {manifest.key} in `{manifest.key.group}/{version}`"))
    judgement = judge(manifest.data)
    problems = [
        Problem(
            f"the API server rejects {manifest.key}: {c.field}: {c.message}", Place(manifest.key, c.path), FIX_THE_FIELD
        )
        for c in judgement.all_causes
    ]
    if problems:
        raise FairshareError(*problems)
    return judgement.stored


def odd_amount(amounts: Field, read: Callable[[Mapping[str, Json]], object]) -> Field:
    """The first amount of a list that cannot be read."""
    for name, value in amounts.mapping().items():
        try:
            read({name: value})
        except QuantityError:
            return amounts.at(name)
    return amounts


def waits(manifest: Manifest) -> bool:
    """Whether a pod has no node, and has not ended."""
    spec, status = manifest.data.get("spec"), manifest.data.get("status")
    ended = isinstance(status, dict) and status.get("phase") in ("Succeeded", "Failed")
    return isinstance(spec, dict) and not spec.get("nodeName") and not ended


def budget_of(manifest: Manifest) -> DisruptionBudget:
    """A PodDisruptionBudget. Raises ``FairshareError`` for a field of another type."""
    root = root_of(manifest)
    status = root.at("status")
    return DisruptionBudget(
        manifest.key,
        label_selector(root.at("spec", "selector").value),
        status.at("disruptionsAllowed").integer(0),
        frozenset(status.at("disruptedPods").mapping()),
    )
