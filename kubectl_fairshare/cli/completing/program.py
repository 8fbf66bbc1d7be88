"""``kubectl_complete-fairshare``: the program that kubectl asks what may follow ``kubectl fairshare …``.

Its arguments are the words behind the plugin's name, the last one as far as it was typed. It prints a word a line,
its description after a tab, and ``:`` with cobra's directive at the end. On any error it prints nothing.

Tested in ``tests/unit/cli/commands/test_completion.py``.
"""

import sys

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO


class _Silence:
    """A context that suppresses errors: a traceback in the middle of a prompt does not help."""

    def __enter__(self) -> "_Silence":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is not None and issubclass(kind, (Exception, KeyboardInterrupt))


def console() -> int:
    """The installed program: the process's arguments and standard output."""
    return complete(sys.argv[1:])


def complete(words: "Sequence[str]", stdout: "BinaryIO | None" = None) -> int:
    """Prints the completions of the last of ``words``, on standard output by default; always returns 0."""
    with _Silence():
        from kubectl_fairshare.cli.completing.answer import answer

        out = sys.stdout.buffer if stdout is None else stdout
        out.write(answer(words).encode())
        out.flush()
    return 0
