"""Places as they are printed."""

from kubectl_fairshare.model.location import Location, ObjectKey, Place

KEY = ObjectKey("batch", "Job", "team", "train")


def test_a_place_in_a_text_has_line_and_column_and_one_in_a_cluster_only_its_name() -> None:
    assert str(Location("a.yaml", 3, 5)) == "a.yaml:3:5"
    assert str(Location("Job team/train", 0, 0)) == "Job team/train"


def test_locations_are_sorted_by_source_then_by_number() -> None:
    places = [Location("b", 1, 1), Location("a", 10, 1), Location("a", 9, 2)]
    assert [str(place) for place in sorted(places)] == ["a:9:2", "a:10:1", "b:1:1"]


def test_an_object_has_its_namespace_if_it_has_one() -> None:
    assert str(KEY) == "Job team/train"
    assert str(ObjectKey("", "Node", "", "n1")) == "Node n1"


def test_a_field_follows_its_object() -> None:
    assert str(Place(KEY, ("spec", "template"))) == "Job team/train spec.template"
    assert str(Place(KEY)) == "Job team/train"
