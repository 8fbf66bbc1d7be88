import pytest

from kubectl_fairshare.schedulers.kueue.laws import visiting_order


@pytest.mark.parametrize(
    ("name", "value"),
    [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)],
)
def test_the_hash_is_fnv_1a_of_64_bits(name: str, value: int) -> None:
    assert visiting_order(name) == (value, name)


def test_cpu_comes_last() -> None:
    names = ["cpu", "memory", "pods", "example.com/fpga", "nvidia.com/gpu"]

    assert sorted(names, key=visiting_order) == ["memory", "nvidia.com/gpu", "pods", "example.com/fpga", "cpu"]
