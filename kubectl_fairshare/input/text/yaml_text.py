"""YAML to plain data, in one pass over libyaml's events, as kubectl would read it.

Events rather than composed nodes: as fast (measured), with no tree to hold next to the data, depth known as
it grows, and anchors that may be given twice, as kubectl allows.
"""

from typing import Any, Final

from kubectl_fairshare.input.text.aliases import DEPTH_REMEDY, MAX_DEPTH, AliasError, Expansion
from kubectl_fairshare.input.text.yaml_events import RefusedError, event_classes, events
from kubectl_fairshare.input.text.yaml_problems import TwiceError, duplicate_keys, explained
from kubectl_fairshare.input.text.yaml_scalars import MERGE, MERGE_TAG, ScalarError, Scalars, key, tagged
from kubectl_fairshare.model.json import Json

_MERGE_WANTS: Final = "`<<` takes a mapping, an alias of one, or a list of these"
_TOO_DEEP: Final = "maximum nesting depth"
_IN_QUOTES: Final = "put it in quotes if it is meant as text"
_WRITTEN_OUT: Final = "write the values instead of the aliases"


def load(source: str, text: bytes, scalars: Scalars | None = None) -> tuple[list[Json], list[int]]:
    """The documents of a YAML stream, and the position (in characters) where each begins.

    ``text`` is UTF-8 without a byte order mark; ``scalars`` are those of texts read before. Raises
    ``FairshareError`` with each problem placed.
    """
    with explained(source, text):
        # kubectl ends the last line where the file doesn't: a block scalar there keeps its line end.
        loader = _read(text if text.endswith(b"\n") else text + b"\n", scalars or Scalars())
    if loader.key_twice:
        from kubectl_fairshare.input.text.yaml_places import YamlPlaces

        characters = text.decode()
        error = TwiceError(*duplicate_keys(source, characters, YamlPlaces(characters).twice))
        error.documents, error.starts = loader.documents, loader.starts
        raise error
    return loader.documents, loader.starts


def _read(text: bytes, scalars: Scalars) -> "_Loader":
    """The loader after the whole stream.

    libyaml 0.2.6 has a bound of its own: 1,000 brackets. It reads ahead, because brackets may be a key, so it meets
    that bound before it returns the event at which ours is met. Only the text before its bound is read then.
    """
    from yaml.scanner import ScannerError

    loader = _Loader(text, scalars)
    try:
        loader.read()
    except ScannerError as error:
        if _TOO_DEEP in str(error.problem) and error.problem_mark is not None:
            _Loader(text.decode()[: error.problem_mark.index].encode(), scalars).read()
        raise
    return loader


class _MergeKey:
    """The key for one ``<<`` of a mapping until the mapping ends."""


class _Loader:
    """Reads by descent, a list or mapping a call. ``key_twice``: some mapping has a key twice."""

    def __init__(self, text: bytes, scalars: Scalars) -> None:
        kinds = event_classes()
        self._text = text
        self._document_start, self._scalar_event = kinds.DocumentStartEvent, kinds.ScalarEvent
        self._alias_event = kinds.AliasEvent
        self._mapping_end, self._sequence_end = kinds.MappingEndEvent, kinds.SequenceEndEvent
        self._readers = {
            kinds.ScalarEvent: self._scalar,
            kinds.MappingStartEvent: self._mapping,
            kinds.SequenceStartEvent: self._sequence,
            kinds.AliasEvent: self._alias,
        }
        self._values, self._keys = scalars.values, scalars.keys
        self._anchors: dict[str, Any] = {}  # scalars as their events: as a key, one is read otherwise
        self._open: list[Json] = []
        self._expansion = Expansion(len(text))
        self.documents: list[Json] = []
        self.starts: list[int] = []
        self.key_twice = False

    def read(self) -> None:
        """Reads the whole stream. Raises ``RefusedError``, or what ``events`` raises."""
        with events(self._text) as self._next:
            for event in iter(self._next, None):
                if type(event) is self._document_start:
                    self.starts.append(event.start_mark.index)
                    self._anchors.clear()
                    self.documents.append(self._value(self._next()))

    def _value(self, event: Any) -> Json:
        return self._readers[type(event)](event)

    def _mapping(self, start: Any) -> dict[Any, Json]:
        here: dict[Any, Json] = {}
        self._begin(start, here)
        following, scalar, readers = self._next, self._scalar_event, self._readers
        values, keys = self._values, self._keys
        merging = False
        try:
            while type(event := following()) is not self._mapping_end:
                plain = type(event) is scalar and event.implicit[0] and event.tag is None and event.anchor is None
                name: Any = keys[event.value] if plain else self._key(event)
                if name == MERGE and self._is_merge(event):
                    here[_MergeKey()] = self._merge_value(following())
                    merging = True
                    continue
                if name in here:
                    self.key_twice = True
                event = following()
                if type(event) is scalar and event.tag is None and event.anchor is None:
                    here[name] = values[event.value] if event.implicit[0] else event.value
                else:
                    here[name] = readers[type(event)](event)
        except ScalarError as error:
            raise RefusedError(str(error), event.start_mark.index, _IN_QUOTES) from None
        if merging:
            _merge(here)
        self._open.pop()
        return here

    def _sequence(self, start: Any) -> list[Json]:
        here: list[Json] = []
        self._begin(start, here)
        following, readers = self._next, self._readers
        while type(event := following()) is not self._sequence_end:
            here.append(readers[type(event)](event))
        self._open.pop()
        return here

    def _begin(self, start: Any, container: Json) -> None:
        """Notes a list or mapping that begins."""
        if len(self._open) >= MAX_DEPTH:
            raise RefusedError(f"nested more than {MAX_DEPTH} levels deep", start.start_mark.index, DEPTH_REMEDY)
        self._open.append(container)
        if start.anchor is not None:
            self._anchors[start.anchor] = container

    def _scalar(self, event: Any) -> Json:
        if event.anchor is not None:
            self._anchors[event.anchor] = event
        try:
            if event.tag is not None:
                return tagged(event.tag, event.value)
            return self._values[event.value] if event.implicit[0] else event.value
        except ScalarError as error:
            raise RefusedError(str(error), event.start_mark.index, _IN_QUOTES) from None

    def _key(self, event: Any) -> str:
        """A key that is quoted, tagged, anchored or an alias. Raises ``ScalarError`` for an invalid key."""
        if isinstance(event, self._scalar_event):
            if event.anchor is not None:
                self._anchors[event.anchor] = event
        else:
            event = self._anchors.get(event.anchor)
            if not isinstance(event, self._scalar_event):
                raise ScalarError("a key is a single value, not a list or a mapping")
        if event.tag is not None:
            return key(event.value, event.tag)
        return self._keys[event.value] if event.implicit[0] else event.value

    def _is_merge(self, event: Any) -> bool:
        """Whether a key that reads ``<<`` asks for merging: unquoted or tagged so, and no alias."""
        return isinstance(event, self._scalar_event) and (event.implicit[0] or event.tag == MERGE_TAG)

    def _alias(self, event: Any) -> Json:
        target = self._anchors.get(event.anchor)
        if isinstance(target, self._scalar_event):
            return self._scalar(target)
        position = event.start_mark.index
        if target is None:
            remedy = f"put `&{event.anchor}` before the value that you mean, or quote a text that starts with `*`"
            raise RefusedError(f"no anchor `&{event.anchor}` before this alias", position, remedy)
        if any(target is container for container in self._open):
            raise RefusedError(f"anchor `&{event.anchor}` contains itself", position, _WRITTEN_OUT)
        try:
            return self._expansion.copy(target, len(self._open) + 1)
        except AliasError as error:
            raise RefusedError(str(error), position, _WRITTEN_OUT) from None

    def _merge_value(self, event: Any) -> list[dict[str, Json]]:
        """The mappings that a ``<<`` merges, in the order of precedence."""
        value = self._value(event)
        several = isinstance(value, list) and not isinstance(event, self._alias_event)
        merged = value[::-1] if several else [value]
        if not all(isinstance(mapping, dict) for mapping in merged):
            raise RefusedError(_MERGE_WANTS, event.start_mark.index, "quote `<<` if you mean a key")
        return merged


def _merge(here: dict[Any, Json]) -> None:
    """Replaces each ``<<`` by the merged keys: later keys win, as in kubectl."""
    items = list(here.items())
    here.clear()
    for name, value in items:
        if isinstance(name, _MergeKey):
            for mapping in value:
                here.update(mapping)
        else:
            here[name] = value
