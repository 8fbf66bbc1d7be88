"""Every law has a section in the documentation, and a sentence."""

import math
import re
from enum import StrEnum
from types import ModuleType

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.elasticquota.laws import Law as ElasticQuotaLaw
from kubectl_fairshare.schedulers.elasticquota.words import sentences as elasticquota_laws
from kubectl_fairshare.schedulers.kai.laws import Law as KaiLaw
from kubectl_fairshare.schedulers.kai.words import sentences as kai_laws
from kubectl_fairshare.schedulers.koordinator.laws import Law as KoordinatorLaw
from kubectl_fairshare.schedulers.koordinator.words import sentences as koordinator_laws
from kubectl_fairshare.schedulers.kueue.laws import Law, PreemptionReason, Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.words import sentences as kueue_laws
from kubectl_fairshare.schedulers.kueue.words.equations import EQUATIONS
from kubectl_fairshare.schedulers.kueue.words.messages import TOPOLOGY_FRAGMENTS
from kubectl_fairshare.schedulers.kueue.words.sentences import (
    RULES,
    SENTENCES,
    judgement_step,
    sentence,
    shares_compared,
)
from kubectl_fairshare.schedulers.kueue.words.topology_sentences import TOPOLOGY_SENTENCES
from kubectl_fairshare.trace import Operand, Step
from tests.screens import ROOT

LAWS = (ROOT / "docs" / "laws.md").read_text(encoding="utf-8")
SOURCE = r"Source: (KEP-\d+|concept page|observed)"
VOCABULARY = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
WORDS: dict[type[StrEnum], ModuleType] = {
    Law: kueue_laws,
    TopologyLaw: kueue_laws,
    ElasticQuotaLaw: elasticquota_laws,
    KaiLaw: kai_laws,
    KoordinatorLaw: koordinator_laws,
}
EVERY_LAW = (*Law, *TopologyLaw, *ElasticQuotaLaw, *KaiLaw, *KoordinatorLaw)
HOLDER = Holder(ObjectKey("", "Workload", "a", "w"), "u", "q", "l", 7, 0, 0, 0, False, {FlavorResource("f", "cpu"): 1})


def section(law: str) -> str:
    return LAWS.partition(f"### {law}\n")[2].partition("\n#")[0]


def test_every_law_has_a_section_and_every_section_a_law() -> None:
    headings = re.findall(r"^### (\S+)$", LAWS, re.MULTILINE)
    assert sorted(headings) == sorted(EVERY_LAW)


@pytest.mark.parametrize("laws", WORDS, ids=lambda laws: str(laws.__module__))
def test_a_section_tells_rule_source_and_example(laws: type[StrEnum]) -> None:
    words = {law: " ".join(section(law).split()) for law in laws}
    assert [law for law, text in words.items() if not re.search(SOURCE, text)] == []
    assert [law for law, text in words.items() if "Example: " not in text] == []
    assert [law for law, text in words.items() if len(text.partition("Source:")[0]) <= 30] == []


def test_chapters_that_modules_cite_are_there() -> None:
    chapters = {title.lower() for title in re.findall(r"^## (.+)$", LAWS, re.MULTILINE)}
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "kubectl_fairshare").rglob("*.py"))]
    cited = {name for text in texts for name in re.findall(r'"([a-z ]+)" in ``docs/laws\.md``', text)}
    assert cited - chapters == set()
    assert cited != set()


def test_every_law_has_one_sentence() -> None:
    assert set(elasticquota_laws.SENTENCES) == set(ElasticQuotaLaw)
    assert set(kai_laws.SENTENCES) == set(KaiLaw)
    assert set(koordinator_laws.SENTENCES) == set(KoordinatorLaw)
    assert set(SENTENCES) | set(EQUATIONS) == set(Law)
    assert set(TOPOLOGY_SENTENCES) == set(TOPOLOGY_FRAGMENTS) == set(TopologyLaw)
    assert set(SENTENCES) & set(EQUATIONS) == set()


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("laws", WORDS, ids=lambda laws: str(laws.__module__))
def test_a_sentence_never_fails_for_want_of_an_operand(laws: type[StrEnum], holds: bool) -> None:
    bare = {law: WORDS[laws].sentence(Step(law, (), holds)) for law in laws if law not in EQUATIONS}
    assert bare
    assert {law: text for law, text in bare.items() if not text or text.endswith(".")} == {}


@pytest.mark.parametrize(
    ("law", "operands", "text"),
    [
        (
            Law.EXCEEDS_AVAILABLE,
            {"flavor": "f", "resource": "memory", "needed": 3 << 30, "free": 1 << 30, "more": 2 << 30},
            "needs 3Gi memory in f, 1Gi free now: 2Gi missing",
        ),
        (
            Law.EXCEEDS_POTENTIAL,
            {"flavor": "f", "resource": "cpu", "assumed": 500, "request": 1500, "potential": (1 << 63) - 1},
            "needs 2 cpu in f, can never get more than unlimited",
        ),
    ],
)
def test_a_sentence_puts_operands_into_words(law: Law, operands: dict[str, Operand], text: str) -> None:
    assert sentence(Step(law, tuple(operands.items()), holds=True)) == text


@pytest.mark.parametrize(
    ("mine", "theirs", "shown"),
    [
        (100.0, 300.0, ("0.100", "0.300", "0.200")),
        (100.0, 100.0, ("0.100", "0.100", "0")),
        (100.0, 100.0001, ("0.1000000", "0.1000001", "0.0000001")),
        (0.0, 50.0, ("0", "0.050", "0.050")),
        (0.1, 69.0, ("0.0001", "0.0690", "0.0689")),
        (math.inf, 50.0, ("∞", "0.050", "∞")),
    ],
)
def test_shares_that_differ_look_different(mine: float, theirs: float, shown: tuple[str, str, str]) -> None:
    assert shares_compared(mine, theirs) == shown


def test_a_comparison_tells_both_sides_and_the_gap() -> None:
    mine, theirs = Share(0, 69.0, "cpu", True), Share(0, 139.0, "cpu", True)
    taken = sentence(judgement_step(Law.S2A, HOLDER, ("ours", "theirs"), mine, theirs, taken=True))
    assert taken == "share 0.069 of ours with the new workload ≤ share 0.139 of theirs without the candidate, by 0.070"
    refused = sentence(judgement_step(Law.S2B, HOLDER, ("ours", "theirs"), theirs, mine, taken=False))
    assert refused == "share 0.139 of ours with the new workload ≥ share 0.069 of theirs now, by 0.070"
    heavy = Share(1, 5.0, "cpu", True)
    endless = sentence(judgement_step(Law.S2A, HOLDER, ("ours", "theirs"), heavy, theirs, taken=False))
    assert "share ∞ of ours" in endless


def test_the_vocabulary_lists_every_outcome_reason_and_rule() -> None:
    assert [o for o in Outcome if f"| `{o}` |" not in VOCABULARY] == []
    assert [r for r in PreemptionReason if r and f"| `{r}` |" not in VOCABULARY] == []
    assert [law for law in RULES if f"[{law}](laws.md#{law})" not in VOCABULARY] == []
