"""Prepares manifests for rules: every object is judged, and an invalid one raises no error."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter

from kubectl_fairshare.api.causes import UNSUPPORTED, cause
from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.input.assemble import NO_RELEASES, gather
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.lint.house import Houses, Judged, house_of
from kubectl_fairshare.lint.registry import houses_concerned
from kubectl_fairshare.lint.suppression.suppression import Suppression
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.model.values import replace


def examine(
    reading: Reading,
    houses: Houses,
    *,
    complete: bool = False,
    elsewhere: frozenset[ObjectKey] = frozenset(),
    releases: Mapping[str, str] = NO_RELEASES,
    lacking: frozenset[str] | None = None,
) -> Given:
    """Everything that was read, judged as new objects; ``complete`` says that nothing lies outside of it.

    ``releases`` are those of schedulers, by name. ``lacking`` as in ``Given``.
    """
    at_stake = houses_concerned(houses, reading.mentions)
    manifests = [_to_judge(each, at_stake) for each in reading.manifests]
    schedulers = KnownSchedulers(house.reads for house in houses if house.reads is not None)
    gathered = gather(manifests, schedulers, releases=releases)
    judged = (
        Examined(manifest, house, judgement, stored)
        for house in at_stake
        for manifest, judgement, stored in house.judged(manifests, gathered)
    )
    examined = {each.key: each for each in sorted(judged, key=attrgetter("key"))}
    problems = tuple(problem for problem in gathered.problems if not _is_refused(problem, examined))
    silenced = _suppressions(reading)
    return Given(
        gathered, houses, at_stake, examined, problems, complete, silenced, elsewhere=elsewhere, lacking=lacking
    )


def _suppressions(reading: Reading) -> tuple[Suppression, ...]:
    if not reading.mentions("fairshare"):  # neither in a comment nor in an annotation
        return ()
    from kubectl_fairshare.lint.suppression.suppressions import suppressions

    return suppressions(reading.manifests, reading.texts)


def _is_refused(problem: Problem, examined: Mapping[ObjectKey, Examined]) -> bool:
    """Whether a problem is about an object that the API server rejects, so that rules report it."""
    place = problem.place
    each = examined.get(place.object) if isinstance(place, Place) else None
    return each is not None and each.judgement is not None and not each.judgement.accepted


def _to_judge(manifest: Manifest, houses: Houses) -> Manifest:
    """The manifest; without resourceVersion if no server can have stored this text, so it was changed since."""
    if not manifest.stored or _can_be_stored(manifest, houses):
        return manifest
    metadata = {name: each for name, each in manifest.data["metadata"].items() if name != "resourceVersion"}
    return replace(manifest, held_data={**manifest.data, "metadata": metadata})


def _can_be_stored(manifest: Manifest, houses: Houses) -> bool:
    house = house_of(manifest, houses)
    if house is None:
        return True
    if not isinstance(manifest.held_data, Packed) and not isinstance(manifest.data["metadata"].get("name"), str):
        return False  # a packed one is never without
    if manifest.key.kind in house.checked_when_read:
        return True
    from kubectl_fairshare.api.fitting import fits

    struct = house.structure(manifest)
    return struct is None or fits(struct, manifest.passing_data)


def judged_by(judge: Callable[[Manifest], Judgement], manifests: Iterable[Manifest], project: str) -> Iterator[Judged]:
    """The judgement of ``judge`` on the creation of each object; objects from an API server are not judged again."""
    for manifest in manifests:
        if manifest.stored:
            yield Judged(manifest, None, manifest.data)
            continue
        judgement = judge(manifest)
        if judgement.stage == NOT_FOUND:
            message = f"{project} does not serve `{manifest.api_version}`"
            judgement = replace(judgement, causes=(cause(UNSUPPORTED, ("apiVersion",), message),))
        yield Judged(manifest, judgement, judgement.stored)
