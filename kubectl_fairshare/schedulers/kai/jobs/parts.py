"""The parts of what the pods of a job request, in KAI's resources.

Tested in ``tests/unit/cli/commands/test_need_parts.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.request_parts import Addition, Additions, ranger_additions, request_parts
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.jobs.gpus import WHOLE_NAMES
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import PodRole
from kubectl_fairshare.schedulers.kai.jobs.pods import REQUEST_LAW
from kubectl_fairshare.schedulers.kai.jobs.webhook import shares_gpus, with_runtime
from kubectl_fairshare.schedulers.kai.model.objects import KaiState

_NOWHERE: Final = Place(ObjectKey("", "", "", ""))
_NAMES: Final = {"cpu": "cpu", "memory": "memory", **dict.fromkeys(WHOLE_NAMES, "gpu")}


def role_parts(role: PodRole, state: KaiState, *, stored: bool = False, several: bool = False) -> Iterator[RequestTerm]:
    """The parts for the pods of one role; ``stored``: an API server has completed the pod, which is a Pod itself.

    ``several``: the job has other roles. Raises ``FairshareError`` for a field of another type.
    """
    template, context = role.template, state.around.context
    annotations = template.at("metadata", "annotations").texts()
    spec = with_runtime(role.pod["spec"], annotations, state.admission.runtime, state.around)
    added = Addition("its controller adds it", template.place)
    additions: Additions = {
        (name, len(template.at("spec", name).entries()) + i): added
        for name, containers in role.extra.items()
        for i in range(len(containers))
    }
    limits = {} if stored else context.limit_ranges.get(template.owner.namespace, {})
    overheads = {} if stored else context.overheads
    additions = {**ranger_additions(template), **additions} if stored else additions
    parts = request_parts(template.at("spec")._replace(value=spec), limits, overheads, REQUEST_LAW, additions)
    for resource, named in _NAMES.items():
        if named != "gpu" or not shares_gpus(annotations):
            for part in parts.get(resource, ()):
                yield replace(part, resource=named, pods=role.name if several else "", count=role.count)


def parts_of_pods(pods: Iterable[Manifest], state: KaiState) -> tuple[RequestTerm, ...]:
    """The parts for Pods of one job; equal pods count together, at the fields of the first.

    Raises ``FairshareError`` for a field of another type.
    """
    alike: dict[tuple[RequestTerm, ...], list[tuple[RequestTerm, ...]]] = {}
    names: dict[tuple[RequestTerm, ...], str] = {}
    for pod in pods:
        found = tuple(role_parts(PodRole("", 1, root_of(pod)), state, stored=pod.stored))
        shape = tuple(replace(part, place=_NOWHERE) for part in found)
        alike.setdefault(shape, []).append(found)
        names.setdefault(shape, pod.key.name)
    several = len(alike) > 1
    return tuple(
        replace(part, pods=(names[shape] + (", …" if len(equal) > 1 else "")) if several else "", count=len(equal))
        for shape, equal in alike.items()
        for part in equal[0]
    )
