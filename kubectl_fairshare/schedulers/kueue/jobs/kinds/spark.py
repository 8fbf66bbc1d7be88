"""A SparkApplication: one driver and its executors.

Source: Kueue v0.19 integration ``sparkoperator.k8s.io/sparkapplication``. It counts ``coreRequest`` and ``memory``,
with ``coreLimit``, ``memoryLimit`` and GPUs as limits; neither ``cores`` nor a memory overhead, nor the containers
of a pod template.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.request_parts import Addition
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind, Known, PodTemplate, group_of, named
from kubectl_fairshare.schedulers.kueue.release import KueueRelease

_GROUP: Final = "sparkoperator.k8s.io"
_UNITS: Final = {"kb": "Ki", "mb": "Mi", "gb": "Gi", "tb": "Ti", "pb": "Pi"} | {u: f"{u.upper()}i" for u in "kmgtp"}
_DRIVER: Final = "spark-kubernetes-driver"
_EXECUTOR: Final = "spark-kubernetes-executor"
_NAMED_EXECUTOR: Final = "executor"
_TAKEN_OVER: Final = ("nodeSelector", "affinity", "tolerations", "priorityClassName", "initContainers")


def _of_application(spark: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    executor = spark.at("spec", "executor")
    driver = _role(spark.at("spec", "driver"), "driver", 1, (_DRIVER, _DRIVER))
    return driver, _role(executor, "executor", executor.at("instances").natural(0), (_EXECUTOR, _NAMED_EXECUTOR))


def _rejections(spark: Field, elastic: bool, release: KueueRelease) -> Iterator[Problem]:
    """What Kueue's webhook rejects; it does so with an elastic application, too, whatever else that has."""
    del release
    mode = spark.at("spec", "mode")
    if mode.text() != "cluster":
        message = f"`mode` is `{mode.text()}`, but Kueue's webhook accepts only `cluster`"
        yield Problem(message, mode.place, "write `mode: cluster`")
    scales = spark.at("spec", "dynamicAllocation", "enabled")
    if scales.flag() and not elastic:
        yield Problem("`dynamicAllocation` is enabled: Kueue's webhook rejects it", scales.place, "disable it")


def _role(role: Field, name: str, count: int, called: tuple[str, str]) -> PodTemplate:
    """The pod set of the driver or the executors; ``called`` is the main container, which gets the resources."""
    containers: list[dict[str, Json]] = [{"name": called[0]}]
    for sidecar in role.at("sidecars").entries():
        if not any(_is_same(sidecar, each) for each in containers):
            containers.append({**sidecar.mapping()})
    named = [i for i, each in enumerate(containers) if each.get("name") == called[1]]
    number = named[0] if named else 0
    main = containers[number]
    main["resources"] = _resources(role, role._replace(value=main).at("resources"))
    spec: dict[str, Json] = {each: role.at(each).value for each in _TAKEN_OVER}
    spec["containers"] = [*containers]
    annotations = {**role.at("template", "metadata", "annotations").texts(), **role.at("annotations").texts()}
    labels = {**role.at("template", "metadata", "labels").mapping(), **role.at("labels").mapping()}
    group, additions = group_of(annotations), dict(_additions(role, number))
    return PodTemplate(name, count, role._replace(value=spec), annotations, labels, group=group, additions=additions)


def _additions(role: Field, number: int) -> Iterator[tuple[tuple[str | int, ...], Addition]]:
    """The fields of the application that state the requests of the main container, which has this ``number``."""
    for resource, names in (("cpu", ("coreRequest", "coreLimit")), ("memory", ("memory", "memoryLimit"))):
        stated = next((name for name in names if role.at(name).value is not None), None)
        if stated is not None:
            yield ("containers", number, resource), Addition(f"the {stated} of the application", role.at(stated).place)
    if role.at("gpu", "name").text():
        where = role.at("gpu", "quantity").place
        yield ("containers", number, role.at("gpu", "name").text()), Addition("the gpu of the application", where)


def _is_same(sidecar: Field, other: JsonObject) -> bool:
    return (sidecar.at("name").value, sidecar.at("image").value or "") == (other.get("name"), other.get("image") or "")


def _resources(role: Field, own: Field) -> dict[str, Json]:
    requests: dict[str, Json] = {**own.at("requests").mapping()}
    limits: dict[str, Json] = {**own.at("limits").mapping()}
    for name, resource, into in (
        ("coreRequest", "cpu", requests),
        ("coreLimit", "cpu", limits),
        ("memory", "memory", requests),
        ("memoryLimit", "memory", limits),
    ):
        asked = role.at(name)
        if asked.value is not None:
            into[resource] = _amount(asked, resource)
    gpu = role.at("gpu")
    if gpu.at("name").text() and gpu.at("quantity").natural(0) > 0:
        limits[gpu.at("name").text()] = gpu.at("quantity").natural(0)
    return {"requests": requests, "limits": limits}


def _amount(asked: Field, resource: str) -> Json:
    """The amount as Kubernetes writes it; Java's units of memory count in powers of 1024."""
    text = asked.text()
    unit = next((u for u in _UNITS if text.lower().endswith(u)), "") if resource == "memory" else ""
    if not text.endswith(unit):
        message = f"`{text}` is not an amount of memory for Spark's operator: units are lower-case letters"
        raise FairshareError(Problem(message, asked.place, f"write `{text.lower()}`"))
    converted = f"{text.removesuffix(unit)}{_UNITS[unit]}" if unit else text
    asked._replace(value=converted).nano(native=False)
    return converted


SPARK_APPLICATION: Final = JobKind(
    *named(_GROUP, "SparkApplication"),
    _of_application,
    native=False,
    rejections=_rejections,
)
