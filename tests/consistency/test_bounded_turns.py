"""The bound on the work that waiting pods are worth makes answers not exact, and never wrong."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from kubectl_fairshare.schedulers.turns import turns
from tests.consistency.asking import NOW, Program
from tests.consistency.states import states

Answers = dict[str, tuple[str, str, bool]]
BOUNDS = (0, 2, 10, 40)


def answers(document: dict[str, Any]) -> Answers:
    """The verdict and the reason of each pod that waits, and whether they are exact."""
    groups = document.get("groups", ())
    return {w["subject"]: (g["verdict"], g["reason"], w["exact"]) for g in groups for w in g["workloads"]}


@pytest.mark.slow
@pytest.mark.parametrize("house", ["elasticquota", "koordinator"])
def test_what_is_exact_with_less_work_is_the_same_with_more(
    house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(house, tmp_path)
    fewer = 0
    for state in states(house, "bounded", 80):
        dice = Random(state.name)
        for each in state.objects:
            if each["kind"] == "Pod" and dice.random() < 0.3:
                each["spec"]["preemptionPolicy"] = "Never"  # it gets in once others have left for pods behind it
        file = program.file("state", state.objects)
        whole = answers(program.ask("why", "-A", "-f", file, "--now", NOW).document)
        for bound in BOUNDS:
            with monkeypatch.context() as patch:
                patch.setattr(turns, "_MOST_WORK", bound)
                found = answers(program.ask("why", "-A", "-f", file, "--now", NOW).document)
            assert found.keys() == whole.keys()
            exact = {pod: answer for pod, answer in found.items() if answer[2] and whole[pod][2]}
            assert exact == {pod: whole[pod] for pod in exact}, (state.name, bound)
            fewer += len(whole) - len(exact)
    assert fewer, "no bound ended the work"
