"""No password of an address is in an error: addresses of servers and proxies are printed where they fail."""

import pytest

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.report.text.problems import problem_lines
from kubectl_fairshare.report.text.view import View
from tests.screens import shown

PASSWORD = "pa55-w0rd"
ADDRESSES = [
    f"http://me:{PASSWORD}@127.0.0.1:9",
    f"https://me:{PASSWORD}@127.0.0.1:9/path",
    f"http://:{PASSWORD}@127.0.0.1:9",
    f"http://{PASSWORD}@127.0.0.1:9",
    f"http://me:a@{PASSWORD}@127.0.0.1:9",
    f"http://me:a/{PASSWORD}@127.0.0.1:9",
    f"http://me:a?{PASSWORD}@127.0.0.1:9",
    f"http://me:a#{PASSWORD}@127.0.0.1:9",
    f"http://me:%40{PASSWORD}%2f@127.0.0.1:9",
    f"socks5://me:{PASSWORD}@127.0.0.1:9",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_problem_shows_no_password(address: str) -> None:
    related = ((f"see {address}", Location("x", 1, 1)),)
    problem = Problem(f"the proxy `{address}` refuses it", address, f"check {address}", related)
    for severity in ("error", "note"):
        lines = problem_lines([problem], View(), severity)
        assert PASSWORD not in lines
        assert "127.0.0.1:9" in lines


@pytest.mark.parametrize("address", ADDRESSES[:3])
def test_a_proxy_that_refuses_is_named_without_its_password(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", address)
    monkeypatch.setenv("no_proxy", "")
    screen = shown("kubectl-fairshare shares -f testdata/demo/kai --prometheus http://prometheus.example")
    assert PASSWORD not in screen.stdout + screen.stderr
