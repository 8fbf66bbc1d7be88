"""Rows for other programs, RFC 4180 with a line of titles."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_fairshare.report.text.clean import printable

_FORMULA: Final = re.compile(r"\s*(?:[=@\uff1d\uff20\uff0b\uff0d]|[-+](?![0-9.]*[A-Za-z%]*$)).+")
"""What a spreadsheet would run, also with signs of full width: no amount with its sign."""


def csv_text(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The titles and the rows, a line each."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows([_cell(each) for each in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A cell that no terminal and no spreadsheet obeys; amounts stay as they are."""
    if not isinstance(value, str):
        return value
    shown = printable(value)
    return f"'{shown}" if _FORMULA.fullmatch(shown) else shown
