"""What of the objects that a scheduler reads is unknown to the reproduced release: where it counts, and the gap.

Tested in ``tests/property/exact/test_unknown_fields.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.fidelity import UNKNOWN_FIELD, Gap
from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.api.unknown import KnownParts, scheduler_struct
from kubectl_fairshare.input.text.scheduler_configuration import scheduler_configurations
from kubectl_fairshare.input.units.installed_charts import ChartObject
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.pod_surroundings import ENDED, LIMIT_RANGE, PRIORITY_CLASS, RUNTIME_CLASS
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import JsonObject, mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import ByKind, Manifest

_POD: Final = ("", "Pod")
_OF_NEW_PODS: Final = (("", LIMIT_RANGE), ("", "ResourceQuota"))
"""Kinds by which an API server completes, or rejects, new pods of their namespace."""
_SHOWN: Final = 3


def unknown_gaps(places: Iterable[Place]) -> Iterator[Gap]:
    """A gap for each unknown field, value or name of a kind, with the first objects that have it."""
    found: dict[tuple[str, object], list[Place]] = {}
    for place in places:
        found.setdefault((place.object.kind, place.path), []).append(place)
    for alike in found.values():
        more = f" and {len(alike) - 1:,} more" if len(alike) > 1 else ""
        yield Gap(UNKNOWN_FIELD, tuple(alike[:_SHOWN]), touches=True, subject=f"{alike[0]}{more}")


def unknown_in(manifests: Iterable[Manifest], known: KnownParts) -> tuple[Place, ...]:
    """The places in objects, one after the other; what has ended decides nothing."""
    return tuple(place for manifest in manifests if not is_ended_pod(manifest) for place in known.places(manifest))


def unknown_around_pods(kinds: ByKind, known: KnownParts, read: Iterable[tuple[str, str]]) -> tuple[Place, ...]:
    """The places in live pods, in objects of the kinds that are ``read``, and in the classes that any of them names."""
    found = [manifest for kind in (_POD, *read) for manifest in kinds.get(kind, ())]
    specs = [mapping(each.data, "spec") for each in found]  # decoded: the readers of pods keep them
    return unknown_in((*found, *_named_classes(kinds, specs)), known)


def unknown_for_new_pod(
    manifests: Mapping[ObjectKey, Manifest], namespace: str, spec: JsonObject, known: KnownParts
) -> tuple[Place, ...]:
    """The places in objects by which an API server completes, or rejects, a new pod: those of its namespace."""
    by_kind: dict[tuple[str, str], list[Manifest]] = {}
    for key, manifest in manifests.items():
        kind = key[:2]
        if kind in (PRIORITY_CLASS, RUNTIME_CLASS) or (kind in _OF_NEW_PODS and key.namespace == namespace):
            by_kind.setdefault(kind, []).append(manifest)
    own = [manifest for kind in _OF_NEW_PODS for manifest in by_kind.get(kind, ())]
    return unknown_in((*own, *_named_classes(by_kind, [spec])), known)


def _named_classes(kinds: ByKind, specs: Iterable[JsonObject]) -> Iterator[Manifest]:
    """The classes that pods name, and the PriorityClass of all others."""
    fields = ((PRIORITY_CLASS, "priorityClassName"), (RUNTIME_CLASS, "runtimeClassName"))
    named = {(kind, name) for spec in specs for kind, field in fields if isinstance(name := spec.get(field), str)}
    for kind in (PRIORITY_CLASS, RUNTIME_CLASS):
        for manifest in kinds.get(kind, ()):
            if (kind, manifest.key.name) in named or manifest.data.get("globalDefault") is True:
                yield manifest


def unknown_settings(
    manifests: Iterable[Manifest],
    made: ChartObject | None,
    known: KnownParts,
    runs: Callable[[Field], bool],
    own_arguments: Callable[[str], Struct | None],
) -> tuple[Place, ...]:
    """The places in scheduler configurations with a profile that ``runs`` the plugin, in it and in the arguments.

    Without one among the manifests it is what a chart has ``made``. ``own_arguments`` are those of plugins that are
    not Kubernetes'. What cannot be read is left out.
    """
    roots, found = [*scheduler_configurations(manifests)], list[Place]()
    of_chart = [] if roots or made is None else [root_of(made.manifest)]
    for root in (*roots, *of_chart):
        try:
            found += _unknown_settings(root, known, runs, own_arguments)
        except FairshareError:  # it is a problem of the input already
            continue
    return tuple(found if made is None or roots else map(made.place, found))


def _unknown_settings(
    root: Field, known: KnownParts, runs: Callable[[Field], bool], own_arguments: Callable[[str], Struct | None]
) -> Iterator[Place]:
    profiles = [profile for profile in root.at("profiles").entries() if runs(profile)]
    parts = [(scheduler_struct("KubeSchedulerConfiguration"), root)] if profiles else []
    for profile in profiles:
        parts.append((scheduler_struct("SchedulerProfile"), profile))
        for config in profile.at("pluginConfig").entries():
            name = config.at("name").text()
            struct = scheduler_struct(f"{name}Args") or own_arguments(name)
            parts.append((struct, config.at("args")))
    for struct, part in parts:
        if struct is not None:
            yield from (Place(part.owner, path) for path in known.below(struct, part.value, part.path))


def is_ended_pod(manifest: Manifest) -> bool:
    """Whether an object is a pod that has ended."""
    return manifest.key[:2] == _POD and mapping(manifest.passing_data, "status").get("phase") in ENDED
