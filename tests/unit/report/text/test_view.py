"""The view of a screen."""

from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.report.text.view import View

PLACE = Place(ObjectKey("", "Pod", "a", "b"), ("spec",))


def test_lines_are_at_most_110_columns_wide() -> None:
    assert [View(columns).width for columns in (40, 110, 300)] == [40, 110, 110]


def test_a_place_is_cited_by_source_and_line_if_it_comes_from_a_text() -> None:
    view = View(places={PLACE: Location("org.yaml", 3, 7)})
    assert view.cite(PLACE) == "org.yaml:3"
    assert view.cite(None) == ""
    assert View().cite(PLACE) == ""


def test_paint_adds_escape_codes_only_with_colours() -> None:
    assert View().paint("good", "a\x1bb") == "a\ufffdb"
    assert View(colour="standard").paint("good", "a") == "\x1b[32ma\x1b[0m"


def test_a_place_in_one_long_line_is_cited_by_object_and_field() -> None:
    assert View(places={PLACE: Location("dump.json.gz", 1, 70_000, str(PLACE))}).cite(PLACE) == "Pod a/b spec"
