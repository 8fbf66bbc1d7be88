"""What a controller of Kubernetes adds to the pods that it makes of a template.

Source: Kubernetes 1.35, the controllers of StatefulSets and DaemonSets.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.kinds import UNKNOWN
from kubectl_fairshare.model.json import Json, JsonObject

_TOLERATED: Final = (
    *(("not-ready", "NoExecute"), ("unreachable", "NoExecute"), ("disk-pressure", "NoSchedule")),
    *(("memory-pressure", "NoSchedule"), ("pid-pressure", "NoSchedule"), ("unschedulable", "NoSchedule")),
)
"""The conditions of nodes that pods of DaemonSets tolerate, with the effects of their taints."""
_ON_HOST: Final = ("network-unavailable", "NoSchedule")
"""What they tolerate in addition where they use the network of the node."""


def made_spec(owner: Field, spec: JsonObject) -> JsonObject:
    """The spec of a pod that the controller of ``owner`` makes of the ``spec`` in its template.

    Raises ``FairshareError`` for a field of another type.
    """
    kind = owner.owner[:2]
    if kind == ("apps", "StatefulSet"):
        return _with_claims(owner, spec)
    return _with_tolerations(spec) if kind == ("apps", "DaemonSet") else spec


def _with_claims(owner: Field, spec: JsonObject) -> JsonObject:
    """The spec with a volume for each claim of a StatefulSet, instead of the volume of that name."""
    claims = {each.at("metadata", "name").text() for each in owner.at("spec", "volumeClaimTemplates").entries()}
    if not claims:
        return spec
    own = [each.value for each in Field(owner.owner, (), spec).at("volumes").entries()]
    kept = [each for each in own if not (isinstance(each, dict) and each.get("name") in claims)]
    name = owner.owner.name
    return {**spec, "volumes": [*kept, *(_claimed(claim, name) for claim in sorted(claims))]}


def _claimed(claim: str, owner: str) -> JsonObject:
    return {"name": claim, "persistentVolumeClaim": {"claimName": f"{claim}-{owner}-{UNKNOWN}"}}


def _with_tolerations(spec: JsonObject) -> JsonObject:
    own = spec.get("tolerations") or []
    return {**spec, "tolerations": [*own, *_tolerations(spec)]} if isinstance(own, list) else spec


def _tolerations(spec: JsonObject) -> Iterator[Json]:
    for name, effect in (*_TOLERATED, *([_ON_HOST] if spec.get("hostNetwork") is True else ())):
        yield {"key": f"node.kubernetes.io/{name}", "operator": "Exists", "effect": effect}
