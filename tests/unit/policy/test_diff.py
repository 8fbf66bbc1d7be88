"""What ``diff`` finds between two policies under Kueue, and when its gates stop a change."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.diff import FigureChange
from kubectl_fairshare.answers.review import Entitlement
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.diff import difference
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle import saturation
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.review import rights
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from tests.screens import ROOT, Screen

FILES = "testdata/diff/before.yaml testdata/diff/after.yaml"
STATE = "--state testdata/diff/state.yaml"
Run = Callable[[str], Screen]


def document(run: Run, words: str) -> Any:
    return json.loads(run(f"kubectl-fairshare diff {words} -o json").stdout)


def test_a_field_that_means_something_else_is_listed_and_a_rewritten_one_is_counted(run: Run) -> None:
    found = document(run, FILES)

    assert [(each["object"]["name"], each["was"], each["now"]) for each in found["changed"]] == [
        ("speech", "Never", "Any"),
        ("vision", "12", "8"),
    ]
    assert found["rewritten"] == 1
    assert found["changed"][1]["nowAt"]["line"] == 17


def test_rights_are_before_and_after(run: Run) -> None:
    (speech, vision) = document(run, FILES)["rights"]

    assert vision["before"]["guaranteed"]["value"] == 12
    assert vision["after"]["entitled"]["value"] == 8
    assert (speech["before"]["most"]["value"], speech["after"]["most"]["value"]) == (20, 16)


def test_what_takes_long_is_left_out_and_undecided_unless_somebody_asks(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(difference, "_FEW_STEPS", 9)
    found = document(run, FILES)
    (vision,) = [each for each in found["rights"] if each["queue"]["name"] == "vision"]
    assert (vision["before"]["entitled"], vision["after"]["entitled"]) == (None, None)
    ((about, why),) = [(each["about"], each["why"]) for each in found["undecided"]]
    assert about == "what queues get when all are busy"
    assert "`--saturated` finds it" in why
    assert run(f"kubectl-fairshare diff {FILES} --fail-on undecided").code == 1

    assert document(run, f"{FILES} --no-saturated")["undecided"] == []
    for words in ("--saturated", "--fail-on entitled"):
        asked = document(run, f"{FILES} {words}")
        assert asked["undecided"] == []
        assert [each["after"]["entitled"]["value"] for each in asked["rights"]] == [8, 8]


def test_a_gate_for_what_is_not_asked_about_is_refused(run: Run) -> None:
    screen = run(f"kubectl-fairshare diff {FILES} --no-saturated --fail-on entitled")
    assert screen.code == 2
    assert "excludes the gate `entitled`" in screen.stderr


def test_trees_that_stay_the_same_are_not_filled(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled: list[dict[str, int | None]] = []
    whole = saturation.saturate

    def counted(state: Any, shape: Any, queues: dict[str, int | None], **more: int) -> Any:
        filled.append(queues)
        return whole(state, shape, queues, **more)

    monkeypatch.setattr(rights, "saturate", counted)
    for name in ("before", "after"):
        text = (ROOT / "testdata" / "diff" / f"{name}.yaml").read_text()
        other = text.replace("vision", "sound").replace("speech", "voice")
        again = text if name == "before" else (ROOT / "testdata" / "diff" / "before.yaml").read_text()
        assert "cohortName: " in text
        (tmp_path / f"{name}.yaml").write_text(f"{again}\n---\n{other.replace('cohortName: ', 'cohortName: other-')}")
    document(run, f"{tmp_path}/before.yaml {tmp_path}/after.yaml")
    assert {name for queues in filled for name in queues} == {"sound", "voice"}
    filled.clear()
    document(run, f"{tmp_path}/after.yaml {tmp_path}/after.yaml")
    assert filled == []


@pytest.mark.parametrize(
    "change",
    [
        {"configuration": Configuration(strategies=("LessThanInitialShare",))},
        {"flavors": {}},
        {"occupied": {"node-1": {"cpu": 1000}}},
        {"pods_given": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_tree_is_not_the_same_in_other_surroundings(change: dict[str, Any]) -> None:
    manifests = read((str(ROOT / "testdata" / "diff" / "before.yaml"),), known_schedulers()).manifests
    state = state_of(assemble(manifests, known_schedulers()).snapshot)
    other = state.of_snapshot(state.snapshot.with_part(replace(state.kueue, **change)))
    (root,) = state.forest.roots
    assert rights.is_same_tree(state, state, root)
    assert not rights.is_same_tree(state, other, root)


def test_work_that_was_safe_and_may_be_reclaimed_now_is_at_risk(run: Run) -> None:
    (risk,) = document(run, f"{FILES} {STATE}")["running"]

    assert risk["wasSafe"]
    assert risk["gained"][0]["queues"] == ["speech"]
    assert [(work["object"]["name"], work["pods"]) for work in risk["workloads"]] == [("pretrain", 12)]


def test_waiting_work_is_decided_under_both_policies(run: Run) -> None:
    tts, large = document(run, f"{FILES} {STATE}")["outcomes"]

    assert (tts["before"]["outcome"], tts["after"]["outcome"]) == ("Admitted", "Preempts")
    assert [victim["object"]["name"] for victim in tts["after"]["victims"]] == ["pretrain"]
    assert large["never"]
    assert large["after"]["causes"][0]["at"]["line"] == 17


def test_finished_work_is_asked_about_with_nothing_else_there(run: Run) -> None:
    found = document(run, f"{FILES} {STATE} --history testdata/diff/finished.yaml")

    (yearly,) = [each for each in found["outcomes"] if each["finished"]]
    assert (yearly["before"]["outcome"], yearly["after"]["outcome"]) == ("Admitted", "Never")


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("guaranteed", 1),
        ("entitled", 1),
        ("running-at-risk", 1),
        ("pending-lost", 0),
        ("never", 1),
        ("findings", 1),
        ("undecided", 0),
    ],
)
def test_a_gate_stops_what_it_is_named_after(run: Run, gate: str, code: int) -> None:
    screen = run(f"kubectl-fairshare diff {FILES} {STATE} --fail-on {gate}")

    assert screen.code == code
    assert f"⇒ gate{' failed' if code else 's passed'}: {gate}" in screen.stdout


CONFIGURATION = """
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
featureGates: {PriorityBoost: true}
"""


def test_what_is_not_decided_passes_no_gate_that_asks_for_it(run: Run, tmp_path: Path) -> None:
    after = tmp_path / "after.yaml"
    after.write_text(Path("testdata/diff/after.yaml").read_text() + CONFIGURATION)
    words = f"testdata/diff/before.yaml {after} {STATE}"

    assert "speech/tts" in {each["about"] for each in document(run, words)["undecided"]}
    assert run(f"kubectl-fairshare diff {words} --fail-on pending-lost").code == 1
    assert run(f"kubectl-fairshare diff {words} --fail-on undecided").code == 1
    assert run(f"kubectl-fairshare diff {words} --fail-on guaranteed").code == 1


def test_a_plan_names_the_pods_that_it_waits_for(run: Run, tmp_path: Path) -> None:
    blocking = tmp_path / "kueue.yaml"
    pods_first = "waitForPodsReady: {blockAdmission: true}"
    blocking.write_text(CONFIGURATION.replace("featureGates: {PriorityBoost: true}", pods_first))
    files = f"-f testdata/diff/before.yaml -f testdata/diff/state.yaml -f {blocking}"

    screen = run(f"kubectl-fairshare plan {files} --queue speech/main --request nvidia.com/gpu=1")

    assert screen.stdout.startswith("– waits: the pods of 2 workloads must be ready first")
    assert "QuotaReserved=False Waiting (WaitingForPodsReady)" in screen.stdout


def test_a_revision_is_read_from_git_and_not_from_the_work_tree(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (Path(name).read_text() for name in FILES.split())
    queues = tmp_path / "org" / "queues.yaml"
    queues.parent.mkdir()
    queues.write_text(before)
    monkeypatch.chdir(tmp_path)
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *words.split()], check=True, cwd=tmp_path)
    queues.write_text(after)

    found = document(run, "git:HEAD:org org")

    assert [each["was"] for each in found["changed"]] == ["Never", "12"]
    assert found["changed"][1]["wasAt"]["source"] == "git:HEAD:org/queues.yaml"
    assert document(run, "git:HEAD org")["changed"] == found["changed"]


def test_a_path_that_a_revision_lacks_is_compared_as_empty_where_both_versions_name_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = Path(FILES.split(maxsplit=1)[0]).read_text()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "readme").write_text("nothing yet")
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *words.split()], check=True, cwd=tmp_path)
    (tmp_path / "org").mkdir()
    (tmp_path / "org" / "queues.yaml").write_text(policy)

    added = run("kubectl-fairshare diff git:HEAD:org org/ -o json")
    gone = run("kubectl-fairshare diff org git:HEAD:org --fail-on guaranteed")
    slip = run("kubectl-fairshare diff git:HEAD:ogr org")
    nowhere = run("kubectl-fairshare diff git:HEAD:ogr ogr")

    assert json.loads(added.stdout)["verdict"] == "2 queues gain · no work compared"
    assert "note: git:HEAD:org: the revision has no such path: it is compared as empty" in added.stderr
    assert (gone.code, gone.stdout.splitlines()[0][:15]) == (1, "✘ 2 queues lose")
    assert (slip.code, nowhere.code) == (3, 3)
    assert "the revision holds no manifests there" in slip.stderr


def test_findings_that_go_away_alone_are_no_changed_field(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    policy = Path(FILES.split(maxsplit=1)[0]).read_text()
    new.write_text(policy)
    old.write_text(policy.replace("v1beta2\nkind: ResourceFlavor", "v1beta1\nkind: ResourceFlavor"))

    found = document(run, f"{old} {new}")

    assert (found["changed"], found["verdict"]) == ([], "no effect · 1 finding gone")


def test_a_wrong_revision_is_told_with_what_git_says(run: Run) -> None:
    screen = run("kubectl-fairshare diff git:no-such-branch:testdata testdata/diff/after.yaml")

    assert screen.code == 3
    assert "git could not read it: " in screen.stderr


def test_an_overlay_alone_is_compared_with_what_it_lies_over(run: Run) -> None:
    words = ("--overlay", "--overlay-before")
    later, earlier = (document(run, f"testdata/diff/before.yaml {word} testdata/diff/after.yaml") for word in words)

    assert (later["changed"][1]["was"], later["changed"][1]["now"]) == ("12", "8")
    assert (earlier["changed"][1]["was"], earlier["changed"][1]["now"]) == ("8", "12")
    assert later["versions"]["after"] == "testdata/diff/before.yaml with its overlay"


def test_a_queue_that_is_new_with_0_gains_nothing() -> None:
    key = ObjectKey("", "Queue", "", "a")
    none, some = (Entitlement(key, "cpu", "", *(Amount("cpu", size, str(size)) for _ in range(3))) for size in (0, 2))
    for figure in ("guaranteed", "entitled", "most"):
        assert not FigureChange(none, None).loses(figure)
        assert FigureChange(some, None).loses(figure)
        assert FigureChange(some, none).loses(figure)


def test_a_queue_that_is_gone_loses_what_it_had(run: Run) -> None:
    found = document(run, "testdata/diff/before.yaml --overlay-delete clusterqueue/speech")

    assert found["blastRadius"]["losing"] == ["speech", "vision"]
    assert (
        run("kubectl-fairshare diff testdata/diff/before.yaml --overlay-delete cq/speech --fail-on guaranteed").code
        == 1
    )


def test_the_first_queues_of_a_repository_and_the_last_ones_leave_nothing_undecided(run: Run, tmp_path: Path) -> None:
    """The class of priority is there in both, so neither version is empty."""
    text = Path("testdata/diff/before.yaml").read_text("utf-8")
    lone = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: lone}\nvalue: 7\n"
    local = text[text.index("apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue") :]
    for name, content in (("none", lone), ("some", f"{lone}---\n{text}"), ("local", f"{lone}---\n{local}")):
        (tmp_path / f"{name}.yaml").write_text(content)
    queues = {"speech", "vision"}
    for ends, word in (("none some", "gaining"), ("some none", "losing")):
        one, other = (f"{tmp_path}/{name}.yaml" for name in ends.split())
        found = document(run, f"{one} {other} --fail-on undecided")
        assert found["undecided"] == []
        assert found["gates"]["failed"] == []
        assert set(found["blastRadius"][word]) == queues
        work = document(run, f"{one} {other} {STATE} --fail-on undecided")
        assert work["gates"]["failed"] == ["undecided"], "work without a queue: what it ran in is not in the input"
    assert "no ClusterQueue" in str(document(run, f"{tmp_path}/none.yaml {tmp_path}/local.yaml")["undecided"])


def test_a_gate_that_is_not_modelled_leaves_rights_undecided(run: Run, tmp_path: Path) -> None:
    gate = "kind: Configuration\nfeatureGates: {ConcurrentAdmission: true}\n"
    for name in ("before", "after"):
        policy = Path(f"testdata/diff/{name}.yaml").read_text("utf-8")
        text = f"{policy}\n---\napiVersion: config.kueue.x-k8s.io/v1beta2\n{gate}"
        (tmp_path / f"{name}.yaml").write_text(text)
    found = document(run, f"{tmp_path}/before.yaml {tmp_path}/after.yaml --fail-on undecided")

    assert not found["fidelity"]["exact"]
    assert [each["why"] for each in found["undecided"]] == ["concurrent admission"]
    assert found["gates"]["failed"] == ["undecided"]


def test_nothing_to_compare_is_a_wrong_call(run: Run) -> None:
    assert run("kubectl-fairshare diff").code == 2
    assert run("kubectl-fairshare diff a b c").code == 2


def test_a_policy_with_features_that_are_not_modelled_is_undecided_and_fails_gates_on_rights(run: Run) -> None:
    gates = "--fail-on guaranteed,entitled,running-at-risk"
    command = (
        f"kubectl-fairshare diff testdata/diff/before.yaml testdata/diff/after.yaml --release 0.1.0 {gates} -o json"
    )
    found = json.loads(run(command).stdout)

    assert found["fidelity"]["exact"] is False
    assert found["undecided"][0]["about"] == "rights of queues and running work"
    assert "entitled" in found["gates"]["failed"]
    assert ("running-at-risk" in found["gates"]["failed"]) == bool(found["versions"]["running"])
    same = json.loads(run(command.replace("after", "before")).stdout)
    assert (same["undecided"], same["gates"]["failed"]) == ([], [])


def test_what_is_missing_is_missing_from_a_version(run: Run, tmp_path: Path) -> None:
    policy = Path(FILES.split(maxsplit=1)[0]).read_text()
    flavor = next(part for part in policy.split("---\n") if "kind: ResourceFlavor" in part)
    whole, lacking = tmp_path / "whole.yaml", tmp_path / "lacking.yaml"
    whole.write_text(policy)
    lacking.write_text(policy.replace(flavor, ""))
    name = yaml.safe_load(flavor)["metadata"]["name"]
    for words, version in (
        (f"{whole} {lacking}", " (after the change)"),
        (f"{lacking} {whole}", " (before the change)"),
    ):
        reasons = [each["why"] for each in document(run, words)["undecided"]]
        assert [f"ResourceFlavor {name} is not in the input{version}" in reason for reason in reasons] == [True], (
            reasons
        )
    other = tmp_path / "other.yaml"
    other.write_text(lacking.read_text().replace("nominalQuota: ", "nominalQuota: 1"))
    assert not [each for each in document(run, f"{lacking} {other}")["undecided"] if "the change)" in each["why"]]


def test_a_comment_says_once_what_a_queue_has_no_more(run: Run, tmp_path: Path) -> None:
    policy = Path(FILES.split(maxsplit=1)[0]).read_text()
    queue = next(part for part in policy.split("---\n") if "kind: ClusterQueue" in part)
    whole, without = tmp_path / "whole.yaml", tmp_path / "without.yaml"
    whole.write_text(policy)
    without.write_text(policy.replace(queue, ""))
    name = yaml.safe_load(queue)["metadata"]["name"]
    lost = run(f"kubectl-fairshare diff {whole} {without} -o markdown").stdout
    gained = run(f"kubectl-fairshare diff {without} {whole} -o markdown").stdout
    assert f"- loses: `{name}`, all of " in lost
    assert f"- gains: `{name}`, " in gained
    (line,) = (line for line in lost.splitlines() if line.startswith(f"- loses: `{name}`"))
    assert line.endswith(" guaranteed)")
    assert "→" not in line
