"""The program, asked about a state that was read from a living cluster."""

import io
import json
from pathlib import Path

from kubectl_fairshare.cli.main import main
from tests.live.server import Object


def planned(folder: Path, given: bytes, body: Object) -> Object:
    """What ``plan`` says will become of a workload in the state ``given``."""
    (folder / "state.json").write_bytes(given)
    (folder / "workload.json").write_text(json.dumps(body))
    empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3))
    command = ["plan", "-f", str(folder / "state.json"), "-w", str(folder / "workload.json"), "-o", "json", "-q"]
    main(command, empty, out, err)
    out.seek(0)
    err.seek(0)
    text = out.read()
    assert text, err.read()
    return dict(json.loads(text))
