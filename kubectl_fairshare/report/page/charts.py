"""Pictures of a page that can be zoomed: their places, and their data as the page's script reads it.

Tested in ``tests/unit/report/simulation/test_comparison.py``.
"""

from collections.abc import Mapping, Sequence

from kubectl_fairshare.report.page.frame import safe
from kubectl_fairshare.report.runner_commands import json_without_commands


def chart_block(number: int, title: str) -> str:
    """The place of the ``number``-th picture."""
    return (
        f'<h3>{safe(title)}</h3><div class="chart" data-chart="{number}" role="img" aria-label="{safe(title)}"></div>'
    )


def chart_data(charts: Sequence[Mapping[str, object]]) -> str:
    """The data of all pictures as an element that no browser executes: nothing in it can end the element."""
    import orjson

    text = json_without_commands(orjson.dumps(charts)).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="charts">{text}</script>'
