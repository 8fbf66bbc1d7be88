"""Certificates for tests, made by openssl."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")


def openssl(*words: str | Path) -> None:
    """Runs openssl; raises ``CalledProcessError`` where it fails."""
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


def certificate(folder: Path, name: str = "server", names: str = "IP:127.0.0.1", days: int = 2) -> tuple[Path, Path]:
    """A certificate that signs itself, and its key, as files; with fewer than no ``days`` one that has expired."""
    key, request, signed = (folder / f"{name}.{end}" for end in ("key", "csr", "crt"))
    asked = (
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-subj",
        f"/CN={name}",
        "-addext",
        f"subjectAltName={names}",
    )
    openssl("req", *asked, "-keyout", key, "-out", request)
    openssl(
        "x509", "-req", "-in", request, "-signkey", key, "-days", str(days), "-copy_extensions", "copy", "-out", signed
    )
    return signed, key


def of_server(signed: Path, key: Path) -> ssl.SSLContext:
    """What a server needs to show a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(signed, key)
    return context
