"""Shorthand for reading a text under test."""

import io
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.schedulers import known_schedulers


def documents(text: str | bytes) -> list[Json]:
    """The documents of a text."""
    return decode("x", text.encode() if isinstance(text, str) else text)[1]


def problems(text: str | bytes) -> list[Problem]:
    """What is wrong with a text."""
    with pytest.raises(FairshareError) as caught:
        documents(text)
    return list(caught.value.problems)


def refusal(text: str | bytes) -> tuple[str, str]:
    """Place (line:column) and message of the one thing that is wrong with a text."""
    (problem,) = problems(text)
    return str(problem.place).removeprefix("x:"), problem.message


def texts_of(text: str | bytes) -> Texts:
    """A text alone, as something to locate values in."""
    decoded: Text = decode("x", text.encode() if isinstance(text, str) else text)[0]
    return Texts([decoded])


def place(text: str | bytes, path: FieldPath, document: int = 0) -> str:
    """Where a value stands, as line:column."""
    return str(texts_of(text).locate(Origin("x", document), path)).removeprefix("x:")


def read_text(text: str) -> Reading:
    """A text read from standard input."""
    return read(["-"], stdin=io.BytesIO(text.encode()), schedulers=known_schedulers())


def write(path: Path, content: str | bytes) -> Path:
    """A file with its directories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def config_map(name: str) -> str:
    """A small manifest."""
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n"
