"""Charts and templates that nothing renders here: of which kinds they may make objects, and what decides which.

Tested in ``tests/strangers/test_left_alone.py``.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.input.files import charts
from kubectl_fairshare.input.files.chart_values import keys_read
from kubectl_fairshare.input.units.applications import Installers
from kubectl_fairshare.input.units.unit import digest_of
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest

_FILES: Final = b".Files"
"""What templates read other files of their chart by."""


class OpenCharts:
    """The charts that are not rendered, and the templates of other engines, as far as they are read.

    ``documents`` are those of a text, by its name and bytes; none if it is not YAML.
    """

    def __init__(self, documents: Callable[[str, bytes], Sequence[Json]]) -> None:
        self._documents = documents
        self._folders: set[str] = set()
        self._kinds: dict[str, set[str]] = {}
        self._templates: list[tuple[str, bytes]] = []

    def add(self, folders: Iterable[str]) -> None:
        """Takes charts by their folders."""
        self._folders.update(folders)

    def leave_open(self, name: str, data: bytes, all_kinds: frozenset[str]) -> None:
        """Takes a file that may make objects of the kinds that it spells, or of all."""
        kinds = charts.kinds_in(name, data)
        self._kinds.setdefault(os.path.dirname(name), set()).update(all_kinds if kinds is None else kinds)
        self._templates.append((name, data))

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def kinds(self, installers: Installers) -> frozenset[str]:
        """The kinds of which objects may be made, as far as these may be applied."""
        return frozenset().union(*(kinds for name, kinds in self._kinds.items() if installers.may_apply(name)))

    def digest(
        self, installers: Installers, read: frozenset[str], values: Mapping[str, bytes], manifests: Sequence[Manifest]
    ) -> bytes:
        """What decides which objects of the kinds that are ``read`` are made; empty if none can be.

        ``values`` are texts that may be values of a chart, by name, as far as the chart reads them. ``manifests`` have
        what installs charts, and ConfigMaps with values.
        """
        open_in = {name for name, kinds in self._kinds.items() if kinds & read and installers.may_apply(name)}
        if not open_in:
            return b""
        top = next(iter(installers.tops), os.curdir)
        of = {name: self._chart_of(name) for name in open_in}
        parts = [data for name, data in self._templates if of.get(os.path.dirname(name)) == ""]
        if parts:
            parts += (said for name, data in values.items() for said in self._values(name, data, None, top))
        for folder in sorted({each for each in of.values() if each}):
            parts += self._of_chart(folder, values, top)
        return digest_of([*parts, *installers.forms(manifests)])

    def _chart_of(self, name: str) -> str:
        """The folder of the chart that a folder is in; empty without one."""
        return next((f for f in sorted(self._folders) if f in (name, os.curdir) or name.startswith(f"{f}{os.sep}")), "")

    def _of_chart(self, folder: str, values: Mapping[str, bytes], top: str) -> Iterator[bytes]:
        """All that decides what a chart makes: its own files, and the values that it reads of others."""
        own = list(charts.files_of(folder))
        templates = [each for each in own if each.is_template]
        whole = all(each.whole for each in templates) and not any(each.is_dependency for each in own)
        keys = keys_read(each.data for each in templates) if whole else None
        every = any(_FILES in each.data for each in templates) or not whole
        at = os.fsencode(os.path.relpath(folder, top)) + b"\0"
        for each in own:
            name = at + os.fsencode(each.path) + b"\0"
            if each.is_values and each.whole and not every:
                schema = each.path.endswith(".json")
                yield from (name + said for said in self._meanings(each.path, each.data, None if schema else keys))
            elif each.is_used or every:
                yield name + each.data
        for source, data in values.items():
            if not source.startswith(os.path.join(folder, "")):
                yield from self._values(source, data, keys, top)

    def _values(self, source: str, data: bytes, keys: frozenset[str] | None, top: str) -> Iterator[bytes]:
        """What a text outside of a chart says of some keys, with its path: it may be the values of one cluster."""
        name = os.fsencode(os.path.relpath(source, top)) + b"\0"
        return (name + said for said in self._meanings(source, data, keys))

    def _meanings(self, name: str, data: bytes, keys: frozenset[str] | None) -> Iterator[bytes]:
        """What the documents of a text say of some keys, however it is written; its bytes, if it is not YAML."""
        documents = self._documents(name, data)
        if not documents and data.strip():
            yield data
        for number, document in enumerate(documents):
            said = document
            if keys is not None:
                said = (
                    {key: held for key, held in document.items() if key in keys} if isinstance(document, dict) else {}
                )
            if said:
                yield b"%d\0" % number + json.dumps(said, sort_keys=True, default=str).encode()
