"""Which objects an API serves."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.elasticquota.admission.kinds import API as ELASTIC_QUOTA
from kubectl_fairshare.schedulers.kai.admission.kinds import API as KAI
from kubectl_fairshare.schedulers.kueue.admission.kinds import API as KUEUE
from kubectl_fairshare.schedulers.kueue.admission.kinds import CONFIGURATION

V1BETA1, V1BETA2 = "kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1beta2"


@pytest.mark.parametrize("api", [ELASTIC_QUOTA, KAI, KUEUE, CONFIGURATION])
def test_every_kind_has_a_structure_in_every_version(api: Any) -> None:
    for kind in api.kinds.values():
        for version in kind.versions:
            served = api.served({"apiVersion": f"{kind.group}/{version}", "kind": kind.name})
            assert served is not None
            assert (served.kind, served.version, served.struct.name) == (kind.name, version, kind.name)
            assert served.is_stored == (version == kind.versions[-1])
            assert served.stored.is_stored


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("kueue.x-k8s.io/v1", "Cohort"),
        (V1BETA2, "Nothing"),
        (V1BETA2, None),
        (V1BETA2, []),
        ("v1", "Cohort"),
        (None, "Cohort"),
    ],
)
def test_other_objects_are_not_served(api_version: Any, kind: Any) -> None:
    assert KUEUE.served({"apiVersion": api_version, "kind": kind}) is None


def test_only_versions_that_are_not_stored_are_deprecated() -> None:
    old, new = (KUEUE.served({"apiVersion": version, "kind": "Cohort"}) for version in (V1BETA1, V1BETA2))
    assert old is not None
    assert new is not None
    assert old.deprecation
    assert not new.deprecation
    assert old.stored is new
