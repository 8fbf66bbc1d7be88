"""The Configuration of Kueue's manager: decoded strictly, converted to v1beta2, defaulted, checked against its rules.

Every cause prevents the manager from starting. Source: Kueue v0.19, ``config.kueue.x-k8s.io``.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.causes import FORBIDDEN, UNSUPPORTED, WRONG_TYPE, Cause, cause, dotted_path
from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.api.structures.descent import below, shape_at
from kubectl_fairshare.api.structures.structure import Shape, Struct
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws as law
from kubectl_fairshare.schedulers.kueue.admission.configuration_checks import configuration_causes
from kubectl_fairshare.schedulers.kueue.admission.kinds import CONFIGURATION
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease

GROUP: Final = "config.kueue.x-k8s.io"
KIND: Final = "Configuration"
OLD: Final = "v1beta1"
NEW: Final = "v1beta2"

View = dict[str, Json]


class ConfigurationJudgement(Value, frozen=True):
    """The manager's judgement of its Configuration.

    ``causes`` prevent it from starting. ``configuration`` is what it starts with, in v1beta2 terms: an absent
    ``waitForPodsReady`` or ``fairSharing`` is off. It is there whenever the text could be decoded, even if there are
    causes.
    """

    causes: tuple[Cause, ...]
    configuration: JsonObject | None

    @property
    def accepted(self) -> bool:
        """Whether the manager starts with it."""
        return not self.causes


def is_configuration(data: JsonObject) -> bool:
    """Whether the object is a Configuration of Kueue's manager, in any version."""
    return str(data.get("apiVersion")).rpartition("/")[0] == GROUP and data.get("kind") == KIND


def configuration_structure(version: str) -> Struct | None:
    """The structure of a Configuration; None for a version that Kueue does not know."""
    return CONFIGURATION.structure(version, KIND) if version in (OLD, NEW) else None


def judge_configuration(data: JsonObject, release: KueueRelease = DEFAULT) -> ConfigurationJudgement:
    """The manager's judgement of a Configuration."""
    version = str(data.get("apiVersion")).rpartition("/")[2]
    struct = configuration_structure(version)
    if struct is None:
        return ConfigurationJudgement((_unserved_version(version),), None)
    other = configuration_structure(OLD if version == NEW else NEW)
    unknown = tuple(_unknown(path, version, other) for path in sorted(_unknown_paths(struct, data), key=dotted_path))
    unknown += tuple(_later(path) for path in _paths_of(release.settings_gone, data))
    try:
        view = golang.decode(struct, data)
    except golang.DecodingError as error:
        return ConfigurationJudgement((*unknown, cause(WRONG_TYPE, error.path, error.gist, law.UNDECODABLE)), None)
    configuration = _defaults(view) if version == NEW else _convert(_defaults_v1beta1(view))
    configuration["apiVersion"] = f"{GROUP}/{NEW}"
    configuration["kind"] = KIND
    return ConfigurationJudgement((*unknown, *configuration_causes(configuration, release)), configuration)


def _unserved_version(version: str) -> Cause:
    return cause(UNSUPPORTED, ("apiVersion",), f"Kueue v0.19 reads no Configuration of `{version}`", law.VERSION)


def _unknown_paths(shape: Shape | None, value: Json, path: FieldPath = ()) -> Iterator[FieldPath]:
    """The paths of keys that the structure does not have; nothing is known below a ``shape`` of None."""
    if isinstance(value, dict):
        for key, each in value.items():
            if isinstance(shape, Struct) and key not in shape.fields:
                yield (*path, key)
            else:
                yield from _unknown_paths(below(shape, key), each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _unknown_paths(below(shape, index), each, (*path, index))


def _paths_of(names: Collection[str], value: Json, path: FieldPath = ()) -> Iterator[FieldPath]:
    """The paths of the keys with these dotted names, in which places of lists do not count."""
    if not names:
        return
    if isinstance(value, dict):
        for key, each in value.items():
            here = (*path, key)
            if ".".join(step for step in here if isinstance(step, str)) in names:
                yield here
            else:
                yield from _paths_of(names, each, here)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _paths_of(names, each, (*path, index))


def _later(path: FieldPath) -> Cause:
    """The cause for a key that only later releases know."""
    return Cause(
        dotted_path(path), FORBIDDEN, "unknown field: a later release of Kueue knows it", path, law.UNKNOWN_KEY
    )


def _unknown(path: FieldPath, version: str, other: Struct | None) -> Cause:
    """The cause for a key that ``version`` does not have; ``other`` is the structure of the other version."""
    shape = shape_at(other, path)
    kind = law.UNKNOWN_KEY if shape is None else law.REMOVED if version == NEW else law.NEW
    return Cause(dotted_path(path), FORBIDDEN, "unknown field", path, kind)


def _section(view: View, name: str, fill: Callable[[View], View]) -> None:
    view[name] = fill(view.get(name, {}))


def _shared_defaults(view: View) -> View:
    """The defaults that both versions have."""
    out = dict(view)
    out.setdefault("namespace", "kueue-system")
    _section(out, "integrations", _frameworks)
    out.setdefault("managedJobsNamespaceSelector", _outside_system(out["namespace"]))
    _section(out, "multiKueue", _multi_kueue)
    if "admissionFairSharing" in out:
        _section(out, "admissionFairSharing", lambda each: _span_default(each, "usageSamplingInterval", "5m0s"))
    if "resources" in out:
        _section(out, "resources", _resources)
    return out


def _frameworks(integrations: View) -> View:
    return {**integrations, "frameworks": integrations.get("frameworks") or ["batch/job"]}


def _outside_system(namespace: str) -> View:
    values = ["kube-system", namespace]
    return {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": values}]}


def _multi_kueue(multi: View) -> View:
    defaults = {
        "gcInterval": "1m0s",
        "workerLostTimeout": "15m0s",
        "dispatcherName": "kueue.x-k8s.io/multikueue-dispatcher-all-at-once",
    }
    return {**defaults, **multi, "origin": multi.get("origin") or "multikueue"}


def _resources(resources: View) -> View:
    transformations = [
        {**each, "strategy": each.get("strategy") or "Retain"} for each in resources.get("transformations", [])
    ]
    kept = {**resources, "transformations": transformations} if "transformations" in resources else dict(resources)
    kept.setdefault("quotaCheckStrategy", "BlockUndeclared")
    return kept


def _span_default(view: View, name: str, default: str) -> View:
    return view if nanoseconds(view.get(name, "0")) else {**view, name: default}


def _requeuing(view: View) -> View:
    return {"timestamp": "Eviction", "backoffBaseSeconds": 60, "backoffMaxSeconds": 3600, **view}


def _waiting(view: View, block: bool) -> View:
    out = {"blockAdmission": block, "recoveryTimeout": view["timeout"], **view}
    out["requeuingStrategy"] = _requeuing(view.get("requeuingStrategy", {}))
    return out


def _defaults(view: View) -> View:
    out = _shared_defaults(view)
    _section(out, "waitForPodsReady", lambda each: _waiting(_span_default(each, "timeout", "30m0s"), False))
    _section(out, "visibilityServer", lambda each: {"bindPort": 8082, **each})
    if out["multiKueue"]["dispatcherName"].endswith("-incremental"):
        _section(out["multiKueue"], "incrementalDispatcherConfig", lambda each: {"stepSize": 3, **each})
    return out


def _defaults_v1beta1(view: View) -> View:
    out = _shared_defaults(view)
    if out.get("waitForPodsReady", {}).get("enable"):
        _section(out, "waitForPodsReady", lambda each: _waiting({"timeout": "5m0s", **each}, True))
    if out.get("fairSharing", {}).get("enable") and not out["fairSharing"].get("preemptionStrategies"):
        both = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]
        out["fairSharing"] = {**out["fairSharing"], "preemptionStrategies": both}
    return out


def _convert(view: View) -> View:
    """v1beta1 in v1beta2 terms: blocks that are not enabled and settings without a successor are dropped."""
    out = {key: each for key, each in view.items() if key != "queueVisibility"}
    for name in ("waitForPodsReady", "fairSharing"):
        block = out.pop(name, {})
        if block.get("enable"):
            out[name] = {key: each for key, each in block.items() if key != "enable"}
    out["integrations"] = {key: each for key, each in out["integrations"].items() if key != "podOptions"}
    return out
