"""Every command that writes a file, on a disk that fails: an error with the path, and the old file as it was."""

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.main import main
from tests.screens import ROOT, stream, written

pytestmark = pytest.mark.slow
ORG: Final = ROOT / "testdata" / "demo" / "org"
CASES: Final = ROOT / "testdata" / "conformance" / "kueue-saturated.jsonl.gz"
OLD: Final = b"old\n"
QUEUE: Final = b"""\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec: {namespaceSelector: {}, queueingStrateg: StrictFIFO}
"""
SUITE: Final = b"""\
given: {paths: [org]}
tests:
- name: too large
  when: {submit: {queue: vision/gpus, request: {nvidia.com/gpu: 900}}}
  then: {outcome: Admitted}
"""
COMMANDS: Final = {
    "snapshot": ("snapshot -f ORG -o FILE", OLD),
    "report": ("report -f ORG -o FILE", OLD),
    "trace": ("trace -f ORG -o FILE", OLD),
    "lint --fix": ("lint FILE --fix --unsafe-fixes", QUEUE),
    "lint --write-baseline": ("lint ORG --write-baseline FILE", OLD),
    "test --update": ("test FILE --update", SUITE),
    "conformance --emit": ("conformance --engine kueue-saturated CASES --emit FILE", OLD),
    "search --write": ('search -f SEARCH --never "cascade > 0" --random 0 --jobs 1 --write FILE', OLD),
}
"""Each with a file that it changes, and what is in it before."""
FAULTS: Final = ((tempfile, "mkstemp"), (os, "fsync"), (os, "replace"))


def called(command: str, file: Path) -> tuple[int, str]:
    words = {
        "ORG": str(ORG),
        "FILE": str(file),
        "CASES": str(CASES),
        "SEARCH": str(ROOT / "testdata" / "search" / "both.yaml"),
    }
    every = [words.get(word, word) for word in command.replace('"cascade > 0"', "CASCADE").split()]
    err = stream(b"")
    code = main(["cascade > 0" if word == "CASCADE" else word for word in every], stream(b""), stream(b""), err)
    return code, written(err)


def laid_out(folder: Path, before: bytes) -> Path:
    if before is SUITE:  # a suite names what is beside it
        shutil.copytree(ORG, folder / "org")
    file = folder / ("fairshare-test.yaml" if before is SUITE else "file.yaml")
    file.write_bytes(before)
    file.chmod(0o640)
    return file


def refusing(fault: Callable[[], Exception | BaseException]) -> Callable[..., Any]:
    def refused(*_: Any, **__: Any) -> Any:
        raise fault()

    return refused


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_changes_its_file_where_nothing_fails(name: str, tmp_path: Path) -> None:
    command, before = COMMANDS[name]
    file = laid_out(tmp_path, before)

    code, _ = called(command, file)

    assert code in (0, 1)
    assert file.read_bytes() != before
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == [file.name]


@pytest.mark.parametrize("error", ["ENOSPC", "EDQUOT", "EROFS"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_disk_that_fails_is_an_error_and_leaves_the_old_file(
    name: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, before = COMMANDS[name]
    number = getattr(errno, error)
    module, call = FAULTS[number % len(FAULTS)]
    file = laid_out(tmp_path, before)
    with monkeypatch.context() as patched:
        patched.setattr(module, call, refusing(lambda: OSError(number, os.strerror(number))))

        code, said = called(command, file)

    assert code == 3, said
    assert os.strerror(number).lower() in said
    assert str(file) in said
    assert file.read_bytes() == before
    assert file.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == [file.name]


@pytest.mark.parametrize("name", COMMANDS)
def test_an_interruption_leaves_the_old_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command, before = COMMANDS[name]
    file = laid_out(tmp_path, before)
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refusing(KeyboardInterrupt))

        code, _ = called(command, file)

    assert code == 130
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == [file.name]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_keeps_the_mode_and_the_link_and_splits_no_file_with_two_names(name: str, tmp_path: Path) -> None:
    command, before = COMMANDS[name]
    file = laid_out(tmp_path, before)
    (tmp_path / "kept").mkdir()
    behind = tmp_path / "kept" / file.name
    file.rename(behind)
    file.symlink_to(behind)

    assert called(command, file)[0] in (0, 1)
    assert file.is_symlink()
    assert behind.read_bytes() != before
    assert behind.stat().st_mode & 0o777 == 0o640

    behind.write_bytes(before)
    os.link(behind, tmp_path / "kept" / "same")
    _, said = called(command, file)
    assert "several names (hard links)" in said
    assert behind.read_bytes() == (tmp_path / "kept" / "same").read_bytes() == before
