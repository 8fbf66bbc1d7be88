"""Transformations in the order of a Go map: every charge that an order of the requests gives, and no other."""

from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.requests import charges
from kubectl_fairshare.schedulers.kueue.jobs.transformations import outputs_together
from kubectl_fairshare.schedulers.kueue.model.objects import Transformation
from kubectl_fairshare.schedulers.kueue.reading.configuration import default_configuration
from kubectl_fairshare.schedulers.kueue.release import release_named

NAMES = "abcd"
NANO = 10**9
amounts = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 4).map(lambda n: n * NANO), max_size=4)
rules = st.lists(
    st.builds(
        Transformation,
        st.sampled_from(NAMES),
        st.sampled_from(["Retain", "Replace"]),
        st.dictionaries(st.sampled_from(NAMES + "x"), st.sampled_from(["1", "2", "500m"]), max_size=3),
        st.one_of(st.none(), st.sampled_from(NAMES)),
    ),
    max_size=3,
    unique_by=lambda rule: rule.input,
)
FACTORS = {"1": Fraction(1), "2": Fraction(2), "500m": Fraction(1, 2)}


def in_order(asked: dict[str, int], mapping: list[Transformation], order: tuple[str, ...]) -> dict[str, Fraction]:
    """Kueue's loop, in one order of its map."""
    found: dict[str, Fraction] = {}
    for name in order:
        rule = next((each for each in mapping if each.input == name), None)
        amount = Fraction(asked[name])
        if rule is None:
            found[name] = amount
            continue
        if rule.multiply_by in asked:
            amount *= Fraction(asked[rule.multiply_by], NANO)
        for output, factor in rule.outputs.items():
            found[output] = found.get(output, Fraction(0)) + amount * FACTORS[factor]
        if rule.strategy == "Retain":
            found[name] = amount
    return found


@given(amounts, rules)
def test_every_order_of_the_requests_is_among_the_charges_and_nothing_else_is(
    asked: dict[str, int], mapping: list[Transformation]
) -> None:
    ways, every = outputs_together(asked, mapping, whole=False)
    orders = permutations(asked)
    assert {frozenset(way.items()) for way in ways} == {
        frozenset(in_order(asked, mapping, order).items()) for order in orders
    }
    assert every


def charged(release: str, asked: dict[str, int], *mapping: Transformation) -> tuple[list[dict[str, int]], bool]:
    configuration = replace(default_configuration(release_named(release)), transformations=mapping)
    first, instead, every = charges({name: amount * NANO for name, amount in asked.items()}, configuration)
    return [first, *instead], every


SLICE = Transformation("slice", "Replace", {"memory": "5"})


def test_what_is_made_of_another_resource_may_be_lost_before_the_request_is_met() -> None:
    asked = {"memory": 2, "slice": 1}
    assert charged("0.17", asked, SLICE) == ([{"memory": 7}, {"memory": 2}], True)
    assert charged("0.18.4", asked, SLICE) == ([{"memory": 7}, {"memory": 2}], True)
    assert charged("0.18.6", asked, SLICE) == ([{"memory": 7}], True)


def test_what_a_resource_makes_of_itself_is_always_lost_if_it_is_retained() -> None:
    assert charged("0.17", {"memory": 2}, Transformation("memory", "Retain", {"memory": "5"})) == (
        [{"memory": 2}],
        True,
    )
    assert charged("0.17", {"memory": 2}, Transformation("memory", "Replace", {"memory": "5"})) == (
        [{"memory": 10}],
        True,
    )


def test_what_pods_do_not_request_by_themselves_is_no_matter_of_order() -> None:
    other = Transformation("gpu", "Replace", {"memory": "1"})
    assert charged("0.17", {"slice": 1, "gpu": 2}, SLICE, other) == ([{"memory": 7}], True)


def test_too_many_orders_are_not_all_listed() -> None:
    mapping = [Transformation(f"in{i}", "Replace", {"memory": str(2**i)}) for i in range(6)]
    asked = {"memory": 1, **{f"in{i}": 1 for i in range(6)}}
    assert charged("0.17", asked, *mapping) == ([{"memory": 64}], False)
    found, every = charged("0.17", {name: n for name, n in asked.items() if name != "in5"}, *mapping[:5])
    assert (len(found), every) == (32, True)
