"""Which signs begin a comment."""

import pytest

from kubectl_fairshare.input.text.comments import comments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# a\n", ["# a"]),
        ("a: 1 # b\n", ["# b"]),
        ("a: 1# no\nb: x#y\n", []),
        ("a: '# no' # yes\n", ["# yes"]),
        ('a: "x\n  # no\n  y"  # yes\n', ["# yes"]),
        ("a: | # yes\n  # no\n# yes, too\nb: 1\n", ["# yes", "# yes, too"]),
        ("a: &x !!str |- # yes\n  # no\n", ["# yes"]),
        ("a: >\n\n  # no\n  text # no\n", []),
        ("a: [1, # one\n  2] # two\n", ["# one", "# two"]),
        ("# head\n--- # first\na: 1\n...\n# between\n---\nb: '#'\n", ["# head", "# first", "# between"]),
        ("a: 1 # b\r\n# c\r\n", ["# b", "# c"]),
        ("a: 'it''s # no' \t# yes\n", ["# yes"]),
    ],
)
def test_comments_are_told_from_text(text: str, expected: list[str]) -> None:
    found = list(comments(text))
    assert [comment.text for comment in found] == expected
    assert all(text.startswith(comment.text, comment.position) for comment in found)
