"""``why`` for named workloads: its first line suffices, then the next commands and whom to ask."""

import json

import pytest

from kubectl_fairshare.answers.ages import AsOf
from kubectl_fairshare.answers.answer import Amount, BindingLimit, Maker, TriedChange
from kubectl_fairshare.answers.blocks import Group, Remark
from kubectl_fairshare.answers.details import WhyDetail
from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, WrittenAnswer
from kubectl_fairshare.answers.fidelity import Fidelity, Gap, merged_fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.documents.parts import fidelity
from kubectl_fairshare.report.next_steps import HERE, next_commands
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.waiting import SORTS, Listing, WaitingReport
from kubectl_fairshare.report.why import WhyReport, first_line, whom_to_ask


class Named(DocumentPart, frozen=True):
    """A document."""

    subject: str


class Detail:
    """A scheduler's part of an answer."""

    binds = "quota 8 gpu"
    rank = ("q", 1)

    def row(self) -> tuple[str, str, str, str, str]:
        """The cells of a list."""
        return "team/train", "q", "1/2", "8 gpu", "6"

    def groups(self, _: int | None) -> list[Group]:
        """What the screen has below the verdict."""
        return [[Remark("Job train → Queue q")], [Remark("place 1 of 2")]]

    def document(self) -> WrittenAnswer:
        """The document."""
        return WrittenAnswer(DocumentKind("Why", Named, "why"), Named("train"))

    def listed(self) -> WrittenAnswer:
        """An entry of a list."""
        return WrittenAnswer(DocumentKind("WaitingList", Named, "waiting"), Named("train"))


HOLDER = ObjectKey("batch", "Job", "other", "big")
START = 1772_438_400 * 10**9
NOW = START + (3 * 3600 + 12 * 60) * 10**9
WORST = Listing()
AGES = AsOf(NOW, "the newest object")
HELD = HeldAmount(HOLDER, "p", Amount("gpu", 8, "8"), borrows=True, name="other/big", since=START)
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
    assert first_line(ANSWER, NOW) == (
        "team/train · not now: needs 8 gpu, 2 free now: 6 missing; other/big holds 8 gpu for 3h12m, "
        "1 other holds some, too"
    )
    assert "holds 8 gpu since 2026-03-02T08:00:00Z, " in first_line(ANSWER)
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


def test_who_waits_for_nobody_else_is_asked_about_the_own_request() -> None:
    own = replace(REMEDY, maker=Maker.OWNER, change="gpu of the pod 8 → 2")
    alone = replace(ANSWER, held=(), remedies=(own,))
    assert list(whom_to_ask(alone)) == ["the owner of team/train: gpu of the pod 8 → 2?"]
    needed, reachable, short = (Amount("gpu", n, str(n)) for n in (8, 6, 2))
    never = replace(
        alone,
        verdict=Verdict.NEVER,
        remedies=(),
        binding=(BindingLimit("max of q", None, needed, reachable, short, ever=True),),
    )
    assert list(whom_to_ask(never)) == ["the owner of team/train: are 8 gpu needed? It could ever reach 6"]
    assert list(whom_to_ask(replace(alone, verdict=Verdict.WAITING))) == []


def test_the_verdict_is_the_first_line_and_the_last() -> None:
    lines = WhyReport((ANSWER,)).screen(View()).splitlines()
    assert lines[0].startswith("team/train · not now: ")
    assert lines[-1] == "⇒ not now · exact (Kueue v0.19, fair sharing)"


def test_the_second_line_says_who_took_it_and_one_line_from_when_ages_count() -> None:
    takers = {ANSWER.title: "p holds 20 gpu that belong to q and r"}
    text = WhyReport((ANSWER,), as_of=AGES, takers=takers).screen(View(200))
    assert text.splitlines()[2] == "  p holds 20 gpu that belong to q and r"
    assert text.count("ages as of 2026-03-02T11:12:00Z, the newest object") == 1
    assert "p holds 20 gpu that belong to q and r" in WhyReport((ANSWER,), takers=takers).markdown(View())


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("length", [1, 12, 60])
def test_a_brief_answer_keeps_its_promise_whatever_the_length_of_names(columns: int, length: int) -> None:
    name = "/".join(["namespace-of-a-long-name", "x" * length])
    limit = BindingLimit(
        clause=" ".join(["nominalQuota of", *[name] * length]),
        place=None,
        needed=Amount("gpu", 8, "8"),
        reachable=Amount("gpu", 2, "2"),
        short=Amount("gpu", 6, "6"),
    )
    long = replace(
        ANSWER,
        title=name,
        held=(replace(HELD, name=name),),
        binding=(limit,),
        remedies=(replace(REMEDY, change=" ".join(["nominalQuota of", *[name] * length])),),
        key=ObjectKey("g", "Workload", "ns", "y" * 3 * length),
    )
    lines = WhyReport((long,)).brief(View(columns)).splitlines()
    assert len(lines) <= 8
    assert lines[0].startswith("namespace")
    assert sum(line.startswith("binds: ") for line in lines) == 1
    assert sum(line.startswith("helps: ") for line in lines) == 1
    said = " ".join(" ".join(lines).replace(" \\ ", " ").split())
    assert "next: kubectl describe job.batch/train -n team" in said
    assert any(line.startswith("⇒ not now") for line in lines)


def test_markdown_has_a_table_of_holders_and_escapes_texts() -> None:
    text = WhyReport((replace(ANSWER, because="waits for <b>|x"),)).markdown(View())
    assert "**team/train · not now: waits for \\<b\\>\\|x; other/big" in text
    assert "| other/big | p | 8 gpu | yes |\n" in text
    aged = WhyReport((ANSWER,), as_of=AGES).markdown(View())
    assert "| other/big | p | 8 gpu | yes | 3h12m |" in aged
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
    assert screen.startswith("3 not now")
    assert screen.endswith("⇒ 3 not now · exact (Kueue v0.19, fair sharing)\n")
    assert "not listed: 2 filtered out, 3 running" in listed(Listing(queue="p")).screen(View())
    assert listed(Listing("age", limit=1)).document({})["omitted"] == 2


def test_the_list_ends_with_the_number_of_each_verdict() -> None:
    assert listed(Listing()).screen(View()).endswith("\n⇒ 3 not now · exact (Kueue v0.19, fair sharing)\n")
    assert "3 workloads not now: quota 8 gpu" in listed(Listing()).brief(View())
    assert "| team/train | q | not now | needs 8 gpu, 2 free now: 6 missing |" in listed(Listing()).markdown(View())


def test_the_list_has_one_fidelity_for_all_answers() -> None:
    gap = Gap("Feature", (), touches=True)
    merged_one = merged_fidelity([ANSWER.fidelity, replace(ANSWER.fidelity, gaps=(gap, gap))])

    assert merged_one.gaps == (gap,)
    assert replace(listed(Listing()), fidelity=merged_one).document({})["fidelity"] == fidelity(merged_one, {})


def test_what_one_answer_leaves_to_chance_is_left_open_for_all() -> None:
    tied = replace(ANSWER.fidelity, outcomes=3, all_outcomes=False)
    together = merged_fidelity([ANSWER.fidelity, tied])

    assert (together.outcomes, together.all_outcomes, together.exact) == (3, False, False)


def many(number: int, choice: Listing = WORST) -> WaitingReport:
    verdicts = (Verdict.WAITING, Verdict.NOT_NOW, Verdict.NEVER)
    answers = tuple(
        replace(
            ANSWER, verdict=verdicts[i % 3], key=ObjectKey("", "Pod", "n", f"p{i}"), job=None, since=START - i * 10**9
        )
        for i in range(number)
    )
    return WaitingReport("kueue", ANSWER.fidelity, answers, (), None, choice, as_of=AGES)


def test_each_workload_takes_one_line_worst_first() -> None:
    lines = many(28).screen(View(80)).splitlines()
    rows = [line for line in lines if line.startswith("team/train")]
    assert len(lines) <= 36
    verdicts = [line.split("3h12m")[1].split("  ")[1] for line in rows]
    assert verdicts == ["never"] * 9 + ["not now"] * 9 + ["waiting"] * 10
    assert all(len(line) <= 80 for line in rows)
    assert rows[0].endswith("q      3h12m  never    needs 8 gpu, 2 free now: 6 missing")


@pytest.mark.slow
def test_a_terminal_shows_the_first_of_a_long_list_and_limit_decides_only_what_is_shown() -> None:
    def rows(report: WaitingReport, view: View) -> int:
        return report.screen(view).count("\nteam/train")

    assert rows(many(20_000), View(on_terminal=True)) == 20
    assert "not listed: 19,980 more (`--limit N`, `-o csv`)" in many(20_000).screen(View(on_terminal=True))
    assert rows(many(2_000, Listing(limit=50)), View(on_terminal=True)) == 50
    assert rows(many(200), View()) == rows(many(30), View(on_terminal=True)) * 20 // 3 == 200
    assert many(200, Listing(limit=5)).screen(View()).splitlines()[0].split(" ")[:3] == ["66", "never,", "67"]


def test_the_list_is_grouped_by_what_binds_only_where_it_is_wide() -> None:
    title = "never · 1 workload · quota 8 gpu"
    assert title in many(3).screen(View(wide=True))
    assert title not in many(3).screen(View())
    assert "1/2  8 gpu        6  3h12m" in many(3).screen(View(wide=True))


def test_counts_in_brief_and_by_what_binds_are_of_all_work_whatever_the_limit() -> None:
    limited, whole = many(9, Listing(limit=2)), many(9)
    assert limited.brief(View()) == whole.brief(View())
    screen = limited.screen(View(wide=True))
    assert "never · 3 workloads, 2 shown · quota 8 gpu\n" in screen
    assert "shown" not in whole.screen(View(wide=True))
    assert screen.count("\n  team/train") == 2
    assert limited.document({})["next"] == whole.document({})["next"]


def test_csv_and_lines_of_json_have_a_line_for_each_workload_in_the_order_of_the_screen() -> None:
    titles, first, *others = many(4).csv().splitlines()
    assert titles == "namespace,name,queue,verdict,reason,because,since,ageSeconds,priority"
    assert first.startswith("n,p2,q,Never,WaitingForQuota,")
    assert first.endswith(",2026-03-02T07:59:58Z,11522,5")
    records = [json.loads(json.dumps(each)) for each in many(4).records()]
    assert [record["name"] for record in records] == ["p2", "p1", "p3", "p0"]
    assert (records[0]["missing"], records[0]["verdict"], len(others)) == ({"gpu": "6"}, "Never", 3)


def test_the_default_order_is_the_first_of_the_orders() -> None:
    assert SORTS[0] == Listing().sort == "worst"
