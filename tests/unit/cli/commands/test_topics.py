"""Topics of ``help``, read from the pages."""

from collections.abc import Mapping

import pytest

from kubectl_fairshare.cli.topics import Topic, normal, topics
from tests.screens import ROOT

VOCABULARY = """| term | meaning | example | more |
| --- | --- | --- | --- |
| **fair share**, due | what a [queue](x.md) may hold | 2 of 8 | [kai.md](kai.md) |
| **gang** | pods that start together | 4 pods | [kai.md](kai.md#x) |

| term | Kueue | KAI |
| --- | --- | --- |
| fair share | – | deserved |

Text.
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


def test_a_term_has_example_page_and_the_words_of_each_scheduler_that_has_one() -> None:
    found = topics(VOCABULARY, LAWS)
    said = ("what a queue may hold", "example: 2 of 8", "KAI: deserved", "more: docs/kai.md")
    assert found["fairshare"].paragraphs == said
    assert found["due"] is found["fairshare"]
    assert found["gang"].paragraphs == ("pods that start together", "example: 4 pods", "more: docs/kai.md#x")


FIELD = """
quota, cohort, borrowing, lending, reclaim, preemption, flavor, nominal, gang, never, not now, eviction,
admission, queue, ClusterQueue, LocalQueue, ResourceFlavor, resource group, borrowingLimit, lendingLimit,
fair sharing, weight, share, priority, victim, candidate, head, cycle, topology, domain, slice, pod set,
partial admission, admission check, QuotaReserved, backoff, hold, drain, deactivated, suspended,
scheduling gate, over quota, deserved, min runtime, consolidation, shard, node pool, min, max, ElasticQuota,
default quota, runtime, taint, cordon, ResourceQuota, LimitRange, starvation, cascade, saturated, backlog,
unit, overlay, gate, baseline, exact, law, rule, PodGroup, DRS, preemptible, half-life, unmanaged, unknown,
potential, free
"""


def shipped_topics() -> Mapping[str, Topic]:
    folder = ROOT / "docs"
    return topics((folder / "vocabulary.md").read_text("utf-8"), (folder / "laws.md").read_text("utf-8"))


@pytest.mark.parametrize("word", [each.strip() for each in FIELD.split(",")])
def test_the_words_of_the_field_have_an_example_and_a_page(word: str) -> None:
    topic = shipped_topics()[normal(word)]
    *_, page = topic.paragraphs
    assert [text for text in topic.paragraphs if text.startswith("example: ")], topic
    assert page.startswith("more: docs/"), topic
    assert (ROOT / page.removeprefix("more: ").partition("#")[0]).is_file()


def test_a_name_is_that_of_one_term() -> None:
    terms = {topic.name: topic for topic in shipped_topics().values() if topic.paragraphs[-1].startswith("more: ")}
    names = [normal(name) for topic in terms.values() for name in (topic.name, *topic.others)]
    assert sorted(names) == sorted({*names})
    assert len(terms) >= 60


def test_what_schedulers_call_a_term_belongs_to_a_term() -> None:
    page = (ROOT / "docs" / "vocabulary.md").read_text("utf-8")
    rows = page.partition("| term | Kueue |")[2].partition("\n\n")[0].splitlines()[2:]
    known = shipped_topics()
    assert [row for row in rows if known[normal(row.split("|")[1])].name != row.split("|")[1].strip()] == []
