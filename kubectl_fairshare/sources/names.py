"""The names of the objects in manifests, for shell completion: quick, and satisfied with what can be made out.

Who needs what a manifest says reads it with ``files``, whose import alone would try a shell's patience.
"""

import os

from kubectl_fairshare.sources.remembered import keep, remembered, version

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from kubectl_fairshare.model.json import Json
    from kubectl_fairshare.model.manifest import Manifest
    from kubectl_fairshare.sources.remembered import Name

RESOURCE: "Final" = "resource"
"""Stands in the place of a kind for the resources that quotas cover."""
_LARGE: "Final" = 64 << 10
"""Bytes of a file whose names are kept, for the next word that is typed."""
_MOST: "Final" = 64 << 20
"""Bytes, decompressed, of a file in which names are looked for."""
_SUFFIXES: "Final" = (".yaml", ".yml", ".json", ".yaml.gz", ".yml.gz", ".json.gz")
_GZIP: "Final" = b"\x1f\x8b"


def names_of(manifests: "Iterable[Manifest]") -> "Iterator[Name]":
    """The names of manifests that were read, and of the resources that their quotas cover."""
    for manifest in manifests:
        yield manifest.key.kind, manifest.key.namespace, manifest.key.name
        yield from _covered(manifest.data)


def names_in(paths: "Sequence[str]") -> "Iterator[Name]":
    """The names in files, folders and globs; what cannot be read is passed over."""
    for path in paths:
        for file in _files(path):
            size, written = version(file)
            if size <= _LARGE:
                yield from _in_file(file)
                continue
            who = repr((os.path.abspath(file), size, written))
            found = set(remembered(who))
            if not found:
                found = set(_in_file(file))
                keep(who, "file", found)
            yield from found


def _files(path: str) -> "Iterator[str]":
    if os.path.isdir(path):
        for folder, below, files in os.walk(path):
            below[:] = sorted(name for name in below if not name.startswith("."))
            yield from (os.path.join(folder, file) for file in sorted(files) if file.endswith(_SUFFIXES))
    elif os.path.isfile(path):
        yield path
    elif "*" in path or "?" in path or "[" in path:
        from glob import glob

        for found in sorted(glob(path, recursive=True)):
            yield from _files(found)


def _in_file(path: str) -> "Iterator[Name]":
    """The names in a file; none in one that can't be read, or is too large."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MOST + 1)
        if data[:2] == _GZIP:
            import zlib

            data = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, _MOST + 1)
    except (OSError, ArithmeticError):
        return
    if len(data) > _MOST:
        return
    text = data.decode("utf-8", "replace").removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    yield from (_in_json if text.lstrip()[:1] == "{" else _in_yaml)(text)


def _in_json(text: str) -> "Iterator[Name]":
    """The names in one JSON document after another, up to the first that is none."""
    import json

    decoder, position = json.JSONDecoder(), 0
    while position < len(text):
        if text[position] in " \t\r\n":
            position += 1
            continue
        try:
            document, position = decoder.raw_decode(text, position)
        except ValueError:
            return
        yield from _in_object(document)


def _in_yaml(text: str) -> "Iterator[Name]":
    """The names in YAML documents, up to the first that is none: nobody has finished it yet."""
    import yaml

    loader = yaml.CBaseLoader(text)
    try:
        while loader.check_data():
            yield from _in_object(loader.get_data())
    except (yaml.YAMLError, RecursionError):
        return
    finally:
        loader.dispose()


def _in_object(data: "Json") -> "Iterator[Name]":
    if not isinstance(data, dict):
        return
    items = data.get("items")
    if isinstance(items, list):
        for item in items:
            yield from _in_object(item)
        return
    metadata = data.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("name"), str) and data.get("kind"):
        yield str(data["kind"]), str(metadata.get("namespace") or ""), metadata["name"]
    yield from _covered(data)


def _covered(data: "Json") -> "Iterator[Name]":
    spec = data.get("spec")
    groups = spec.get("resourceGroups") if isinstance(spec, dict) else None
    for group in groups if isinstance(groups, list) else ():
        covered = group.get("coveredResources") if isinstance(group, dict) else None
        for resource in covered if isinstance(covered, list) else ():
            yield RESOURCE, "", str(resource)
