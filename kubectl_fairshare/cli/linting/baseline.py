"""The baseline, written.

Tested in ``tests/unit/cli/linting/test_settings.py``.
"""

from kubectl_fairshare.cli.linting.lint_run import LintRun
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import FairshareError


def write_baseline(run: LintRun, path: str, streams: Streams) -> int:
    """Writes the findings to a file; they are known from now on. Raises ``FairshareError`` if a part was not read."""
    if run.unread:
        raise FairshareError(*run.unread)
    import orjson

    from kubectl_fairshare.editing.replacing import replace_files
    from kubectl_fairshare.lint.documents.baseline import baseline_document

    document = baseline_document(run.placed)
    replace_files({path: orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n"})
    number = len(run.placed)
    streams.stdout.write(f"{number} finding{'s' * (number != 1)} written to {path}\n")
    return 0
