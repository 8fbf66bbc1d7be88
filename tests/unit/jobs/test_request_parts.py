"""The parts of a request add up to what each scheduler counts, whatever the pod looks like.

The right sums are those of the schedulers' own functions, as the houses reproduce them and recordings confirm:
``PodRequests`` of Kubernetes (Koordinator), ``total`` of Kueue's ``pod_resources``, ``computePodResourceRequest`` of
CapacityScheduling.
"""

from random import Random

import pytest

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.limits import summarized
from kubectl_fairshare.jobs.pod_shape import shape_of
from kubectl_fairshare.jobs.request_parts import Parts, SumLaw, ranger_additions, request_parts
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.jobs import amounts as elastic
from kubectl_fairshare.schedulers.koordinator.jobs import amounts as koordinator
from kubectl_fairshare.schedulers.kueue.jobs import requests as kueue
from kubectl_fairshare.schedulers.kueue.release import release_named
from tests.unit.jobs.limit_ranges import limit_range

RESOURCES = ("cpu", "memory", "example.com/gpu")
INIT = "init container"
SET = "LimitRanger plugin set"
OVERHEADS = {"kata": {"cpu": 250_000_000, "memory": 160 * 2**20 * 10**9}}
POD = ObjectKey("", "Pod", "ns", "p")


def _amounts(dice: Random, share: float) -> dict[str, Json]:
    return {r: str(dice.randrange(1, 9)) for r in RESOURCES if dice.random() < share}


def _container(dice: Random, *, init: bool) -> dict[str, Json]:
    requests = _amounts(dice, 0.5)
    limits: dict[str, Json] = dict.fromkeys(_amounts(dice, 0.4), "9")
    sidecar = {"restartPolicy": "Always"} if init and dice.random() < 0.4 else {}
    return {"name": f"c{dice.randrange(99)}", "resources": {"requests": requests, "limits": limits}, **sidecar}


def _spec(dice: Random) -> dict[str, Json]:
    spec: dict[str, Json] = {
        "containers": [_container(dice, init=False) for _ in range(dice.randrange(1, 4))],
        "initContainers": [_container(dice, init=True) for _ in range(dice.randrange(0, 4))],
    }
    if dice.random() < 0.3:
        spec["resources"] = {"requests": _amounts(dice, 0.4), "limits": dict.fromkeys(_amounts(dice, 0.4), "90")}
    if dice.random() < 0.5:
        spec["runtimeClassName"] = "kata"
    return spec


def _limits(dice: Random) -> Manifest:
    names = ("default", "defaultRequest", "max", "min")
    return limit_range(**{name: _amounts(dice, 0.4) for name in names if dice.random() < 0.6})


def _sums(parts: Parts, resources: object = RESOURCES) -> dict[str, int]:
    assert isinstance(resources, tuple)
    return {r: sum(part.nano for part in parts.get(r, ())) for r in resources}


@pytest.mark.parametrize("seed", range(300))
def test_parts_add_up_to_what_kueue_counts(seed: int) -> None:
    dice = Random(seed)
    spec, limits = Field(POD, ("spec",), _spec(dice)), summarized((root_of(_limits(dice)),))
    for text in ("0.19.2", "0.19.3", "0.19.6"):
        release, is_pod = release_named(text), dice.random() < 0.5
        pod = kueue.pod_resources(spec, OVERHEADS, limits, native=True, is_pod=is_pod, release=release)
        law = SumLaw(
            limits_first=is_pod or release.limits_first,
            containers_first=is_pod,
            whole_at_least=release.pod_level_at_least,
        )
        counted = kueue.total(pod)
        assert _sums(request_parts(spec, limits, OVERHEADS, law)) == {r: counted.get(r, 0) for r in RESOURCES}


@pytest.mark.parametrize("seed", range(100))
def test_parts_add_up_to_what_schedulers_of_pods_count(seed: int) -> None:
    dice = Random(seed)
    spec, limits = _spec(dice), summarized((root_of(_limits(dice)),))
    limits = {} if "resources" in spec else limits  # an API server sets those of the pod first
    root, none = Field(POD, ("spec",), spec), dict[str, Json]()
    overhead: tuple[tuple[str, Json], ...] = (
        (("cpu", "250m"), ("memory", "160Mi")) if "runtimeClassName" in spec else ()
    )
    charged = koordinator.amounts_of_shape(
        koordinator.renamed_shape(spec, none, limits, overhead, stored=False)
    ).charged
    assert _sums(request_parts(root, limits, OVERHEADS)) == {r: charged.get(r, 0) for r in RESOURCES}
    quota = elastic.amounts_of(shape_of(spec, none, limits, overhead, stored=False)).charge
    parts = request_parts(root, limits, OVERHEADS, SumLaw(sidecars_stay=False, whole=False))
    units = {"cpu": 10**6}
    found = {r: nano // units.get(r, 10**9) for r, nano in _sums(parts).items()}
    assert found == {r: quota.of(r) for r in RESOURCES}


# LimitRanger, mergeContainerResources: requests and limits of a container, containers before init containers.
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            f"{SET}: cpu, memory request for container a; cpu limit for container a; memory request for {INIT} a",
            [("containers", 0, "cpu"), ("containers", 0, "memory"), ("initContainers", 0, "memory")],
        ),
        (f"{SET}: cpu request for container b", [("containers", 1, "cpu")]),
        (f"{SET}: cpu request for container gone; nonsense", []),
        ("", []),
        (7, []),
    ],
)
def test_the_annotation_of_a_stored_pod_says_which_requests_are_defaults(text: Json, found: list[object]) -> None:
    spec: Json = {"containers": [{"name": "a"}, {"name": "b"}], "initContainers": [{"name": "a"}]}
    pod: Json = {"metadata": {"annotations": {"kubernetes.io/limit-ranger": text}}, "spec": spec}
    assert list(ranger_additions(Field(POD, (), pod))) == found
