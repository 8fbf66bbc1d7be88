"""The program, asked about a state that was read from a living cluster."""

import io
import json
from pathlib import Path

from kubectl_fairshare.cli.main import main
from tests.live.stage.server import Object


def planned(folder: Path, given: bytes, body: Object) -> Object:
    """What ``plan`` says will become of a workload in the state ``given``."""
    (folder / "workload.json").write_text(json.dumps(body))
    return asked(folder, given, "plan", "-w", str(folder / "workload.json"))


def without(given: bytes, workloads: set[str]) -> bytes:
    """The state without some workloads."""
    state = json.loads(given)
    state["items"] = [i for i in state["items"] if i["kind"] != "Workload" or i["metadata"]["name"] not in workloads]
    return json.dumps(state).encode()


def asked(folder: Path, given: bytes, command: str, *more: str) -> Object:
    """The document with which a command answers about the state ``given``."""
    (folder / "state.json").write_bytes(given)
    empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3))
    main([command, "-f", str(folder / "state.json"), "-o", "json", "-q", *more], empty, out, err)
    out.seek(0)
    err.seek(0)
    text = out.read()
    assert text, err.read()
    return dict(json.loads(text))
