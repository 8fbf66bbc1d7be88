"""An object after a defaulting webhook wrote it back."""

from typing import Any

import pytest

from kubectl_fairshare.api.golang import DecodingError
from kubectl_fairshare.api.rewriting import rewrite
from kubectl_fairshare.schedulers.kueue.admission.kinds import structure


def test_zero_values_appear_and_empty_fields_stay() -> None:
    flavor = {"spec": {"nodeLabels": {}, "nodeTaints": [{"key": "a"}], "tolerations": []}}
    rewrite(structure("v1beta2", "ResourceFlavor"), flavor)
    assert flavor["spec"] == {"nodeLabels": {}, "nodeTaints": [{"key": "a", "effect": ""}], "tolerations": []}


def test_values_take_the_spelling_of_go() -> None:
    group = {"flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": 0.25}]}]}
    queue: Any = {"spec": {"resourceGroups": [group]}}
    rewrite(structure("v1beta2", "ClusterQueue"), queue)
    assert queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"] == [{"name": "cpu", "nominalQuota": "250m"}]


def test_what_go_cannot_hold_is_named() -> None:
    with pytest.raises(DecodingError) as raised:
        rewrite(structure("v1beta2", "ResourceFlavor"), {"spec": {"nodeTaints": [{}, {"effect": 1}]}})
    assert raised.value.path == ("spec", "nodeTaints", 1, "effect")
