#!/usr/bin/env python3
"""Writes the pages of the reference: commands from click, documents from their schemas; ``--check`` compares only."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "reference"
sys.path.insert(0, str(ROOT))


def commands() -> str:
    """The page of commands: what each prints for ``--help-all``."""
    import click

    from kubectl_fairshare.cli.options.house import show_all
    from kubectl_fairshare.cli.program import COMMANDS, program

    lines = ["# Commands", "", "Generated from the program: what `kubectl fairshare COMMAND --help-all` prints.", ""]
    settings = {**program.context_settings, "terminal_width": 80, "max_content_width": 80}
    root = click.Context(program, info_name="kubectl fairshare", **settings)
    for name in COMMANDS:
        command = program.get_command(root, name)
        if command is None:
            raise LookupError(name)
        inner = click.Context(command, root, name, terminal_width=80, max_content_width=80)
        show_all(inner)
        lines += [f"## {name}", "", "```text", command.get_help(inner).rstrip(), "```", ""]
    return "\n".join(line.rstrip() for line in "\n".join(lines).rstrip().split("\n")) + "\n"


def documents() -> str:
    """The page of documents: their fields, with types and descriptions."""
    lines = [
        "# JSON documents",
        "",
        "Generated from the schemas in `schemas/fairshare`. `-o json` and `-o yaml` print those of v1alpha2; those of",
        "v1alpha1 are files. A schema that names another one means the file next to it, so keep the files together.",
        "[What has changed](v1alpha2.md) since v1alpha1.",
        "",
    ]
    newest = {path.name: path for path in sorted((ROOT / "schemas" / "fairshare").rglob("*.json"))}
    for _, path in sorted(newest.items()):
        schema = json.loads(path.read_text("utf-8"))
        lines += [f"## {schema.get('title', path.stem)}", "", f"`{path.relative_to(ROOT)}`", ""]
        if schema.get("description"):
            lines += [_line(schema["description"]), ""]
        rows = list(_rows(schema))
        lines += ["| field | type | meaning |", "| --- | --- | --- |", *rows, ""] if rows else []
    return "\n".join(lines).rstrip() + "\n"


def _rows(schema: dict[str, object]) -> Iterator[str]:
    """A row for each field of a document; where each scheduler has its own form of it, of all of them together."""
    definitions = schema.get("$defs")
    known = definitions if isinstance(definitions, dict) else {}
    forms = _forms(schema, known)
    for name in sorted({name for form in forms.values() for name in _properties(form)}):
        having = {prefix: form for prefix, form in forms.items() if name in _properties(form)}
        each = next(_properties(form)[name] for form in having.values())
        meanings = (_meaning(_properties(form)[name], known) or _said(name, form) for form in having.values())
        only = f"({', '.join(having)})" if len(having) < len(forms) else ""
        text = " ".join(filter(None, (next(filter(None, meanings), ""), only)))
        yield f"| `{name}` | {_type(each, known)} | {_line(text)} |"


def _forms(schema: dict[str, object], known: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """The forms of a document, by scheduler; one without a name if all have the same."""
    either = schema.get("anyOf")
    references = [each["$ref"] for each in either] if isinstance(either, list) else [schema.get("$ref")]
    names = [str(each).rpartition("/")[2] for each in references if each]
    return {name.rpartition(".")[0] or name: known[name] for name in names} or {"": schema}


def _properties(form: dict[str, object]) -> dict[str, dict[str, object]]:
    properties = form.get("properties")
    return properties if isinstance(properties, dict) else {}


def _said(name: str, form: dict[str, object]) -> str:
    """What the description of a document says of one field: the clause that begins with its name."""
    clauses = re.split(r"(?<=[.;:]) ", str(form.get("description") or ""))
    return next((clause.rstrip(";,:") for clause in clauses if clause.startswith(f"`{name}` ")), "")


def _type(of: dict[str, object], known: dict[str, dict[str, object]]) -> str:
    reference = of.get("$ref")
    if isinstance(reference, str) and not reference.startswith("#"):
        return reference.partition(".json")[0]
    if isinstance(reference, str):
        return _type(known.get(reference.rpartition("/")[2], {}), known) or "object"
    either = of.get("anyOf")
    if isinstance(either, list):
        return " or ".join(dict.fromkeys(_type(each, known) for each in either))
    if "enum" in of or "const" in of:
        return "one of a few words"
    kind = of.get("type", "any")
    items = of.get("items")
    if kind == "array" and isinstance(items, dict):
        return f"list of {_type(items, known)}"
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def _meaning(of: dict[str, object], known: dict[str, dict[str, object]]) -> str:
    reference = of.get("$ref")
    inner = known.get(reference.rpartition("/")[2], {}) if isinstance(reference, str) else {}
    items = of.get("items")
    either = of.get("anyOf")
    if not inner and isinstance(items, dict):
        return str(of.get("description") or _meaning(items, known))
    if not inner and isinstance(either, list):
        return next(filter(None, (_meaning(each, known) for each in either)), "")
    return str(of.get("description") or inner.get("description") or "")


def _line(text: object) -> str:
    return " ".join(str(text).replace("``", "`").replace("|", "\\|").split()).replace("<", "&lt;")


PAGES = {"commands.md": commands, "documents.md": documents}


def main(args: list[str]) -> int:
    """Writes the pages, or with ``--check`` prints which ones are out of date; returns the exit code."""
    os.environ["COLUMNS"] = "80"
    stale = 0
    for name, page in PAGES.items():
        path, text = FOLDER / name, page()
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        if "--check" in args:
            print(f"out of date: {path.relative_to(ROOT)}; run .ci/reference.py", file=sys.stderr)
            stale = 1
        else:
            path.write_text(text, "utf-8")
            print(f"written: {path.relative_to(ROOT)}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
