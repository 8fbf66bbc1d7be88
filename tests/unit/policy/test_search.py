"""The search: what it tries, how it makes a counterexample small, and that it finds what is known to be broken."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.quantity import amount
from kubectl_fairshare.policy.search.invariants import (
    Invariant,
    NoCascade,
    NoStarvedBurst,
    QuotaBound,
    load_text,
    only_drawn,
    resource_of,
)
from kubectl_fairshare.policy.search.loads import SeededNumbers, _sizes, draw_work, space_of
from kubectl_fairshare.policy.search.reading import as_kept, invariant_called, kept_invariants
from kubectl_fairshare.policy.search.search import (
    Counterexample,
    SearchBounds,
    SearchResults,
    carried_out,
    search,
    shrunk,
)
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox, Site
from tests.screens import ROOT


def sandbox_of(path: str, scheduler: str = "kueue") -> Sandbox:
    """The idle sandbox of a policy."""
    manifests = read([str(ROOT / path)], known_schedulers()).manifests
    snapshot = assemble(manifests, known_schedulers()).snapshot
    return scheduler_named(scheduler).review.sandbox(snapshot).idle()


def searched(
    sandbox: Sandbox, invariant: Invariant, bounds: SearchBounds, sizes: tuple[int, ...] = ()
) -> SearchResults:
    """What a search in this process finds."""
    space = space_of(sandbox, sizes=sizes)
    return search(
        space,
        bounds,
        [invariant],
        lambda tasks: (carried_out(t, sandbox, space, [invariant]) for t in tasks),
        lambda: False,
    )


def smallest(sandbox: Sandbox, invariant: Invariant, found: SearchResults) -> Counterexample:
    """The only counterexample, made small."""
    (example,) = found.counterexamples
    return shrunk(sandbox, example, invariant, found.space.units)


def test_sizes_in_bytes_are_those_that_a_person_writes() -> None:
    space = space_of(sandbox_of("testdata/demo/koordinator", "koordinator"), "memory")
    gib = 1 << 30
    assert space.sizes == (42 * gib, 80 * gib, 85 * gib, 255 * gib)


@pytest.mark.parametrize(
    ("quota", "sizes"), [("1536Mi", ("256Mi", "512Mi", "1535Mi", "1536Mi")), ("5", ("1", "4", "5"))]
)
def test_units_of_bytes_are_no_larger_than_a_sixth_of_the_largest_quota(quota: str, sizes: tuple[str, ...]) -> None:
    site = Site("a", {("", "memory"): amount("memory", quota)}, {})
    assert _sizes([site], "memory") == tuple(amount("memory", each) for each in sizes)


def test_final_share_alone_lets_one_huge_workload_starve_a_small_one() -> None:
    """KEP-1714 gives this as the reason for S2-b."""
    bounds, invariant = SearchBounds(systematic=2, random=0), NoStarvedBurst(most={"cpu": 3000})
    alone, both = (sandbox_of(f"testdata/search/{name}.yaml") for name in ("s2a-alone", "both"))

    example = smallest(alone, invariant, searched(alone, invariant, bounds))

    assert [load_text(load) for load in example.loads] == ["5 cpu in a", "2 cpu in b"]
    assert not searched(both, invariant, bounds).counterexamples


@pytest.mark.slow
def test_initial_share_alone_can_evict_for_ever() -> None:
    """S2-b compares the share before anything has left, so the evicted one may come back and evict in turn."""
    sandbox, invariant = sandbox_of("testdata/search/s2b-alone.yaml"), NoCascade(64)

    example = smallest(sandbox, invariant, searched(sandbox, invariant, SearchBounds(2, 2000, 8)))

    assert "never come to rest" in example.breach
    assert "evict each other" in example.breach


def test_a_quota_without_max_takes_all_that_is_free() -> None:
    sandbox = sandbox_of("testdata/search/without-max.yaml", "elasticquota")

    for namespace, broken in (("unbounded", True), ("bounded", False)):
        invariant = QuotaBound(namespace, {"cpu": 4000})
        assert bool(searched(sandbox, invariant, SearchBounds(2, 20, 4)).counterexamples) is broken


@pytest.mark.slow
def test_without_past_usage_a_burst_never_gets_its_turn() -> None:
    invariant, bounds = NoStarvedBurst(), SearchBounds(systematic=2, random=0)
    ignoring = sandbox_of("testdata/search/k-0.yaml", "kai")

    found = searched(ignoring, invariant, bounds, (6,))

    (example,) = found.counterexamples
    assert [load.queue for load in example.loads] == ["bursty", "steady"]
    counting = sandbox_of("testdata/search/k-4.yaml", "kai")
    assert not searched(counting, invariant, bounds, (6,)).counterexamples


def test_all_loads_of_a_length_are_counted() -> None:
    sandbox = sandbox_of("testdata/search/both.yaml")

    found = searched(sandbox, NoCascade(99), SearchBounds(systematic=3, random=0))

    kinds = len(found.space.kinds)
    assert found.states == kinds + kinds**2 + kinds**3
    assert (found.lengths, found.partly) == (3, 0)


def test_time_that_runs_out_leaves_a_length_open() -> None:
    sandbox = sandbox_of("testdata/search/both.yaml")
    space, calls = space_of(sandbox), iter(range(1000))

    def run(tasks: object) -> object:
        return (carried_out(t, sandbox, space, [NoCascade(99)]) for t in tasks)  # type: ignore[attr-defined]

    found = search(space, SearchBounds(), [NoCascade(99)], run, lambda: next(calls) > 6)  # type: ignore[arg-type]

    assert found.partly
    assert not found.drawn


def test_the_same_seed_draws_the_same_loads() -> None:
    space = space_of(sandbox_of("testdata/search/both.yaml"))

    one, other, third = (draw_work(space, SeededNumbers(seed), 9) for seed in (7, 7, 8))

    assert one == other
    assert one != third


@pytest.mark.parametrize(
    "text",
    [
        "entitled waits",
        "entitled waits in a",
        "starvation",
        "starved burst up to cpu=2",
        "starved burst in a up to cpu=2",
        "cascade > 3",
        "crashes",
        "a preempted by b",
        "any preempted by b",
        "a > cpu=4",
    ],
)
def test_an_invariant_reads_as_it_is_written(text: str) -> None:
    sandbox = sandbox_of("testdata/search/both.yaml")

    invariant = invariant_called(text, sandbox)

    assert invariant.text == text
    (again,) = kept_invariants(as_kept(invariant), sandbox, lambda *_: None)  # type: ignore[arg-type]
    assert again == invariant


@pytest.mark.parametrize("text", ["cascade", "z preempted by b", "a > cpu=many", "nonsense"])
def test_a_wrong_invariant_is_told_with_the_forms(text: str) -> None:
    with pytest.raises(UsageError):
        invariant_called(text, sandbox_of("testdata/search/both.yaml"))


def test_a_resource_without_quota_cannot_be_searched() -> None:
    with pytest.raises(UsageError, match="no queue has quota for `tpu`"):
        space_of(sandbox_of("testdata/search/both.yaml"), "tpu")


def test_pods_are_counted_and_not_requested(tmp_path: Path) -> None:
    text = (ROOT / "testdata/search/both.yaml").read_text()
    counted = text.replace("[cpu]", "[pods, cpu]").replace("[{name: cpu", "[{name: pods, nominalQuota: 9}, {name: cpu")
    (tmp_path / "both.yaml").write_text(counted)
    space = space_of(sandbox_of(str(tmp_path / "both.yaml")))
    assert (space.resource, list(space.units)) == ("cpu", ["cpu"])
    with pytest.raises(UsageError, match="a pod cannot request `pods`"):
        space_of(sandbox_of(str(tmp_path / "both.yaml")), "pods")


def test_a_search_asks_for_the_resource_that_its_invariants_name(tmp_path: Path) -> None:
    quotas = "[{name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 4Gi}]"
    flavor = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n---\n"
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        f"{flavor}apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: a}}\nspec:\n"
        "  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu, memory]\n"
        f"    flavors: [{{name: f, resources: {quotas}}}]\n"
    )
    sandbox = sandbox_of(str(policy))
    bound, any_load = invariant_called("a > cpu=3", sandbox), invariant_called("starvation", sandbox)

    assert resource_of([any_load, bound]) == "cpu"
    assert not resource_of([any_load])
    assert not list(only_drawn([any_load, bound], "cpu"))
    (note,) = only_drawn([any_load, bound], "memory")
    assert note.startswith("only drawn loads can break `a > cpu=3`: the others ask for no cpu")


def test_a_burst_of_up_to_so_much_asks_for_nothing_else() -> None:
    burst = NoStarvedBurst(most={"cpu": 3000})

    assert burst._is_meant(MadeUpWork("a", {"cpu": 3000}))
    assert not burst._is_meant(MadeUpWork("a", {"cpu": 3001}))
    assert not burst._is_meant(MadeUpWork("a", {"memory": 1}))
    assert NoStarvedBurst()._is_meant(MadeUpWork("a", {"memory": 1}))
