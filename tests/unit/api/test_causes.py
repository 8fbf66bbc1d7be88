"""How the API server spells the place of a cause."""

import pytest

from kubectl_fairshare.api.causes import INVALID, MapKey, bracketed_path, cause, dotted_path, invalid, of_law
from kubectl_fairshare.model.json import FieldPath


@pytest.mark.parametrize(
    ("path", "by_go", "by_schema"),
    [
        ((), "(root)", ""),
        (("spec",), "spec", "spec"),
        (("spec", "flavors", 0, "name"), "spec.flavors[0].name", "spec.flavors[0].name"),
        (("spec", "limits", MapKey("a/b")), "spec.limits[a/b]", "spec.limits.a/b"),
    ],
)
def test_paths(path: FieldPath, by_go: str, by_schema: str) -> None:
    assert (bracketed_path(path), dotted_path(path)) == (by_go, by_schema)


def test_a_cause_knows_its_place_in_both_forms_and_its_law() -> None:
    path = ("spec", "limits", MapKey("cpu"))
    (filed,) = of_law("L1", [invalid(path, "negative")])
    assert filed == cause(INVALID, path, "negative", "L1")
    assert (filed.field, filed.path) == ("spec.limits[cpu]", path)
