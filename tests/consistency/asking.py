"""The program, asked in this process about one state; each answer is its document."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kubectl_fairshare.cli.main import main
from tests.screens import stream, written

Manifest = dict[str, Any]
NOW = "2026-08-01T12:00:00Z"


class Reply(NamedTuple):
    """An exit code, the document of an answer (empty if there is none), and what was written."""

    code: int
    document: dict[str, Any]
    text: str
    errors: str


class Program:
    """The program with a folder for its files; ``house`` is the scheduler that is asked.

    ``answers`` are all that were given, with the words that asked for them.
    """

    def __init__(self, house: str, folder: Path) -> None:
        self.house, self.folder = house, folder
        self.answers: list[tuple[tuple[str, ...], Reply]] = []
        self._written: dict[str, str] = {}
        self._known: dict[tuple[str, ...], Reply] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def file(self, name: str, objects: Sequence[Manifest]) -> str:
        """A file with these objects."""
        return self.document(name, {"apiVersion": "v1", "kind": "List", "items": list(objects)})

    def document(self, name: str, content: Manifest) -> str:
        """A file with one document."""
        path = self.folder / f"{name}.json"
        self._written[str(path)] = text = json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return str(path)

    def ask(self, *words: str, as_json: bool = True) -> Reply:
        """The answer to one command."""
        reply = self._reply([*words, "--scheduler", self.house], as_json=as_json)
        self.answers.append((words, reply))
        return reply

    def lint(self, *files: str) -> Reply:
        """What lint finds in files, with the rules of all schedulers."""
        return self._reply(["lint", *files], as_json=True)

    def _reply(self, words: Sequence[str], *, as_json: bool) -> Reply:
        """The answer; to the same words about files of the same content it is given once."""
        form = ("-o", "json") if as_json else ()
        asked = (*words, *form, *(self._written.get(word, "") for word in words))
        if asked not in self._known:
            self._known[asked] = self._answered([*words, *form], as_json=as_json)
        return self._known[asked]

    def _answered(self, words: Sequence[str], *, as_json: bool) -> Reply:
        out, err = stream(b""), stream(b"")
        code = main(words, stream(b""), out, err)
        text = written(out)
        document = json.loads(text) if as_json and text.strip() else {}
        return Reply(code, document, text, written(err))
