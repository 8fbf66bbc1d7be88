"""A screen as SVG."""

import xml.etree.ElementTree as ET

from kubectl_fairshare.report.text.picture import svg
from kubectl_fairshare.report.text.view import View

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [(each.text or "").replace("\xa0", " ") for each in ET.fromstring(picture).iter(f"{SVG}text")]


def test_the_picture_has_every_line_and_the_title() -> None:
    words = texts(svg("one\n\ntwo <b>&amp;</b>\n", "kubectl fairshare shares"))
    assert words[0] == "kubectl fairshare shares"
    assert [word for word in words[1:] if word.strip()] == ["one", "two <b>&amp;</b>"]


def test_what_is_painted_has_its_colour() -> None:
    line = View(colour="truecolor").paint("never", "not now")
    assert svg(line, "").count("fill: #cc555a") == 1
    assert svg("not now", "").count("fill: #cc555a") == 0


def test_nothing_is_loaded_from_elsewhere() -> None:
    picture = svg("x", "")
    assert "url(" not in picture.replace("url(#", "")
    assert "@font-face" not in picture


def test_a_long_line_is_folded_and_not_cut() -> None:
    assert "".join(texts(svg("x" * 200, ""))).count("x") == 200


def test_the_same_screen_is_the_same_picture() -> None:
    assert svg("one", "a") == svg("one", "a")


def test_a_picture_is_at_most_as_wide_as_a_page_can_show() -> None:
    picture = svg("word " * 60, "kubectl fairshare why " + "x" * 200)
    assert float(picture.partition('viewBox="0 0 ')[2].partition(" ")[0]) < 101.5 * 12.2
    assert texts(picture)[0].endswith("…")
    assert "".join(texts(picture)[1:]).count("word") == 60
