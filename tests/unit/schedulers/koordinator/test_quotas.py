"""Trees of quotas: whose pods count where, what is requested, what each may use."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model import amounts, overlay
from kubectl_fairshare.schedulers.koordinator.model.names import DEFAULT, renamed
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, Gates
from kubectl_fairshare.schedulers.koordinator.model.written import computed, listing, plus, written_list
from kubectl_fairshare.schedulers.koordinator.quotas import sums
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, alone, state_of, with_pod, with_pods
from kubectl_fairshare.schedulers.koordinator.release import Rounding, rounding_of
from tests.unit.schedulers.koordinator.build import node, pod, quota, runtimes, state

CORE = 10**9
ORG = quota("org", {"cpu": 50}, {"cpu": 100}, is_parent="true")


def asked(name: str, cpu: int) -> object:
    return pod(f"of-{name}-{cpu}", name, {"cpu": cpu})


def member_laws(*objects: object) -> dict[str, tuple[str, Law]]:
    of = state(*objects)  # type: ignore[arg-type]
    return {p.key.name: (of.quota_of[p.key].quota, of.quota_of[p.key].law) for p in of.source.pods}


def test_a_pod_belongs_to_the_quota_of_its_label_its_namespace_an_annotation_or_the_default() -> None:
    listing_one = quota("listing", {}, {"cpu": 1})
    listing_one["metadata"]["annotations"] = {"quota.scheduling.koordinator.sh/namespaces": '["shop"]'}
    found = member_laws(
        quota("a", {}, {"cpu": 1}),
        quota("lab", {}, {"cpu": 1}, namespace="lab"),
        listing_one,
        pod("labelled", "a"),
        pod("typo", "aa"),
        pod("own"),
        pod("listed", namespace="shop"),
        pod("none", namespace="else"),
    )
    assert found == {
        "labelled": ("a", Law.NAMED),
        "typo": (DEFAULT, Law.UNKNOWN_NAME),
        "own": ("lab", Law.OF_NAMESPACE),
        "listed": ("listing", Law.LISTED),
        "none": (DEFAULT, Law.BY_DEFAULT),
    }


def test_a_quota_that_is_being_deleted_takes_its_namespaces_pods_and_leaves_them_to_the_default() -> None:
    """``GetQuotaName`` asks the lister, which has it; ``ReplaceQuotas`` has left it out, so it names no quota."""
    leaving, listing = quota("shop", {}, {"cpu": 9}, namespace="shop"), quota("one", {}, {"cpu": 9})
    listing["metadata"]["annotations"] = {"quota.scheduling.koordinator.sh/namespaces": '["shop", "mall"]'}
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    pods = [pod(f"in-{name}", request={"cpu": 1}, namespace=name, node="n1") for name in ("shop", "mall")]
    of = state(node(), leaving, listing, *pods)
    assert {key.namespace: each.quota for key, each in of.quota_of.items()} == {"shop": DEFAULT, "mall": "one"}
    assert of.sums("one").used == {"cpu": 10**9}
    leaving["metadata"]["annotations"] = {"quota.scheduling.koordinator.sh/namespaces": '["lab"]'}
    of = state(node(), leaving, pod("p", request={"cpu": 1}, namespace="lab"))
    assert [each.quota for each in of.quota_of.values()] == [DEFAULT]


def test_a_default_quota_of_another_tree_does_not_count_pods_in_the_default_tree() -> None:
    """``quotaToTreeMap`` has the default quota in the default tree, whose manager never sees such an object."""
    away = quota(DEFAULT, {}, {"cpu": 9, "nvidia.com/gpu": 9}, tree_id="t")
    objects = (node(), away, pod("p", request={"cpu": 1, "nvidia.com/gpu": 1}, node="n1"))
    assert set(state(*objects, gates=Gates(multi_tree=True)).sums(DEFAULT).used) == {"cpu"}
    assert set(state(*objects).sums(DEFAULT).used) == {"cpu", "nvidia.com/gpu"}


def test_a_pod_counts_whatever_its_node_and_a_pod_that_has_ended_does_not() -> None:
    """``OnPodAdd`` looks at ``spec.nodeName`` alone, and the scheduler's informer has no pods that have ended."""
    away, ended = (
        pod("p", "a", {"cpu": 1}, node="gone"),
        pod("q", "a", {"cpu": 2}, node="n1", status={"phase": "Failed"}),
    )
    sums = state(node(), quota("a", {}, {"cpu": 9}), away, ended).sums("a")
    assert (sums.used, sums.request) == ({"cpu": 10**9}, {"cpu": 10**9})


def test_without_the_default_quota_only_the_label_counts() -> None:
    of = state(quota("lab", {}, {"cpu": 1}, namespace="lab"), pod("own"), gates=Gates(no_default=True))
    (member,) = of.quota_of.values()
    assert (member.quota, member.law) == ("", Law.NO_QUOTA)


def test_a_quota_charges_only_what_its_own_max_lists() -> None:
    of = state(node(), quota("a", {}, {"cpu": 8}), pod("p", "a", {"cpu": 1, "nvidia.com/gpu": 4}, node="n1"))
    assert of.sums("a").used == {"cpu": CORE}


def test_a_request_goes_up_at_most_max_and_at_least_a_min_that_is_not_lent() -> None:
    of = state(
        node(),
        ORG,
        quota("a", {"cpu": 5}, {"cpu": 10}, "org"),
        quota("b", {"cpu": 20}, {"cpu": 40}, "org", allow_lent_resource="false"),
        asked("a", 30),  # type: ignore[arg-type]
    )
    assert of.sums("a").limit_request == {"cpu": 10 * CORE}
    assert of.sums("b").limit_request == {"cpu": 20 * CORE}
    assert of.sums("org").child_request == {"cpu": 30 * CORE}


def test_a_surplus_is_divided_from_the_top_down() -> None:
    of = state(
        node(),
        quota("org", {"cpu": 20}, {"cpu": 30}, is_parent="true"),
        quota("a", {}, {"cpu": 90}, "org"),
        quota("b", {}, {"cpu": 90}, "org"),
        quota("c", {"cpu": 20}, {"cpu": 90}),
        *(asked(name, 80) for name in "ab"),  # type: ignore[arg-type]
        asked("c", 90),  # type: ignore[arg-type]
    )
    assert runtimes(of) == {"org": 30, "a": 15, "b": 15, "c": 70}


def test_minima_above_the_total_are_scaled_unless_that_is_turned_off() -> None:
    objects = (node(cpu="50"), quota("a", {"cpu": 40}, {"cpu": 90}), quota("b", {"cpu": 60}, {"cpu": 90}))
    pods = (asked("a", 40), asked("b", 10))
    scaled = state(*objects, *pods)  # type: ignore[arg-type]
    assert (runtimes(scaled), scaled.trees[""].runtimes.least("a")) == ({"a": 40, "b": 10}, {"cpu": 20 * CORE})
    both = (asked("a", 40), asked("b", 60))
    assert runtimes(state(*objects, *both, arguments=Arguments(scales_min=False))) == {"a": 40, "b": 60}  # type: ignore[arg-type]


def test_an_orphan_and_all_below_it_have_no_runtime_and_request_nothing_above() -> None:
    of = state(
        node(),
        quota("a", {"cpu": 5}, {"cpu": 10}, "gone", is_parent="true"),
        quota("b", {"cpu": 5}, {"cpu": 10}, "a"),
        asked("b", 4),  # type: ignore[arg-type]
    )
    assert of.figures("b").tree.orphans == {"a", "b"}
    assert (runtimes(of), dict(of.sums("a").child_request)) == ({}, {})


def test_a_parent_without_children_gets_no_runtime_and_keeps_its_min() -> None:
    of = state(
        node(cpu="50"),
        quota("a", {"cpu": 60}, {"cpu": 90}, is_parent="true"),
        quota("b", {"cpu": 40}, {"cpu": 90}),
    )
    assert list(runtimes(of)) == ["b"]
    least = of.trees[""].runtimes.least
    assert (least("a"), least("b")) == ({"cpu": 60 * CORE}, {"cpu": 20 * CORE})


def test_the_default_quota_is_taken_off_the_total_and_competes_again() -> None:
    of = state(node(), quota("a", {}, {"cpu": 100}), pod("web", request={"cpu": 10}, node="n1"))
    assert of.trees[""].shared["cpu"] == 90 * CORE
    division = of.trees[""].runtimes.partition("koordinator-root-quota", "cpu")
    assert division is not None
    assert division.claims[-1].weight == -600


def test_a_named_tree_divides_the_total_of_its_root_and_takes_it_off_the_default_tree() -> None:
    top = quota("top", {"cpu": 60}, {"cpu": 99}, is_parent="true", is_root="true", tree_id="t")
    top["metadata"]["annotations"] = {"quota.scheduling.koordinator.sh/total-resource": '{"cpu":"60"}'}
    objects = (node(), top, quota("a", {"cpu": 20}, {"cpu": 99}, "top", tree_id="t"), quota("b", {}, {"cpu": 99}))
    pods = (asked("a", 80), asked("b", 80))
    assert runtimes(state(*objects, *pods, gates=Gates(multi_tree=True))) == {"top": 60, "a": 60, "b": 40}  # type: ignore[arg-type]
    assert state(*objects, *pods).figures("a").total["cpu"] == 100 * CORE  # type: ignore[arg-type]


def test_a_cycle_of_parents_is_refused_with_its_names() -> None:
    with pytest.raises(FairshareError, match="a → b → a"):
        state(quota("a", {}, {"cpu": 1}, "b"), quota("b", {}, {"cpu": 1}, "a"))


def test_guaranteed_use_is_kept_beyond_min() -> None:
    objects = (node(cpu="20"), quota("a", {"cpu": 2}, {"cpu": 20}), quota("b", {"cpu": 2}, {"cpu": 20}))
    pods = (pod("p", "a", {"cpu": 15}, node="n1"), asked("b", 20))
    assert runtimes(state(*objects, *pods, gates=Gates(guarantees_use=True))) == {"a": 15, "b": 5}  # type: ignore[arg-type]


@pytest.mark.parametrize(("guarantees", "left"), [(True, 2062), (False, 6186)])
def test_guaranteed_use_of_the_default_quota_leaves_less_to_others(guarantees: bool, left: int) -> None:
    pods = (pod("on", request={"cpu": 4}, node="n1"), pod("waiting", request={"cpu": 1}), asked("a", 10))
    of = state(node(cpu="10"), quota("a", {}, {"cpu": 20}), *pods, gates=Gates(guarantees_use=guarantees))  # type: ignore[arg-type]
    assert of.runtime("a") == {"cpu": left * CORE // 1000}


def test_what_is_guaranteed_below_an_orphan_does_not_rise() -> None:
    orphans = (quota("top", {"cpu": 2}, {"cpu": 9}, "nowhere"), quota("low", {"cpu": 5}, {"cpu": 9}, "top"))
    of = state(node(cpu="10"), *orphans, pod("p", "low", {"cpu": 3}, node="n1"), gates=Gates(guarantees_use=True))
    sums_of = of.trees[""].sums
    assert sums_of["low"].guaranteed == {"cpu": 5 * CORE}
    assert sums_of["top"].guaranteed == {"cpu": 2 * CORE}
    assert sums_of["top"].used == {"cpu": 3 * CORE}


@pytest.mark.parametrize(("rounding", "shares"), [(Rounding.EACH, (3, 3)), (Rounding.LARGEST_REMAINDER, (3, 2))])
def test_the_release_chooses_how_devices_are_divided(rounding: Rounding, shares: tuple[int, int]) -> None:
    gpu = "nvidia.com/gpu"
    of = state(
        node(gpu="5"),
        *(quota(name, {}, {gpu: 5}) for name in "ab"),
        *(pod(f"p{name}", name, {gpu: 5}) for name in "ab"),
        rounding=rounding,
    )
    assert tuple(runtimes(of, gpu).values()) == shares


@pytest.mark.parametrize(("text", "rounding"), [("v1.8.0", Rounding.EACH), ("1.9.0-rc1", Rounding.LARGEST_REMAINDER)])
def test_an_installed_release_says_how_it_rounds(text: str, rounding: Rounding) -> None:
    assert rounding_of(text) is rounding


def test_amounts_are_added_exactly_and_rounded_away_from_zero() -> None:
    two = amounts.plus(amounts.amounts_of({"cpu": "100u"}), amounts.amounts_of({"cpu": "100u"}))
    assert amounts.inner(two) == {"cpu": 1}
    assert amounts.whole("cpu", -1) == -1
    assert amounts.whole("cpu", amounts.amounts_of({"cpu": "1844674407370955161"})["cpu"]) == -600


def test_a_limit_binds_only_what_it_lists() -> None:
    assert amounts.beyond({"cpu": 3, "memory": 9}, {"cpu": 2}) == ("cpu",)
    assert amounts.beyond({}, {"cpu": -1}) == ()


def test_an_old_name_is_rewritten_unless_the_present_one_is_there() -> None:
    names = {"old": "new"}
    assert renamed({"old": 1}, names) == {"new": 1}
    assert renamed({"old": 1, "new": 2}, names) == {"old": 1, "new": 2}


def test_a_single_quantity_prints_as_written_and_a_sum_in_the_first_notation() -> None:
    one, other = written_list({"memory": "1000Mi", "cpu": "0.5"}), written_list({"memory": "24M"})
    assert listing(one) == "cpu:500m,memory:1000Mi"
    assert listing(plus(one, other)) == "cpu:500m,memory:1072576000"
    assert (str(computed("cpu", 10**9)), listing({})) == ("1", "<empty>")


_TREES = (
    quota("top", {"cpu": 8}, {"cpu": 20, "memory": "9"}, is_parent="true", allow_lent_resource="false"),
    quota("a", {"cpu": 6}, {"cpu": 9}, "top"),
    quota("b", {"cpu": 4}, {"cpu": 9, "memory": "5"}, "top", allow_lent_resource="false"),
    quota("b2", {"cpu": 4}, {"cpu": 9, "memory": "5"}, "top", allow_lent_resource="false"),
    quota("b3", {"cpu": 4}, {"cpu": 9, "memory": "5"}, "top", allow_lent_resource="false"),
    quota("c", {"cpu": 90}, {"cpu": 150}),
    quota("c2", {"cpu": 90}, {"cpu": 150}),
    quota("below", {"cpu": 1}, {"cpu": 9}, "gone"),
    quota(
        "other", {"cpu": 9}, {"cpu": 20}, is_root="true", is_parent="true", tree_id="t", total_resource='{"cpu": 10}'
    ),
    quota("leaf", {"cpu": 2}, {"cpu": 9}, "other", tree_id="t"),
)
_PODS = tuple(
    pod(f"{of}-{number}", of, {"cpu": number, "memory": "1"}, on, number, labels=firm if number % 2 else {})
    for of in ("top", "a", "b", "b2", "c", "c2", "below", "leaf", "none", "")
    for number, on in enumerate(("", "n1", "n2", "n1"))
    for firm in ({"quota.scheduling.koordinator.sh/preemptible": "false"},)
)


def figures(of: State) -> list[tuple[object, ...]]:
    """The min and the runtime of every quota, as they are read from the state."""
    return [
        (name, each.runtimes.least(name), each.runtimes.of(name)) for each in of.trees.values() for name in each.sums
    ]


_SOME = st.lists(st.integers(0, len(_PODS) - 1), unique=True)


@given(
    st.lists(_SOME, min_size=2, max_size=4),
    st.builds(Gates, multi_tree=st.booleans(), guarantees_use=st.booleans(), ignores_overhead=st.booleans()),
    st.builds(Arguments, uses_runtime=st.booleans(), scales_min=st.booleans()),
    st.sampled_from(Rounding),
)
def test_a_state_with_other_pods_is_that_of_these_pods_from_the_start(
    steps: Sequence[Sequence[int]], gates: Gates, arguments: Arguments, rounding: Rounding
) -> None:
    whole = state(*_TREES, node("n1"), node("n2"), *_PODS)
    source = replace(whole.source, gates=gates, arguments=arguments, rounding=rounding)
    now = state_of(source)
    for chosen in steps:
        pods = [source.pods[number] for number in chosen]
        now = with_pods(now, pods, source.pods[:1])
        fresh = state_of(replace(source, pods=tuple(pods)), source.pods[:1])
        assert now == fresh
        assert figures(now) == figures(fresh)


@pytest.mark.slow
@given(
    _SOME,
    st.booleans(),
    st.builds(Gates, multi_tree=st.booleans(), guarantees_use=st.booleans(), ignores_overhead=st.booleans()),
    st.builds(Arguments, uses_runtime=st.booleans(), scales_min=st.booleans()),
    st.sampled_from(Rounding),
)
def test_pods_that_come_one_by_one_make_the_state_that_they_make_at_once(
    chosen: Sequence[int], shared: bool, gates: Gates, arguments: Arguments, rounding: Rounding
) -> None:
    whole = state(*_TREES, node("n1"), node("n2"), *_PODS)
    source = replace(whole.source, gates=gates, arguments=arguments, rounding=rounding)
    now = state_of(replace(source, pods=()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlay, "_SMALL", 0 if shared else 64)
        patch.setattr(overlay, "_PART", 1)
        patch.setattr(sums, "_FEW", 2 if shared else 16)
        for number in chosen:
            now = with_pod(now, source.pods[number])
            figures(now)
            assert alone(now, source.pods[number]) == state_of(replace(source, pods=(source.pods[number],)))
    fresh = state_of(replace(source, pods=tuple(sorted((source.pods[n] for n in chosen), key=lambda p: p.key))))
    assert now == fresh
    assert figures(now) == figures(fresh)
    again = state_of(source)  # one that is asked about few quotas finds what each gets alone
    for name in again.quotas:
        assert state_of(source).limit(name) == again.limit(name)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from((9, 30)), st.integers(0, 20)), min_size=2, max_size=4),
    st.integers(1, 150),
    st.builds(Gates, guarantees_use=st.booleans()),
)
def test_siblings_that_claim_the_same_get_what_each_gets_alone(
    siblings: Sequence[tuple[int, int, int]], total: int, gates: Gates
) -> None:
    objects = [node(cpu=f"{total}")]
    for number, (least, most, request) in enumerate((*siblings, *siblings, *siblings)):
        objects.append(quota(f"q{number}", {"cpu": least}, {"cpu": most}))
        objects.append(pod(f"p{number}", f"q{number}", {"cpu": request}, "n1"))
    runtimes = state(*objects, gates=gates).trees[""].runtimes
    division = runtimes.partition("koordinator-root-quota", "cpu")
    assert division is not None
    alone = {claim.name: share for claim, share in zip(division.claims, division.shares, strict=True)}
    together = {name: runtimes.of(name) for name in alone if name.startswith("q")}
    assert together == {name: {"cpu": amounts.exact("cpu", alone[name])} for name in together}
    assert len(together) == 3 * len(siblings)


def test_a_waiting_pod_gives_a_quota_without_leaves_its_runtime() -> None:
    trees = (quota("bare", {"cpu": 6}, {"cpu": 9}, is_parent="true"), quota("a", {"cpu": 9}, {"cpu": 9}))
    whole = state(*trees, node("n1", cpu="10"), pod("waits", "bare", {"cpu": 9}), pod("runs", "a", {"cpu": 9}, "n1"))
    source = replace(whole.source, arguments=replace(whole.source.arguments, scales_min=True))
    waits, running = state_of(source), tuple(each for each in source.pods if each.node)
    alone = state_of(replace(source, pods=running))
    assert waits.trees[""].runtimes.has("bare")
    assert not alone.trees[""].runtimes.has("bare")
    assert with_pods(waits, running) == alone
    assert with_pods(alone, source.pods) == waits


def test_what_is_not_preemptible_below_an_orphan_is_used_above_and_not_requested_there() -> None:
    """Source: ``recursiveUpdateGroupTreeWithDeltaRequest`` ends at a parent without calculator."""
    orphans = (quota("top", {"cpu": 9}, {"cpu": 9}, "nowhere"), quota("low", {"cpu": 9}, {"cpu": 9}, "top"))
    firm = {"quota.scheduling.koordinator.sh/preemptible": "false"}
    of = state(node(cpu="10"), *orphans, pod("p", "low", {"cpu": 3}, node="n1", labels=firm))
    three = {"cpu": 3 * 10**9}
    assert (of.sums("low").firm_request, of.sums("low").firm_used) == (three, three)
    assert (of.sums("top").firm_request, of.sums("top").firm_used) == ({}, three)


def test_what_siblings_get_does_not_hang_on_which_is_asked_first() -> None:
    """Of many that differ in their requests alone; states of the same pods share what is known of one."""
    names = [f"q{number:02}" for number in range(40)]
    quotas = [quota(name, {"cpu": 1}, {"cpu": 100}) for name in names]
    pods = [pod(f"of-{name}", name, {"cpu": number}) for number, name in enumerate(names, 1)]
    objects = (*quotas, node("n1", cpu="300"), *pods)
    shared = state(*objects)
    for name in names:
        assert with_pods(shared, shared.source.pods).runtime(name) == state(*objects).runtime(name), name
