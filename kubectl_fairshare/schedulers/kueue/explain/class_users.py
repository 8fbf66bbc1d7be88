"""The namespaces whose workloads use a priority class: a class of one team is not another team's to take."""

from collections.abc import Collection, Mapping

from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.schedulers.kueue.jobs.priority import CLASS_LABEL, WORKLOAD_CLASS
from kubectl_fairshare.schedulers.kueue.tree.state import State


def class_users(state: State) -> Mapping[str, Collection[str]]:
    """The namespaces of the workloads of each WorkloadPriorityClass; a class without workloads is absent."""
    users: dict[str, set[str]] = {}
    keys = [(h.key, h.key) for h in state.kueue.holders] + [(w.key, w.source or w.key) for w in state.kueue.pending]
    for key, source in keys:
        manifest = state.snapshot.manifests.get(key) or state.snapshot.manifests.get(source)
        if manifest is None:
            continue
        root = root_of(manifest)
        ref = root.at("spec", "priorityClassRef")
        label = root.at("metadata", "labels").at(CLASS_LABEL).text()
        own = ref.at("name").text() if ref.at("kind").text(WORKLOAD_CLASS) == WORKLOAD_CLASS else ""
        for name in filter(None, (own, label)):
            users.setdefault(name, set()).add(key.namespace)
    return users
