"""Every scalar as kubectl reads it: from the record always, and from kubectl itself where it is there."""

import pytest

from kubectl_fairshare.input.text.yaml_text import load
from kubectl_fairshare.model.errors import FairshareError
from tests.unit.input.kubectl import HEAD, Case, as_go_holds, ask, exactly, needs_kubectl, record, write

SCALARS = record("scalars")
KEYS = record("keys")


def read(text: str) -> object:
    (document,), _ = load("x.yaml", f"v: {text}\n".encode())
    return document["v"]


@pytest.mark.parametrize("case", SCALARS, ids=[case.text for case in SCALARS])
def test_a_scalar_reads_as_on_record(case: Case) -> None:
    if case.refused:
        with pytest.raises(FairshareError) as caught:
            read(case.text)
        assert str(caught.value.problems[0].place) == "x.yaml:1:4"
    else:
        assert exactly(read(case.text)) == exactly(as_go_holds(case.value))


@pytest.mark.parametrize("case", KEYS, ids=[case.text for case in KEYS])
def test_a_key_reads_as_on_record(case: Case) -> None:
    text = f"m:\n  {case.text} : 1\n".encode()
    if case.refused:
        with pytest.raises(FairshareError) as caught:
            load("x.yaml", text)
        assert str(caught.value.problems[0].place) == "x.yaml:2:3"
    else:
        assert load("x.yaml", text)[0] == [{"m": {case.value: 1}}]


def test_the_record_is_large_and_holds_refusals() -> None:
    assert len(SCALARS) > 400
    assert sum(case.refused for case in SCALARS) > 30
    assert len({case.text for case in SCALARS}) == len(SCALARS)


def _measured_scalars() -> list[Case]:
    answers = ask([f"{HEAD}v: {case.text}\n" for case in SCALARS])
    return [Case(c.text, a and a["v"], a is None) for c, a in zip(SCALARS, answers, strict=True)]


def _measured_keys() -> list[Case]:
    answers = ask([f"{HEAD}m:\n  {case.text} : 1\n" for case in KEYS])
    return [Case(c.text, a and next(iter(a["m"])), a is None) for c, a in zip(KEYS, answers, strict=True)]


@needs_kubectl
def test_the_scalars_on_record_are_what_kubectl_says(request: pytest.FixtureRequest) -> None:
    measured = _measured_scalars()
    if request.config.getoption("--rewrite-goldens"):
        write("scalars", measured)
    assert exactly([list(case) for case in measured]) == exactly([[c[0], as_go_holds(c[1]), c[2]] for c in SCALARS])


@needs_kubectl
def test_the_keys_on_record_are_what_kubectl_says(request: pytest.FixtureRequest) -> None:
    measured = _measured_keys()
    if request.config.getoption("--rewrite-goldens"):
        write("keys", measured)
    assert measured == KEYS
