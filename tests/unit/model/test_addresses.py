import pytest

from kubectl_fairshare.model.addresses import is_address


@pytest.mark.parametrize("text", ["::", "0.0.0.0", "10.1.2.3", "2001:db8::1", "::ffff:1.2.3.4"])
def test_an_address(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text", ["", "a-1", "localhost", "10.1.2", "10.1.2.300", "010.1.2.3", "fe80::1%eth0", "10.0.0.0/8"]
)
def test_no_address(text: str) -> None:
    assert not is_address(text)
