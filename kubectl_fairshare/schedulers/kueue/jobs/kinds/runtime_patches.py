"""Applies a TrainJob's ``runtimePatches`` to a job template of its training runtime.

Source: Kubeflow Trainer v2.2: a strategic merge, of the few fields that a patch may have.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json

FLUX: Final = "flux-installer"
"""The container that is added to pods of a runtime for Flux."""
_KUEUE: Final = "kueue.x-k8s.io/manager"
_LISTS: Final = ("containers", "initContainers")
_OF_POD: Final = frozenset(
    {
        *_LISTS,
        *("nodeSelector", "affinity", "tolerations", "schedulingGates", "serviceAccountName"),
        *("volumes", "imagePullSecrets", "securityContext"),
    }
)
_OF_CONTAINER: Final = frozenset({"name", "env", "volumeMounts", "securityContext"})


def apply_patches(template: Field, name: str, job: Field, *, stored: bool) -> Field:
    """The job template of replicated job ``name`` with the TrainJob's patches, in their order.

    Patches that Kueue itself added to a ``stored`` TrainJob when it started are ignored: Kueue removes them together
    with the quota. Raises ``FairshareError`` for an unknown field of a patch.
    """
    for patch in job.at("spec", "runtimePatches").entries():
        if is_of_kueue(patch, stored=stored):
            continue
        for each in patch.at("trainingRuntimeSpec", "template", "spec", "replicatedJobs").entries():
            if each.at("name").text() == name:
                template = _with_patch(template, each.at("template"))
    return template


def is_of_kueue(patch: Field, *, stored: bool) -> bool:
    """Whether Kueue itself added the patch of a TrainJob, and removes it with the quota."""
    return stored and patch.at("manager").text() == _KUEUE


def _with_patch(template: Field, patch: Field) -> Field:
    pod = patch.at("spec", "template")
    value: Json = {
        **template.mapping(),
        "metadata": _with_labels(template.at("metadata"), patch.at("metadata")),
        "spec": {
            **template.at("spec").mapping(),
            "template": {
                **template.at("spec", "template").mapping(),
                "metadata": _with_labels(template.at("spec", "template", "metadata"), pod.at("metadata")),
                "spec": _pod_spec(template.at("spec", "template", "spec"), pod.at("spec")),
            },
        },
    }
    return template._replace(value=value)


def _with_labels(metadata: Field, patch: Field) -> dict[str, Json]:
    both: dict[str, Json] = {n: {**metadata.at(n).texts(), **patch.at(n).texts()} for n in ("labels", "annotations")}
    return {**metadata.mapping(), **both}


def _pod_spec(spec: Field, patch: Field) -> dict[str, Json]:
    _check_names(patch, _OF_POD)
    value: dict[str, Json] = {**spec.mapping()}
    if patch.at("nodeSelector").texts():
        value["nodeSelector"] = {**spec.at("nodeSelector").texts(), **patch.at("nodeSelector").texts()}
    if patch.at("tolerations").entries():
        value["tolerations"] = patch.at("tolerations").value
    if patch.at("affinity").value is not None:
        value["affinity"] = _merge(spec.at("affinity").mapping(), patch.at("affinity").mapping())
    for name in _LISTS:
        if patch.at(name).entries():
            value[name] = _containers(spec.at(name), patch.at(name))
    return value


def _containers(containers: Field, patch: Field) -> list[Json]:
    """The containers with the new ones of the patch; a patch does not change the resources of existing containers.

    The order is that of a strategic merge: a named container comes as early as the order of the old ones allows.
    """
    there = [entry.at("name").text() for entry in containers.entries()]
    by_name = dict(zip(there, (entry.value for entry in containers.entries()), strict=True))
    named = []
    for entry in patch.entries():
        _check_names(entry, _OF_CONTAINER)
        named.append(entry.at("name").text())
    left = [name for name in there if name not in named]
    found: list[str] = []
    for name in named:
        while left and name in by_name and there.index(left[0]) < there.index(name):
            found.append(left.pop(0))
        found.append(name)
    return [by_name.get(name, {"name": name}) for name in (*found, *left)]


def _merge(value: Mapping[str, Json], patch: Mapping[str, Json]) -> dict[str, Json]:
    """Objects are merged; every other value replaces the old one."""
    found: dict[str, Json] = {**value}
    for name, new in patch.items():
        old = found.get(name)
        if isinstance(new, dict):
            found[name] = _merge(old if isinstance(old, dict) else {}, new)
        elif new is not None and new != []:
            found[name] = new
    return found


def _check_names(patch: Field, allowed: frozenset[str]) -> None:
    for name in patch.mapping():
        if name not in allowed:
            message = f"a runtime patch has no field `{name}`"
            remedy = f"a TrainJob may patch {', '.join(sorted(allowed))} there"
            raise FairshareError(Problem(message, patch.at(name).place, remedy))
