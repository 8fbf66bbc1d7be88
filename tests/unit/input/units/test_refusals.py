"""What kustomize refuses is an error at its place, as kubectl has it; what it takes is not."""

import subprocess

import pytest

from tests.screens import shown
from tests.unit.input.kubectl import needs_kubectl
from tests.unit.input.units.folders import REAL, write

FILES = "resources: [q.yaml]\n"
PATCH = "patch: '- {op: add, path: /metadata/labels, value: {a: b}}', target: {kind: ClusterQueue}"
REFUSED = {
    "": ("1:1", "is empty"),
    "# nothing\n": ("1:1", "is empty"),
    "resources:\nnamespace: ''\n": ("1:1", "is empty"),
    "kind: Kustomization\n": ("1:1", "is empty"),
    "---\n---\nresources: [q.yaml]\n": ("1:1", "is empty"),
    "- q.yaml\n": ("1:1", "is not a mapping"),
    "q.yaml\n": ("1:1", "is not a mapping"),
    "resources: [q.yaml]\n  bad: [\n": ("2:", ""),
    "resources: {a: b}\n": ("1:12", "`resources` is a mapping, and not a list"),
    "resources: q.yaml\n": ("1:12", "`resources` is text, and not a list"),
    "resources: [q.yaml, 3]\n": ("1:21", "`resources` is a number, and not text"),
    "resources: [q.yaml, null]\n": ("1:21", "`resources` is empty, and not text"),
    "resources: [q.yaml, {}]\n": ("1:21", "`resources` is a mapping, and not text"),
    f"{FILES}namespace: 3\n": ("2:12", "`namespace` is a number, and not text"),
    f"{FILES}namespace: [x]\n": ("2:12", "`namespace` is a list, and not text"),
    f"{FILES}namespace: yes\n": ("2:12", "`namespace` is true or false, and not text"),
    f"{FILES}patches: 3\n": ("2:10", "`patches` is a number, and not a list"),
    f"{FILES}patches: [3]\n": ("2:11", "`patches` is a number, and not a mapping"),
    f"{FILES}patches: [{{patch: 3}}]\n": ("2:19", "`patch` is a number, and not text"),
    f"{FILES}patches: [{{{PATCH}, foo: 1}}]\n": ("2:", "unknown field `foo`"),
    f"{FILES}patches: [{{{PATCH}, options: {{allowNameChange: 3}}}}]\n": ("2:", "is a number, and not true or false"),
    f"{FILES}patches: [{{patch: '[]', target: {{kinds: x}}}}]\n": ("2:", "unknown field `kinds`"),
    f"{FILES}patchesStrategicMerge: [{{a: 1}}]\n": ("2:25", "`patchesStrategicMerge` is a mapping, and not text"),
    f"{FILES}foo: 1\n": ("2:", "unknown field `foo`"),
    f"{FILES}foo:\n": ("2:", "unknown field `foo`"),
    f"{FILES}inventory: {{}}\n": ("2:", "unknown field `inventory`"),
    f"{FILES}metadata: {{creationTimestamp: null}}\n": ("2:", "unknown field `creationTimestamp`"),
    f"{FILES}metadata: 3\n": ("2:", "`metadata` is a number, and not a mapping"),
    f"{FILES}commonLabels: {{a: true}}\n": ("2:", "`a` is true or false, and not text"),
    f"{FILES}configMapGenerator: [{{name: x, foo: y}}]\n": ("2:", "unknown field `foo`"),
    f"{FILES}configMapGenerator: [{{name: x, type: y}}]\n": ("2:", "unknown field `type`"),
    f"{FILES}configMapGenerator: [{{name: x, files: 'y'}}]\n": ("2:", "`files` is text, and not a list"),
    f"{FILES}generatorOptions: {{foo: 1}}\n": ("2:", "unknown field `foo`"),
    f"{FILES}images: 3\n": ("2:", "`images` is a number, and not a list"),
    f"{FILES}kind: Foo\n": ("2:", "neither Kustomization nor Component"),
    f"{FILES}kind: {{}}\n": ("2:", "`kind` is a mapping, and not text"),
    f"{FILES}apiVersion: v1\n": ("2:", "the version of a Kustomization is kustomize.config.k8s.io/v1beta1"),
    f"{FILES}kind: Component\napiVersion: kustomize.config.k8s.io/v1beta1\n": ("3:", "the version of a Component is"),
}
TAKEN = (
    FILES,
    '{"resources": ["q.yaml"]}',
    f"---\n{FILES}",
    f"{FILES}---\nfoo: 1\n",
    "resources: []\nresources: [q.yaml]\n",
    f"{FILES}namespace: a\nnamespace: b\n",
    f"{FILES}namespace: ~\npatches: ~\n",
    f"{FILES}namespace: 2001-01-01\n",
    f"{FILES}apiVersion: ''\nkind: ''\n",
    f"{FILES}kind: Component\n",
    f"{FILES}metadata: {{name: x, annotations: {{a: b}}}}\n",
    f"{FILES}patches: [{{{PATCH}, options: {{}}}}]\n",
    f"{FILES}sortOptions: {{order: fifo}}\nimageTags: []\nvars: []\nbuildMetadata: [foo]\n",
    f"{FILES}secretGenerator: [{{name: x, type: Opaque, literals: ['a=b'], options: {{immutable: true}}}}]\n",
)


def _eu(text: str) -> None:
    write({"eu/kustomization.yaml": text, "eu/q.yaml": REAL})


@pytest.mark.parametrize("command", ["lint .", "shares -f eu"])
@pytest.mark.parametrize("text", REFUSED)
def test_what_kustomize_does_not_decode_is_an_error_at_its_place(command: str, text: str) -> None:
    _eu(text)
    place, words = REFUSED[text]
    screen = shown(f"kubectl-fairshare {command}")
    said = " ".join((screen.stderr + screen.stdout).split())
    assert screen.code == 3, said
    assert f"eu/kustomization.yaml:{place}" in said
    assert words in said


@pytest.mark.parametrize("text", TAKEN)
def test_what_kustomize_takes_is_answered(text: str) -> None:
    _eu(text)
    screen = shown("kubectl-fairshare shares -f eu")
    assert screen.code == 0, screen
    assert "team" in screen.stdout


def test_a_field_of_a_newer_kustomize_is_taken() -> None:
    """`stringData` of a Secret is younger than kustomize v5.5.0."""
    _eu(f"{FILES}secretGenerator: [{{name: x, literals: ['a=b'], stringData: true}}]\n")
    assert shown("kubectl-fairshare shares -f eu").code == 0


@pytest.mark.slow
@needs_kubectl
def test_kubectl_judges_alike() -> None:
    judged = {}
    for text in (*REFUSED, *TAKEN):
        _eu(text)
        judged[text] = subprocess.run(["kubectl", "kustomize", "eu"], capture_output=True, check=False).returncode == 0
    assert judged == {**dict.fromkeys(REFUSED, False), **dict.fromkeys(TAKEN, True)}


def test_an_overlay_of_a_refused_base_is_refused() -> None:
    write({"base/kustomization.yaml": "namespace: 3\n", "eu/kustomization.yaml": "resources: [../base, q.yaml]\n"})
    write(
        {
            "eu/q.yaml": REAL,
            "other/kustomization.yml": "- a\n",
            "eu2/kustomization.yaml": "resources: [../other, q.yaml]\n",
        }
    )
    write({"eu2/q.yaml": REAL})
    screen = shown("kubectl-fairshare lint .")
    assert screen.code == 3
    said = screen.stderr + screen.stdout
    assert said.count("base/kustomization.yaml:1:12") == 1, said
    assert said.count("other/kustomization.yml:1:1") == 1, said


def test_two_kustomizations_in_a_folder_are_refused() -> None:
    _eu(FILES)
    write({"eu/kustomization.yml": FILES})
    screen = shown("kubectl-fairshare shares -f eu")
    assert screen.code == 3
    assert "eu/kustomization.yml:1:1: this folder has `kustomization.yaml` and `kustomization.yml`" in screen.stderr


def test_a_refused_kustomization_of_a_revision_is_an_error_there() -> None:
    _eu("resources: {a: b}\n")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], check=True)
    _eu(FILES)
    screen = shown("kubectl-fairshare diff git:HEAD .")
    assert screen.code == 3
    assert "git:HEAD:eu/kustomization.yaml:1:12: `resources` is a mapping" in screen.stderr


def test_a_refused_kustomization_without_anything_of_a_scheduler_is_left_alone() -> None:
    _eu(FILES)
    write({"app/d.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n", "app/kustomization.yaml": "a\n"})
    write({"app/b/kustomization.yaml": "resources: {a: b}\n", "app/b/d.yaml": "apiVersion: v1\nkind: Service\n"})
    assert shown("kubectl-fairshare shares -f eu").code == 0
    assert shown("kubectl-fairshare lint eu app").code == 0


def test_files_of_another_kustomization_are_not_those_of_a_refused_one_above() -> None:
    """As in a template of a repository: an empty kustomization above folders that are built by themselves."""
    _eu(FILES)
    write({"kustomization.yaml": "resources:\n", "d.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"})
    assert shown("kubectl-fairshare shares -f .").code == 0
    write({"other/q.yaml": REAL})
    screen = shown("kubectl-fairshare shares -f .")
    assert screen.code == 3
    assert "error: kustomization.yaml:1:1: this kustomization is empty" in screen.stderr


def test_a_template_of_a_kustomization_is_left_out_where_templates_are() -> None:
    _eu(FILES)
    write({"new/kustomization.yaml": "namespace: {{ name }}\nresources: [q.yaml]\n", "new/q.yaml": REAL})
    screen = shown("kubectl-fairshare lint .")
    assert screen.code == 0, screen
    screen = shown("kubectl-fairshare shares -f new")
    assert screen.code == 0
    assert "new/kustomization.yaml:1:12" in screen.stderr
    assert "not exact" in screen.stdout


def test_a_field_in_other_letters_is_built_as_kustomize_reads_it(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    _eu(f"{FILES}patches: [{{Patch: 'x'}}]\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    screen = shown("kubectl-fairshare shares -f eu")
    assert screen.code == 3
    assert "install kubectl or kustomize" in screen.stderr
