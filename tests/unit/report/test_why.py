"""``why`` for named workloads: its first line suffices, then the next commands and whom to ask."""

from kubectl_fairshare.answers.answer import Amount, Maker, TriedChange
from kubectl_fairshare.answers.fidelity import Fidelity, Gap, merged_fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.documents.parts import fidelity
from kubectl_fairshare.report.next_steps import HERE, next_commands
from kubectl_fairshare.report.printable import Document, Places, WhyDetail
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.waiting import Listing, WaitingReport
from kubectl_fairshare.report.why import WhyReport, first_line, whom_to_ask


class Detail:
    """A scheduler's part of an answer."""

    binds = "quota 8 gpu"
    rank = ("q", 1)

    def row(self, _: View) -> tuple[str, str, str, str, str, str]:
        """The cells of a list."""
        return "team/train", "q", "1/2", "8 gpu", "6", ""

    def blocks(self, _: View) -> list[list[str]]:
        """The blocks of the screen."""
        return [["  Job train → Queue q"], ["  place 1 of 2"]]

    def document(self, _: Places) -> Document:
        """The document."""
        return {"kind": "Why"}

    def listed(self, _: Places) -> Document:
        """An entry of a list."""
        return {"subject": "train"}


HOLDER = ObjectKey("batch", "Job", "other", "big")
HELD = HeldAmount(HOLDER, "p", Amount("gpu", 8, "8"), borrows=True, name="other/big", since=1772_438_400 * 10**9)
REMEDY = TriedChange("nominalQuota of q 2 → 8", Outcome.ADMITTED, "admitted now", 0, Maker.ADMIN)
ANSWER: WhyAnswer[WhyDetail] = WhyAnswer(
    "kueue",
    Verdict.NOT_NOW,
    "WaitingForQuota",
    "needs 8 gpu, 2 free now: 6 missing",
    (),
    Fidelity("Kueue", "v0.19"),
    Detail(),
    "team/train",
    ObjectKey("kueue.x-k8s.io", "Workload", "team", "job-train"),
    ObjectKey("batch", "Job", "team", "train"),
    "q",
    priority=5,
    needs=(Amount("gpu", 8, "8"),),
    short=(Amount("gpu", 6, "6"),),
    held=(HELD, replace(HELD, name="other/small")),
    since=20,
    remedies=(REMEDY,),
    context=("fair sharing",),
)


def test_the_first_line_says_what_is_short_by_how_much_and_who_holds_it_since_when() -> None:
    assert first_line(ANSWER) == (
        "team/train · not now: needs 8 gpu, 2 free now: 6 missing; other/big holds 8 gpu since "
        "2026-03-02T08:00:00Z, 1 other holds some, too"
    )
    assert first_line(replace(ANSWER, verdict=Verdict.RUNNING)).endswith("6 missing")


def test_then_the_commands_that_one_would_type_and_whom_to_ask() -> None:
    assert list(next_commands(ANSWER, HERE)) == [
        "kubectl describe job.batch/train -n team",
        "kubectl fairshare why job.batch/big -n other",
    ]
    assert list(next_commands(replace(ANSWER, next=("kubectl describe x",), held=()), HERE)) == ["kubectl describe x"]
    assert list(whom_to_ask(ANSWER)) == [
        "the owner of other/big in namespace other: when does it end?",
        "an admin of the queues: nominalQuota of q 2 → 8?",
    ]


def test_the_verdict_is_the_first_line_and_the_last() -> None:
    lines = WhyReport((ANSWER,)).screen(View()).splitlines()
    assert lines[0].startswith("team/train · not now: ")
    assert lines[-1] == "⇒ not now · exact (Kueue v0.19, fair sharing)"


def test_a_brief_answer_has_at_most_eight_lines_and_ends_with_the_verdict() -> None:
    for columns in (40, 80, 200):
        lines = WhyReport((ANSWER,)).brief(View(columns)).splitlines()
        assert len(lines) <= 8
        assert any(line.startswith("⇒ not now") for line in lines)


def test_markdown_has_a_table_of_holders_and_escapes_texts() -> None:
    text = WhyReport((replace(ANSWER, because="waits for <b>|x"),)).markdown(View())
    assert "**team/train · not now: waits for \\<b\\>\\|x; other/big" in text
    assert "| other/big | p | 8 gpu | yes | 2026-03-02T08:00:00Z |" in text
    assert text.endswith("⇒ not now · exact (Kueue v0.19, fair sharing)\n")


def listed(choice: Listing) -> WaitingReport:
    others = (
        replace(ANSWER, title="b", key=ObjectKey("", "Pod", "n", "b"), job=None, since=10, priority=9, queue="p"),
        replace(ANSWER, title="c", key=ObjectKey("", "Pod", "n", "c"), job=None, since=None, priority=1, needs=()),
    )
    return WaitingReport("kueue", ANSWER.fidelity, (ANSWER, *others), ("3 running",), None, choice)


def names(choice: Listing) -> list[str]:
    return [name.rpartition("/")[2] for name in listed(choice).names()]


def test_the_list_is_sorted_by_age_priority_or_needs() -> None:
    assert names(Listing("age")) == ["b", "job-train", "c"]
    assert names(Listing("priority")) == ["b", "job-train", "c"]
    assert names(Listing("needs"))[-1] == "c"


def test_the_list_is_filtered_and_says_what_it_omits() -> None:
    assert names(Listing(queue="p")) == ["b"]
    assert names(Listing(resource="cpu")) == []
    screen = listed(Listing("age", limit=1)).screen(View())
    assert "not listed: 2 beyond --limit, 3 running" in screen
    assert "not listed: 2 filtered out, 3 running" in listed(Listing(queue="p")).screen(View())
    assert listed(Listing("age", limit=1)).document({})["omitted"] == 2


def test_the_list_ends_with_the_number_of_each_verdict() -> None:
    assert listed(Listing()).screen(View()).endswith("\n⇒ 3 not now · exact (Kueue v0.19, fair sharing)\n")
    assert "3 workloads not now: quota 8 gpu" in listed(Listing()).brief(View())
    assert "| team/train | q | 1/2 | 8 gpu | 6 |" in listed(Listing()).markdown(View())


def test_the_list_has_one_fidelity_for_all_answers() -> None:
    gap = Gap("Feature", (), touches=True)
    merged_one = merged_fidelity([ANSWER.fidelity, replace(ANSWER.fidelity, gaps=(gap, gap))])

    assert merged_one.gaps == (gap,)
    assert replace(listed(Listing()), fidelity=merged_one).document({})["fidelity"] == fidelity(merged_one, {})


def test_what_one_answer_leaves_to_chance_is_left_open_for_all() -> None:
    tied = replace(ANSWER.fidelity, outcomes=3, all_outcomes=False)
    together = merged_fidelity([ANSWER.fidelity, tied])

    assert (together.outcomes, together.all_outcomes, together.exact) == (3, False, False)
