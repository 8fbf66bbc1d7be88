"""The plan screen where the table of cases does not reach: long lists, long names, odd values."""

from typing import Any

import pytest

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome, exit_code
from kubectl_fairshare.answers.plan_blocks import remedy_blocks
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.documents.structs import plan_document
from kubectl_fairshare.report.plan_screen import plan_screen
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan, QueuePosition, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE, Configuration
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.words.plan_answer import KueuePlanDetail, plan_answer
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import place_blocks, standing_blocks
from tests.screens import ROOT

BASE = assemble(
    read([str(ROOT / "testdata" / "plan" / "org.yaml")], schedulers=known_schedulers()).manifests, known_schedulers()
).snapshot
GPU = FlavorResource("old", "nvidia.com/gpu")


def state(victims: int, name: str) -> Snapshot:
    """The base with ``victims`` workloads of one GPU in `theirs`, and fair sharing."""
    key = ObjectKey("kueue.x-k8s.io", "Workload", "them", name)
    holders = tuple(
        Holder(key._replace(name=f"{name}{i:04}"), f"u{i:04}", "theirs", "gpus", 0, i, i, i, False, {GPU: 1})
        for i in range(8 + victims)
    )
    queues = BASE.part(KueueState).cluster_queues
    ours = queues["ours"]
    quota = replace(ours.quotas[GPU], nominal=victims)
    changed: KueueState = replace(
        BASE.part(KueueState),
        configuration=Configuration(strategies=(FINAL_SHARE, INITIAL_SHARE)),
        cluster_queues={**queues, "ours": replace(ours, quotas={**ours.quotas, GPU: quota})},
        cohorts={},
        holders=holders,
    )
    return BASE.with_part(changed)


def workload(count: int) -> Pending:
    key = ObjectKey("kueue.x-k8s.io", "Workload", "us", "asker")
    return Pending(key, "z", "gpus", 0, 10**18, 10**18, (PodSet("main", count, {GPU.resource: 1}),))


def planned(victims: int, name: str = "w") -> tuple[Plan, KueueState]:
    snapshot, asker = state(victims, name), workload(victims)
    return KueueEngine().plan(with_pending(snapshot, [asker]), asker), snapshot.part(KueueState)


def answered(victims: int, name: str = "w") -> Answer[KueuePlanDetail]:
    return plan_answer(*planned(victims, name))


def rows(screen: str, name: str) -> int:
    return sum(f" them/{name}" in line for line in screen.splitlines())


def test_a_long_list_is_cut_with_a_count_unless_wide() -> None:
    answer = answered(40)
    screen = plan_screen(answer, View())
    assert rows(screen, "w") == 10
    assert "… and 30 more (-o wide shows all)" in screen
    wide = plan_screen(answer, View(wide=True))
    assert rows(wide, "w") == 40
    assert "more (-o wide" not in wide
    victims: Any = plan_document(answer, {})["victims"]
    assert len(victims) == 40


def test_one_left_over_is_shown_rather_than_counted() -> None:
    assert rows(plan_screen(answered(11), View()), "w") == 11


def test_a_reason_that_repeats_is_written_once() -> None:
    assert plan_screen(answered(8), View()).count("InCohortReclamation") == 1


def test_a_long_name_is_shortened_in_the_middle_and_whole_on_a_wide_screen() -> None:
    name = "a-name-as-long-as-kubernetes-allows-" * 6
    assert "1  them/a-name-as-long-as-…-kubernetes-allows-0" in plan_screen(answered(3, name), View())
    assert plan_screen(answered(3, name), View(wide=True)).count(f"them/{name}0") == 3


def test_the_verdict_is_the_first_line_and_ends_with_the_exit_code() -> None:
    first = plan_screen(answered(3), View()).splitlines()[0]
    assert first.startswith("✔ admitted after preempting 3 workloads")
    assert first.endswith("exit 0")
    assert len(first) == 80


def test_checks_and_ties_are_told() -> None:
    plan, kueue = planned(3)
    plan = replace(plan, checks=("budget", "prov"), ties=(("a", "b"),) * 2)
    screen = plan_screen(plan_answer(plan, kueue), View())
    assert "then needs: AdmissionCheck budget · AdmissionCheck prov" in screen
    assert "tie:" not in screen


def test_every_outcome_that_ties_allow_is_told() -> None:
    plan, kueue = planned(3)
    fidelity = replace(plan.fidelity, outcomes=2)
    ways = ((Outcome.PREEMPTS, plan.nomination), (Outcome.WAITS, plan.nomination))
    plan = replace(plan, ties=(("a", "b"),) * 2, possible=ways, fidelity=fidelity)
    screen = plan_screen(plan_answer(plan, kueue), View())
    assert screen.count("tie: a and b have equal shares") == 1
    assert "possible, and left to chance (2):\n    admitted after preempting 3 workloads (" in screen
    assert "\n    waits\n" in screen
    assert "· one of 2 possible outcomes (Kueue" in screen
    unsure = replace(plan, outcome=Outcome.UNKNOWN)
    first = plan_screen(plan_answer(unsure, kueue), View()).splitlines()[0]
    assert first.startswith("? unknown: left to chance: 1 of 2 possible outcomes admits it, 1 waits")


def test_an_outcome_of_which_not_all_others_were_tried_is_one_way() -> None:
    plan, kueue = planned(3)
    fidelity = replace(plan.fidelity, all_outcomes=False)
    plan = replace(plan, ties=(("a", "b"),), fidelity=fidelity, outcome=Outcome.UNKNOWN)
    first, second, *_, last = plan_screen(plan_answer(plan, kueue), View(columns=110)).splitlines()
    assert first.startswith("? unknown: left to chance: admitted after preempting 3 workloads or otherwise")
    assert second == "  one way: admitted after preempting 3 workloads"
    assert "one of several possible outcomes" in last


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [("A", 0), ("AP", 0), ("AW", 4), ("NA", 4), ("U", 5), ("UA", 5), ("UW", 4), ("", 0)],
)
def test_the_exit_code_of_several(outcomes: str, code: int) -> None:
    kinds = {outcome.value[0]: outcome for outcome in Outcome}
    assert exit_code(EXIT_CODES[kinds[letter]] for letter in outcomes) == code


def test_the_place_in_the_queue() -> None:
    plan, _ = planned(3)
    standing = QueuePosition(11, 30, (), "BestEffortFIFO")
    assert (
        lines_of(standing_blocks(replace(plan, standing=standing)), View())[0]
        == "  place 11 of 30 in ours (BestEffortFIFO)"
    )


def test_a_plan_names_where_the_workload_is_as_why_does() -> None:
    plan, _ = planned(3)
    assert place_blocks(replace(plan, standing=QueuePosition(1, 3, (), "BestEffortFIFO"))) == []
    behind = replace(plan, standing=QueuePosition(3, 3, (plan.workload, plan.workload), "BestEffortFIFO"))
    assert lines_of(place_blocks(behind), View()) == ["  where it is now (`why`): waiting behind 2 workloads"]


QUEUE = ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "ours")


@pytest.mark.parametrize(
    ("remedy", "text"),
    [
        (
            Remedy(RemedyKind.COUNT, 8, 3, Outcome.ADMITTED, 0),
            "count 8 → 3: admitted now, without preemption (job owner)",
        ),
        (
            Remedy(RemedyKind.REQUEST, 4000, 2500, Outcome.ADMITTED, 0, FlavorResource("old", "cpu"), pod_set="main"),
            "cpu per pod in pod set main 4 → 2500m: admitted now, without preemption (job owner)",
        ),
        (
            Remedy(RemedyKind.BORROWING_LIMIT, 2, 6, Outcome.ADMITTED, 0, GPU, QUEUE),
            (
                "borrowingLimit of ClusterQueue ours for nvidia.com/gpu in old 2 → 6: "
                "admitted now, without preemption (cluster admin)"
            ),
        ),
        (
            Remedy(RemedyKind.WEIGHT, 1.0, 1.5, Outcome.PREEMPTS, 1, None, QUEUE),
            "weight of ClusterQueue ours 1 → 1.5 (written 1500m): admitted after preempting 1 workload (cluster admin)",
        ),
        (
            Remedy(RemedyKind.PRIORITY, 0, 11, Outcome.PREEMPTS, 1, named="high"),
            "priority 0 → 11 (class high): admitted after preempting 1 workload (job owner)",
        ),
    ],
)
def test_a_remedy_tells_the_change_and_what_it_does(remedy: Remedy, text: str) -> None:
    plan, kueue = planned(3)
    answer = plan_answer(replace(plan, remedies=(remedy,)), kueue)
    assert " ".join(" ".join(lines_of(remedy_blocks(answer.remedies)[1:], View())).split()) == text
    parts: Any = plan_document(answer, {})["remedies"]
    (part,) = parts
    assert (part["change"], part["after"]["value"]) == (str(remedy.kind), remedy.after)
