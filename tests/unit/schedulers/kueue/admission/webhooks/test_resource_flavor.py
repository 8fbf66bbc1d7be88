"""Kueue's webhook for ResourceFlavors."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.webhooks.resource_flavor import causes


@pytest.mark.parametrize(
    ("spec", "complained"),
    [
        ({"nodeLabels": {"a/b": "c"}, "nodeTaints": [{"key": "a", "effect": "NoExecute"}]}, []),
        ({"nodeLabels": {"a": "?"}}, ["spec.nodeLabels"]),
        ({"nodeTaints": [{"key": "?", "value": "-"}]}, ["spec.nodeTaints[0].key", "spec.nodeTaints[0].value"]),
        ({"nodeTaints": [{"key": "a", "effect": "x"}, {"key": "a", "effect": "x"}]}, ["spec.nodeTaints[1]"]),
        ({"nodeTaints": [{"key": "a", "effect": "x"}, {"key": "a", "effect": "y"}]}, []),
        ({"tolerations": [{"operator": "Exists"}, {"key": "?"}]}, ["spec.tolerations[1].key"]),
    ],
)
def test_labels_taints_and_tolerations(spec: Any, complained: list[str]) -> None:
    assert [cause.field for cause in causes({"spec": spec}, None)] == complained
