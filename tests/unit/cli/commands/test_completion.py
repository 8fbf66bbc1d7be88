"""Shell completion: the words that are offered, and the scripts by which shells ask for them."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.cli.completing.program import complete
from kubectl_fairshare.cli.program import COMMANDS
from tests.screens import Screen
from tests.unit.input.cluster.served import organisation, serving

DEMO = "testdata/demo/org"
MANIFEST = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: a}
---
apiVersion: batch/v1
kind: Job
metadata:
  labels: {name: other}
  name: train
  namespace: b
---
apiVersion: batch/v1
kind: Job
metadata: {name: "$(reboot)", namespace: b}
---
apiVersion: v1
kind: Pod
metadata: {name: train-0, namespace: b}
---
kind: ClusterQueue
metadata: {name: q}
spec: {resourceGroups: [{coveredResources: [cpu, memory]}]}
---
kind: [
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(root)
    return tmp_path / "cache" / "kubectl-fairshare"


def offered(*words: str) -> tuple[list[str], str]:
    """The words that are offered for the last one, without what they stand for; and the directive."""
    out = io.BytesIO()
    assert complete(words, out) == 0
    *lines, directive = out.getvalue().decode().splitlines()
    return [line.partition("\t")[0] for line in lines], directive


@pytest.fixture
def manifest(tmp_path: Path) -> str:
    path = tmp_path / "jobs.yaml"
    path.write_text(MANIFEST)
    return str(path)


def test_every_command_is_offered_first() -> None:
    assert offered("") == (sorted(COMMANDS), ":4")


@pytest.mark.parametrize(
    ("words", "first", "directive"),
    [
        ("sh", ["shares"], ":4"),
        ("--v", ["--version"], ":4"),
        ("shares --exp", ["--explain"], ":4"),
        ("shares -o y", ["yaml"], ":4"),
        ("shares -oy", [], ":4"),
        ("shares --output=y", ["yaml"], ":4"),
        ("shares -Aqo js", ["json"], ":4"),
        ("shares --classical --class", [], ":4"),
        ("plan -w x --work", ["--workload"], ":4"),
        ("shares -f t", [], ":0"),
        ("lint t", [], ":0"),
        ("shares -k t", [], ":16"),
        ("help lending-limit-ab", ["lending-limit-above-nominal"], ":4"),
        ("help nomin", ["nominal"], ":4"),
        ("help fore", ["forecast"], ":4"),
        ("lint --select K001,K02", [f"K001,K02{n}" for n in range(10)], ":4"),
        ("lint --ignore adv", ["advice"], ":4"),
        ("rbac why l", ["lint"], ":4"),
        ("completion f", ["fish"], ":4"),
        ("conformance --engine kueue-l", ["kueue-living"], ":4"),
        ("why -- --", [], ":4"),
        ("nothing-like-it -", [], ":4"),
    ],
)
def test_words_of_the_grammar_are_offered(words: str, first: list[str], directive: str) -> None:
    assert offered(*words.split(" ")) == (first, directive)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("shares --queue vi", ["vision", "vision/gpus"]),
        ("plan --queue vi", ["vision/gpus"]),
        ("shares --explain re", ["research"]),
        ("shares --flavor ", ["a100", "h100"]),
        ("shares --resource ", ["nvidia.com/gpu"]),
        ("plan --request ", ["nvidia.com/gpu="]),
        ("plan --request nvidia.com/gpu=1,", []),
        ("shares --demand u", ["unlimited"]),
        ("shares --demand vi", ["vision="]),
        ("shares --demand vision=", ["vision=0", "vision=nvidia.com/gpu=", "vision=unlimited"]),
        ("shares --demand vision=nvidia.com/gpu=1,", []),
        ("plan --priority-class ur", ["urgent"]),
        ("shares -n s", ["search", "speech"]),
        ("shares --overlay-delete cohort/re", ["cohort/research"]),
        ("why -n speech ", ["workload/transcribe"]),
        ("why pre", ["pretrain"]),
        ("why vision/workload/p", ["vision/workload/pretrain"]),
    ],
)
def test_names_are_those_in_the_files_of_the_line(words: str, found: list[str]) -> None:
    command, rest = words.split(" ", 1)
    assert offered(command, "-f", DEMO, *rest.split(" "))[0] == found


def test_a_name_that_two_namespaces_have_is_offered_with_each(manifest: str) -> None:
    assert offered("why", "-f", manifest, "")[0] == ["a/job/train", "b/job/train"]
    assert offered("why", "-f", manifest, "-n", "a", "")[0] == ["job/train"]


def test_pods_are_offered_once_they_are_asked_for(manifest: str) -> None:
    assert offered("why", "-f", manifest, "pod/")[0] == ["pod/train-0"]


def test_nothing_is_offered_that_a_shell_would_run(manifest: str) -> None:
    assert [word for word in offered("why", "-f", manifest, "-n", "b", "")[0] if "$" in word] == []


def test_a_file_that_nobody_has_finished_gives_the_names_before_that(manifest: str) -> None:
    assert offered("shares", "-f", manifest, "--resource", "")[0] == ["cpu", "memory"]


def test_dumps_give_their_names(tmp_path: Path) -> None:
    items = [{"kind": "Workload", "metadata": {"name": f"w{n}", "namespace": "a"}} for n in range(3)]
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"kind": "List", "items": items}))
    assert offered("why", "-f", str(path), "workload/")[0] == ["workload/w0", "workload/w1", "workload/w2"]


def test_names_of_a_large_file_are_kept_until_it_changes(tmp_path: Path, cache: Path) -> None:
    items = [{"kind": "Workload", "metadata": {"name": f"w{n}", "namespace": "a"}} for n in range(3000)]
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"kind": "List", "items": items}))
    first = offered("why", "-f", str(path), "workload/w29")
    (kept,) = cache.iterdir()
    kept.write_text(kept.read_text().replace(" w2999\n", " known\n"))
    assert offered("why", "-f", str(path), "workload/kn")[0] == ["workload/known"]
    path.write_text(json.dumps({"kind": "List", "items": items}, indent=1))
    assert offered("why", "-f", str(path), "workload/w29") == first


def test_names_are_those_that_a_command_has_read_of_the_same_cluster(
    tmp_path: Path, run: Callable[[str], Screen]
) -> None:
    with serving(organisation()) as served:
        here = ["--kubeconfig", served.kubeconfig(tmp_path)]
        assert offered("why", *here, "") == ([], ":4")
        assert run(f"kubectl-fairshare why -A {' '.join(here)}").code == 0
        asked = len(served.asked)
        assert offered("why", *here, "workload/")[0] == [f"workload/job-{n}" for n in range(7)]
        assert offered("why", *here, "-n", "")[0] == ["kueue-system", "other", "team"]
        assert offered("plan", *here, "--request", "")[0] == ["cpu="]
        assert offered("why", *here, "--as", "somebody", "workload/")[0] == []
        assert offered("why", *here, "--context", "")[0] == ["here"]
        assert len(served.asked) == asked, "completing asks no cluster"


@pytest.mark.parametrize("words", [["why", "-f", "/no/such", ""], ["why", "-f", "a\0b", ""], ["shares", "-n", ""], []])
def test_where_nothing_is_known_nothing_is_offered(words: list[str]) -> None:
    out = io.BytesIO()
    assert complete(words, out) == 0
    if words:
        assert out.getvalue() in (b":4\n", b"")


def test_completing_imports_nothing_that_takes_its_time() -> None:
    probe = (
        "import sys; before = {*sys.modules}  # with what measures coverage, where that is asked for\n"
        "from kubectl_fairshare.cli.completing.program import complete\n"
        "complete(sys.argv[1:])\nprint(*{*sys.modules} - before)"
    )
    for words in (["sh"], ["why", ""], ["why", "-f", DEMO, ""], ["shares", "--"]):
        command = [sys.executable, "-c", probe, *words]
        modules = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split()
        assert {"click", "rich", "kubernetes", "msgspec", "orjson", "jsonschema", "dataclasses"} & {*modules} == set()


@pytest.mark.parametrize(
    ("shell", "names"),
    [("bash", "complete -F"), ("zsh", "#compdef"), ("fish", "complete -c"), ("kubectl", "#!/bin/sh")],
)
def test_every_shell_has_its_script(run: Callable[[str], Screen], shell: str, names: str) -> None:
    screen = run(f"kubectl-fairshare completion {shell}")
    assert (screen.code, screen.stderr) == (0, "")
    assert names in screen.stdout
    assert "__complete" in screen.stdout


ASKING = {
    "bash": """
source script
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _kubectl_fairshare 2> /dev/null
    printf '%s\\n' "${COMPREPLY[@]}"
}
""",
    "fish": """
source script
function ask
    complete -C "$argv" | string replace -r '\\t.*' ''
end
""",
    "zsh": """
compdef() {}; compset() { PREFIX=${PREFIX#*=} }
_files() { printf '%s\\n' ${PREFIX}*(N) }
_describe() { printf '%s\\n' "${(@)${(@P)2}%%:*}" }
source ./script
ask() { words=("$@"); CURRENT=$#; PREFIX=${words[-1]}; _kubectl_fairshare }
""",
}


@pytest.mark.parametrize("shell", sorted(ASKING))
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["kubectl-fairshare", "sh"], ["shares"]),
        (["kubectl-fairshare", "why", "-f", "here.yaml", "-n", "b", "job/"], ["job/train"]),
        (["kubectl-fairshare", "why", "-f", "her"], ["here.yaml"]),
        (["kubectl-fairshare", "shares", "--output=y"], ["yaml"]),
    ],
)
def test_a_shell_offers_what_the_program_says(tmp_path: Path, shell: str, words: list[str], found: list[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    program = tmp_path / "kubectl-fairshare"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kubectl_fairshare "$@"\n')
    program.chmod(0o755)
    (tmp_path / "here.yaml").write_text(MANIFEST)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.getcwd(),
        "HOME": str(tmp_path),
    }
    script = subprocess.run([program, "completion", shell], env=environment, capture_output=True, check=True).stdout
    (tmp_path / "script").write_bytes(script)
    asked = " ".join(words).replace("=", " = ") if shell == "bash" else " ".join(words)
    line = f"ask '{asked}'" if shell == "fish" else f"ask {asked}"
    done = subprocess.run(
        [shell, "-c", ASKING[shell] + line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert [word.removeprefix("--output=") for word in done.stdout.split()] == found


@pytest.mark.slow
def test_the_grammar_is_that_of_the_commands(root: Path) -> None:
    command = [sys.executable, ".ci/grammar.py", "--check"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
