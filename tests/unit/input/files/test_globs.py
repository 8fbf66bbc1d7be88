"""Which paths a glob matches."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.files.globs import folders_matching, has_magic, matches


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("a.yaml", "*.yaml", True),
        ("a/b.yaml", "*.yaml", False),
        ("a/b.yaml", "**/*.yaml", True),
        ("b.yaml", "**/*.yaml", True),
        ("a/b/c.yaml", "a/**", True),
        ("a", "a/**", False),
        ("a/b/c.yaml", "a/**/**/c.yaml", True),
        ("a/.b/c.yaml", "a/*/c.yaml", False),
        ("a/.b/c.yaml", "a/.*/c.yaml", True),
        ("a/b.yaml", "[ab]/?.yaml", True),
        ("a/b/d", "a/**/c", False),
    ],
)
def test_a_pattern_matches_parts(path: str, pattern: str, expected: bool) -> None:
    assert matches(path, pattern) is expected


def test_folders_are_found_level_by_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a/x", "a/y", "b/x", ".h/x"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "a" / "file").write_text("")
    assert folders_matching("*/x", ".") == ["a/x", "b/x"]
    assert folders_matching("a/*", ".") == ["a/x", "a/y"]
    assert folders_matching("a/../*", ".") == []
    assert has_magic("a/[b]")
    assert not has_magic("a/b")
