"""SARIF in several files, as many runs in each as code scanning takes.

Tested in ``tests/unit/cli/linting/test_sarif_files.py``.
"""

import os
import re
from contextlib import suppress
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.cli.linting.lint_run import LintRun
from kubectl_fairshare.cli.linting.output import sarif_logs_of
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.paths import reason, shown_path
from kubectl_fairshare.model.errors import FairshareError, Problem

_NAME: Final = re.compile(r"fairshare-[0-9]+\.sarif")


def write_sarif_files(run: LintRun, folder: str, streams: Streams) -> None:
    """Writes ``fairshare-1.sarif`` and so on, in place of those of an earlier call.

    Raises ``FairshareError`` where one cannot be written.
    """
    import orjson

    from kubectl_fairshare.editing.replacing import replace_files

    logs = sarif_logs_of(run)
    try:
        os.makedirs(folder, exist_ok=True)
        earlier = {name for name in os.listdir(folder) if _NAME.fullmatch(name)}
    except OSError as error:
        message = f"cannot be written: {reason(error)}"
        raise FairshareError(Problem(message, shown_path(folder), "name another folder: `--output-dir DIR`")) from None
    files = {f"fairshare-{number}.sarif": log for number, log in enumerate(logs, 1)}
    contents = {name: orjson.dumps(log, option=orjson.OPT_INDENT_2) + b"\n" for name, log in files.items()}
    replace_files({os.path.join(folder, name): data for name, data in contents.items()})
    for name in earlier - files.keys():
        with suppress(OSError):
            os.remove(os.path.join(folder, name))
    streams.stdout.write(f"{count(len(files), 'file')} written to {shown_path(folder)}\n")
