"""Placeholders are known by their form; ordinary texts have none."""

import pytest

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.placeholders import placeholder_in


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("${NAMESPACE}", "${NAMESPACE}"),
        ("team-${TEAM}-x", "${TEAM}"),
        ("$(VERSION)", "$(VERSION)"),
        ("{{ .Values.quota }}", "{{ .Values.quota }}"),
        ("<YOUR-TEAM>", "<YOUR-TEAM>"),
        ("<number_of_gpus>", "<number_of_gpus>"),
        ("$NUM_NODES", "$NUM_NODES"),
        ("__ACCELERATOR_TYPE__", "__ACCELERATOR_TYPE__"),
        ("4Gi", ""),
        ("a__b", ""),
        ("$5", ""),
        ("a<b", ""),
        (4, ""),
        (None, ""),
    ],
)
def test_the_first_placeholder_of_a_text(value: Json, found: str) -> None:
    assert placeholder_in(value) == found
