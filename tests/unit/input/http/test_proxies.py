"""The proxy before a server is the one that kubectl would take."""

import pytest

from kubectl_fairshare.input.http.proxies import proxy_of

PROXY = "http://proxy:3128"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_the_kubeconfigs_goes_before_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://other")
    monkeypatch.setenv("NO_PROXY", "*")
    assert proxy_of("https://api.example", PROXY) == PROXY


@pytest.mark.parametrize(
    ("name", "server", "found"),
    [
        ("HTTPS_PROXY", "https://api.example", PROXY),
        ("https_proxy", "https://api.example:6443", PROXY),
        ("HTTP_PROXY", "https://api.example", None),
        ("HTTP_PROXY", "http://api.example", PROXY),
        ("HTTPS_PROXY", "http://api.example", None),
        ("HTTPS_PROXY", "https://localhost:6443", None),
        ("HTTPS_PROXY", "https://127.0.0.1:6443", None),
        ("HTTPS_PROXY", "https://[::1]:6443", None),
    ],
)
def test_the_environments_is_that_of_the_scheme_and_never_for_this_machine(
    monkeypatch: pytest.MonkeyPatch, name: str, server: str, found: str | None
) -> None:
    monkeypatch.setenv(name, PROXY)
    assert proxy_of(server, None) == found


def test_a_proxy_without_a_scheme_is_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "proxy:3128")
    assert proxy_of("https://api.example", "") == PROXY


@pytest.mark.parametrize(
    ("server", "exceptions", "excepted"),
    [
        ("https://api.example", "*", True),
        ("https://api.example", "", False),
        ("https://api.example", "other, api.example", True),
        ("https://api.example", "example", True),
        ("https://api.example", ".example", True),
        ("https://api.example", "*.example", True),
        ("https://example", ".example", False),
        ("https://badexample", "example", False),
        ("https://API.example", "api.EXAMPLE", True),
        ("https://api.example:6443", "api.example:6443", True),
        ("https://api.example:6443", "api.example:443", False),
        ("https://api.example", "api.example:443", True),
        ("https://10.1.2.3:6443", "10.0.0.0/8", True),
        ("https://10.1.2.3", "10.1.2.3", True),
        ("https://10.1.2.3", "10.1.2.3:443", True),
        ("https://11.1.2.3", "10.0.0.0/8", False),
        ("https://[fd00::1]:6443", "fd00::/8", True),
        ("https://[fd00::1]:6443", "[fd00::1]:6443", True),
        ("https://[fd00::1]:6443", "[fd00::1]:443", False),
    ],
)
def test_what_no_proxy_names_is_asked_directly(
    monkeypatch: pytest.MonkeyPatch, server: str, exceptions: str, excepted: bool
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", PROXY)
    monkeypatch.setenv("NO_PROXY", exceptions)
    assert proxy_of(server, None) == (None if excepted else PROXY)
