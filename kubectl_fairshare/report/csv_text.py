"""Rows for other programs, RFC 4180 with a line of titles."""

from collections.abc import Iterable, Sequence


def csv_text(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The titles and the rows, a line each."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows(rows)
    return text.getvalue()
