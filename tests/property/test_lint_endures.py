"""Whatever is given to lint, it answers: with findings that have a place, or with what keeps it from reading.

``FAIRSHARE_EXAMPLES=50000`` tries so many inputs.
"""

import io
import json
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.cli.linting.output import FORMATS
from kubectl_fairshare.cli.main import main
from tests.fuzz.mutants import objects, stream_of
from tests.property.effort import examples
from tests.screens import stream, written

CODES = {0, 1, 2, 3}
DICE = st.randoms(use_true_random=False)
FLAGS = [["--complete"], ["--select", "all"], ["--select", "all", "--complete"], ["--fail-on", "info"], []]


def linted(data: bytes, *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of lint on ``data``."""
    stdout, stderr = stream(b""), stream(b"")
    code = main(["lint", "-", *arguments], stream(data), stdout, stderr)
    return code, written(stdout), written(stderr)


def assert_placed(report: dict[str, Any], data: bytes) -> None:
    """Every finding stands at a line and column that the text has."""
    lines = io.StringIO(data.decode("utf-8-sig").replace("\r\n", "\n"), newline="\n").readlines() or [""]
    for finding in report["findings"]:
        place = finding["place"]
        assert 1 <= place["line"] <= len(lines) + 1, finding
        line = lines[place["line"] - 1] if place["line"] <= len(lines) else ""
        assert 1 <= place["column"] <= len(line) + 2, finding


@given(dice=DICE, form=st.sampled_from(FORMATS), flags=st.sampled_from(FLAGS))
@examples(150)
def test_manifests_of_any_form_are_answered(dice: Random, form: str, flags: list[str]) -> None:
    code, stdout, stderr = linted(objects(dice), "-o", form, *flags)
    assert code in CODES, stderr
    if form in ("json", "sarif", "gitlab"):
        json.loads(stdout)


@given(dice=DICE, flags=st.sampled_from(FLAGS))
@examples(100)
def test_each_finding_stands_in_the_text(dice: Random, flags: list[str]) -> None:
    data = objects(dice)
    code, stdout, stderr = linted(data, "-o", "json", *flags)
    assert code in CODES, stderr
    assert_placed(json.loads(stdout), data)


@given(dice=DICE, form=st.sampled_from(FORMATS))
@examples(150)
def test_texts_of_any_form_are_answered(dice: Random, form: str) -> None:
    code, _, stderr = linted(stream_of(dice), "-o", form, "--select", "all")
    assert code in CODES, stderr
