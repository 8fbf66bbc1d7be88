"""What a pod set asks of a topology: by its Workload, or by the annotations of its pod template.

Tested in ``tests/unit/schedulers/kueue/jobs/test_job_scenarios.py``.
Source: Kueue v0.19, KEP-2724, the integrations' way from annotations to ``topologyRequest``.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.model.topology import PREFIX, SliceLayer, TopologyRequest

_SIZE: Final = re.compile(r"\+?[0-9]{1,9}")
"""A number of pods; the job's webhook refuses any other."""
_TRUE: Final = frozenset(("1", "t", "T", "TRUE", "true", "True"))
_FALSE: Final = frozenset(("0", "f", "F", "FALSE", "false", "False"))
_LAYERED: Final = "podsetSliceRequiredTopologyConstraints"
_LAYERED_ANNOTATION: Final = f"{PREFIX}slice-required-topology-constraints"
_FIELDS: Final = ("required", "preferred", "unconstrained", "podSetSliceRequiredTopology", "podSetSliceSize")


def topology_request(template: PodTemplate, *, layered: bool, known: bool = True) -> TopologyRequest | None:
    """What the pod set asks for; None for nothing at all. Unless ``layered``, slices within slices do not count.

    Unless they are ``known``, Kueue's API server drops the field that asks for them. Unless both, no annotation does.
    """
    fields, annotations = template.topology, template.annotations
    if not known:
        fields = {name: value for name, value in fields.items() if name != _LAYERED} if fields else fields
    if not (known and layered):
        annotations = {name: value for name, value in annotations.items() if name != _LAYERED_ANNOTATION}
    asked = _of_fields(fields) if template.topology else _of_annotations(annotations)
    if asked is None or layered or len(asked.layers) < 2:
        return asked
    return replace(asked, layers=asked.layers[:1])


def _of_fields(fields: Mapping[str, Any]) -> TopologyRequest | None:
    constraints = fields.get(_LAYERED) or ()
    explicit = bool(constraints) or any(fields.get(name) is not None for name in _FIELDS)
    if not explicit:
        return None
    layers = tuple(SliceLayer(str(c.get("topology", "")), _whole(c.get("size"))) for c in constraints)
    level = fields.get("podSetSliceRequiredTopology")
    if not layers and level is not None:
        layers = (SliceLayer(str(level), _whole(fields.get("podSetSliceSize"))),)
    return TopologyRequest(
        fields.get("required"), fields.get("preferred"), fields.get("unconstrained") is True, layers, explicit=True
    )


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _of_annotations(annotations: Mapping[str, str]) -> TopologyRequest | None:
    required = annotations.get(f"{PREFIX}required-topology")
    preferred = None if required is not None else annotations.get(f"{PREFIX}preferred-topology")
    written = annotations.get(f"{PREFIX}unconstrained-topology")
    free = required is None and preferred is None and written in _TRUE | _FALSE
    layers = _layers(annotations)
    if required is None and preferred is None and not free and not layers:
        return None
    return TopologyRequest(required, preferred, free and written in _TRUE, layers, explicit=True)


def _layers(annotations: Mapping[str, str]) -> tuple[SliceLayer, ...]:
    """The layers of slices; the list of constraints wins over the pair, of which one alone says nothing."""
    text = annotations.get(_LAYERED_ANNOTATION)
    if text is not None:
        return _constraints(text)
    level, size = annotations.get(f"{PREFIX}slice-required-topology"), annotations.get(f"{PREFIX}slice-size")
    if level is None or size is None or not _SIZE.fullmatch(size):
        return ()
    return (SliceLayer(level, int(size)),)


def _constraints(text: str) -> tuple[SliceLayer, ...]:
    import json

    try:
        found = json.loads(text)
        return tuple(SliceLayer(str(each["topology"]), int(each["size"])) for each in found)
    except (ValueError, TypeError, KeyError, RecursionError):  # the job's webhook refuses it
        return ()
