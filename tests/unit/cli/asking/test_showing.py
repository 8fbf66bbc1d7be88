"""Answers in the form that was asked for."""

import re
import xml.etree.ElementTree as ET

import pytest

from tests.screens import ROOT, shown

ORG = f"-f {ROOT / 'testdata' / 'demo' / 'org'}"
JOB = f"-w {ROOT / 'testdata' / 'demo' / 'jobs' / 'reindex.yaml'}"
TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.mark.parametrize("question", ["shares", "cycle", "why -A", f"plan {JOB}"])
def test_a_screen_can_be_had_as_a_picture(question: str) -> None:
    command = f"kubectl-fairshare {question} {ORG}"
    screen, picture = shown(f"{command} --color never"), shown(f"{command} -o svg")
    words = "".join(each.text or "" for each in ET.fromstring(picture.stdout).iter(TEXT))
    assert re.sub(r"\s", "", screen.stdout) == re.sub(r"\s", "", words.removeprefix("kubectl\xa0fairshare"))
    assert picture.code == screen.code


def test_a_picture_is_in_colour_wherever_it_goes() -> None:
    assert "fill: #" in shown(f"kubectl-fairshare plan {ORG} {JOB} -o svg --color never").stdout
