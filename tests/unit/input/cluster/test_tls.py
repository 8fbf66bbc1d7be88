"""Secure connections: made as the kubeconfig says, and what is wrong with one is told by name."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.connection import Patience
from kubectl_fairshare.input.cluster.read import Query, read_cluster
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.cluster.certificates import certificate, needs_openssl, of_server, openssl
from tests.unit.input.cluster.served import organisation, serving

pytestmark = needs_openssl
Pair = tuple[Path, Path]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tls")


@pytest.fixture(scope="module")
def ours(folder: Path) -> Pair:
    return certificate(folder, "ours")


@pytest.fixture(scope="module")
def other(folder: Path) -> Pair:
    return certificate(folder, "other", "DNS:api.example")


def asking(tmp_path: Path, pair: Pair, cluster: Mapping[str, Any], user: dict[str, Any] | None = None) -> str:
    """What is told of a server with such a certificate; nothing where it answers."""
    with serving(organisation(), of_server(*pair)) as served:
        path = Path(served.kubeconfig(tmp_path, **(user or {"token": "t"})))
        config = yaml.safe_load(path.read_text())
        config["clusters"][0]["cluster"] |= cluster
        path.write_text(yaml.safe_dump(config))
        return told(Access(kubeconfig=str(path)))


def told(access: Access) -> str:
    try:
        read_cluster(
            access,
            Query("shares", 1 << 20, patience=Patience(attempts=2, first=0.001)),
            schedulers=known_schedulers(),
        )
    except FairshareError as error:
        (problem,) = error.problems
        return f"{problem.message} | {problem.help}"
    return ""


def test_a_server_with_a_trusted_certificate_answers(tmp_path: Path, ours: Pair) -> None:
    assert asking(tmp_path, ours, {"certificate-authority": str(ours[0])}) == ""


@pytest.mark.slow
def test_a_certificate_that_nobody_trusts_is_told(tmp_path: Path, ours: Pair) -> None:
    assert "the certificate of the server is not trusted | pass the signing authority" in asking(tmp_path, ours, {})
    assert asking(tmp_path, ours, {"insecure-skip-tls-verify": True}) == ""


def test_a_certificate_for_another_name_is_told_and_may_be_meant(tmp_path: Path, other: Pair) -> None:
    trusted = {"certificate-authority": str(other[0])}
    assert "is for another name | use the name in the certificate" in asking(tmp_path, other, trusted)
    assert asking(tmp_path, other, {**trusted, "tls-server-name": "api.example"}) == ""
    assert "another name" in asking(tmp_path, other, {**trusted, "tls-server-name": "wrong.example"})


def test_a_certificate_that_has_expired_is_told(tmp_path: Path, folder: Path) -> None:
    pair = certificate(folder, "old", days=0)
    assert "has expired | renew it" in asking(tmp_path, pair, {"certificate-authority": str(pair[0])})


def test_a_server_without_tls_is_told(tmp_path: Path) -> None:
    with serving(organisation()) as served:
        access = Access(kubeconfig=served.kubeconfig(tmp_path), server=served.address.replace("http", "https"))
        assert "the server does not use TLS | check `server`" in told(access)


Spoil = Callable[[Pair, Pair, Path], tuple[Path, Path]]


def encrypted(ours: Pair, _: Pair, folder: Path) -> tuple[Path, Path]:
    openssl("pkey", "-in", ours[1], "-aes256", "-passout", "pass:secret", "-out", folder / "locked.key")
    return ours[0], folder / "locked.key"


def mixed(ours: Pair, other: Pair, _: Path) -> tuple[Path, Path]:
    return ours[0], other[1]


def garbage(ours: Pair, _: Pair, folder: Path) -> tuple[Path, Path]:
    (folder / "garbage").write_text("no key")
    return ours[0], folder / "garbage"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [(encrypted, "is encrypted | decrypt it"), (mixed, "do not match | check"), (garbage, "cannot be read")],
)
def test_a_users_certificate_that_is_of_no_use_is_told(
    tmp_path: Path, folder: Path, ours: Pair, other: Pair, spoil: Spoil, message: str
) -> None:
    signed, key = spoil(ours, other, folder)
    user = {"client-certificate": str(signed), "client-key": str(key)}
    assert message in asking(tmp_path, ours, {"certificate-authority": str(ours[0])}, user)


def test_an_authority_that_is_no_certificate_is_told(tmp_path: Path, folder: Path, ours: Pair) -> None:
    (folder / "garbage").write_text("no certificate")
    assert "cannot be read" in asking(tmp_path, ours, {"certificate-authority": str(folder / "garbage")})
    assert "does not exist" in asking(tmp_path, ours, {"certificate-authority": str(folder / "gone")})


def test_a_proxy_that_is_away_is_told(tmp_path: Path) -> None:
    with serving(organisation()) as gone:
        away = gone.address
    path = Path(gone.kubeconfig(tmp_path))
    config = yaml.safe_load(path.read_text())
    config["clusters"][0]["cluster"] = {"server": "https://cluster.invalid", "proxy-url": away}
    path.write_text(yaml.safe_dump(config))
    assert f"the proxy `{away}` refuses the connection" in told(Access(kubeconfig=str(path)))
