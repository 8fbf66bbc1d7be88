"""Conversion between the versions of Kueue's API, as Kueue's webhook does it.

Kueue converts ClusterQueue, Cohort, LocalQueue, MultiKueueCluster and Workload; the other kinds only change their
version and lose the fields that the new one does not have. Source: Kueue v0.19 API conversion.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from kubectl_fairshare.api import golang
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.admission import topology_encoding
from kubectl_fairshare.schedulers.kueue.admission.kinds import GROUP, KINDS, OLD, STORED, structure

View: TypeAlias = dict[str, Json]

_WORKLOAD_SOURCE: Final = "kueue.x-k8s.io/workloadpriorityclass"
_POD_SOURCE: Final = "scheduling.k8s.io/priorityclass"
_CLASSES: Final = {
    _WORKLOAD_SOURCE: {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass"},
    _POD_SOURCE: {"group": "scheduling.k8s.io", "kind": "PriorityClass"},
}


class ConversionError(golang.DecodingError):
    """Raised when Kueue cannot convert an object; ``path`` leads to the value that prevents it."""


def to_v1beta2(data: JsonObject) -> JsonObject:
    """The object in v1beta2, the stored version; an object in v1beta2 is returned as it is.

    Raises ``ConversionError``.
    """
    if data.get("apiVersion") != f"{GROUP}/{OLD}" or data.get("kind") not in KINDS:
        return data
    from kubectl_fairshare.api.reading import prune

    return prune(structure(STORED, data["kind"]), convert(data, STORED))


def convert(data: JsonObject, version: str) -> dict[str, Json]:
    """The object in another version, as the webhook answers before the API server prunes it."""
    kind, source = data["kind"], data["apiVersion"].rpartition("/")[2]
    out = {**data, "apiVersion": f"{GROUP}/{version}"}
    if source == version or kind not in _UPGRADES:
        return out
    change = (_UPGRADES if version == STORED else _DOWNGRADES)[kind]
    try:
        view = golang.decode(structure(source, kind), data)
        written = golang.encode(structure(version, kind), change(view))
    except golang.DecodingError as error:
        raise ConversionError(error.gist, error.path) from None
    except topology_encoding.MisfitError as error:
        raise ConversionError(str(error)) from None
    meta = {"metadata": data["metadata"]} if "metadata" in data else {}
    return {**written, **meta, "apiVersion": out["apiVersion"], "kind": kind}


def _change(view: View, **changes: Callable[[View], View]) -> View:
    """The view with its named parts changed, as far as they exist."""
    return {key: changes[key](each) if key in changes else each for key, each in view.items()}


def _rename(view: View, names: dict[str, str]) -> View:
    return {names.get(key, key): each for key, each in view.items()}


def _cluster_queue_up(view: View) -> View:
    return _change(view, spec=_cluster_queue_spec_up)


def _cluster_queue_spec_up(spec: View) -> View:
    out = _change(_rename(spec, {"cohort": "cohortName"}), flavorFungibility=_fungibility_up)
    if spec.get("admissionChecks"):
        out["admissionChecksStrategy"] = {
            "admissionChecks": [{"name": name} if name else {} for name in spec["admissionChecks"]]
        }
    return out


def _fungibility_up(fungibility: View) -> View:
    out = dict(fungibility)
    for name, replaced in (("whenCanBorrow", "Borrow"), ("whenCanPreempt", "Preempt")):
        if out.get(name) == replaced:
            out[name] = "MayStopSearch"
    return out


def _cluster_queue_down(view: View) -> View:
    return _change(view, spec=lambda spec: _rename(spec, {"cohortName": "cohort"}))


def _local_queue_up(view: View) -> View:
    return _change(view, status=lambda status: _rename(status, {"flavorUsage": "flavorsUsage"}))


def _local_queue_down(view: View) -> View:
    return _change(view, status=lambda status: _rename(status, {"flavorsUsage": "flavorUsage"}))


def _multi_kueue_cluster_up(view: View) -> View:
    return _change(view, spec=_multi_kueue_cluster_spec_up)


def _multi_kueue_cluster_spec_up(spec: View) -> View:
    source = {}
    if spec.get("kubeConfig", {}).get("location"):
        source["kubeConfig"] = spec["kubeConfig"]
    if "clusterProfileRef" in spec:
        source["clusterProfileRef"] = spec["clusterProfileRef"]
    return {"clusterSource": source}


def _multi_kueue_cluster_down(view: View) -> View:
    return _change(view, spec=lambda spec: dict(spec.get("clusterSource", {})))


def _workload_up(view: View) -> View:
    return _change(view, spec=_workload_spec_up, status=_workload_status_up)


def _workload_spec_up(spec: View) -> View:
    out = dict(spec)
    source, name = out.pop("priorityClassSource", ""), out.pop("priorityClassName", "")
    if source in _CLASSES:
        out["priorityClassRef"] = {**_CLASSES[source], "name": name}
        if not name:
            del out["priorityClassRef"]["name"]
    return out


def _workload_status_up(status: View) -> View:
    out = _rename(status, {"accumulatedPastExexcutionTimeSeconds": "accumulatedPastExecutionTimeSeconds"})
    return _change(out, admission=lambda admission: _assignments(admission, _topology_up))


def _assignments(admission: View, change: Callable[[View], View]) -> View:
    assigned = admission.get("podSetAssignments")
    if assigned is None:
        return admission
    return {**admission, "podSetAssignments": [_change(each, topologyAssignment=change) for each in assigned]}


def _topology_up(assignment: View) -> View:
    slices = topology_encoding.slices(assignment.get("levels", []), assignment.get("domains", []))
    return {**_only_levels(assignment), "slices": slices}


def _workload_down(view: View) -> View:
    return _change(view, spec=_workload_spec_down, status=_workload_status_down)


def _workload_spec_down(spec: View) -> View:
    out = dict(spec)
    reference = out.pop("priorityClassRef", {})
    for source, known in _CLASSES.items():
        if all(reference.get(key) == each for key, each in known.items()):
            out["priorityClassSource"] = source
            out["priorityClassName"] = reference.get("name", "")
    return {key: each for key, each in out.items() if key != "priorityClassName" or each}


def _workload_status_down(status: View) -> View:
    out = _rename(status, {"accumulatedPastExecutionTimeSeconds": "accumulatedPastExexcutionTimeSeconds"})
    return _change(out, admission=lambda admission: _assignments(admission, _topology_down))


def _topology_down(assignment: View) -> View:
    return {**_only_levels(assignment), "domains": topology_encoding.domains(assignment)}


def _only_levels(assignment: View) -> View:
    return {"levels": assignment["levels"]} if "levels" in assignment else {}


def _alike(view: View) -> View:
    return view


_UPGRADES: Final[dict[str, Callable[[View], View]]] = {
    "ClusterQueue": _cluster_queue_up,
    "Cohort": _alike,
    "LocalQueue": _local_queue_up,
    "MultiKueueCluster": _multi_kueue_cluster_up,
    "Workload": _workload_up,
}
_DOWNGRADES: Final[dict[str, Callable[[View], View]]] = {
    "ClusterQueue": _cluster_queue_down,
    "Cohort": _alike,
    "LocalQueue": _local_queue_down,
    "MultiKueueCluster": _multi_kueue_cluster_down,
    "Workload": _workload_down,
}

# The place of a v1beta2 field in v1beta1, longest prefix first.
_SPELLINGS: Final[dict[str, tuple[tuple[FieldPath, FieldPath], ...]]] = {
    "ClusterQueue": ((("spec", "cohortName"), ("spec", "cohort")),),
    "LocalQueue": ((("status", "flavorsUsage"), ("status", "flavorUsage")),),
    "MultiKueueCluster": ((("spec", "clusterSource"), ("spec",)),),
    "Workload": (
        (("spec", "priorityClassRef", "group"), ("spec", "priorityClassSource")),
        (("spec", "priorityClassRef", "kind"), ("spec", "priorityClassSource")),
        (("spec", "priorityClassRef", "name"), ("spec", "priorityClassName")),
        (("spec", "priorityClassRef"), ("spec", "priorityClassName")),
        (
            ("status", "accumulatedPastExecutionTimeSeconds"),
            ("status", "accumulatedPastExexcutionTimeSeconds"),
        ),
    ),
}


def path_as_written(version: str, kind: str, path: FieldPath) -> FieldPath:
    """The place of a v1beta2 field in an object of ``version``."""
    if version == OLD:
        for stored, written in _SPELLINGS.get(kind, ()):
            if path[: len(stored)] == stored:
                return (*written, *path[len(stored) :])
    return path


def path_in_text(manifest: Manifest, path: FieldPath) -> FieldPath:
    """The place of a field in the object's text; ``path`` is in the object's own version or in v1beta2."""
    if manifest.version != OLD or _leads_somewhere(manifest.data, path):
        return path
    return path_as_written(manifest.version, manifest.key.kind, path)


def _leads_somewhere(value: Json, path: FieldPath) -> bool:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True
