"""The results of a sweep in a folder: each is written at once, and a sweep that was stopped continues there.

``cells.jsonl`` gets a line for each cell as it ends. Where pyarrow is installed, lines move to ``cells-00001.parquet``
and so on. ``sweep.json`` says which sweep the folder belongs to.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import orjson

from kubectl_fairshare.editing.replacing import replace_files
from kubectl_fairshare.input.install_command import install_command
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError

Result = dict[str, str | int | float]
CELL: Final = "cell"
_JOURNAL: Final = "cells.jsonl"
_STUDY: Final = "sweep.json"
_PART: Final = 500
"""Cells of one Parquet file."""


class SweepResults:
    """The results in a folder. Raises ``UsageError`` if it has those of another sweep."""

    def __init__(self, folder: str, study: Mapping[str, object]) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._check(orjson.dumps(study, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2))
            _cut(self._folder / _JOURNAL)
            self._rows = {str(row[CELL]): row for row in self._moved()}
            # A sweep that ended between the two steps of ``_move`` leaves its lines in both places.
            self._waiting = [row for row in _lines(self._folder / _JOURNAL) if str(row[CELL]) not in self._rows]
            self._rows |= {str(row[CELL]): row for row in self._waiting}
        except OSError as error:
            raise FairshareError(_unwritable(folder, error)) from None

    def _check(self, study: bytes) -> None:
        path = self._folder / _STUDY
        if not path.exists():
            replace_files({str(path): study + b"\n"})
        elif path.read_bytes().strip() != study:
            remedy = "pass another folder, or the same files, `--vary` and `--seeds`"
            raise UsageError(Problem("holds the results of another sweep", str(self._folder), remedy))

    def _moved(self) -> Iterator[Result]:
        """The results in Parquet files."""
        for part in self._parts():
            try:
                yield from _results(_parquet().read_table(part).to_pylist())
            except ValueError as error:  # pyarrow's own errors are of this type
                raise FairshareError(_damaged(part, str(error))) from None

    def _parts(self) -> list[Path]:
        return sorted(self._folder.glob(f"cells-{'[0-9]' * 5}.parquet"))

    @property
    def rows(self) -> Sequence[Result]:
        """All results, by cell."""
        return [self._rows[name] for name in sorted(self._rows)]

    def has(self, cell: str) -> bool:
        """Whether the result of a cell is there."""
        return cell in self._rows

    def add(self, result: Result) -> None:
        """Writes the result of a cell: from here on it is kept, whatever happens."""
        try:
            with (self._folder / _JOURNAL).open("ab") as journal:
                journal.write(orjson.dumps(result) + b"\n")
        except OSError as error:
            raise FairshareError(_unwritable(str(self._folder), error)) from None
        self._rows[str(result[CELL])] = result
        self._waiting.append(result)
        if len(self._waiting) >= _PART:
            self._move()

    def close(self) -> None:
        """Ends the sweep, or a part of it."""
        self._move()

    def _move(self) -> None:
        """Moves the lines of the journal to a Parquet file, if pyarrow is installed."""
        if not self._waiting or find_spec("pyarrow") is None:
            return
        last = max((int(part.stem.removeprefix("cells-")) for part in self._parts()), default=0)
        path = self._folder / f"cells-{last + 1:05}.parquet"
        replace_files({str(path): parquet_bytes(self._waiting)})
        self._waiting = []
        try:
            os.truncate(self._folder / _JOURNAL, 0)
        except OSError as error:
            raise FairshareError(_unwritable(str(self._folder), error)) from None


def _cut(path: Path) -> None:
    """Removes the last line if the program was stopped while it wrote that line."""
    if path.exists() and (data := path.read_bytes()) and not data.endswith(b"\n"):
        os.truncate(path, data.rfind(b"\n") + 1)


def _lines(path: Path) -> Iterator[Result]:
    """The lines of a journal. Raises ``FairshareError`` for one that is not a result."""
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else (), 1):
        try:
            yield from _results([orjson.loads(line)])
        except ValueError as error:
            raise FairshareError(_damaged(path, f"line {number}: {error}")) from None


def _results(rows: Sequence[object]) -> Iterator[Result]:
    """The rows. Raises ``ValueError`` for one that is not the result of a cell."""
    for row in rows:
        if not isinstance(row, dict) or CELL not in row:
            raise ValueError("not the result of a cell")
        yield row


def parquet_bytes(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Rows as a Parquet file. Raises ``UsageError`` where pyarrow is not installed."""
    parquet = _parquet()
    import io

    table = import_module("pyarrow").Table.from_pylist([dict(row) for row in rows])
    data = io.BytesIO()
    parquet.write_table(table, data, compression="zstd")
    return data.getvalue()


def _parquet() -> Any:
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        remedy = f"`{install_command('pyarrow')}`"
        raise UsageError(Problem("`pyarrow` is not installed", "Parquet", remedy)) from None


def _unwritable(folder: str, error: OSError) -> Problem:
    reason = (error.strerror or str(error)).lower()
    return Problem(f"can't be written: {reason}", folder, "name another folder")


def _damaged(path: Path, what: str) -> Problem:
    return Problem(f"is damaged: {what}", str(path), "delete the file: its cells are simulated again")
