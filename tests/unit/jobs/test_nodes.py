"""The nodes that a pod's spec allows."""

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.nodes import node_selector, required_affinity, tolerations
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Requirement, Toleration


def spec(**fields: Json) -> Field:
    return Field(ObjectKey("", "Pod", "team", "p"), ("spec",), fields)


def affinity(*terms: Json) -> Field:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}
    return spec(affinity={"nodeAffinity": required})


def test_every_label_of_the_selector_is_a_requirement_sorted_by_key() -> None:
    found = node_selector(spec(nodeSelector={"zone": "b", "gpu": "a100"}))
    assert found == (Requirement("gpu", "In", ("a100",)), Requirement("zone", "In", ("b",)))


def test_no_required_affinity_differs_from_one_without_terms() -> None:
    assert required_affinity(spec()) is None
    assert required_affinity(affinity()) == ()


def test_a_term_has_requirements_on_labels_and_on_fields() -> None:
    term = {
        "matchExpressions": [{"key": "zone", "operator": "NotIn", "values": ["a", "b"]}],
        "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}],
    }
    ((labels, fields),) = [(t.expressions, t.fields) for t in required_affinity(affinity(term)) or ()]
    assert labels == (Requirement("zone", "NotIn", ("a", "b")),)
    assert fields == (Requirement("metadata.name", "In", ("n1",)),)


def test_a_toleration_without_operator_compares_values() -> None:
    found = tolerations(spec(tolerations=[{"key": "gpu", "value": "yes"}, {"operator": "Exists"}]))
    assert found == (Toleration("gpu", "Equal", "yes", ""), Toleration("", "Exists", "", ""))


def test_a_selector_that_is_a_list_is_an_error() -> None:
    with pytest.raises(FairshareError, match=r"`spec\.nodeSelector` must be an object, not a list"):
        node_selector(spec(nodeSelector=["gpu"]))
