"""Manifests from files, directories, globs, standard input and kustomizations."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO, Final

from kubectl_fairshare.input.files.made_before import MadeBefore
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.files.sources import InputSources
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import FairshareError, Problem

MAX_INPUT: Final = 512 << 20
"""The default of ``--max-input``, in bytes."""


class ReadOnce(ExitStack):
    """What was read of one input, while this is open: as one, or divided, it is put together without being read again.

    Standard input can be read once only, and building a repository takes long. ``made`` is what was made of contents
    before, as of those of another version.
    """

    sources: InputSources | None = None

    def __init__(self, made: MadeBefore | None = None) -> None:
        super().__init__()
        self.made = made or MadeBefore()

    def __exit__(self, *details: Any) -> bool | None:
        self.sources = None
        return super().__exit__(*details)


def read(  # noqa: PLR0913 -- what is read, all by keyword
    filenames: Sequence[str],
    schedulers: KnownSchedulers,
    *,
    kustomizations: Sequence[str] = (),
    stdin: BinaryIO | None = None,
    max_input: int = MAX_INPUT,
    namespace: str = "default",
    allow_generate_name: bool = False,
    root: str = "",
    helm: bool = False,
) -> Reading:
    """Every manifest in the files, directories (recursive), globs and kustomizations; ``-`` is ``stdin``.

    ``git:REF`` and ``git:REF:PATH`` are those of a revision.

    ``max_input`` bounds the bytes of all of them together, decompressed. ``namespace`` is that of objects of
    namespaced kinds without one. With ``allow_generate_name`` an object may have a ``generateName``
    instead of a name; it takes the place of the name in its key.

    With ``root`` a file named the sources: what leads out of that folder is not read (``roots``). With ``helm`` charts
    are rendered.

    A source that holds nothing is passed over (``Reading.empty``) where another holds an object. Raises
    ``FairshareError`` with all problems found, sorted by place; nothing is answered from the rest.
    """
    found, problems = read_what_can_be(
        filenames,
        schedulers,
        kustomizations=kustomizations,
        stdin=stdin,
        max_input=max_input,
        namespace=namespace,
        allow_generate_name=allow_generate_name,
        root=root,
        helm=helm,
    )
    if problems:
        raise FairshareError(*problems)
    return found


def read_what_can_be(  # noqa: PLR0913 -- what is read, all by keyword
    filenames: Sequence[str],
    schedulers: KnownSchedulers,
    *,
    kustomizations: Sequence[str] = (),
    stdin: BinaryIO | None = None,
    max_input: int = MAX_INPUT,
    namespace: str = "default",
    allow_generate_name: bool = False,
    among_others: bool = False,
    known: Mapping[str, bytes] | None = None,
    divided: bool = False,
    lone: bool = False,
    root: str = "",
    helm: bool = False,
    builds: bool = True,
    once: ReadOnce | None = None,
) -> tuple[Reading, tuple[Problem, ...]]:
    """As ``read``, but returns what could be read next to the problems of the rest, sorted by place.

    With ``among_others`` the files may hold what was never meant to be a manifest: ``Reading.foreign``. ``known``
    are the bytes of sources, by name, that need not be read: they have been, and may have been changed. Where the input
    is to be ``divided``, an object may occur in several of ``Reading.units``; a ``lone`` one is there on request.
    With ``helm`` charts are rendered. ``builds``: the user's kubectl builds what is not applied here. What ``once``
    holds is the same input, read before.
    """
    with _no_garbage_collection(), ExitStack() as own:
        held = own.enter_context(ReadOnce()) if once is None else once
        sources = held.sources
        if sources is None:
            sources = InputSources(
                Budget(max_input), known or {}, schedulers, root, held.made, helm=helm, builds=builds
            )
            filenames = sources.check_out(filenames, held)
            kustomizations = sources.check_out(kustomizations, held)
            sources.read_files(filenames, stdin)
            sources.read_kustomizations(kustomizations)
            held.sources = sources
        reading, problems = sources.reading(namespace, allow_generate_name, among_others, divided=divided, lone=lone)
        return sources.with_names(reading, problems)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Loading makes no garbage, only much that a collector would look through again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
