"""Names for completion: kept for some minutes, of one cluster as one user, for their owner alone, in silence."""

import os
import time
from pathlib import Path

import pytest

from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.remembered import FRESH, identity, remember, remembered

NAMES = [("ClusterQueue", "", "q"), ("Workload", "team", "w")]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "config"))
    (tmp_path / "config").write_text("current-context: here\n")
    return tmp_path / "cache" / "kubectl-fairshare"


def known(*choices: str | None, kubeconfig: str | None = None, groups: tuple[str, ...] = ()) -> set[object]:
    return set(remembered(identity(kubeconfig=kubeconfig, choices=choices or (None,) * 5, groups=groups)))


def test_what_was_read_is_remembered() -> None:
    remember(Access(), "shares", NAMES)
    assert known() == set(NAMES)


def test_what_several_commands_read_is_remembered_together() -> None:
    remember(Access(), "shares", NAMES[:1])
    remember(Access(), "why", NAMES[1:])
    assert known() == set(NAMES)


def test_a_command_that_reads_again_forgets_what_is_gone() -> None:
    remember(Access(), "shares", NAMES)
    remember(Access(), "shares", NAMES[:1])
    assert known() == set(NAMES[:1])


def test_another_cluster_or_user_has_names_of_its_own(tmp_path: Path) -> None:
    remember(Access(context="other"), "shares", NAMES)
    assert known() == set()
    assert known("other", None, None, None, None) == set(NAMES)
    assert known("other", None, None, None, "admin") == set()
    assert known("other", None, None, None, None, groups=("g",)) == set()
    assert known("other", None, None, None, None, kubeconfig=str(tmp_path / "elsewhere")) == set()


def test_a_kubeconfig_that_changes_is_another_one(tmp_path: Path) -> None:
    remember(Access(), "shares", NAMES)
    (tmp_path / "config").write_text("current-context: there, perhaps\n")
    assert known() == set()


def test_names_are_forgotten_after_some_minutes(cache: Path) -> None:
    remember(Access(), "shares", NAMES)
    (kept,) = cache.iterdir()
    then = time.time() - FRESH - 1
    os.utime(kept, (then, then))
    assert known() == set()
    remember(Access(), "why", NAMES)
    assert kept not in set(cache.iterdir())


def test_nobody_else_may_read_them(cache: Path) -> None:
    remember(Access(), "shares", NAMES)
    (kept,) = cache.iterdir()
    assert (cache.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o700, 0o600)


def test_nothing_is_kept_of_one_who_came_with_a_token(cache: Path) -> None:
    remember(Access(token="secret"), "shares", NAMES)
    assert not cache.exists()


def test_where_nothing_can_be_kept_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way")
    remember(Access(), "shares", NAMES)
    assert known() == set()
