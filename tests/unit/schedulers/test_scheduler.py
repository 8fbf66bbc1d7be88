"""A scheduler's own options: their names, and the commands that accept them."""

import pytest

from kubectl_fairshare.schedulers.scheduler import HouseOption


@pytest.mark.parametrize(("flags", "name"), [("--fair-sharing/--classical", "fair_sharing"), ("--shard", "shard")])
def test_the_name_of_an_option_is_its_first_spelling(flags: str, name: str) -> None:
    assert HouseOption(flags, "flag", "").name == name


@pytest.mark.parametrize(
    ("commands", "also", "asked", "accepted"),
    [
        ((), (), "plan", True),
        ((), (), "lint", False),
        ((), ("lint",), "lint", True),
        (("shares",), (), "plan", False),
        (("shares",), (), "shares", True),
        (("shares",), ("simulate",), "simulate", True),
    ],
)
def test_who_accepts_an_option(commands: tuple[str, ...], also: tuple[str, ...], asked: str, accepted: bool) -> None:
    option = HouseOption("--shard", "text", "", commands=commands, also=also)
    assert option.is_for(asked, asks=asked in ("plan", "shares")) is accepted
