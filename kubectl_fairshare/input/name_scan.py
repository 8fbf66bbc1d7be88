"""The names of the objects in a piece of a manifest, found by looking for a few words: a shell waits for them.

Common YAML and JSON need no parser for that: ``kind`` is at the beginning of a
line, and ``metadata`` on the next but one at most, with ``name`` below. What is written otherwise is left to a parser,
as far as there is time; what that cannot make out either is passed over.
"""

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Final

    from kubectl_fairshare.input.remembered import Name
    from kubectl_fairshare.model.json import Json

RESOURCE: "Final" = "resource"
"""Takes the place of a kind, for the resources that quotas cover."""
GROUPS: "Final" = "resourceGroups"
"""The field in which a queue or cohort names them."""
_PARSED: "Final" = 32 << 10
"""Characters that are left to a parser, at most: it takes a hundred times as long."""
_COVERED: "Final" = "coveredResources:"
_LISTED: "Final" = 256
"""Characters behind which a list of covered resources is not followed."""


def names_in_yaml(text: str, *, last: bool) -> "tuple[list[Name], int]":
    """The names in the documents of a piece, and how many characters of it are done with: all of the ``last`` one."""
    used = len(text) if last else _whole(text)
    text = f"\n{text[:used]}\n"
    found: dict[Name, None] = {}
    odd: list[str] = []
    for dash, pad in _pads(text):
        known = set()
        for match in _pattern(pad).finditer(text.replace(dash, f"\n{pad}") if dash else text):
            kind, before, name, behind = match.groups("")
            found[kind, before or behind, name] = None
            known.add(match.start())
        odd += _unlike(text, pad, known)
    for document in odd if found or len(text) > _PARSED else [text]:
        found.update(dict.fromkeys(_parsed(document)))
    found.update(dict.fromkeys(_covered_in(text)))
    return [*found], used


def _whole(text: str) -> int:
    """Where the last document or item of a list begins that may not be whole; the end where there is no such place."""
    for mark in ("\n---", "\n- ", "\n  - "):
        at = text.rfind(mark)
        if at > 0:
            return at + 1
    return len(text)


def _pads(text: str) -> "Iterator[tuple[str, str]]":
    """The beginning of objects, and the indent of their fields: empty in a document, blanks in a list."""
    yield "", ""
    listed = text.find("\nitems:")
    start = text.find("\n", listed + 1) if listed >= 0 else 0
    line = text[start : start + 64].lstrip("\n")
    blanks = len(line) - len(line.lstrip(" "))
    if line[blanks:].startswith("- "):
        yield f"\n{' ' * blanks}- ", f"{' ' * blanks}  "


def _pattern(pad: str) -> "re.Pattern[str]":
    """An object with fields indented by ``pad``: its kind, its namespace before or after its name, and the name."""
    import re

    word = r"""[ ]*["']?([^\s"'#|>&*!{\[]+)["']?[ ]*(?:\#.*)?\r?(?=\n)"""
    inside = rf"(?:\n{pad}[ ].*)*?\n{pad}[ ][ ]"
    return re.compile(
        rf"\n{pad}kind:{word}(?:\n{pad}apiVersion:.*)?\n{pad}metadata:[ ]*(?:\#.*)?\r?"
        rf"(?:{inside}namespace:{word})?{inside}name:{word}(?:{inside}namespace:{word})?"
    )


def _unlike(text: str, pad: str, known: "set[int]") -> "Iterator[str]":
    """The documents, a few of them, that hold an object of another form than the pattern's."""
    mark, spare = f"\n{pad}kind:", _PARSED
    if pad or text.count(mark) == len(known):
        return
    at = text.find(mark)
    while at >= 0 and spare > 0:
        end = text.find("\n---", at)
        if at not in known:
            start = text.rfind("\n---", 0, at)
            document = text[text.find("\n", start + 1) if start >= 0 else 0 : end if end >= 0 else len(text)]
            if "metadata:" in document:  # without metadata there is no name
                spare -= len(document)
                if spare > 0:
                    yield document
        at = text.find(mark, at + 1)


def _covered_in(text: str) -> "Iterator[Name]":
    """The resource names in all lists of covered resources; equal texts are parsed once."""
    seen = set()
    at = text.find(_COVERED)
    while at >= 0:
        listed = text[at + len(_COVERED) : at + _LISTED]
        if listed not in seen:
            seen.add(listed)
            yield from ((RESOURCE, "", word) for word in _listed(listed))
        at = text.find(_COVERED, at + len(_COVERED))


def _listed(text: str) -> "Iterator[str]":
    """The words of a list, behind the colon of its field: between brackets, or a line each."""
    first, *lines = text.split("\n")
    if first.strip().startswith("["):
        words = text.partition("]")[0].strip(" [").split(",")
    else:
        words = []
        for line in lines:
            start, dash, word = line.partition("- ")
            if start.strip() or not dash or ":" in word:
                break
            words.append(word)
    yield from (word.strip(" \r\n'\"") for word in words)


def _parsed(text: str) -> "Iterator[Name]":
    """The names in one document that a parser reads; none where it is not finished yet."""
    import yaml

    loader = yaml.CBaseLoader(text)
    try:
        while loader.check_data():
            yield from in_object(loader.get_data())
    except (yaml.YAMLError, RecursionError):
        return
    finally:
        loader.dispose()


def names_in_json(text: str, *, last: bool) -> "tuple[list[Name], int]":
    """As ``names_in_yaml``, in JSON documents: of objects whose ``metadata`` follow ``kind``, as servers write them."""
    from json import JSONDecoder

    decoder, used = JSONDecoder(), 0
    found: dict[Name, None] = {}
    at = text.find('"kind"')
    while at >= 0:
        kind, behind = _string(text, at + 6)
        inside = _field(text, behind, '"metadata"')
        if inside >= 0:
            try:
                metadata, behind = decoder.raw_decode(text, inside)
            except ValueError:
                break
            found.update(dict.fromkeys(in_object({"kind": kind, "metadata": metadata})))
            used = behind
        at = text.find('"kind"', max(behind, at + 6))
    covered = text.find('"coveredResources"')
    while covered >= 0:
        listed, end = text.find("[", covered), text.find("]", covered)
        for resource in text[listed + 1 : end].split(",") if 0 <= listed < end else ():
            found[RESOURCE, "", resource.strip(' \r\n\t"')] = None
        covered = text.find('"coveredResources"', covered + 18)
    if last and not used and len(text) <= 8 * _PARSED:
        found.update(dict.fromkeys(_decoded(text)))
    return [*found], len(text) if last or not used else used


def _string(text: str, at: int) -> tuple[str, int]:
    """The string behind a colon, and what follows it; empty where no string does."""
    start = _past(text, at, ":")
    if text[start : start + 1] != '"':
        return "", at
    end = text.find('"', start + 1)
    return (text[start + 1 : end], end + 1) if end >= 0 else ("", at)


def _field(text: str, at: int, name: str) -> int:
    """Where the object begins that the field has that is next; -1 where another one is next, or no object."""
    start = _past(text, at, ",")
    if not text.startswith(name, start):
        return -1
    start = _past(text, start + len(name), ":")
    return start if text[start : start + 1] == "{" else -1


def _past(text: str, at: int, sign: str) -> int:
    """Behind blanks, and one sign among them."""
    while text[at : at + 1] in (" ", "\n", "\t", "\r", sign) and at < len(text):
        at += 1
    return at


def _decoded(text: str) -> "Iterator[Name]":
    """The names in consecutive JSON documents, up to the first invalid one."""
    from json import JSONDecoder

    decoder, position = JSONDecoder(), 0
    while position < len(text):
        if text[position] in " \t\r\n":
            position += 1
            continue
        try:
            document, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        yield from in_object(document)


def in_object(data: "Json") -> "Iterator[Name]":
    """The name of an object and the resources that it covers, or those of the items of a list."""
    if not isinstance(data, dict):
        return
    items = data.get("items")
    if isinstance(items, list):
        for item in items:
            yield from in_object(item)
        return
    metadata = data.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("name"), str) and data.get("kind"):
        yield str(data["kind"]), str(metadata.get("namespace") or ""), metadata["name"]
    yield from covered(data)


def covered(data: "Json") -> "Iterator[Name]":
    """The resources that a queue or cohort has quota for."""
    spec = data.get("spec") if isinstance(data, dict) else None
    groups = spec.get(GROUPS) if isinstance(spec, dict) else None
    for group in groups if isinstance(groups, list) else ():
        listed = group.get("coveredResources") if isinstance(group, dict) else None
        for resource in listed if isinstance(listed, list) else ():
            yield RESOURCE, "", str(resource)
