"""What a change leaves alone: units that cannot be built, charts, remote bases. They stop nothing and hide nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import EXIT_UNREAD
from kubectl_fairshare.input.files import kustomize
from kubectl_fairshare.input.units import content
from tests.screens import Screen
from tests.strangers.gitops import git

Run = Callable[[str], Screen]
GATES = "running-at-risk,pending-lost,never,undecided"
QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: NAME}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: any, resources: [{name: cpu, nominalQuota: GIVEN}]}]
"""
FLAVOR = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: any}\n"
CHART = {
    "charts/team/Chart.yaml": "apiVersion: v2\nname: team\nversion: 1.0.0\n",
    "charts/team/values.yaml": "quota: 3\n",
    "charts/team/templates/_helpers.tpl": '{{ define "quota" }}{{ .Values.quota }}{{ end }}\n',
    "charts/team/templates/queue.yaml": QUEUE.replace("NAME", "{{ .Release.Name }}").replace(
        "GIVEN", '{{ include "quota" . }}'
    ),
}
BROKEN = {
    "hack/new-cluster/kustomization.yaml": "resources: [../base, queue.yaml]\n",
    "hack/new-cluster/queue.yaml": QUEUE.replace("NAME", "team").replace("GIVEN", "1"),
}
EMPTY = {
    "hack/empty/kustomization.yaml": "# nothing yet\n",
    "hack/empty/queue.yaml": QUEUE.replace("NAME", "team").replace("GIVEN", "7"),
}
REJECTED = {
    "clusters/old/kustomization.yaml": "resources: [../../base]\npatches: [{path: patch.yaml}]\n",
    "clusters/old/patch.yaml": QUEUE.replace("NAME", "team").replace("GIVEN", "-1"),
}
REMOTE = {
    "clusters/far/kustomization.yaml": "resources: [../../base, 'https://example.com/queues?ref=v1']\n"
    "patches: [{path: patch.yaml}]\n",
    "clusters/far/patch.yaml": QUEUE.replace("NAME", "team").replace("GIVEN", "6"),
}


def files(more: dict[str, str]) -> dict[str, str]:
    """A base and two clusters of it, and more."""
    found = {
        "base/kustomization.yaml": "resources: [flavor.yaml, queue.yaml]\n",
        "base/flavor.yaml": FLAVOR,
        "base/queue.yaml": QUEUE.replace("NAME", "team").replace("GIVEN", "4"),
    }
    for name, quota in (("eu", "5"), ("us", "8")):
        found[f"clusters/{name}/kustomization.yaml"] = "resources: [../../base]\npatches: [{path: patch.yaml}]\n"
        found[f"clusters/{name}/patch.yaml"] = QUEUE.replace("NAME", "team").replace("GIVEN", quota)
    return {**found, **more}


@pytest.fixture
def laid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """Commits a repository with more than the two clusters, and goes there."""

    def _laid(more: dict[str, str]) -> None:
        monkeypatch.chdir(tmp_path)
        write(files(more))
        git(tmp_path, "init", "-q", "--initial-branch=main")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "as it is")

    return _laid


def write(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def replaced(name: str, old: str, new: str) -> None:
    text = Path(name).read_text()
    assert old in text
    Path(name).write_text(text.replace(old, new))


def document(screen: Screen) -> Any:
    assert screen.stdout, screen
    return json.loads(screen.stdout)


STOPPED = {
    "a missing base": (BROKEN, "hack/new-cluster/queue.yaml", "which is not there"),
    "an empty kustomization": (EMPTY, "hack/empty/queue.yaml", "is empty"),
    "a rejected object": (REJECTED, "clusters/old/patch.yaml", "the API server rejects"),
}
LAYOUTS = pytest.mark.parametrize(("more", "file", "why"), list(STOPPED.values()), ids=list(STOPPED))


@LAYOUTS
def test_a_unit_that_no_version_has_is_named_and_stops_nothing(
    run: Run, laid: Callable[[dict[str, str]], None], more: dict[str, str], file: str, why: str
) -> None:
    laid(more)
    assert file in more
    same = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o json")
    assert (same.code, document(same)["unread"]) == (0, []), same
    assert any(why in each for each in document(same)["unbuilt"])
    replaced("clusters/us/patch.yaml", "nominalQuota: 8", "nominalQuota: 9")
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES}")
    assert screen.code == 0, screen
    assert "1 of 2 units: 1 queue gains" in " ".join(screen.stdout.split())
    assert why in " ".join(screen.stdout.split())
    markdown = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o markdown")
    assert (markdown.code, why in markdown.stdout) == (0, True), markdown


@LAYOUTS
def test_a_change_of_such_a_unit_is_not_compared(
    run: Run, laid: Callable[[dict[str, str]], None], more: dict[str, str], file: str, why: str
) -> None:
    laid(more)
    Path(file).write_text(Path(file).read_text().replace("[cpu]", "[cpu, memory]"))
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o json")
    assert screen.code == EXIT_UNREAD, screen
    assert any(why in each for each in document(screen)["unread"])
    assert not any("git:" in each for each in document(screen)["unread"]), "what both versions have is said once"
    assert document(screen)["exitCode"] == EXIT_UNREAD
    alone = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} --each 'clusters/[eu][us]'")
    assert alone.code == 0, alone


@LAYOUTS
@pytest.mark.parametrize("question", ["shares", "capacity", "plan --queue team/jobs --request cpu=1", "why -A"])
def test_the_other_units_are_answered(
    run: Run,
    laid: Callable[[dict[str, str]], None],
    more: dict[str, str],
    file: str,
    why: str,
    question: str,
) -> None:
    local = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: jobs, namespace: team}\n"
    laid({**more, "base/flavor.yaml": f"{FLAVOR}---\n{local}spec: {{clusterQueue: team}}\n"})
    screen = run(f"kubectl-fairshare {question} -f . -o json")
    assert screen.code == EXIT_UNREAD, screen
    assert [item["units"] for item in document(screen)["items"]] == [["clusters/eu"], ["clusters/us"]]
    assert any(why in each for each in document(screen)["unread"])
    assert why in screen.stderr
    picked = run(f"kubectl-fairshare {question} -f . --each 'clusters/[eu][us]' -o json")
    assert picked.code != EXIT_UNREAD, picked
    named = run(f"kubectl-fairshare {question} -f . --each {Path(file).parent}")
    assert (named.code, named.stdout, why in named.stderr) == (EXIT_UNREAD, "", True), named
    assert run("kubectl-fairshare lint . --each 'clusters/[eu][us]' --complete").code == 0


def test_a_chart_opens_the_answer_of_each_cluster_and_no_comparison_that_leaves_it_alone(
    run: Run, laid: Callable[[dict[str, str]], None]
) -> None:
    laid(CHART)
    for words in ("", "--each clusters/eu"):
        screen = run(f"kubectl-fairshare shares -f . {words} --complete")
        assert (screen.code, "not exact" in screen.stdout, "· exact" in screen.stdout) == (0, True, False), screen
        assert "charts/team: Helm chart, not rendered" in screen.stderr
    assert "exact (Kueue" in run("kubectl-fairshare shares -f clusters/eu --complete").stdout
    assert run(f"kubectl-fairshare diff git:main . --fail-on {GATES}").code == 0
    replaced("clusters/us/patch.yaml", "nominalQuota: 8", "nominalQuota: 9")
    changed = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o json")
    assert changed.code == 1, changed
    found = {unit: item["diff"] for item in document(changed)["items"] for unit in item["units"]}
    assert [len(found[f"clusters/{name}"]["undecided"]) for name in ("eu", "us")] == [0, 1]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("charts/team/values.yaml", "3", "5"),
        ("charts/team/templates/queue.yaml", "cohortName: all", "cohortName: none"),
        ("charts/team/templates/_helpers.tpl", "{{ .Values.quota }}", "7"),
        ("values-eu.yaml", "3", "5"),
    ],
)
def test_a_change_of_a_chart_may_change_each_cluster(
    run: Run, laid: Callable[[dict[str, str]], None], name: str, old: str, new: str
) -> None:
    laid({**CHART, "values-eu.yaml": "quota: 3\n"})
    replaced(name, old, new)
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES}")
    assert (screen.code, "not decided" in screen.stdout) == (1, True), screen


WEB = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
APART = {
    "README.md": ("charts/team/README.md", "# Team\n", "# The team\n"),
    "a comment": ("charts/team/values.yaml", "quota: 3\n", "quota: 3  # for now\n"),
    "a value that no template reads": ("values-eu.yaml", "quota: 3\n", "quota: 3\nimage: v2\n"),
    "the order of keys": ("values-eu.yaml", "quota: 3\nglobal: 1\n", "global: 1\nquota: 3\n"),
    "a file of another program": ("mkdocs.yml", "nav: [a.md]\n", "nav: [b.md]\n"),
    "a chart of Deployments": ("charts/web/templates/web.yaml", WEB, f"{WEB}spec: {{}}\n"),
}


@pytest.mark.parametrize(("name", "old", "new"), list(APART.values()), ids=list(APART))
def test_what_a_chart_does_not_read_changes_nothing(
    run: Run, laid: Callable[[dict[str, str]], None], name: str, old: str, new: str
) -> None:
    laid({**CHART, "charts/web/Chart.yaml": CHART["charts/team/Chart.yaml"], name: old})
    write({name: new})
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES}")
    assert (screen.code, "not decided" in screen.stdout) == (0, False), screen


RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: team, namespace: flux}
spec: {chart: {spec: {chart: charts/team}}, values: {quota: 3}}
"""


@pytest.mark.parametrize(
    "changed",
    [
        {"values-eu.yaml": "quota: 8\n", "values-us.yaml": "quota: 3\n"},
        {"argocd/team.yaml": RELEASE.replace("quota: 3", "quota: 4")},
        {
            "charts/team/files/quota.txt": "4",
            "charts/team/templates/more.yaml": 'a: {{ .Files.Get "files/quota.txt" }}',
        },
    ],
)
def test_values_that_a_chart_gets_in_another_way_are_a_change(
    run: Run, laid: Callable[[dict[str, str]], None], changed: dict[str, str]
) -> None:
    """Two files that swap what they say, an object that installs the chart, a file that a template reads."""
    laid({**CHART, "values-eu.yaml": "quota: 3\n", "values-us.yaml": "quota: 8\n", "argocd/team.yaml": RELEASE})
    assert run(f"kubectl-fairshare diff git:main . --fail-on {GATES}").code == 0
    write(changed)
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES}")
    assert (screen.code, "not decided" in screen.stdout) == (1, True), screen


def test_a_remote_base_is_compared_by_its_name(run: Run, laid: Callable[[dict[str, str]], None]) -> None:
    laid(REMOTE)
    same = run(f"kubectl-fairshare diff git:main . --fail-on {GATES}")
    assert same.code == 0, same
    replaced("clusters/far/kustomization.yaml", "v1", "v2")
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o json")
    assert screen.code == 1, screen
    found = {unit: item["diff"] for item in document(screen)["items"] for unit in item["units"]}
    assert [name for name, diff in found.items() if diff["undecided"]] == ["clusters/far"]


APPLIED = """
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators: [{git: {directories: [{path: clusters/*}]}}]
  template: {spec: {source: {path: 'PATH'}}}
"""
FLUX = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: eu}
spec: {path: ./clusters/eu}
"""


@pytest.mark.parametrize(
    ("installer", "exact"),
    [
        (APPLIED.replace("PATH", "{{path}}"), True),
        (APPLIED.replace("PATH", "{{path}}").replace("clusters/*", "'*/*'"), False),
        (APPLIED.replace("PATH", "charts/{{path.basename}}"), False),
        (APPLIED.replace("PATH", "{{path}}").replace("git: {directories", "list: {elements"), False),
        (FLUX, True),
    ],
)
def test_a_chart_that_nothing_installs_counts_in_no_cluster(
    run: Run, laid: Callable[[dict[str, str]], None], installer: str, *, exact: bool
) -> None:
    """Where objects of Argo CD or Flux say what is applied, a chart that none of them names waits for one."""
    laid({**CHART, "argocd/set.yaml": installer})
    screen = run("kubectl-fairshare shares -f . --complete")
    assert (screen.code, "not exact" not in screen.stdout) == (0, exact), screen
    assert "charts/team: Helm chart, not rendered" in screen.stderr


SUFFIX = {
    "clusters/far/kustomization.yaml": "resources: [../../base]\nnameSuffix: -far\n",
    "clusters/near/kustomization.yaml": "resources: [../../base]\nnameSuffix: -near\n",
}


@pytest.mark.slow
def test_what_a_change_leaves_alone_is_built_once(
    run: Run, laid: Callable[[dict[str, str]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is that of two builds: a change of anything that a build reads is seen in both."""
    real, built = kustomize.build, list[str]()

    def counting(directory: str, *given: Any, **named: Any) -> bytes:
        built.append(directory.partition("/clusters/")[2] or directory.removeprefix("clusters/"))
        return real(directory, *given, **named)

    monkeypatch.setattr(kustomize, "build", counting)
    laid(SUFFIX)

    def asked(*names: str) -> None:
        """Each of these is built, and the answer is that of two builds for each."""
        built.clear()
        shared = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o json")
        assert sorted(built) == sorted(names)
        with monkeypatch.context() as patched:
            patched.setattr(content, "content_of", lambda *_: b"")
            assert run(shared.command) == shared
        assert sorted(built) == sorted([*names, "far", "far", "near", "near"])

    asked("far", "near")
    replaced("clusters/far/kustomization.yaml", "-far", "-remote")
    asked("far", "far", "near")
    replaced("base/queue.yaml", "nominalQuota: 4", "nominalQuota: 5")
    asked("far", "far", "near", "near")


FLAVORS = "flavors: [{name: any, resources: [{name: cpu, nominalQuota: 8}]}]"
WRITTEN_OTHERWISE = {
    "a comment": f"{FLAVORS}  # for the nights",
    "quotes": FLAVORS.replace("name: cpu", "'name': \"cpu\""),
    "the order of keys": FLAVORS.replace("name: cpu, nominalQuota: 8", "nominalQuota: 8, name: cpu"),
    "an amount": FLAVORS.replace("8", "8000m"),
    "an amount in quotes": FLAVORS.replace("8", '"8"'),
}


@pytest.mark.parametrize("flavors", list(WRITTEN_OTHERWISE.values()), ids=list(WRITTEN_OTHERWISE))
def test_what_is_only_written_otherwise_is_no_change(
    run: Run, laid: Callable[[dict[str, str]], None], flavors: str
) -> None:
    """Whatever is not known of the unit is the same in both versions."""
    laid(CHART)
    replaced("clusters/us/patch.yaml", FLAVORS, flavors)
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o json")
    assert screen.code == 0, screen
    found = [item["diff"] for item in document(screen)["items"]]
    assert not [diff for diff in found if diff["undecided"] or diff["changed"] or diff["newFindings"]]
    replaced("clusters/us/patch.yaml", flavors, flavors.replace("8", "9"))
    assert run(f"kubectl-fairshare diff git:main . --fail-on {GATES}").code == 1


TEAM = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, labels: {team: a}}\n"
WORK = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: one, namespace: team}
spec:
  queueName: jobs
  podSets:
  - name: main
    count: 1
    template: {spec: {restartPolicy: Never, containers: [{name: c, image: a, resources: {requests: {cpu: 1}}}]}}
"""
JOBS = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: jobs, namespace: team}\n"


@pytest.mark.parametrize("named", [False, True])
def test_a_namespace_that_moves_to_a_folder_of_its_own_is_not_gone(
    run: Run, laid: Callable[[dict[str, str]], None], *, named: bool
) -> None:
    """Nothing says that it is not in the same clusters. Where work rests on it, nothing says that it is."""
    work = f"---\n{JOBS}spec: {{clusterQueue: team}}\n---\n{WORK}" if named else ""
    queue = QUEUE.replace("NAME", "team").replace("{}", "{matchLabels: {team: a}}").replace("GIVEN", "4")
    laid({"base/flavor.yaml": f"{FLAVOR}---\n{TEAM}{work}", "base/queue.yaml": queue})
    write({"namespaces/kustomization.yaml": "resources: [team.yaml]\n", "namespaces/team.yaml": TEAM})
    replaced("base/flavor.yaml", f"---\n{TEAM}", "")
    screen = run(f"kubectl-fairshare diff git:main . --fail-on {GATES} -o json")
    assert screen.code == int(named), screen
    found = [item["diff"] for item in document(screen)["items"]]
    assert [bool(diff["undecided"]) for diff in found] == [named] * len(found)
    assert not any(diff["changed"] for diff in found)
    Path("namespaces/team.yaml").unlink()
    Path("namespaces/kustomization.yaml").unlink()
    gone = document(run("kubectl-fairshare diff git:main . -o json"))["items"]
    assert all(change["object"]["kind"] == "Namespace" for item in gone for change in item["diff"]["changed"])
    assert all(item["diff"]["changed"] for item in gone)


def test_a_comment_that_silences_a_finding_is_a_change(run: Run, laid: Callable[[dict[str, str]], None]) -> None:
    """Of lint, and of nothing else: the rest is the same."""
    empty = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: jobs, namespace: team}\n"
    laid({"base/flavor.yaml": f"{FLAVOR}---\n# fairshare: ignore[K050]\n{empty}spec: {{clusterQueue: other}}\n"})
    assert run("kubectl-fairshare diff git:main . --fail-on findings").code == 0
    replaced("base/flavor.yaml", "# fairshare: ignore[K050]\n", "")
    screen = run("kubectl-fairshare diff git:main . --fail-on findings")
    assert (screen.code, "K050" in screen.stdout) == (1, True), screen
