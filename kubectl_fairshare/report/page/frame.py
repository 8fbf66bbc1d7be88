"""The frame of every HTML page that the program writes: one file that loads nothing, light and dark, to be printed.

Names from manifests reach a page through ``safe`` alone. The policy of the page allows no script but its own.
Tested in ``tests/unit/report/page/test_overview.py``.
"""

import html
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from kubectl_fairshare.answers.ages import age
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.report.runner_commands import markup_without_commands
from kubectl_fairshare.report.text.clean import printable

_HERE = Path(__file__).parent


def safe(text: object) -> str:
    """Text as HTML shows it: nothing in it is markup, and control characters are visible."""
    return markup_without_commands(html.escape(printable(str(text))))


def framed(
    title: str, body: Iterable[str], *, script: bool = False, charts: Sequence[Mapping[str, object]] = ()
) -> str:
    """The whole page. ``title`` is plain text, ``body`` is HTML; ``script``: with the program's own script.

    ``charts`` are the data of pictures: the page then has the scripts that draw them.
    """
    return "\n".join(framed_lines(title, body, script=script, charts=charts)) + "\n"


def framed_lines(
    title: str, body: Iterable[str], *, script: bool = False, charts: Sequence[Mapping[str, object]] = ()
) -> Iterator[str]:
    """The whole page as lines without their ends: a long page takes four bytes for each of its characters."""
    scripts = [name for name, wanted in (("page.js", script), ("uplot.js", charts), ("charts.js", charts)) if wanted]
    styles = _file("page.css") + (_file("uplot.css") + _file("charts.css") if charts else "")
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">'
    yield f"<title>{safe(title)}</title>"
    yield f"<style>{styles}</style></head><body>"
    yield from body
    if charts:
        from kubectl_fairshare.report.page.charts import chart_data

        yield chart_data(charts)
    yield from (f"<script>{_file(name)}</script>" for name in scripts)
    yield "</body></html>"


def _policy(scripts: Sequence[str]) -> str:
    digests = (b64encode(sha256(_file(name).encode()).digest()).decode() for name in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}"


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


class Words:
    """The meanings of the words in titles of columns; ``used`` are those that the page has."""

    def __init__(self, meaning: Callable[[str], str]) -> None:
        """``meaning`` is that of a word, empty for one that is not a term."""
        self._meaning = meaning
        self.used: dict[str, str] = {}

    def title(self, word: str) -> str:
        """The head of a column: who points at it reads what the word means."""
        meaning = self._meaning(word)
        if not meaning:
            return f'<th scope="col">{safe(word)}</th>'
        self.used[word] = meaning
        return f'<th scope="col" title="{safe(meaning)}">{safe(word)}</th>'


def table(
    titles: Sequence[str], rows: Iterable[Sequence[str]], words: Words | None = None, *, numbers: bool = False
) -> list[str]:
    """A table that can be sorted. Cells are HTML; ``numbers``: all columns but the first are aligned right."""
    known = Words(lambda _: "") if words is None else words
    heads = "".join(map(known.title, titles))
    style = "sortable figures" if numbers else "sortable"
    lines = [f'<div class="wide"><table class="{style}"><thead><tr>{heads}</tr></thead><tbody>']
    # closing tags of rows and cells may be left out, and a page may have ten thousand rows
    return [*lines, *(f"<tr>{''.join(f'<td>{cell}' for cell in row)}" for row in rows), "</tbody></table></div>"]


def age_cell(since: int | None, now: int | None) -> str:
    """An age as a cell, sorted by its seconds; the moment itself where the time of asking is not known."""
    if since is None or now is None:
        return moment_text(since) if since else ""
    return f'<b data-v={max(0, now - since) // 10**9} title="since {moment_text(since)}">{age(since, now)}</b>'
