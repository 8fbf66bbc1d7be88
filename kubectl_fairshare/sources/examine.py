"""From manifests to what rules look at: everything judged, nothing refused for being wrong."""

from collections.abc import Iterable, Iterator

from kubectl_fairshare.admission.kueue.kinds import KINDS
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.kueue import GROUP
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.rules.given import Configured, Examined, Given
from kubectl_fairshare.sources.accepted import Accepted
from kubectl_fairshare.sources.assemble import gather
from kubectl_fairshare.sources.configuration import Written, configurations
from kubectl_fairshare.sources.reading import Reading


def examine(reading: Reading, release: Release, *, complete: bool = False) -> Given:
    """Everything that was read, judged as new objects; ``complete`` says that nothing lies outside of it."""
    gathered = gather(reading.manifests)
    configured = tuple(_configured(gathered.accepted.others))
    places = {(c.place.object, c.place.path[:2]) for c in configured}
    return Given(
        gathered.snapshot,
        gathered.context,
        release,
        examined=dict(sorted(_examined(reading.manifests, gathered.accepted))),
        configured=configured,
        problems=tuple(p for p in gathered.problems if not _of_configuration(p, places)),
        complete=complete,
    )


def _examined(manifests: Iterable[Manifest], accepted: Accepted) -> Iterator[tuple[ObjectKey, Examined]]:
    stored = {m.key: m.data for kind in KINDS for m in accepted.of(kind)}
    for manifest in manifests:
        key = manifest.key
        if key.group == GROUP and (key.kind in KINDS or key in accepted.judgements):
            yield key, Examined(manifest, accepted.judgements.get(key), stored.get(key))


def _configured(manifests: Iterable[Manifest]) -> Iterator[Configured]:
    from kubectl_fairshare.admission.kueue.configuration import judge_configuration

    try:
        found: list[Written] = configurations(manifests)
    except FairshareError:  # among the problems already
        return
    for written in found:
        judgement = judge_configuration(written.data)
        yield Configured(written.data, written.place, judgement.causes, judgement.configuration)


def _of_configuration(problem: Problem, places: set[tuple[ObjectKey, tuple[str | int, ...]]]) -> bool:
    """Whether a problem is one that the judgement of a Configuration tells, too."""
    from kubectl_fairshare.model.location import Place

    place = problem.place
    return isinstance(place, Place) and ((place.object, place.path[:2]) in places or (place.object, ()) in places)
