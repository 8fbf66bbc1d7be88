"""From manifests to what rules look at: everything judged, nothing refused for being wrong."""

from collections.abc import Iterable, Iterator, Mapping

from kubectl_fairshare.input.assemble import gather
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.snapshot.unsettled import unsettled
from kubectl_fairshare.lint.given import Configured, Examined, Given, Scheduler
from kubectl_fairshare.lint.reading.judged import judged
from kubectl_fairshare.lint.suppression import Suppression
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.elasticquota.reading.scheduler_configuration import scheduler_configurations
from kubectl_fairshare.schedulers.kueue.admission.kinds import KINDS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from kubectl_fairshare.schedulers.kueue.reading.configuration import Written, configurations


def examine(reading: Reading, release: Release, *, complete: bool = False) -> Given:
    """Everything that was read, judged as new objects; ``complete`` says that nothing lies outside of it."""
    manifests = unsettled(reading.manifests)
    gathered = gather(manifests)
    found = configurations(gathered.accepted.others)
    configured = tuple(map(_configured, found.written))
    told = {(c.place.object, c.place.path[:2]) for c in configured}
    told |= {(p.place.object, p.place.path[:2]) for p in found.problems if isinstance(p.place, Place)}
    examined = dict(sorted(_examined(manifests, gathered.accepted)))
    return Given(
        gathered.snapshot,
        gathered.context,
        release,
        examined=examined,
        configured=configured,
        schedulers=tuple(Scheduler(data, place) for place, data in scheduler_configurations(gathered.accepted.others)),
        unread=found.problems,
        problems=tuple(p for p in gathered.problems if not (_of_configuration(p, told) or _of_refused(p, examined))),
        complete=complete,
        suppressions=_suppressions(reading),
    )


def _suppressions(reading: Reading) -> tuple[Suppression, ...]:
    if not reading.mentions("fairshare"):  # neither in a comment nor in an annotation
        return ()
    from kubectl_fairshare.lint.reading.suppressions import suppressions

    return suppressions(reading.manifests, reading.texts)


def _examined(manifests: Iterable[Manifest], accepted: Accepted) -> Iterator[tuple[ObjectKey, Examined]]:
    stored = {m.key: m.data for kind in KINDS for m in accepted.of(kind)}
    for manifest in manifests:
        key = manifest.key
        if key.group == GROUP and (key.kind in KINDS or key in accepted.judgements):
            yield key, Examined(manifest, accepted.judgements.get(key), stored.get(key))
    yield from judged(accepted.others)


def _configured(written: Written) -> Configured:
    from kubectl_fairshare.schedulers.kueue.admission.configuration import judge_configuration

    judgement = judge_configuration(written.data)
    view = judgement.configuration if judgement.accepted else None
    return Configured(written.data, written.place, judgement.causes, view)


def _of_configuration(problem: Problem, told: set[tuple[ObjectKey, FieldPath]]) -> bool:
    """Whether a problem is one that rules tell of a Configuration, too."""
    place = problem.place
    return isinstance(place, Place) and ((place.object, place.path[:2]) in told or (place.object, ()) in told)


def _of_refused(problem: Problem, examined: Mapping[ObjectKey, Examined]) -> bool:
    """Whether a problem is about an object that the API server refuses, so that rules tell of it."""
    place = problem.place
    found = examined.get(place.object) if isinstance(place, Place) else None
    return found is not None and found.judgement is not None and not found.judgement.accepted
