"""Faults at every step of a write: the old file or the new one, never half of either, and nothing else is lost."""

import errno
import os
import signal
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_fairshare.editing import replacing
from kubectl_fairshare.editing.replacing import not_replaceable, replace_files
from kubectl_fairshare.model.errors import FairshareError

STEPS: Final = ((tempfile, "mkstemp"), (os, "fchown"), (os, "fchmod"), (os, "fsync"), (os, "replace"))
"""The system calls of a write, in their order; each happens once for each file."""
ERRORS: Final = ("ENOSPC", "EDQUOT", "EROFS")
OLD, NEW = b"old: 1\n" * 500, b"new: 22\n" * 500
FILES: Final = ("a.yaml", "b.yaml", "c.yaml")


def laid_out(folder: Path) -> dict[str, bytes]:
    """Three files with a mode each, and a link to one of them; what they are to become."""
    for number, name in enumerate(FILES):
        (folder / name).write_bytes(OLD)
        (folder / name).chmod(0o600 + number * 0o20)
    (folder / "link.yaml").symlink_to("c.yaml")
    return {str(folder / "a.yaml"): NEW, str(folder / "b.yaml"): NEW, str(folder / "link.yaml"): NEW}


def assert_whole(folder: Path, *, left: bool = False) -> None:
    for number, name in enumerate(FILES):
        path = folder / name
        assert path.read_bytes() in (OLD, NEW)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 + number * 0o20
    assert os.readlink(folder / "link.yaml") == "c.yaml"
    others = {path.name for path in folder.iterdir()} - {*FILES, "link.yaml"}
    assert all(left and name.startswith(".fairshare-") for name in others), others


def failing(real: Callable[..., Any], at: int, fault: Callable[[], None]) -> Callable[..., Any]:
    """The call, which fails the ``at``-th time."""
    calls = iter(range(1, 1000))

    def called(*args: Any, **more: Any) -> Any:
        if next(calls) == at:
            fault()
        return real(*args, **more)

    return called


CASES: Final = [(module, name, at) for module, name in STEPS for at in (1, 2, 3)]


@pytest.mark.parametrize(("module", "name", "at"), CASES)
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_leaves_whole_files(
    module: Any, name: str, at: int, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault() -> None:
        raise OSError(getattr(errno, error), error)

    wanted = laid_out(tmp_path)
    monkeypatch.setattr(module, name, failing(getattr(module, name), at, fault))
    with pytest.raises(FairshareError) as raised:
        replace_files(wanted)
    assert str(raised.value.problems[0].help).startswith("make the file" if error == "EROFS" else "free some space")
    assert_whole(tmp_path)


@pytest.mark.parametrize(("module", "name", "at"), CASES)
def test_an_interruption_leaves_whole_files(
    module: Any, name: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault() -> None:
        raise KeyboardInterrupt

    wanted = laid_out(tmp_path)
    monkeypatch.setattr(module, name, failing(getattr(module, name), at, fault))
    with pytest.raises(KeyboardInterrupt):
        replace_files(wanted)
    assert_whole(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(("module", "name", "at"), CASES)
def test_a_signal_that_ends_the_process_leaves_whole_files_and_no_other(
    module: Any, name: str, at: int, number: signal.Signals, tmp_path: Path
) -> None:
    wanted = laid_out(tmp_path)
    child = os.fork()
    if not child:
        signal.signal(number, signal.SIG_DFL)
        setattr(module, name, failing(getattr(module, name), at, lambda: os.kill(os.getpid(), number)))
        replace_files(wanted)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == number
    assert_whole(tmp_path)


def test_a_signal_is_handled_as_before_once_the_files_are_there(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    replace_files(laid_out(tmp_path))
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(("module", "name", "at"), CASES)
def test_a_kill_leaves_whole_files(module: Any, name: str, at: int, tmp_path: Path) -> None:
    """In a process of its own, as nothing runs after SIGKILL; a temporary file may be left, beside the whole ones."""
    wanted = laid_out(tmp_path)
    child = os.fork()
    if not child:
        setattr(module, name, failing(getattr(module, name), at, lambda: os.kill(os.getpid(), signal.SIGKILL)))
        replace_files(wanted)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert_whole(tmp_path, left=True)


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder alone would allow it, and root may write anything."""
    path = tmp_path / "a.yaml"
    path.write_bytes(OLD)
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda target, mode: not (Path(target) == path and mode == os.W_OK))
    with pytest.raises(FairshareError, match="can't be written: permission denied"):
        replace_files({str(path): NEW})
    with pytest.raises(FairshareError, match="can't be written: permission denied"), replacing.replacing(str(path)):
        pass
    assert path.read_bytes() == OLD
    assert [each.name for each in tmp_path.iterdir()] == ["a.yaml"]


def test_a_file_with_several_names_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(OLD)
    os.link(path, tmp_path / "same.yaml")
    assert not_replaceable(str(path), OLD) == "the file has several names (hard links), which would become two files"
    with pytest.raises(FairshareError, match="several names"):
        replace_files({str(path): NEW})
    with pytest.raises(FairshareError, match="several names"), replacing.replacing(str(path)) as stream:
        stream.write(NEW)
    assert (path.read_bytes(), (tmp_path / "same.yaml").read_bytes()) == (OLD, OLD)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.yaml", "same.yaml"]


@pytest.mark.parametrize(("module", "name"), STEPS)
@pytest.mark.parametrize("fault", [*ERRORS, "interruption", "kill"])
def test_a_stream_leaves_the_old_file_where_a_step_fails(
    module: Any, name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = laid_out(tmp_path)
    *_, link = wanted

    def fail() -> None:
        if fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        raise KeyboardInterrupt if fault == "interruption" else OSError(getattr(errno, fault), fault)

    def write() -> None:
        with replacing.replacing(link) as stream:
            stream.write(NEW)

    child = 0 if fault != "kill" else os.fork()
    if not child:
        monkeypatch.setattr(module, name, failing(getattr(module, name), 1, fail))
        with pytest.raises(KeyboardInterrupt if fault == "interruption" else FairshareError):
            write()
    else:
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL
    assert_whole(tmp_path, left=fault == "kill")
    assert (tmp_path / "c.yaml").read_bytes() == OLD


def test_a_stream_keeps_the_mode_and_the_link(tmp_path: Path) -> None:
    *_, link = laid_out(tmp_path)
    with replacing.replacing(link) as stream:
        stream.write(NEW)
    assert_whole(tmp_path)
    assert (tmp_path / "c.yaml").read_bytes() == NEW


def test_an_error_of_what_is_written_leaves_the_old_file(tmp_path: Path) -> None:
    wanted = laid_out(tmp_path)

    def write() -> None:
        with replacing.replacing(next(iter(wanted))) as stream:
            stream.write(NEW)
            raise ValueError("no answer")

    with pytest.raises(ValueError, match="no answer"):
        write()
    assert_whole(tmp_path)


def test_an_owner_that_cannot_be_kept_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not allowed")

    path = tmp_path / "a.yaml"
    path.write_bytes(OLD)
    monkeypatch.setattr(os, "fchown", refused)
    monkeypatch.setattr(replacing, "_owner", lambda _: (1234, 1234))
    with pytest.raises(FairshareError):
        replace_files({str(path): NEW})
    assert path.read_bytes() == OLD


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="this system has no extended attributes")
def test_access_lists_and_other_attributes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(OLD)
    try:
        os.setxattr(path, "user.kept", b"yes")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    replace_files({str(path): NEW})
    assert (path.read_bytes(), os.getxattr(path, "user.kept")) == (NEW, b"yes")
