"""Merge keys, aliases, tags, odd characters and odd keys as kubectl reads them, from the record and from kubectl."""

import pytest

from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.model.errors import FairshareError
from tests.unit.input.kubectl import HEAD, Case, ask, exactly, needs_kubectl, record, write

STRUCTURES = record("structures")


@pytest.mark.parametrize("case", STRUCTURES, ids=[case.text for case in STRUCTURES])
def test_a_structure_reads_as_on_record(case: Case) -> None:
    data = f"{HEAD}{case.text}".encode()
    if case.refused:
        with pytest.raises(FairshareError) as caught:
            decode("x.yaml", data)
        assert all(str(problem.place).startswith("x.yaml:") for problem in caught.value.problems)
    else:
        (document,) = decode("x.yaml", data)[1]
        assert exactly(document) == exactly(case.value)


@needs_kubectl
def test_the_structures_on_record_are_what_kubectl_says(request: pytest.FixtureRequest) -> None:
    answers = ask([f"{HEAD}{case.text}" for case in STRUCTURES])
    measured = [Case(c.text, a, a is None) for c, a in zip(STRUCTURES, answers, strict=True)]
    if request.config.getoption("--rewrite-goldens"):
        write("structures", measured)
    assert measured == STRUCTURES
