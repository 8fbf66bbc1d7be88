"""The last line of an answer."""

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.view import View

EXACT = Fidelity("Kueue", "v0.19")


def test_it_says_the_verdict_whether_it_is_exact_and_for_what() -> None:
    assert closing_lines("not now", "wait", EXACT, ("fair sharing",), View(), "") == [
        "⇒ not now · exact (Kueue v0.19, fair sharing)"
    ]


def test_the_exit_code_is_at_the_right_end() -> None:
    (line,) = closing_lines("never", "never", EXACT, (), View(60), "exit 4")
    assert line == "⇒ never · exact (Kueue v0.19)" + " " * 25 + "exit 4"


def test_what_is_not_modelled_is_not_exact() -> None:
    assert exactness(Fidelity("KAI", "v1", (Gap("Topology", (), touches=True),))) == "not exact (KAI v1)"


def test_brackets_of_a_version_are_not_nested() -> None:
    assert exactness(Fidelity("Plugin", "1f2 (Kubernetes 1.35)"), ("a",)) == "exact (Plugin 1f2, Kubernetes 1.35, a)"


def test_colour_does_not_move_the_end() -> None:
    (line,) = closing_lines("never", "never", EXACT, (), View(60, "standard"), "exit 4")
    assert line.startswith("\x1b[31m⇒ never")
    assert line.endswith("\x1b[2mexit 4\x1b[0m")
