"""What a pod requests is computed once, and as a slow, plain statement of the rule says."""

from random import Random

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.limits import LimitSummary, summarized
from kubectl_fairshare.jobs.pod_shape import is_resized, item_amounts, request_of_shape, shape_of
from kubectl_fairshare.jobs.request_parts import SumLaw, request_parts
from kubectl_fairshare.jobs.requests import AMOUNTS, POD_LAW, RequestLaw, spec_requests
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.elasticquota.jobs import amounts as elastic
from kubectl_fairshare.schedulers.elasticquota.model.vector import is_held
from kubectl_fairshare.schedulers.kai.jobs.pods import pod_of
from kubectl_fairshare.schedulers.koordinator.jobs import amounts as koordinator
from kubectl_fairshare.schedulers.kueue.jobs import requests as kueue
from kubectl_fairshare.schedulers.kueue.release import release_named
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
SEEDS = range(400)
KAI_LAW = RequestLaw(whole=False, sidecars_peak=False)


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


def test_recorded_pods_request_what_the_plain_statement_says() -> None:
    for spec in recorded_specs():
        assert of_shape(spec, {}, stored=True) == requested(created(spec, {}), POD_LAW), spec
    assert len(recorded_specs()) > 3000


# The present five.


def stored_specs() -> list[Spec]:
    recorded = [spec for spec in recorded_specs() if is_plain(spec)]
    return [created(spec, {}) for spec in (*(random_spec(Random(seed)) for seed in SEEDS), *recorded)]


def is_plain(spec: Spec) -> bool:
    """Whether no amount is a fraction without quotes, null, below a thousandth or beyond 64 bits."""
    lists = [each for owner in (spec, *all_containers(spec)) for each in (owner.get("resources") or {}).values()]
    amounts = [value for each in (*lists, spec.get("overhead") or {}) for value in (each or {}).values()]
    if any(value is None or isinstance(value, float) for value in amounts):
        return False
    return all(quantity(value) % 10**6 == 0 and quantity(value) < 10**24 for value in amounts)


def test_koordinator() -> None:
    for spec in stored_specs():
        found = koordinator.amounts_of_shape(koordinator.renamed_shape(spec, {}, None, (), stored=True))
        wanted = requested(spec, POD_LAW)
        renamed = {
            r: v for r, v in found.charged.items() if not r.startswith("kubernetes.io/") and "koordinator" not in r
        }
        assert renamed == {r: v for r, v in wanted.items() if r in renamed}, spec


def test_capacity() -> None:
    for spec in stored_specs():
        found = elastic.amounts_of(shape_of(spec, {}, None, (), stored=True))
        for law, amounts in ((elastic.CHARGE, found.charge), (POD_LAW, found.request)):
            wanted = requested(rounded(spec) if law is elastic.CHARGE else spec, law)
            for r, v in wanted.items():
                unit = 10**6 if r == "cpu" else 10**9
                if is_held(r) and r != "pods" and -(-v // unit) < 1 << 63:
                    assert amounts.of(r) == -(-v // unit), (r, spec)


def test_resource_quota() -> None:
    for spec in stored_specs():
        assert spec_requests(spec) == requested(spec, POD_LAW), spec


def test_kai() -> None:
    for spec in stored_specs():
        found = pod_of(POD, {"spec": spec}, {}).request
        wanted = requested(rounded(spec, ("initContainers", "overhead")), KAI_LAW)
        assert found.cpu == -(-wanted.get("cpu", 0) // 10**6), spec
        assert found.memory == -(-wanted.get("memory", 0) // 10**9), spec


def law_of(text: str, is_pod: bool) -> RequestLaw:
    release = release_named(text)
    return RequestLaw(
        limits_first=is_pod or release.limits_first,
        containers_first=is_pod,
        whole_defaults=release.pod_level_defaults,
        whole_at_least=release.pod_level_at_least,
    )


def test_kueue_and_parts() -> None:
    for number, spec in enumerate(
        [random_spec(Random(seed)) for seed in SEEDS] + list(filter(is_plain, recorded_specs()))
    ):
        default, default_request = random_defaults(Random(number))
        limits = limits_of(default, default_request)
        for text in ("0.16.9", "0.17.8", "0.18.1", "0.19.2", "0.19.3", "0.19.6"):
            law, release = law_of(text, is_pod=False), release_named(text)
            wanted = requested(adjusted(spec, default, default_request, law), law)
            root = Field(POD, ("spec",), spec)
            pod = kueue.pod_resources(root, {}, limits, native=True, is_pod=False, release=release)
            assert kueue.total(pod) == wanted, (number, text)
            parts = request_parts(
                root,
                limits,
                {},
                SumLaw(
                    limits_first=law.limits_first,
                    containers_first=law.containers_first,
                    whole_at_least=law.whole_at_least,
                ),
            )
            if law.whole_defaults:
                assert {r: t for r, ps in parts.items() if (t := sum(p.nano for p in ps))} == {
                    r: v for r, v in wanted.items() if v
                }, (number, text, spec)
