"""``kubectl_complete-fairshare``: the program that kubectl asks what may follow ``kubectl fairshare …``.

Its arguments are the words behind the plugin's name, the last one as far as it was typed. It prints a word a line,
what it stands for behind a tab, and ``:`` with cobra's directive at the end. Whatever goes wrong, it is silent.
"""

import sys

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO


class _Silence:
    """A context that lets nothing out that goes wrong inside: half a word on a prompt helps nobody."""

    def __enter__(self) -> "_Silence":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is not None and issubclass(kind, (Exception, KeyboardInterrupt))


def console() -> int:
    """The installed program: the process's arguments and standard output."""
    return complete(sys.argv[1:])


def complete(words: "Sequence[str]", stdout: "BinaryIO | None" = None) -> int:
    """Answers, on standard output unless told otherwise, what may stand in place of the last of ``words``; 0 always."""
    with _Silence():
        from kubectl_fairshare.cli.completing.answer import answer

        out = sys.stdout.buffer if stdout is None else stdout
        out.write(answer(words).encode())
        out.flush()
    return 0
