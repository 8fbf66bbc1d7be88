"""Timelines as CSV, picture and page."""

import re
from xml.etree import ElementTree

from kubectl_fairshare.report.timelines import TimelinesReport
from kubectl_fairshare.schedulers.kai.simulation.simulation import Point, Timeline
from kubectl_fairshare.schedulers.kai.words.timelines import timelines

POINTS = ((Point(4, 3, 0), Point(2, 1, 0), Point(2, 2, 0)), (Point(4, 4, 0.5), Point(4, 4, 0.2), Point(0, 0, 0)))
COURSE = TimelinesReport(
    timelines(Timeline(("top", "a<b", 'c"d'), {"top": "", "a<b": "top", 'c"d': "top"}, 4.0, POINTS, 1.0))
)


def test_the_columns_are_those_of_kais_simulator() -> None:
    lines = COURSE.csv().splitlines()
    assert lines[0] == "Time,QueueID,Allocation,FairShare"
    assert lines[1] == "0,top,4.000000,3.000000"
    assert lines[6] == '1,"c""d",0.000000,0.000000'


def test_the_picture_is_well_formed_and_has_a_panel_for_each_leaf() -> None:
    tree = ElementTree.fromstring(COURSE.svg())
    shapes = [element.tag.rpartition("}")[2] for element in tree.iter()]
    assert (shapes.count("polygon"), shapes.count("polyline")) == (2, 2)


def test_the_page_loads_nothing_and_escapes_names() -> None:
    page = COURSE.html()
    assert re.search(r"(?:src|href)=|@import|url\((?!#)", page) is None
    assert "a<b" not in page
    assert "a&lt;b" in page


def test_a_timeline_without_cycles_can_be_shown() -> None:
    empty = TimelinesReport(timelines(Timeline(("a",), {"a": ""}, 0.0, (), 1.0)))
    assert empty.csv() == "Time,QueueID,Allocation,FairShare\n"
    ElementTree.fromstring(empty.svg())
    assert "0 cycles" in empty.html()
