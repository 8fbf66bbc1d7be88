"""Answers onto standard output."""

from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.report.text.view import View


def view_of(streams: Streams, screen: ScreenOptions, places: Places) -> View:
    """The view for these streams."""
    return View(streams.width, colours(streams.stdout, screen.color), screen.output == "wide", places)


def write_document(streams: Streams, screen: ScreenOptions, document: Mapping[str, Any] | Sequence[Any]) -> None:
    """A document as JSON or YAML; with ``--watch``, JSON documents take one line each."""
    several = screen.interval is not None
    if screen.output == "yaml":
        from kubectl_fairshare.report.yaml_text import yaml_text

        streams.stdout.write(("---\n" if several else "") + yaml_text(document))
        return
    from msgspec import json

    text = json.encode(document)
    streams.stdout.write((text if several else json.format(text, indent=2)).decode() + "\n")
