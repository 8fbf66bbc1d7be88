"""No text of ours has a construct that makes a tired reader read twice.

Read are the texts and comments of the package, the rule texts, the pages, and the kept screens, where the parts of a
sentence come together. What another program writes, word for word, is let through by its words, in ``QUOTED``.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.meta.repository import PACKAGE, ROOT

DROPPED = {
    r"nobody|somebody|anybody|whoever|whomever|no one": "name who, or use the passive: `unallocated`, `an admin`",
    r"tells?|told|telling": "says, prints, reports, shows",
    r"stands?|stood": "is, has, applies; `next to`",
    r"lay|lays|laid": "put, apply, store",
    r"(?:hold|holds|held|holding) (?:\S+ )?against": "compare with, check against",
    r"mend|mends|mended|mending": "fix",
    r"(?:give|gives|gave|given|giving) way": "is preempted, is evicted; a victim",
    r"for want of": "because … is missing",
    r"be it|be they|were (?:it|they|there)(?! (?:not|never))": "even if it is; if it were",
    r"(?<!there\s)(?<!where\s)is (?-i:none)": "is missing, is empty, is not set",
    r"(?:that|what|which|who) (?:is|has|have|are|names?|says?|gives?|needs?) none": "without one; that sets none",
    r"is any": "applies; is set; exists",
    r"no matter of": "does not depend on",
    r"(?<!there\s)(?<!this\s)is no (?!longer|more|less|better|larger|greater|smaller|later|different)": "is not a",
    r"the asking": "name it: the queue that preempts, the new workload",
    r"nothing less": "say what is needed",
    r"wherefrom|whereto|whereof|thereof|therein|thereto|hereof|lest|albeit|whilst|amongst|upon|hitherto": "plain words",
}
"""What is not written, as a regular expression between word boundaries, and what to write instead."""

FRONTED = (
    r"(?:\A|\n\n|[.!?]\s|(?<![}])[\"`])(?-i:Of) (?!course)|[;:] of (?:an?|all|any|each|every|several|the|those|what)\b",
    "start with the subject",
)
ARTICLE = (r"(?-i:\b[Aa])[ ](?!one\b|once\b|uni|use|usu|eu|URL|API)(?-i:[aeio]|[AEI](?=[a-z]))\w{3,}", "`an`")
COUNTED = (
    "workloads|queues|pods|nodes|jobs|flavors|victims|errors|warnings|cohorts|namespaces|objects|cores|files|units|members"
    "|resources|containers|replicas|rules|fields|lines|commands"
)
ONE = (rf"(?<![\w.,/–-])1[ ](?:{COUNTED})\b", "`1 workload`, `2 workloads`")
CHOICE = (r"\w\(s\)", "`1 workload`, `2 workloads`")
"""Constructs that have no word boundary at an end, with what to write."""

QUOTED = (
    "node(s) didn't",
    "node(s) pod number exceeded",
    "Pending the preemption of ",
    "node(s) had untolerated taint(s)",
)
"""Words of the schedulers and of the API server that would be noticed: what they write stays as it is."""

LEFT = """
"""
"""Folders and pages with such constructs, `docs/rules/K` for all rules K…: this list only gets shorter."""


class Breach(NamedTuple):
    """A construct at its place, and what to write instead."""

    place: str
    words: str
    remedy: str


def compiled() -> tuple[re.Pattern[str], list[str]]:
    """One expression for all constructs, a group each, and what to write for each group."""
    others = (FRONTED, ARTICLE, ONE, CHOICE)
    words, rest = groups(DROPPED), groups(construct for construct, _ in others)
    initials = "".join(sorted({*re.findall(r"(?:\A|[|():])([a-z])", words)}))  # most words begin with another letter
    expression = rf"\b(?=[{initials}])(?:{words})\b|{rest}".replace(" ", r"\s+")
    return re.compile(expression, re.IGNORECASE), [*DROPPED.values(), *(remedy for _, remedy in others)]


def groups(constructs: Iterable[str]) -> str:
    """An expression for any of several, a group each."""
    return "|".join(f"({construct})" for construct in constructs)


EXPRESSION, REMEDIES = compiled()


def breaches(path: Path) -> Iterator[Breach]:
    """The constructs of a file that are not written."""
    text = path.read_text("utf-8")
    for match in EXPRESSION.finditer(text):
        around = text[max(0, match.start() - 60) : match.end() + 40]
        if not any(quoted in around for quoted in QUOTED):
            line = text.count("\n", 0, match.start()) + 1
            yield Breach(f"{path.name}:{line}", match[0].strip('"\n .:;'), REMEDIES[(match.lastindex or 1) - 1])


def read_files() -> list[Path]:
    """The modules and rule texts of the package, the pages and the kept screens."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/golden/**/*.txt")]
    return sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml"), *pages])


def room_of(path: Path) -> str:
    """The folder of a file below the repository; a page at the top is its own, and so are the rules of a scheduler."""
    below = path.relative_to(ROOT)
    if below.parent == Path("docs/rules"):
        return below.with_suffix("").as_posix().rstrip("0123456789")
    return below.parent.as_posix() if below.parent.name else below.name


def test_no_text_has_a_construct_that_is_read_twice() -> None:
    places = [breach for path in read_files() if room_of(path) not in LEFT.split() for breach in breaches(path)]
    assert places == []


def test_the_list_of_what_is_left_only_gets_shorter() -> None:
    rooms = {room_of(path) for path in read_files() if room_of(path) in LEFT.split() and next(breaches(path), None)}
    assert sorted({*LEFT.split()} - rooms) == [], "these are done: take them out of LEFT"


@pytest.mark.parametrize(
    "text",
    [
        "what stands beside it",
        "it is held against the quota",
        "2 workloads give\n    way",
        "refused for want of a name",
        "Whoever lends may take back",
        "`x` is no resource",
        "the flavor is none",
        '"""Of every queue the head."""',
        "The tree. Of those, one",
        "two rows; of each the sum",
        "freed by 1 workloads",
        "a AdmissionCheck, a empty list",
        "2 workload(s)",
    ],
)
def test_a_planted_construct_is_noticed(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Fine.\n{text}\n")
    assert [breach.place for breach in breaches(page)][:1] == ["page.md:2"]


@pytest.mark.parametrize(
    "text",
    [
        "there is no quota, and where there is none it waits",
        "this is no longer so; 1 is enough",
        "if x is None or y is not None: return",
        "a ClusterQueue of a cohort; a one, a unit, an AdmissionCheck",
        "1 workload, 21 workloads, 1 of 2 pods; standard",
        "Of course. The sum of all pods",
        "Pending the preemption of 2 workload(s)",
    ],
)
def test_other_words_are_let_through(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    assert list(breaches(page)) == []


LITERAL = re.compile(r'"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*')
NAMED = re.compile(r"```[\s\S]*?```|``[^`]*``|`[^`\n]*`|\{[^{}]*\}|local-queues-alike")
WORST = {
    r"\b[Ww]hat (?:becomes|is left|comes) of\b": 1,
    r"\balike\b": 1,
    r"\bbeside\b": 0,
    r"(?<=[,;:] )else\b|\bor else\b": 36,
}
"""Constructs that are read twice, and how many are left; a count only gets smaller.

Write the outcome of, the rest of; the same; next to, in addition to; otherwise.
"""

BETTER = """
proves every answer with the rule and the line
The comparison that counts is with the schedulers
each whole or not at all
The quotas in the input select the scheduler
the largest borrowed ÷ lendable of all resources
Kueue keeps balances only
it does not borrow what is missing
has the policy Never towards it
computed as if at the head of its queue
Kueue admits it when it next considers it
is decided first in this cycle and takes the quota
fair sharing is off, so
would resolve this
more than can be borrowed
fits no workload: it has no
two alternatives, as for two clusters
units that give objects differently
files give objects differently
one unit more does not get in
is not a workflow command
The input is complete: an object that it lacks does not exist
the nodes of its pods follow the order in which these are created
Leave it, if quota may be held without a place
that does not say what it seems to
How long evicted pods still hold what they have
continue from checkpoints so far apart
Try all loads of up to so many
and all else that neither has
"""
"""Sentences that were read twice, a line each, for which better ones were found."""


def prose_of(path: Path) -> str:
    """The comments and texts of a module, or a page; without the names of code in them."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        literals = (each for each in LITERAL.findall(text) if each not in ('"alike"', '"beside"'))
        text = "\n".join(literals)
    return NAMED.sub("", text)


def worst_files() -> list[Path]:
    """What a user or a reader of the code reads, without what is generated and what was written once for a release."""
    pages = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/decisions/*.md")]
    return [*(path for path in PACKAGE.rglob("*.py") if path.name != "grammar.py"), *PACKAGE.rglob("*.toml"), *pages]


def test_the_constructs_that_were_read_twice_most_often_do_not_come_back() -> None:
    found = dict.fromkeys(WORST, 0)
    for path in worst_files():
        prose = prose_of(path)
        for construct in WORST:
            found[construct] += len(re.findall(construct, prose))
    assert found == WORST, "write it in plain words; where fewer are left, write the smaller number here"


def test_sentences_that_have_better_ones_do_not_come_back() -> None:
    read = (path for path in read_files() if path.name != "CHANGELOG.md")
    texts = [(path.name, " ".join(path.read_text("utf-8").split())) for path in read]
    assert [(name, each) for each in BETTER.strip().splitlines() for name, text in texts if each in text] == []
