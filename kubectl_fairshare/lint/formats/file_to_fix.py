"""Which file to fix, for findings in a file and in what a program made of files.

Tested in ``tests/unit/lint/formats/test_sarif.py``.
"""

from kubectl_fairshare.input.files.charts import chart_of
from kubectl_fairshare.input.units.written import folder_of, is_file
from kubectl_fairshare.lint.findings.placed import Placed, is_on_disk


def stands_in_file(placed: Placed) -> bool:
    """Whether line and column refer to a file, not to a stream or to what kubectl or helm printed."""
    return is_on_disk(placed.location.source)


def path(placed: Placed) -> str:
    """The file to fix: the template behind a stream, if known; otherwise the folder of the kustomization or chart."""
    return placed.location.source if stands_in_file(placed) else held_in(placed.location.source, placed.template)


def held_in(source: str, holder: str) -> str:
    """The file or folder to look at for text that is not on disk."""
    return holder if is_file(holder) else folder_of(source) or chart_of(source) or source
