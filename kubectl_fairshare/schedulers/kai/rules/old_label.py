"""The label of Run:ai that named a queue before KAI-Scheduler v0.6."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.finding import Edit, Finding, Remedy, Rename
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import several, used_too
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, inside, mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.model.kinds import CONFIG_GROUP, POD_GROUP, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SCHEDULER, OLD_LABEL
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.queues import LABEL

_PROJECT: Final = "project"
_DEFAULT: Final = "default-queue"
_DEEPEST: Final = 12


class _Misled(NamedTuple):
    """A workload whose only label of a queue is the old one: the queue that KAI takes, and each place of the label."""

    taken: str
    places: tuple[Place, ...]


@warning_rule("A039")
def old_queue_label(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each queue into which KAI puts workloads with the old label, at the first label.

    A Config that names another label for queues is not judged: its workloads may need the old one.
    """
    scheduler, label = _settings(given)
    if label != LABEL:
        return
    misled: dict[str, list[_Misled]] = {}
    for manifest in _workloads(given):
        found = _misled(manifest, scheduler, given.kai.pool_label)
        if found is not None:
            misled.setdefault(found.taken, []).append(found)
    for taken, workloads in sorted(misled.items()):
        places = [place for each in workloads for place in each.places]
        edits: tuple[Edit, ...] = tuple(Rename(place, LABEL) for place in places)
        yield Finding(
            places[0],
            f"KAI v0.17 does not read the label `{OLD_LABEL}`: {several(len(workloads), 'workload')} "
            f"{'goes' if len(workloads) == 1 else 'go'} to queue `{taken}`",
            Remedy(f"write the label as `{LABEL}`", edits),
            evidence=(("workloads", str(len(workloads))),),
            related=used_too(places),
            about_key=True,
        )


def _settings(given: KaiGiven) -> tuple[str, str]:
    """The name of KAI's scheduler, and the label of queues, from the first Config."""
    configs = given.of("Config", CONFIG_GROUP)
    settings = mapping(configs[0].manifest.data, "spec", "global") if configs else {}
    return str(settings.get("schedulerName") or DEFAULT_SCHEDULER), str(settings.get("queueLabelKey") or LABEL)


def _workloads(given: KaiGiven) -> Iterator[Manifest]:
    """All objects but KAI's own and Pods whose PodGroup is in the input: the PodGroup names their queue."""
    grouped = {(group.key.namespace, group.name) for group in given.kai.pod_groups}
    for manifest in given.snapshot.manifests.values():
        name = inside(manifest.data, "metadata", "annotations", POD_GROUP)
        if manifest.key.group != QUEUE_GROUP and (manifest.key.namespace, str(name)) not in grouped:
            yield manifest


def _misled(manifest: Manifest, scheduler: str, pool_label: str) -> _Misled | None:
    """What the old label hides; None for a workload of another scheduler, without that label, or with KAI's own."""
    pods = [(path, pod) for path, pod in _pods(manifest.data) if _is_for(pod, scheduler)]
    labelled = {(): manifest.data, **dict(pods)} if pods else {}
    labels = {path: mapping(each, "metadata", "labels") for path, each in labelled.items()}
    if any(LABEL in each for each in labels.values()) or not any(OLD_LABEL in each for each in labels.values()):
        return None
    places = (
        Place(manifest.key, (*path, "metadata", "labels", OLD_LABEL))
        for path, each in labels.items()
        if OLD_LABEL in each
    )
    return _Misled(_taken(labels.values(), pool_label), tuple(places))


def _is_for(pod: JsonObject, scheduler: str) -> bool:
    return bool(inside(pod, "spec", "schedulerName") == scheduler)


def _taken(labels: Iterable[JsonObject], pool_label: str) -> str:
    """The queue of a workload without KAI's label: that of its project and node pool, otherwise the default."""
    found = {name: value for each in reversed(list(labels)) for name, value in each.items()}
    project, pool = found.get(_PROJECT), found.get(pool_label)
    if not project:
        return _DEFAULT
    return f"{project}-{pool}" if pool else f"{project}"


def _pods(data: Json, path: FieldPath = ()) -> Iterator[tuple[FieldPath, JsonObject]]:
    """A Pod, or the pod templates in an object of any kind, each with its path."""
    if not isinstance(data, dict | list) or len(path) > _DEEPEST:
        return
    if isinstance(data, dict) and isinstance(inside(data, "spec", "containers"), list):
        yield path, data
        return
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, dict | list):
            yield from _pods(value, (*path, key))
