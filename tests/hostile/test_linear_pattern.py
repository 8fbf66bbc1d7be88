"""Expressions mean what they mean in Go, and none takes long."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.linear_pattern import PatternError, is_whole, is_within

ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "[a-c_]", r"\w", r"\D", "^", "$", r"\b", r"\.", "(?i:A)", ""])
TIMES = st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "{0}", "{2,3}", "*?", "{3,}"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, TIMES).map(lambda two: f"(?:{two[0]}){two[1]}"),
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("abcA1_-. ", max_size=7))
def test_it_matches_as_pythons_matcher_does(pattern: str, text: str) -> None:
    """The two agree on what both have, but for `$`, which is the end of the text in Go."""
    same = re.compile(pattern.replace("$", r"\Z"), re.ASCII)
    assert is_whole(pattern, text) == (same.fullmatch(text) is not None)
    assert is_within(pattern, text) == (same.search(text) is not None)


ENDLESS = [
    "(a*)*b",
    "(a+)+$b",
    "(a|aa)+b",
    "(a|a?)+b",
    "(.*a){20}b",
    "(.*)(.*)(.*)(.*)(.*)b",
    "((a+)*)*b",
    "(a?){80}a{80}b",
    "([a-z]+)*b",
    "(?:a|b|ab)*c{9}",
    r"(\w+\w+)+b",
    "((((a*)*)*)*)*b",
]


@pytest.mark.parametrize("pattern", ENDLESS)
def test_none_takes_long(pattern: str) -> None:
    before = time.process_time()
    assert not is_whole(pattern, "a" * 253)
    assert not is_within(pattern, "a" * 253)
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    "pattern",
    [
        *("(", ")", "[", "a**", "*", "(?=a)", "(?<!a)", r"(a)\1", "[b-a]", "a{2,1}", "a{1001}", "\\", r"\q", "[[:x:]]"),
        *("((a{1000}){1000}){1000}", "a" * 4_001, "(" * 200 + ")" * 200, r"\x{110000}", "(?z)a"),
    ],
)
def test_what_go_does_not_take_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        is_within(pattern, "a")


@pytest.mark.parametrize(
    ("pattern", "text", "whole"),
    [
        ("team-a", "team-a", True),
        ("team-.*|ops", "ops", True),
        ("team", "team-a", False),
        ("(?i)TEAM", "team", True),
        ("(?P<x>a)b", "ab", True),
        ("[[:alpha:]]+[^[:digit:]]", "ab-", True),
        (r"\x41\x{42}", "AB", True),
        (r"[\d-]+", "1-2", True),
        (r"[\s-x]+", " -x", True),
        (r"[\s-x]", "t", False),
        ("a" * 1_500, "a" * 300, False),
        ("a.c", "a\nc", False),
        ("(?s)a.c", "a\nc", True),
        ("(?m)a$\n^b", "a\nb", True),
        ("[]a]+", "]a", True),
        ("a{,2}", "a{,2}", True),
    ],
)
def test_forms_of_go(pattern: str, text: str, whole: bool) -> None:
    assert is_whole(pattern, text) is whole
