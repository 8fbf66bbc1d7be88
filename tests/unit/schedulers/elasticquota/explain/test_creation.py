"""ResourceQuotas that reject a pod that no manifest describes."""

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.creation import refusals
from kubectl_fairshare.schedulers.elasticquota.model.objects import Hard
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from tests.unit.schedulers.elasticquota.build import pod, quota, source


# Kubernetes' ResourceQuota: waiting pods count like running ones, and an equal sum still fits.
@pytest.mark.parametrize(
    ("bounds", "scoped", "expected"),
    [
        ({"requests.cpu": "3"}, False, []),
        ({"requests.cpu": "2900m"}, False, [("requests.cpu", 10**9, 2 * 10**9, False)]),
        ({"cpu": "500m"}, False, [("cpu", 10**9, 2 * 10**9, True)]),
        ({"cpu": "500m"}, True, []),
        ({"pods": "2", "services": "0"}, False, [("pods", 10**9, 2 * 10**9, False)]),
        ({"requests.nvidia.com/gpu": "0"}, False, []),
    ],
)
def test_a_pod_above_a_bound_is_not_created(
    bounds: dict[str, str], scoped: bool, expected: list[tuple[str, int, int, bool]]
) -> None:
    hard = Hard(ObjectKey("", "ResourceQuota", "a", "hard"), bounds, scoped)
    held = source(quota("a", {"cpu": 9}), pod("a/runs", on="n", cpu=1), pod("a/waits", cpu=1), pod("b/other", cpu=9))
    found = refusals(state_of(replace(held, hards=(hard,))), pod("a/new", cpu=1))
    assert [(each.name, each.wanted, each.used, each.is_final) for each in found] == expected
