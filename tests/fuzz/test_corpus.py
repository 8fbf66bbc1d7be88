"""What once failed ends as it should, and so do some fresh inputs."""

from pathlib import Path
from random import Random

import pytest

from tests.fuzz.calls import Call, draw, parsed
from tests.fuzz.campaign import kind_of
from tests.fuzz.running import outcome
from tests.fuzz.shrinking import smaller

CORPUS = [parsed(line) for line in Path(__file__).with_name("corpus.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("call", CORPUS, ids=lambda call: call.name)
def test_what_once_failed_ends_as_it_should(call: Call) -> None:
    assert outcome(call) is None, call.because


@pytest.mark.slow
def test_fresh_inputs_end_as_they_should() -> None:
    for number in range(30):
        call = draw(Random(f"test/{number}"))
        assert outcome(call) is None, str(call)


def test_a_call_is_written_and_read_again() -> None:
    for number in range(20):
        call = draw(Random(number))
        assert parsed(str(call)) == call


def test_a_failing_call_is_made_small() -> None:
    call = draw(Random(3))
    least = smaller(call, lambda _: True)
    assert len(str(least)) <= len(str(call))


def test_failures_that_differ_in_values_are_of_one_kind() -> None:
    assert kind_of("exit 70: at pods.py:12: `a` of /tmp/x") == kind_of("exit 70: at pods.py:12: `b` of /tmp/y")


def test_each_kind_of_file_is_drawn_and_goes_wrong() -> None:
    """Documents in texts, kustomizations, suites, settings, revisions and replies of servers: none is left out."""
    drawn = [draw(Random(f"kinds/{number}")) for number in range(600)]
    for name in ("kustomization.yaml", ".fairshare.yaml", "fairshare-test.yaml", "set.yaml", "replies"):
        assert len({call.files[name] for call in drawn if name in call.files}) > 5, name
    assert len({word for call in drawn for word in call.words if word.startswith("git:")}) > 3
    texts = {text for call in drawn for text in call.files.values() if "controllerManagerConfigYaml" in text}
    assert len(texts) > 5
