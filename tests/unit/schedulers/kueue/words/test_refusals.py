import pytest

from kubectl_fairshare.schedulers.kueue.jobs import JobLaw
from kubectl_fairshare.schedulers.kueue.model.workload import BoundViolation, Refusal
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_message, refusal_sentence

FIELD = ("spec", "podSets", 0, "template", "spec", "containers", 1)


@pytest.mark.parametrize("law", list(JobLaw))
def test_every_law_has_a_sentence(law: JobLaw) -> None:
    sentence = refusal_sentence(Refusal(law, ("first", "second", "third", "fourth")))
    assert sentence
    assert "{" not in sentence
    assert sentence[-1] != "."


def test_one_violation_stands_alone() -> None:
    refusal = Refusal(JobLaw.LIMIT_RANGE, violations=(BoundViolation(FIELD, ("cpu",), "min"),))
    assert refusal_message(refusal) == (
        "resources didn't satisfy LimitRange constraints: spec.podSets[0].template.spec.containers[1]: "
        'Invalid value: ["cpu"]: requests must not be below the limitRange min'
    )


def test_several_violations_stand_in_brackets_each_once() -> None:
    first, second = BoundViolation(FIELD, ("cpu", "memory"), "max"), BoundViolation(FIELD, ("cpu",), "min")
    message = refusal_message(Refusal(JobLaw.LIMIT_RANGE, violations=(first, first, second)))
    assert message.count('["cpu","memory"]') == 1
    assert message.endswith('Invalid value: ["cpu"]: requests must not be below the limitRange min]')
    assert "constraints: [spec.podSets[0]" in message
