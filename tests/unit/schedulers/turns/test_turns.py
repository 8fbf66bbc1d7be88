"""Waiting pods in turn: who gets in, who no longer does, and where that is not known.

The right ends are those of the scheduler's own cycles (``schedule`` of each house, which recordings prove), one after
another: Kubernetes 1.35, ``PrioritySort`` for the order, and ``PrioritizeVictims`` to ``prepareCandidate``, which
deletes the victims and nominates the pod in the same cycle.
"""

from collections.abc import Sequence

from kubectl_fairshare.answers.outcome import before_clause
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Requirement
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.elasticquota.why.turns import TURNS as CAPACITY_TURNS
from kubectl_fairshare.schedulers.koordinator.quotas.state import State as RuntimeState
from kubectl_fairshare.schedulers.koordinator.why.turns import TURNS as KOORDINATOR_TURNS
from kubectl_fairshare.schedulers.kubescheduler.turns import AnyTry
from kubectl_fairshare.schedulers.turns.line import PodLine, PodLines, QueueEntry
from kubectl_fairshare.schedulers.turns.turns import PodTurn, PodTurns
from tests.unit.schedulers.elasticquota.build import node, pod, quota, state
from tests.unit.schedulers.koordinator import build

Ends = dict[str, tuple[str, int, list[str]]]


def line(pods: Sequence[Pod], tried: Sequence[str] = (), ages: Sequence[str] = ()) -> PodLine[Pod]:
    """The pods in the order of ``ages``, then by name; a scheduler has ``tried`` some of them already."""

    def queued(each: Pod) -> QueueEntry:
        name = each.key.name
        return QueueEntry("", [*ages, *sorted(p.key.name for p in pods)].index(name), tried=name in tried)

    return PodLine([each for each in pods if not each.node], queued)


def ends(at: State, tried: Sequence[str] = (), ages: Sequence[str] = ()) -> Ends:
    """How each waiting pod ends, how many get in before it if that decides, and what is in doubt."""
    found: dict[str, str] = {}

    def met(each: Pod, _: State, __: PodTurn, attempt: AnyTry) -> None:
        victims = ",".join(victim.key.name for victim in attempt.victims)
        found[each.key.name] = f"-{victims}" if victims else "in" if attempt.node else "waits"

    turns = PodTurns(CAPACITY_TURNS, at, line(at.source.pods, tried, ages), met)
    waiting = {each.key.name: each for each in at.source.pods if not each.node}
    return {
        name: (end, turns.before(waiting[name]), [gap.feature for gap in turns.gaps(waiting[name])])
        for name, end in sorted(found.items())
    }


TWO = (quota("a", {"cpu": 2}, {"cpu": 9}), quota("b", {"cpu": 2}, {"cpu": 9}))


def test_of_pods_that_would_each_fit_alone_the_first_gets_in() -> None:
    at = state(node("n", cpu=1), *TWO, pod("a/x", cpu=1), pod("a/y", cpu=1))
    assert ends(at) == {"x": ("in", 0, []), "y": ("waits", 1, [])}
    assert ends(at, ages=["y", "x"]) == {"x": ("waits", 1, []), "y": ("in", 0, [])}


def test_a_higher_priority_goes_first_whatever_its_age() -> None:
    at = state(node("n", cpu=1), *TWO, pod("a/x", cpu=1), pod("a/y", priority=1, cpu=1))
    assert ends(at, tried=["x", "y"]) == {"x": ("waits", 1, []), "y": ("in", 0, [])}


def test_no_object_records_the_order_of_pods_that_were_tried_before() -> None:
    at = state(node("n", cpu=1), *TWO, pod("a/x", cpu=1), pod("a/y", cpu=1))
    assert ends(at, tried=["x"]) == {"x": ("in", 0, ["QueueOrder"]), "y": ("waits", 1, ["QueueOrder"])}
    room = state(node("n", cpu=2), *TWO, pod("a/x", cpu=1), pod("a/y", cpu=1))
    assert ends(room, tried=["x", "y"]) == {"x": ("in", 0, []), "y": ("in", 0, [])}


def test_what_follows_pods_of_an_open_order_is_exact_where_all_orders_agree() -> None:
    high, low = (quota("a", {"cpu": 6}), quota("b", {"cpu": 6})), pod("b/z", priority=-1, cpu=2)
    at = state(node("n", cpu=3), *high, pod("a/x", cpu=1), pod("a/y", cpu=3), low)
    assert ends(at, tried=["x"])["z"] == ("in", 0, ["QueueOrder"])
    full = state(node("n", cpu=4), *high, pod("a/x", cpu=3), pod("a/y", cpu=3), low)
    assert ends(full, tried=["x"])["z"] == ("waits", 1, ["QueueOrder"])
    wide = state(node("n", cpu=4), *high, pod("a/x", cpu=3), pod("a/y", cpu=3), pod("b/z", priority=-1, cpu=9))
    assert ends(wide, tried=["x"])["z"] == ("waits", 0, [])


def test_two_pods_do_not_share_one_victim() -> None:
    """The first takes the only pod that borrows; the quotas count it as nominated, so the second finds none."""
    old = [pod("b/v1", "n", cpu=1), pod("b/v2", "n", cpu=1), pod("b/v3", "n", cpu=1, started=9)]
    at = state(node("n", cpu=8), *TWO, *old, pod("a/w", "n", cpu=1), pod("a/x", cpu=1), pod("a/y", cpu=1))
    assert ends(at) == {"x": ("-v3", 0, []), "y": ("waits", 1, [])}


def test_a_pod_that_was_refused_is_tried_again_once_victims_have_left() -> None:
    """``x`` never preempts: it gets what ``low`` frees beyond the need of ``y``, for which that leaves."""
    never, quotas = replace(pod("a/x", cpu=2), preempts=False), (quota("a", {"cpu": 0}), quota("b", {"cpu": 9}))
    at = state(node("n", cpu=4), *quotas, pod("a/low", "n", -9, cpu=4), pod("a/y", priority=5, cpu=1), never)
    assert ends(at) == {"x": ("in", 1, []), "y": ("-low", 0, [])}


def test_it_is_in_doubt_who_gets_what_victims_free_if_their_jobs_create_others_first() -> None:
    old = pod("b/v", "n", 3, cpu=4)
    at = state(
        node("n", cpu=4),
        quota("a", {"cpu": 4}, {"cpu": 9}),
        quota("b", {"cpu": 0}, {"cpu": 9}),
        old,
        pod("a/y", priority=5, cpu=1),
        replace(pod("a/x", cpu=2), preempts=False),
    )
    assert ends(at) == {"x": ("in", 1, ["VictimsLeave"]), "y": ("-v", 0, [])}


def test_which_node_a_pod_gets_matters_to_a_larger_one() -> None:
    nodes = (node("m", cpu=2), node("n", cpu=4))
    at = state(*nodes, quota("a", {"cpu": 9}), pod("a/x", priority=1, cpu=2), pod("a/y", cpu=4))
    assert ends(at)["y"] == ("in", 0, ["NodeScores"])
    equal = state(*nodes, quota("a", {"cpu": 9}), *(pod(f"a/x{i}", cpu=2) for i in range(4)))
    assert list(ends(equal).values()) == [("in", 0, [])] * 3 + [("waits", 3, [])]


def test_pods_of_one_size_are_not_alike_where_only_one_of_them_is_bound_to_a_node() -> None:
    bound = NodeDemand(selector=(Requirement("name", "In", ("m",)),))
    at = state(node("m", cpu=2), node("n", cpu=2), quota("a", {"cpu": 9}), pod("a/x", cpu=2), pod("a/y", cpu=2))
    at = state_of(replace(at.source, demands={ObjectKey("", "Pod", "a", "y"): bound}))
    assert ends(at)["y"][2] == ["NodeScores"]


def test_pods_whose_own_answer_is_in_doubt_leave_those_behind_them_in_doubt() -> None:
    odd = replace(pod("a/x", cpu=1), unmodelled=("InterPodAffinity",))
    at = state(node("n", cpu=1), *TWO, odd, pod("a/y", cpu=1))
    assert ends(at)["y"] == ("waits", 1, ["PodsAhead"])


def test_pods_of_several_schedulers_have_no_order() -> None:
    pods = [pod("a/x", cpu=1), replace(pod("a/y", cpu=1), scheduler="other")]
    lines = PodLines(pods, lambda each: QueueEntry(each.scheduler, 1, tried=False), known=False)
    assert [each.key.name for each in lines.tried.pods] == ["x", "y"]
    assert lines.tried.equals(pods[0]) == 1
    assert len(lines.of(pods[1]).pods) == 1


def runtime_ends(at: RuntimeState) -> dict[str, tuple[bool, int, list[str]]]:
    turns = PodTurns(KOORDINATOR_TURNS, at, build.line(at), lambda *_: None)
    found = {}
    for each in at.source.pods:
        turn = turns.of(each)
        if turn is not None:
            found[each.key.name] = (turn.end[0], turns.before(each), [gap.feature for gap in turns.gaps(each)])  # type: ignore[index]
    return found


def test_koordinator_admits_the_first_of_pods_that_share_a_runtime() -> None:
    objects = (build.node(cpu="10"), build.quota("a", {"cpu": 1}, {"cpu": 3}))
    at = build.state(*objects, *(build.pod(f"p{i}", "a", {"cpu": 2}) for i in range(2)))
    assert runtime_ends(at) == {"p0": (True, 0, []), "p1": (False, 1, [])}


def test_under_koordinator_a_victim_is_taken_once() -> None:
    objects = (build.node(cpu="10"), build.quota("a", {"cpu": 4}, {"cpu": 4}))
    old = build.pod("old", "a", {"cpu": 4}, node="n1")
    new = [build.pod(f"p{i}", "a", {"cpu": 4}, priority=9) for i in range(2)]
    found = runtime_ends(build.state(*objects, old, *new))
    assert found["p0"][:2] == (True, 0)
    assert found["p1"][:2] == (False, 1)


def test_what_defaultpreemption_may_do_rests_on_the_nodes_of_earlier_pods() -> None:
    """It could free n1 for ``big`` if ``small``, which either node may get, were not there."""
    objects = (build.node("n1", cpu="4"), build.node("n2", cpu="4"), build.quota("a", {"cpu": 8}, {"cpu": 8}))
    old = [build.pod(f"old{i}", "b", {"cpu": 3}, node=f"n{i}") for i in (1, 2)]
    new = [build.pod("small", "a", {"cpu": 1}, priority=9), build.pod("big", "a", {"cpu": 4}, priority=5)]
    full = build.state(*objects, build.quota("b", {"cpu": 0}, {"cpu": 8}), *old, *new)
    assert runtime_ends(full) == {"big": (False, 0, ["NodeScores"]), "small": (True, 0, [])}


def test_the_clause_of_pods_that_get_in_first() -> None:
    assert before_clause(0) == ""
    assert before_clause(1) == ", once 1 pod ahead of it has got in"
    assert before_clause(2) == ", once 2 pods ahead of it have got in"


def test_a_pod_that_got_in_and_was_evicted_is_on_no_node_any_more() -> None:
    """``x`` borrows, on one of two nodes, until ``z`` takes it back: then it does not matter where ``x`` was."""
    at = state(
        *(node("n1", cpu=4), node("n2", cpu=8), quota("a", {"cpu": 0}), quota("b", {"cpu": 1}), quota("c", {"cpu": 0})),
        *(pod("c/x", priority=10, cpu=1), pod("b/z", cpu=1), pod("a/w", priority=100, cpu=2)),
    )
    assert {name: end for name, (end, _, _) in ends(at).items()} == {"x": "in", "z": "-x", "w": "waits"}
