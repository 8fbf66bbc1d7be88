"""The queue that made-up work names to come to the one that is asked about, as it is asked for."""

from typing import Any

from tests.consistency.states import State

Manifest = dict[str, Any]


def local_queue(state: State, cluster_queue: str) -> tuple[str, str] | None:
    """The namespace and the name of one that takes work now, and whose namespace limits no pods; None without one."""
    selector = next((_selector(each) for each in _of(state, "ClusterQueue", cluster_queue)), None)
    limited = {each["metadata"]["namespace"] for each in _of(state, "LimitRange")}
    for queue in _of(state, "LocalQueue"):
        space, name, spec = queue["metadata"]["namespace"], queue["metadata"]["name"], queue["spec"]
        takes = spec.get("stopPolicy", "None") == "None" and "deletionTimestamp" not in queue["metadata"]
        labels = [_labels(each) for each in _of(state, "Namespace", space)]
        if not labels and not _of(state, "Namespace"):
            labels = [{}]
        selected = bool(labels) and selector is not None and selector.items() <= labels[0].items()
        if spec["clusterQueue"] == cluster_queue and takes and selected and space not in limited:
            return space, name
    return None


def takes_work(state: State, row: Manifest) -> bool:
    """Whether a plan can ask for what a row of ``capacity`` counts."""
    return state.house != "kueue" or (row["resource"] != "pods" and local_queue(state, row["queue"]) is not None)


def queue_of(state: State, queue: str) -> tuple[str, str]:
    """The option by which a plan names a queue of ``capacity``."""
    if state.house == "elasticquota":
        return "-n", queue
    local = local_queue(state, queue) if state.house == "kueue" else None
    return "--queue", queue if local is None else "/".join(local)


def _of(state: State, kind: str, name: str | None = None) -> list[Manifest]:
    return [each for each in state.objects if each["kind"] == kind and name in (None, each["metadata"]["name"])]


def _labels(namespace: Manifest) -> dict[str, str]:
    return {"kubernetes.io/metadata.name": namespace["metadata"]["name"], **(namespace["metadata"].get("labels") or {})}


def _selector(queue: Manifest) -> dict[str, str] | None:
    """The labels that namespaces must have; None for a selector that takes none, or has expressions."""
    selector: Manifest | None = queue["spec"].get("namespaceSelector")
    if selector is None or selector.get("matchExpressions"):
        return None
    return dict(selector.get("matchLabels") or {})
