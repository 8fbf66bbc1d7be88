"""The files that kustomizations name, each read once and within bounds.

Tested in ``tests/unit/input/units/test_kustomizations.py``.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.input.files.opening import small_file
from kubectl_fairshare.input.files.paths import reason, shown_path
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.files.roots import is_within
from kubectl_fairshare.input.files.unreadable import meant
from kubectl_fairshare.input.text.texts import Text
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json

if TYPE_CHECKING:
    from kubectl_fairshare.input.text.known_texts import KnownTexts
    from kubectl_fairshare.input.units.unit import RepositoryUnit

_LARGEST: Final = 4 << 20
"""The bytes that a kustomization, or a file of patches, may have."""
_MOST_READ: Final = 256 << 20
"""The bytes of all kustomizations and patches of a folder."""


class Reader:
    """The files below a root, each read once, as far as ``budget`` lasts; what leads out of the root is not read."""

    def __init__(self, root: str, known: "KnownTexts | None" = None) -> None:
        self.root = root
        self._known = known
        self._budget = Budget(_MOST_READ)
        self._read: dict[str, tuple[Text | None, Sequence[Json]]] = {}
        self._errors: dict[str, FairshareError] = {}
        self.units: dict[tuple[int, str], RepositoryUnit] = {}
        """The units that were made of kustomizations, by these and their folder: their patches may be many."""

    def documents(self, path: str) -> tuple[Text | None, Sequence[Json]]:
        """The text and the documents of a file; none where it cannot be read: kustomize reports that."""
        if path not in self._read:
            self._read[path] = self._documents(path)
        return self._read[path]

    def error(self, path: str) -> FairshareError | None:
        """Why a file that was read has no documents."""
        return self._errors.get(path)

    def _documents(self, path: str) -> tuple[Text | None, Sequence[Json]]:
        data = b""
        try:
            if not is_within(path, self.root):
                raise FairshareError(Problem("this leads out of its repository: not read", shown_path(path)))
            data = self._budget.spend(small_file(path, min(_LARGEST, self._budget.left)))
            return _decoded(path, data, self._known)
        except OSError as error:
            self._errors[path] = FairshareError(Problem(f"cannot be read: {reason(error)}", shown_path(path)))
        except FairshareError as error:
            self._errors[path] = meant(error, data)
        except ValueError:  # for a path with a null byte
            pass
        return None, ()


def documents_of(path: str) -> list[Json]:
    """The documents of a file; none if it cannot be read."""
    return [*Reader(os.sep).documents(path)[1]]


def documents_in(name: str, data: bytes) -> Sequence[Json]:
    """The documents of a text; none if it is neither YAML nor JSON."""
    try:
        return _decoded(name, data)[1]
    except FairshareError:
        return ()


def _decoded(name: str, data: bytes, known: "KnownTexts | None" = None) -> tuple[Text, Sequence[Json]]:
    from kubectl_fairshare.input.text.decoding import decode
    from kubectl_fairshare.input.text.yaml_problems import TwiceError

    try:
        return decode(name, data) if known is None else known.decoded(name, data)
    except TwiceError as error:  # as kubectl has it, kustomize takes the last
        return Text(name, data, "yaml", tuple(error.starts)), error.documents
