"""Manifests gone wrong: the examples of the rules with values exchanged, dropped, doubled and misspelt."""

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

EXAMPLES: Final = Path(__file__).resolve().parents[2] / "testdata" / "rules"
_Path = tuple[str | int, ...]

ODD: Final[list[Any]] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    17,
    2**31,
    2**63 - 1,
    2**63,
    -(2**63) - 1,
    10**40,
    0.5,
    2.0,
    1e308,
    -1e-320,
    "",
    " ",
    "0",
    "-1",
    "1Gi",
    "Gi",
    "1e400000000",
    "1e1.5",
    "9" * 400,
    "9" * 4400,
    "0.1n",
    "+.5E",
    "x",
    "X y",
    "ünïcode \u202e\U0001f600",
    "a\x00b",
    "line\nbreak",
    "{{ .Values.x }}",
    "*",
    "kueue.x-k8s.io/v1beta1",
    "v1beta1",
    "default",
    "x" * 300,
    "a/" * 100,
    "2026-08-01T12:00:00Z",
    "Never",
    "<script>&]]>\"'`|",
    [],
    {},
    [None],
    [[]],
    [{}],
    {"": ""},
    {"name": None},
    {"a": {"b": [{"c": None}]}},
    ["cpu", "cpu"],
    [{"name": "cpu", "nominalQuota": 1}, 5],
]
KEYS: Final = ["", "name", "spec", "kind", "namespace", "x", "kueue.x-k8s.io/queue-name", "fairshare.dev/ignore", "é"]
TOKENS: Final = [
    *(
        "\t",
        "\r",
        "\n",
        "\n\n---\n",
        "\n...\n",
        "&a ",
        "*a",
        "!!binary ",
        "!x ",
        "|\n",
        ">-\n",
        "{",
        "}",
        "[",
        "]",
        '"',
    ),
    *(
        "'",
        "#",
        " # fairshare: ignore[K041] x\n",
        "%",
        "@",
        "`",
        ": ",
        "- ",
        "? ",
        "<<: ",
        "{{ if }}",
        "\x00",
        "\ufeff",
    ),
    *("\u2028", "é", "\U0001f600", "0x10", "1_000", "~", ".inf", ".nan", "=", "2026-08-01", "\\", ","),
]


@cache
def texts() -> tuple[str, ...]:
    """The examples of all rules."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*/*.yaml")))


@cache
def _documents(number: int) -> list[Any]:
    return [each for each in yaml.load_all(texts()[number], yaml.CSafeLoader) if each is not None]


def _paths(value: Any, path: _Path = ()) -> list[_Path]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for name, held in entries for found in _paths(held, (*path, name)))]


def _at(value: Any, path: _Path) -> Any:
    for part in path:
        value = value[part]
    return value


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def mutate(dice: Random, documents: list[Any]) -> None:
    """Changes one thing, in place."""
    path = dice.choice(_paths(documents))
    if not path:
        return
    above: Any = _at(documents, path[:-1])
    last: Any = path[-1]
    how = dice.randint(0, 7)
    if how <= 2:
        above[last] = copy.deepcopy(dice.choice(ODD))
    elif how == 3:
        del above[last]
    elif how == 4:
        above[last] = copy.deepcopy(_at(documents, dice.choice(_paths(documents))))
    elif how == 5:
        above[last] = _nested(above[last], dice.choice([1, 2, 40]))
    elif isinstance(above, list):
        above.append(copy.deepcopy(above[last]))
    elif how == 6:
        key = str(last)
        i = dice.randint(0, len(key))
        above[key[:i] + dice.choice(["", "x", "s", "_", "."]) + key[i + 1 :]] = above.pop(last)
    else:
        above[dice.choice(KEYS)] = copy.deepcopy(dice.choice(ODD))


def objects(dice: Random) -> bytes:
    """Examples of one rule or two with up to six things changed, as a List in JSON or documents in YAML.

    Every third time they look as if they came from a cluster.
    """
    numbers = [dice.randrange(len(texts())) for _ in range(dice.randint(1, 2))]
    documents = copy.deepcopy([document for number in numbers for document in _documents(number)])
    if dice.randint(0, 2) == 0:
        for document in documents:
            document.setdefault("metadata", {})["resourceVersion"] = "7"
    for _ in range(dice.randint(1, 6)):
        mutate(dice, documents)
    if dice.randint(0, 2):
        return json.dumps({"apiVersion": "v1", "kind": "List", "items": documents}).encode()
    dumped: str = yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=True)
    return dumped.encode()


def stream_of(dice: Random) -> bytes:
    """The text of an example, cut, doubled and strewn with what YAML takes for syntax."""
    text = dice.choice(texts())
    for _ in range(dice.randint(1, 5)):
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.choice([0, 0, 1, 1, 7, 80]))
        put = dice.choice([dice.choice(TOKENS), dice.choice(TOKENS), text[start:end] * 2, ""])
        text = text[:start] + put + text[end:]
    data = text.encode("utf-8")
    return dice.choice([data, data, data, data[:-3], b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n")])
