"""No hostile text changes the structure of what the newer questions print, nor is it obeyed by who reads that."""

from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.unit.report.test_every_sink import HOSTILE, Texts, answered, compare, documents, folder_of, named, said

FORECAST = "forecast --default-duration 1h --seeds 2 --no-changes --now 2026-09-01T00:00:00Z"
CALLS = {
    "why -A --churn": ("text", "json", "markdown"),
    "why -A --forecast": ("text", "json"),
    FORECAST: ("text", "json", "yaml", "markdown", "csv", "svg"),
    "plan --together": ("text", "json", "markdown", "svg"),
}
CASES = [(words, form, how) for words, forms in CALLS.items() for form in forms for how in ("said", "named")]


@pytest.fixture(name="folders", scope="module", params=["demo/org"])
def _folders(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {"said": [], "named": []}
    for name, plant in (("said", said), ("named", named)):
        for hostile in (True, False):
            texts = Texts(hostile)
            folder = tmp_path_factory.mktemp("sinks") / "state"
            found[name].append(folder_of(folder, plant(documents(request.param), texts), texts))
    return found


@pytest.mark.parametrize(("words", "form", "how"), sampled(CASES, 12))
def test_a_hostile_text_changes_no_structure(folders: dict[str, list[Path]], words: str, form: str, how: str) -> None:
    answers = [answered(*words.split(), "-f", each, "-o", form) for each in folders[how]]
    if how == "said":
        compare(form, answers)
    for text in (*answers[0],):
        assert "\x1b" not in text
        assert HOSTILE["html"] not in text or form in ("json", "yaml", "text", "csv")
