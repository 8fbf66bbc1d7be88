"""The page of ``report`` in a real Chromium without a window: it switches, sorts, searches and prints without error.

A copy of the page gets a script that acts as a person would and writes what is then to be seen into the title.
"""

import html
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.screens import ROOT, Screen

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="needs Chromium")]
ACTS = """<script>
const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.offsetParent !== null);
const press = (key, on) => (on || document).dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const seen = {};
const select = document.querySelector(".pick select"), search = document.querySelector(".bar input");
seen.sections = shown("section.pair").map((s) => s.querySelector("h3").textContent);
select.selectedIndex = select.options.length - 1;
select.dispatchEvent(new Event("change"));
seen.switched = shown("section.pair").map((s) => s.querySelector("h3").textContent);
const head = [...shown("section.pair th")].find((h) => h.textContent === "used");
const column = () => shown("section.pair tbody tr").map((r) => Number(r.cells[head.cellIndex].textContent));
head.click();
seen.up = column();
press("Enter", head);
seen.down = column();
press("/");
seen.focus = document.activeElement === search;
search.value = "vision";
search.dispatchEvent(new Event("input"));
setTimeout(() => {
  seen.rows = shown("tbody tr").every((r) => r.textContent.includes("vision"));
  seen.hits = document.querySelectorAll("g.q.hit").length > 0;
  press("Escape");
  seen.cleared = search.value === "" && shown("tbody tr").length > 10;
  const box = shown("section.pair")[0].querySelector("g.q");
  box.focus();
  press("ArrowDown", box);
  seen.walked = document.activeElement.dataset.q;
  document.title = JSON.stringify(seen);
}, 300);
</script>"""


@pytest.fixture
def page(run: Callable[[str], Screen], tmp_path: Path) -> Path:
    """The page of the demo."""
    path = tmp_path / "page.html"
    assert run(f"kubectl-fairshare report -q -f testdata/demo/org -o {path}").code == 0
    return path


def browse(page: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """What Chromium prints of a page, and what it says of it."""
    profile = f"--user-data-dir={page.parent / 'profile'}"
    quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=3000")
    command = [str(BROWSER), *quiet, profile, *flags, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def test_the_page_and_its_policy_agree(page: Path) -> None:
    found = browse(page, "--dump-dom")
    assert "CONSOLE" not in found.stderr
    assert "aria-sort=" not in found.stdout.partition("</style>")[2].partition("<script>")[0]
    assert re.search(r'<div class="bar">', found.stdout), "its own script did not run"


def test_a_person_switches_sorts_searches_and_walks(page: Path) -> None:
    text = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", page.read_text(encoding="utf-8"))
    page.write_text(text.replace("</body>", f"{ACTS}</body>"), encoding="utf-8")
    found = browse(page, "--dump-dom")
    assert "CONSOLE" not in found.stderr
    title = re.search(r"<title>(\{.*?\})</title>", found.stdout)
    assert title is not None
    seen: dict[str, Any] = json.loads(title[1])
    assert len(seen["sections"]) == len(seen["switched"]) == 1
    assert seen["up"] == sorted(seen["up"])
    assert seen["down"] == sorted(seen["down"], reverse=True)
    assert seen["focus"]
    assert seen["rows"]
    assert seen["hits"]
    assert seen["cleared"]
    assert seen["walked"] not in ("", "acme", None)


def test_the_page_can_be_printed(page: Path) -> None:
    paper = page.parent / "page.pdf"
    browse(page, f"--print-to-pdf={paper}")
    assert paper.read_bytes().startswith(b"%PDF")
    reader = shutil.which("pdftotext")
    if reader is not None:  # every resource is on paper, not only the one that the switch shows
        text = subprocess.run([reader, paper, "-"], capture_output=True, text=True, check=True).stdout
        assert "nvidia.com/gpu in a100" in text
        assert "nvidia.com/gpu in h100" in text


@pytest.mark.parametrize("kind", ["state", "difference"])
@pytest.mark.parametrize("width", [400, 800, 1600])
def test_nothing_is_wider_than_the_window(page: Path, run: Callable[[str], Screen], width: int, kind: str) -> None:
    if kind == "difference":
        made = run("kubectl-fairshare diff testdata/diff/before.yaml testdata/diff/after.yaml -o html").stdout
        page.write_text(made, encoding="utf-8")
    measure = (
        "<script>addEventListener('load', () => { document.title = document.documentElement.scrollWidth })</script>"
    )
    text = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", page.read_text(encoding="utf-8"))
    page.write_text(text.replace("</body>", f"{measure}</body>"), encoding="utf-8")
    found = browse(page, "--dump-dom", f"--window-size={width},900")
    title = re.search(r"<title>(\d+)</title>", found.stdout)
    assert title is not None
    assert int(title[1]) <= max(width, 500)  # Chromium's windows are no narrower


def test_what_is_wider_than_a_narrow_window_scrolls_in_its_box(page: Path) -> None:
    measure = """<script>addEventListener("load", () => {
      document.querySelectorAll("details").forEach((one) => { one.open = true });
      const shown = [...document.querySelectorAll("table, svg.icicle")].filter((e) => e.getClientRects().length);
      const wider = shown.filter((e) => e.getBoundingClientRect().right > innerWidth);
      const cut = wider.filter((e) => getComputedStyle(e.closest(".wide") || e).overflowX !== "auto");
      const name = document.querySelector("svg.icicle text").getBoundingClientRect().height;
      document.title = JSON.stringify([wider.length, cut.length, name]);
    })</script>"""
    text = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", page.read_text(encoding="utf-8"))
    page.write_text(text.replace("</body>", f"{measure}</body>"), encoding="utf-8")
    title = re.search(r"<title>\[(.*?)\]</title>", browse(page, "--dump-dom", "--window-size=500,900").stdout)
    assert title is not None
    wider, cut, name = (float(part) for part in title[1].split(","))
    assert wider >= 2
    assert cut == 0
    assert name >= 10  # pixels: names in the picture can be read


def acted(page: Path, script: str, *flags: str) -> Any:
    """What a script of the test, put into the page, writes into the title as JSON."""
    text = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", page.read_text(encoding="utf-8"))
    page.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    found = browse(page, "--dump-dom", *flags)
    assert "CONSOLE" not in found.stderr
    title = re.search(r"<title>(.*?)</title>", found.stdout, re.DOTALL)
    assert title is not None
    return json.loads(html.unescape(title[1]))


def test_a_table_is_copied_as_csv_as_it_is_shown(page: Path) -> None:
    copied = acted(
        page,
        """let text = "";
        const told = { writeText: (all) => { text = all; return Promise.resolve(); } };
        Object.defineProperty(navigator, "clipboard", { value: told });
        const table = document.querySelector("table.sortable"), row = table.tBodies[0].rows[1];
        table.tBodies[0].rows[0].hidden = true;
        row.cells[0].textContent = '=cmd("a"),b';
        row.cells[1].textContent = "-4Gi";
        document.querySelector(".csv").click();
        document.title = JSON.stringify([text.split("\\n"), table.tBodies[0].rows.length]);""",
    )
    lines, rows = copied
    assert lines[0].startswith("queue,share,subtree,used,")
    assert lines[1].startswith('"\'=cmd(""a""),b",-4Gi,16,0,')
    assert len(lines) == rows + 1, "titles, the rows that are not hidden, and the end of the last line"


def test_clusters_are_switched_and_a_link_leads_to_one(run: Callable[[str], Screen], tmp_path: Path) -> None:
    for name, quota in (("east", 12), ("west", 8)):
        (tmp_path / "clusters" / name).mkdir(parents=True)
        text = (ROOT / "testdata/demo/org/research.yaml").read_text(encoding="utf-8")
        text = text.replace("nominalQuota: 12", f"nominalQuota: {quota}")
        (tmp_path / "clusters" / name / "queues.yaml").write_text(text, encoding="utf-8")
        (tmp_path / "clusters" / name / "kustomization.yaml").write_text("resources: [queues.yaml]\n", encoding="utf-8")
    path = tmp_path / "page.html"
    assert run(f"kubectl-fairshare report -q -f {tmp_path}/clusters -o {path}").code == 0
    shown = acted(
        path,
        """const seen = () => [...document.querySelectorAll("section.cluster")].map((each) => !each.hidden);
        const found = [seen()], choice = document.querySelector(".bar select");
        choice.selectedIndex = 1;
        choice.dispatchEvent(new Event("change"));
        found.push(seen());
        document.querySelector('a[href="#c1-top"]').click();
        setTimeout(() => {
          found.push(seen(), choice.selectedIndex);
          document.title = JSON.stringify(found);
        }, 300);""",
    )
    assert shown == [[True, False], [False, True], [True, False], 0]
