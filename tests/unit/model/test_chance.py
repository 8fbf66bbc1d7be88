"""Numbers that a seed decides."""

from kubectl_fairshare.model.chance import Chance


def test_the_numbers_are_those_of_splitmix64() -> None:
    chance = Chance(1234567)
    assert [chance.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_fractions_are_below_one_and_their_mean_is_a_half() -> None:
    chance = Chance(7)
    drawn = [chance.fraction() for _ in range(4000)]
    assert min(drawn) >= 0
    assert max(drawn) < 1
    assert abs(sum(drawn) / len(drawn) - 0.5) < 0.02


def test_exponential_draws_have_the_mean_asked_for() -> None:
    chance = Chance(7)
    drawn = [chance.exponential(30.0) for _ in range(4000)]
    assert min(drawn) >= 0
    assert abs(sum(drawn) / len(drawn) - 30) < 2


def test_a_branch_does_not_depend_on_later_draws() -> None:
    one, other = Chance(3), Chance(3)
    branch = one.branch()
    other_branch = other.branch()
    one.bits()
    assert branch.bits() == other_branch.bits()
