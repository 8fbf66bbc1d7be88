"""What a misspelt word was meant to be."""

from kubectl_fairshare.lint.words.spelling import nearest


def test_the_nearest_word_is_none_when_two_are_as_near() -> None:
    assert nearest("policy", ["policyA", "policyB"]) is None
    assert nearest("nominalQouta", ["nominalQuota", "borrowingLimit"]) == "nominalQuota"
    assert nearest("cpu", ["gpu", "memory"]) == "gpu"
    assert nearest("cpu", ["node"]) is None
