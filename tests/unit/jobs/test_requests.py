"""What a pod requests is computed once, and every scheduler's sum is that of a slow, plain statement of the rule.

The pods are random ones, and all that recordings have.
"""

from collections.abc import Iterable
from random import Random

import pytest

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.limits import LimitSummary, summarized
from kubectl_fairshare.jobs.pod_shape import is_resized, item_amounts, request_of_shape, shape_of
from kubectl_fairshare.jobs.request_parts import request_parts
from kubectl_fairshare.jobs.requests import AMOUNTS, POD_LAW, spec_requests
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.elasticquota.jobs import amounts as elastic
from kubectl_fairshare.schedulers.elasticquota.model import vector as vector_model
from kubectl_fairshare.schedulers.kai.jobs.pods import REQUEST_LAW, pod_of
from kubectl_fairshare.schedulers.koordinator.jobs import amounts as koordinator
from kubectl_fairshare.schedulers.kueue.jobs import requests as kueue
from kubectl_fairshare.schedulers.kueue.release import release_named
from tests.sampling import sampled
from tests.unit.jobs.limit_ranges import limit_range
from tests.unit.jobs.plain_requests import (
    Spec,
    adjusted,
    all_containers,
    created,
    quantity,
    random_defaults,
    random_spec,
    recorded_specs,
    requested,
    rounded,
)

POD = ObjectKey("", "Pod", "ns", "p")
SEEDS = range(300)


def limits_of(default: Spec, default_request: Spec) -> LimitSummary:
    if not default and not default_request:
        return {}
    return summarized((root_of(limit_range(default=default, defaultRequest=default_request)),))


def of_shape(spec: Spec, limits: LimitSummary, *, stored: bool) -> dict[str, int]:
    shape = shape_of(spec, {}, limits, (), stored=stored)
    assert not is_resized(shape)
    return dict(AMOUNTS.plus(request_of_shape(shape, resized=False), item_amounts(shape.overhead, shape)))


def test_a_new_pod_requests_what_the_plain_statement_says() -> None:
    for seed in SEEDS:
        dice = Random(seed)
        spec, (default, default_request) = random_spec(dice), random_defaults(dice)
        wanted = requested(created(spec, default_request), POD_LAW)
        assert of_shape(spec, limits_of(default, default_request), stored=False) == wanted, seed


@pytest.mark.slow
def test_recorded_pods_request_what_the_plain_statement_says() -> None:
    for spec in recorded_specs():
        assert of_shape(spec, {}, stored=True) == requested(created(spec, {}), POD_LAW), spec
    assert len(recorded_specs()) > 3000


def stored_specs() -> list[Spec]:
    return [created(spec, {}) for spec in (*map(random_spec, map(Random, SEEDS)), *filter(is_held, recorded_specs()))]


def amounts_of(spec: Spec) -> list[object]:
    lists = [each for owner in (spec, *all_containers(spec)) for each in (owner.get("resources") or {}).values()]
    return [value for each in (*lists, spec.get("overhead") or {}) for value in (each or {}).values()]


def is_held(spec: Spec) -> bool:
    """Whether schedulers hold its amounts as they are: none below a thousandth or beyond 64 bits."""
    return all(quantity(value) % 10**6 == 0 and quantity(value) < 10**24 for value in amounts_of(spec))


@pytest.mark.slow
def test_koordinator_counts_like_kubernetes() -> None:
    for spec in stored_specs():
        found = koordinator.amounts_of_shape(koordinator.renamed_shape(spec, {}, None, (), stored=True))
        kept = {r: v for r, v in found.charge.items() if not r.startswith(("kubernetes.io/", "koordinator.sh/"))}
        wanted = requested(spec, POD_LAW)
        assert kept == {r: v for r, v in wanted.items() if r in kept}, spec
        assert len(found.charge) == len(wanted)


@pytest.mark.slow
def test_capacity_scheduling_has_a_sum_of_its_own_for_quotas() -> None:
    for spec in stored_specs():
        found = elastic.amounts_of(shape_of(spec, {}, None, (), stored=True))
        charge, request = requested(rounded(spec), elastic.CHARGE), requested(spec, POD_LAW)
        for vector, wanted in ((found.charge, charge), (found.request, request)):
            units = {r: -(-v // (10**6 if r == "cpu" else 10**9)) for r, v in wanted.items()}
            counted = {r: v for r, v in units.items() if vector_model.is_held(r) and r != "pods" and v < 1 << 63}
            assert {r: vector.of(r) for r in counted} == counted, spec


@pytest.mark.slow
def test_resource_quotas_count_like_kubernetes() -> None:
    for spec in stored_specs():
        assert spec_requests(spec) == requested(spec, POD_LAW), spec


@pytest.mark.slow
def test_kai_ignores_the_pod_as_a_whole_and_rounds_each_init_container() -> None:
    for spec in stored_specs():
        found = pod_of(POD, {"spec": spec}, {}).request
        wanted = requested(rounded(spec, ("initContainers", "overhead")), REQUEST_LAW)
        assert found.cpu == min(-(-wanted.get("cpu", 0) // 10**6), (1 << 63) - 1), spec
        assert found.memory == -(-wanted.get("memory", 0) // 10**9), spec


@pytest.mark.parametrize("text", sampled(["0.16.9", "0.17.8", "0.18.1", "0.19.2", "0.19.3", "0.19.6"], 6, first=3))
def test_releases_of_kueue_complete_templates_differently(text: str) -> None:
    completed(text, map(random_spec, map(Random, SEEDS)))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["0.16.9", "0.18.1", "0.19.2", "0.19.6"])
def test_releases_of_kueue_complete_recorded_templates_differently(text: str) -> None:
    completed(text, filter(is_held, recorded_specs()))


def completed(text: str, specs: Iterable[Spec]) -> None:
    """Whether a release completes each as the plain statement says."""
    release = release_named(text)
    law = kueue.request_law(release, native=True, is_pod=False)
    for number, spec in enumerate(specs):
        default, default_request = random_defaults(Random(number))
        limits, root = limits_of(default, default_request), Field(POD, ("spec",), spec)
        wanted = requested(adjusted(spec, default, default_request, law), law)
        pod = kueue.pod_resources(root, {}, limits, native=True, is_pod=False, release=release)
        assert kueue.total(pod) == wanted, spec
        sums = {r: sum(part.nano for part in parts) for r, parts in request_parts(root, limits, {}, law).items()}
        assert {r: v for r, v in sums.items() if v} == {r: v for r, v in wanted.items() if v}, spec


@pytest.mark.parametrize("release", ["0.16.9", "0.19.2", "0.19.6"])
def test_kueue_takes_pods_as_an_api_server_completes_them(release: str) -> None:
    law = kueue.request_law(release_named(release), native=True, is_pod=True)
    for seed in SEEDS:
        spec, (default, default_request) = random_spec(Random(seed)), random_defaults(Random(seed))
        limits, root = limits_of(default, default_request), Field(POD, ("spec",), spec)
        pod = kueue.pod_resources(root, {}, limits, native=True, is_pod=True, release=release_named(release))
        wanted = requested(created(spec, default_request), law)
        assert kueue.total(pod) == wanted, spec
        found = request_parts(root, limits, {}, law)
        assert {r: sum(part.nano for part in parts) for r, parts in found.items()} == wanted, spec


def test_amounts_may_be_fractions_without_quotes_or_null() -> None:
    """The API server takes JSON numbers, and reads null as 0."""
    spec: Spec = {"containers": [{"name": "c", "resources": {"requests": {"cpu": 0.5, "memory": None}}}]}
    wanted = {"cpu": 500_000_000, "memory": 0}
    shape = shape_of(spec, {}, None, (), stored=False)
    assert koordinator.amounts_of_shape(shape).charge == spec_requests(spec) == wanted
    assert (elastic.amounts_of(shape).charge.cpu, elastic.amounts_of(shape).request.cpu) == (500, 500)


def test_huge_pages_of_the_whole_are_its_limit() -> None:
    """They cannot be shared out twice, so what the containers request does not become the request of the whole."""
    pages = {"limits": {"hugepages-2Mi": 4, "cpu": 4}}
    spec: Spec = {
        "containers": [{"name": "c", "resources": {"requests": {"hugepages-2Mi": 2, "cpu": 2}}}],
        "resources": pages,
    }
    assert of_shape(spec, {}, stored=False) == {"hugepages-2Mi": 4 * 10**9, "cpu": 2 * 10**9}
