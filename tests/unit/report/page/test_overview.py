"""The page of a state: what is drawn, what is listed, and that no name can become markup."""

import json
import re
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.counts import QueueCounts
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.review import Exposure, Exposures, PossiblePreemptor
from kubectl_fairshare.answers.shares import AnyQueue, QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.page import icicle as pictures
from kubectl_fairshare.report.page.icicle import WIDTH, icicle
from kubectl_fairshare.report.page.overview import overview_page
from tests.screens import ROOT, Screen, shown

GPU = ("gpu", "")
EVIL = "\"><script>alert(1)</script>&'\u202e"
SCRIPT = Path(pictures.__file__).with_name("page.js")


def amount(value: int) -> Amount:
    return Amount("gpu", value, str(value))


def queue(name: str, quota: int, used: int, *children: AnyQueue, limit: int | None = None) -> AnyQueue:
    borrowed = amount(max(used - quota, 0))
    bounded = None if limit is None else amount(limit)
    figures = QueueFigures(
        "gpu", "", amount(used), None, amount(quota), bounded, borrowed, amount(0), None, amount(quota)
    )
    return QueueNode(ObjectKey("", "Queue", "", name), (figures,), QueueCounts(1), None, children=children)


@cache
def page_about(state: str) -> str:
    """The page of a state of testdata, made once: several tests read each."""
    with chdir(ROOT):
        found = shown(f"kubectl-fairshare report -q -f testdata/{state}")
    assert found.code == 0, found.stderr
    return found.stdout


def page_of(*trees: AnyQueue, running: tuple[Exposure, ...] = ()) -> str:
    shares: Shares[Any] = Shares("kueue", trees, {}, Fidelity("Kueue", "v0.19"), None)
    state: Overview[Any, Any] = Overview("Kueue", ("org",), shares, running=Exposures(running), place="org")
    return "\n".join(overview_page([state], lambda word: "what runs" if word == "used" else ""))


def boxes(page: str) -> dict[str, tuple[float, float]]:
    """Left edge and width of each box that has a name."""
    found = re.findall(r'data-q="([^"]*)">.*?<rect class=\w x="([\d.]+)" y="\d+" width="([\d.]+)"', page)
    return {name: (float(left), float(width) + 1) for name, left, width in found}


def test_a_box_is_as_wide_as_the_quota_of_the_queue_and_all_below_it() -> None:
    page = "".join(icicle([queue("root", 40, 20, queue("a", 30, 20), queue("b", 10, 0))], GPU))
    assert boxes(page) == {"root": (0, WIDTH), "a": (0, 750), "b": (750, 250)}


def test_what_is_borrowed_is_hatched_and_a_reached_limit_has_a_frame() -> None:
    drawn = "".join(icicle([queue("a", 10, 15, limit=15), queue("b", 10, 5, limit=15)], GPU))
    first, second = drawn.split('data-q="b"')
    assert first.index("class=u") < first.index("class=f"), "the filled part covers the frame"
    assert re.search(r"class=o [^/]*width=\"249.5\"", first)
    assert "its limit is reached" in first
    assert not re.search(r"class=[fo] ", second)


def test_queues_of_equal_names_have_their_namespaces(run: Callable[[str], Screen]) -> None:
    page = page_about("demo/capacity")
    assert set(boxes(page)) == {"production/quota", "research/quota"}
    assert "<td>research/quota<td>" in page
    table = run("kubectl-fairshare shares -f testdata/demo/capacity -o markdown").stdout
    assert "| research/quota | 20 |" in table


@pytest.mark.slow
def test_what_binds_a_group_is_not_said_again_in_its_rows() -> None:
    page = page_about("demo/org")
    assert page.count("quota is free; admitted in the next cycle") == 1


def test_a_thousand_narrow_boxes_are_a_few_shapes() -> None:
    lines = icicle([queue("root", 0, 0, *(queue(f"q{n}", 1, 1) for n in range(1000)))], GPU)
    assert sum(len(line) for line in lines) < 100_000
    assert len(boxes("".join(lines))) == 1
    assert "class=u" in "".join(lines)


def test_a_queue_without_quota_is_as_wide_as_what_it_uses_and_nothing_is_drawn_of_nothing() -> None:
    assert boxes("".join(icicle([queue("a", 0, 3), queue("b", 0, 1)], GPU))) == {"a": (0, 750), "b": (750, 250)}
    assert icicle([queue("a", 0, 0)], GPU) == []


def test_a_chain_of_thousands_of_cohorts_is_drawn() -> None:
    node = queue("leaf", 1, 1)
    for number in range(3000):
        node = queue(f"c{number}", 0, 0, node)
    assert len(boxes("".join(icicle([node], GPU)))) == 3001


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_names_cannot_become_markup() -> None:
    taker = frozenset({PossiblePreemptor(EVIL, "law", EVIL)})
    lost = Exposure(ObjectKey("", "Pod", EVIL, EVIL), EVIL, 0, (Amount(EVIL, 1, EVIL),), borrows=True, takers=taker)
    page = page_of(queue(EVIL, 4, 6), running=(lost,))
    tags = Tags(page).tags
    assert [tag for tag, _ in tags].count("script") == 1
    assert not any(name.startswith("on") for _, attributes in tags for name in attributes)
    assert "alert(1)" in page
    assert "\u202e" not in page


def test_a_page_loads_nothing_and_allows_its_own_script_alone() -> None:
    page = page_of(queue("a", 4, 2))
    assert not re.search(r'src=|href="(?!#)|@import|url\((?!#)', page)
    assert re.search(r"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[\w+/=]+'", page)
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) < 300


def test_running_work_is_grouped_by_who_may_preempt_it_and_what_is_safe_comes_last() -> None:
    key = ObjectKey("", "Workload", "ns", "w")
    takers = frozenset(PossiblePreemptor(f"q{n}", "law", "reclaim") for n in range(9))
    running = (Exposure(key, "a", 5, (), borrows=False), Exposure(key, "b", 5, (), borrows=True, takers=takers))
    summaries = re.findall(r"<details( open)?><summary>(.*?)</summary>", page_of(queue("a", 4, 2), running=running))
    assert summaries == [
        (" open", "1 workload · borrowing; may be preempted by q0, q1, q2, q3, q4, q5 and 3 more (reclaim)"),
        ("", "1 workload · safe from preemption by every queue"),
    ]


def test_a_box_has_its_numbers() -> None:
    page = "".join(icicle([queue("root", 40, 20, queue("a", 30, 20), queue("b", 10, 0))], GPU))
    assert re.findall(r"<text class=n [^>]*>([^<]*)<", page) == ["20 of 40", "20 of 30", "0 of 10"]


def test_the_words_of_columns_are_explained_where_one_points_and_on_paper() -> None:
    page = page_of(queue("a", 4, 2))
    assert '<th scope="col" title="what runs">used</th>' in page
    assert '<th scope="col">borrowed</th>' in page
    assert '<details class="words"><summary>Words</summary><dl>\n<dt>used</dt><dd>what runs</dd>\n</dl>' in page


@pytest.mark.slow
def test_work_that_waits_has_what_would_help_and_whom_to_ask(run: Callable[[str], Screen]) -> None:
    page = page_about("demo/org")
    helps = page.partition('<dl class="helps">')[2].partition("</dl>")[0]
    assert "vision holds 20 nvidia.com/gpu in a100 that belong to platform and speech" in helps
    assert "<i>would help</i> count of pod set main 4 → 2: admitted now, without preemption (job owner)" in helps
    assert "<i>ask</i> the owner of vision/pretrain in namespace vision: when does it end?" in helps
    plain = run("kubectl-fairshare why sweep-3 -n vision -f testdata/demo/org -o markdown").stdout
    assert len(re.findall("would help", plain)) == len(re.findall("would help", helps))


@pytest.mark.slow
def test_ages_count_to_the_newest_object_which_is_said() -> None:
    page = page_about("demo/org")
    assert "testdata/demo/org · as of 2026-03-02T08:55:00Z (the newest object) · Kueue v0.19" in page
    assert ">5m</b>" in page
    assert not re.search(r"<td>[^<]*T\d\d:\d\d:\d\dZ", page), "a moment instead of an age"


@pytest.mark.slow
def test_reasons_under_fidelity_lead_to_the_answers_that_they_touch(run: Callable[[str], Screen]) -> None:
    page = run("kubectl-fairshare report -q -f testdata/demo/org --release 0.1.0").stdout
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert {"fidelity", "queues", "w0", "w1"} <= targets
    assert targets <= set(re.findall(r'id="([^"]+)"', page))


@pytest.mark.parametrize("state", ["demo/org", "demo/kai", "elasticquota/cluster.yaml"])
def test_every_scheduler_has_a_page(state: str) -> None:
    page = page_about(state)
    assert page.startswith("<!doctype html>")
    for part in ('id="queues"', 'id="waiting"', 'id="running"', 'id="findings"', "Fidelity"):
        assert part in page


@pytest.mark.slow
@pytest.mark.parametrize(("source", "share"), [("testdata/demo/org", ">0.278<"), ("testdata/kai/org", "")])
def test_shares_are_those_of_the_screens(tmp_path: Path, source: str, share: str) -> None:
    assert shown(f"kubectl-fairshare report -q -f {source} -o {tmp_path}/page.html").code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert share in page
    assert (">share</th>" in page) is bool(share)


def test_an_answer_that_is_left_to_chance_is_not_called_exact() -> None:
    page = shown(f"kubectl-fairshare report -f {ROOT / 'testdata' / 'koordinator' / 'ties.yaml'}").stdout
    assert "every answer on this page" not in page
    assert "the scheduler leaves 1 answer to chance" in page


@pytest.mark.parametrize("source", ["demo/org", "demo/kai", "demo/koordinator", "demo/capacity"])
def test_no_page_says_that_every_answer_is_exact_and_then_that_one_is_not(source: str) -> None:
    page = page_about(source)
    said = "Not exact:" in page or "some answers on this page" in page
    assert ("every answer on this page" in page) is not said


@pytest.mark.parametrize("source", ["org", "kai", "koordinator", "capacity"])
def test_what_waits_says_what_it_needs(source: str) -> None:
    words = f"why -f {ROOT / 'testdata' / 'demo' / source} -o jsonl"
    waiting = [json.loads(line) for line in shown(f"kubectl-fairshare {words}").stdout.splitlines()]
    page = page_about(f"demo/{source}")
    section = page.partition('id="waiting">')[2].partition('id="running">')[0]
    asking = [each for each in waiting if each["needs"]]
    assert section.count(">needs</th>") == bool(asking) * section.count("<summary>")
    for each in asking:
        assert any(f"{amount} {resource}" in section for resource, amount in each["needs"].items()), each


@pytest.mark.slow
def test_doubts_about_who_may_preempt_are_reasons_with_a_link_to_running_work() -> None:
    page = page_about("demo/kai")
    assert "Not exact: no newcomer" in page
    assert re.search(r'<li>no newcomer[^<]*: <a href="#running">running work</a></li>', page)


@pytest.mark.slow
def test_the_head_says_whether_the_answers_are_exact(run: Callable[[str], Screen]) -> None:
    def head(words: str) -> str:
        return run(f"kubectl-fairshare report -q {words}").stdout.partition("</h1>")[2].partition('<div class="bar"')[0]

    assert '<p>⇒ every answer on this page is <span class="good">exact</span></p>' in head("-f testdata/demo/org")
    unsure = head("-f testdata/demo/org --release 0.1.0")
    assert "some answers on this page are not exact" in unsure
    assert re.search(r'<a href="#fidelity">\d+ reasons? under Fidelity</a>', unsure)


def test_a_page_says_which_clusters_it_lacks() -> None:
    shares: Shares[Any] = Shares("kueue", (queue("a", 4, 0),), {}, Fidelity("Kueue", "v0.19"), None)
    state: Overview[Any, Any] = Overview("Kueue", ("org",), shares, place="eu")
    page = "\n".join(overview_page([state, state], lambda _: "", ["us/queues.yaml:3:1: <rejected>"]))
    assert "not on this page, as it cannot be read: us/queues.yaml:3:1: &lt;rejected&gt;" in page
    assert "not on this page" not in "\n".join(overview_page([state], lambda _: ""))
