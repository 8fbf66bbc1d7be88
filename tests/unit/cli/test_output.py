"""Documents onto standard output."""

import io
import json

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import write_document
from kubectl_fairshare.cli.streams import Streams

DOCUMENT = {"text": "12 → 20 🔴 é"}


def written(encoding: str, screen: ScreenOptions) -> str:
    """What a stream of an encoding gets."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    write_document(Streams(None, out, io.StringIO()), screen, DOCUMENT)
    out.seek(0)
    return out.read()


def test_json_says_the_same_in_every_encoding() -> None:
    for encoding in ("utf-8", "ascii", "latin-1"):
        assert json.loads(written(encoding, ScreenOptions("json"))) == DOCUMENT
    assert "\\u2192" in written("ascii", ScreenOptions("json"))


def test_watched_json_takes_one_line() -> None:
    assert written("utf-8", ScreenOptions("json", interval=5)).count("\n") == 1
