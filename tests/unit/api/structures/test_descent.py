"""What the structures say of a place."""

import pytest

from kubectl_fairshare.api.structures.descent import fields_at, shape_at
from kubectl_fairshare.api.structures.structure import NAME, QUANTITY, STRING, Shape
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.schedulers.kueue.admission.kinds import structure

QUOTA = ("spec", "resourceGroups", 0, "flavors", 3, "resources", 1)


@pytest.mark.parametrize(
    ("kind", "path", "shape"),
    [
        ("ClusterQueue", (*QUOTA, "nominalQuota"), QUANTITY),
        ("ClusterQueue", (*QUOTA, "quota"), None),
        ("ClusterQueue", ("spec", "resourceGroups", "0"), None),
        ("ClusterQueue", ("spec", "cohortName", "x"), None),
        ("LocalQueue", ("spec", "clusterQueue", 0), None),
        ("ResourceFlavor", ("spec", "nodeLabels", "any/key"), STRING),
        ("ResourceFlavor", ("spec", "topologyName"), NAME),
    ],
)
def test_the_shape_of_a_place(kind: str, path: FieldPath, shape: Shape | None) -> None:
    assert shape_at(structure("v1beta2", kind), path) is shape


def test_the_fields_of_an_object() -> None:
    struct = structure("v1beta2", "ClusterQueue")
    assert fields_at(struct, QUOTA) == ("name", "nominalQuota", "borrowingLimit", "lendingLimit")
    assert fields_at(struct, ("spec", "resourceGroups")) == ()
