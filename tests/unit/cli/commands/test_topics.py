"""Topics of ``help``, read from the pages."""

from kubectl_fairshare.cli.topics import normal, topics

VOCABULARY = """| term | meaning | Kueue | KAI |
| --- | --- | --- | --- |
| **fair share** | what a [queue](x.md) may hold | – | deserved |
"""
LAWS = """# Laws

### kueue-s2a

First line
and second. See [x](y.md).

Another paragraph.

## Next

### kai-quota
Short.
"""


def test_a_name_is_found_without_its_signs_and_without_its_scheduler() -> None:
    found = topics(VOCABULARY, LAWS)
    assert found[normal("S2-A")] is found[normal("kueue-s2a")]
    assert found["s2a"].paragraphs == ("First line and second. See x.", "Another paragraph.")
    assert found["quota"].paragraphs == ("Short.",)


def test_a_term_has_the_words_of_each_scheduler_that_has_one() -> None:
    assert topics(VOCABULARY, LAWS)["fairshare"].paragraphs == ("what a queue may hold", "KAI: deserved")
