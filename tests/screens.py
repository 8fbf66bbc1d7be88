"""Terminal screens as text: a command line, what it printed, and its exit code.

A kept screen reads as a reader would see it::

    $ kubectl-fairshare shares -f testdata/one-queue.yaml
    … standard output …
    --- stderr
    … only where there is any …
    --- exit 0
"""

import difflib
import io
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROMPT = "$ "


@dataclass(frozen=True)
class Screen:
    """What one call showed."""

    command: str
    stdout: str
    stderr: str
    code: int

    def __str__(self) -> str:
        parts = [f"{PROMPT}{self.command}\n", self.stdout]
        if self.stderr:
            parts += ["--- stderr\n", self.stderr]
        return "".join(part if part.endswith("\n") or not part else f"{part}⏎\n" for part in parts) + (
            f"--- exit {self.code}\n"
        )


def shown(command: str) -> Screen:
    """Runs ``command`` in this process; a trailing ``< PATH`` is its standard input."""
    from kubectl_fairshare.cli.main import main

    arguments, given = words(command)
    stdin, stdout, stderr = (stream(given), stream(b""), stream(b""))
    code = main(arguments, stdin, stdout, stderr)
    return Screen(command, written(stdout).replace(str(ROOT), "/repo"), written(stderr), code)


def beside(text: str, folder: Path) -> str:
    """A text with copies in ``folder`` of the files and folders of this repository that it names by their paths."""

    def copied(path: "re.Match[str]") -> str:
        source = Path(path[0])
        if source.is_dir():
            shutil.copytree(source, folder / source.name, dirs_exist_ok=True)
        else:
            shutil.copy(source, folder / source.name)
        return source.name

    return re.sub(rf"{re.escape(str(ROOT))}/[^\]\s,'\"]+", copied, text)


def words(command: str) -> tuple[list[str], bytes]:
    """The arguments of a command line and the bytes that ``< PATH`` feeds it; raises ValueError for another program."""
    parts = shlex.split(command)
    given = b""
    if parts[-2:-1] == ["<"]:
        given = Path(parts[-1]).read_bytes()
        parts = parts[:-2]
    if parts[:1] == ["kubectl-fairshare"]:
        return parts[1:], given
    if parts[:2] == ["kubectl", "fairshare"]:
        return parts[2:], given
    raise ValueError(f"a screen begins with `$ kubectl-fairshare`, not with `{command}`")


def command_of(text: str) -> str:
    """The command line of a kept screen: its first line, without the prompt."""
    first = text.partition("\n")[0]
    if not first.startswith(PROMPT):
        raise ValueError(f"a screen begins with `{PROMPT}`, not with `{first}`")
    return first.removeprefix(PROMPT)


def stream(content: bytes) -> io.TextIOWrapper:
    """A text stream over bytes, as the standard streams are: binary input can be read from its ``buffer``."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="\n", write_through=True)


def written(text: io.TextIOWrapper) -> str:
    """What was written to a ``stream``."""
    text.flush()
    buffer = text.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def compare(kept: Path, text: str, *, rewrite: bool) -> None:
    """Fails with the difference where ``text`` is not what ``kept`` holds; with ``rewrite`` makes it so."""
    if rewrite:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(text, encoding="utf-8", newline="\n")
        return
    before = kept.read_text(encoding="utf-8") if kept.exists() else ""
    if before != text:
        gap = difflib.unified_diff(before.splitlines(), text.splitlines(), "kept", "printed now", lineterm="")
        pytest.fail(f"{kept.name} differs; if that is meant, --rewrite-goldens\n" + "\n".join(gap), pytrace=False)
