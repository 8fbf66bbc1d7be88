"""The first line of an answer, and what is left out of it."""

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.report.text.heading import gap_lines, heading
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.gaps import WORDS
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key

FLAVORS = [Place(cluster_key("ResourceFlavor", name), ("spec", "topologyName")) for name in ("a", "b", "c")]
VIEW = View(places={place: Location("flavors.yaml", line, 3) for line, place in enumerate(FLAVORS, 1)})


def fidelity(*gaps: Gap) -> Fidelity:
    return Fidelity("Kueue", "v0.19", gaps, WORDS)


def test_exact_stands_at_the_right_end() -> None:
    line = heading(("fair sharing",), fidelity(), VIEW)
    assert line.startswith("Kueue v0.19 · fair sharing  ")
    assert line.endswith("  exact")
    assert len(line) == 80


def test_a_feature_that_can_touch_the_answer_makes_it_not_exact() -> None:
    touched = fidelity(Gap("TopologyAwareScheduling", tuple(FLAVORS), touches=True))
    assert heading((), touched, VIEW).endswith("  not exact")
    assert gap_lines(touched, VIEW) == [
        "not modelled: TopologyAwareScheduling (flavors.yaml:1, flavors.yaml:2 and 1",
        "  more)",
    ]


def test_one_that_cannot_is_told_and_the_answer_stays_exact() -> None:
    spared = fidelity(Gap("SomeGate", (), touches=False))
    assert heading((), spared, VIEW).endswith("  exact")
    assert gap_lines(spared, VIEW) == ["not modelled, cannot change this answer: SomeGate"]


def test_too_long_a_line_goes_on_below_and_is_not_cut() -> None:
    assert heading(("x" * 80,), fidelity(), VIEW).split("\n") == ["Kueue v0.19 ·", "  " + "x" * 80, " " * 75 + "exact"]
    parts = ("fair sharing", "1 tree, 5 queues, 9 running, 2 pending")
    lines = heading(parts, fidelity(), View(60)).split("\n")
    assert lines[0] == "Kueue v0.19 · fair sharing · 1 tree, 5 queues, 9 running, 2"
    assert lines[1] == "  pending" + " " * 46 + "exact"
