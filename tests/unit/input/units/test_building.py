"""Kustomizations that use more than is applied here are built by kubectl; what is remote is named and not fetched."""

from pathlib import Path

import pytest

from tests.screens import shown
from tests.unit.input.kubectl import needs_kubectl
from tests.unit.input.units.folders import QUEUE, REAL, units, write

PREFIXED = {"q.yaml": REAL, "kustomization.yaml": "resources: [q.yaml]\nnameSuffix: -eu\n"}


@needs_kubectl
def test_a_suffix_is_applied_by_kubectl() -> None:
    write({f"eu/{name}": text for name, text in PREFIXED.items()})
    assert "team-eu" in shown("kubectl-fairshare shares -f eu").stdout


@pytest.mark.parametrize(
    "field",
    [
        "commonLabels: {a: b}",
        "replacements: [{source: {kind: ClusterQueue}, targets: []}]",
        "patches: [{target: {kind: ClusterQueue}, patch: '[{op: move, from: /spec/a, path: /spec/b}]'}]",
        "patches: [{target: {kind: ClusterQueue, labelSelector: a=b}, patch: '[{op: remove, path: /spec/a}]'}]",
    ],
)
def test_what_neither_can_build_is_an_error_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    write({"eu/q.yaml": REAL, "eu/kustomization.yaml": f"resources: [q.yaml]\n{field}\n"})
    monkeypatch.setenv("PATH", str(tmp_path))
    screen = shown("kubectl-fairshare shares -f eu")
    assert (screen.code, screen.stdout) == (3, "")
    assert "kustomize eu: cannot run kubectl" in screen.stderr
    assert "install kubectl or kustomize" in screen.stderr


def test_a_kustomization_without_quotas_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"eu/q.yaml": REAL, "app/d.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"})
    write({"app/kustomization.yaml": "resources: [d.yaml, none.yaml, 'https://example.com/a']\nnamePrefix: a-\n"})
    monkeypatch.setenv("PATH", str(tmp_path))
    screen = shown("kubectl-fairshare shares -f .")
    assert screen.code == 0, screen


def test_a_remote_base_is_named_and_leaves_the_answer_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for entry in ("https://example.com/base?ref=v1", "github.com/example/base"):
        write({"eu/q.yaml": REAL, "eu/kustomization.yaml": f"resources: [q.yaml, '{entry}']\n"})
        screen = shown("kubectl-fairshare shares -f eu")
        assert screen.code == 0
        assert f"note: eu/kustomization.yaml:1:21: `{entry}` is not fetched" in screen.stderr
        assert "not exact" in screen.stdout
        assert "⇒" in screen.stdout
    write({"eu/kustomization.yaml": "resources: [q.yaml, 'https://example.com/b?ref=v1']\nnamePrefix: a-\n"})
    screen = shown("kubectl-fairshare shares -f eu")
    assert screen.code == 3
    assert "uses `namePrefix` and a remote base" in screen.stderr


@pytest.mark.parametrize("entry", ["org@ssh.dev.azure.com:v3/org/project/base", "git@example.com:org/base"])
def test_an_address_of_git_without_a_scheme_is_remote(entry: str) -> None:
    write({"eu/q.yaml": REAL, "eu/kustomization.yaml": f"resources: [q.yaml, '{entry}']\n"})
    screen = shown("kubectl-fairshare shares -f eu")
    assert screen.code == 0, screen
    assert f"`{entry}` is not fetched" in " ".join(screen.stderr.split())
    assert "not exact" in screen.stdout


def test_only_files_of_generators_have_keys() -> None:
    """Elsewhere an equals sign is part of the name."""
    files = "patches: [{path: a=b.yaml}]\nconfigMapGenerator: [{name: x, files: [k=d.txt]}]\n"
    write({"eu/q.yaml": REAL, "eu/a=b.yaml": QUEUE % ("team", "Hold"), "eu/d.txt": "x"})
    write({"eu/kustomization.yaml": f"resources: [q.yaml]\n{files}"})
    assert shown("kubectl-fairshare shares -f eu").code == 0
    patch = "patches: [{path: 'https://x.example/a.yaml?ref=v1'}]\n"
    write({"us/q.yaml": REAL, "us/kustomization.yaml": f"resources: [q.yaml]\n{patch}"})
    said = " ".join(shown("kubectl-fairshare shares -f us").stderr.split())
    assert "`https://x.example/a.yaml?ref=v1` is not fetched" in said


DELETED = r"""resources: [q.yaml]
transformers:
- |
  apiVersion: builtin
  kind: PatchTransformer
  metadata: {name: x}
  target: {kind: ClusterQueue|ResourceFlavor}
  patch: "$patch: delete\nkind: x\nmetadata: {name: x}\n"
"""


@pytest.mark.slow
@needs_kubectl
def test_of_what_builds_to_nothing_nothing_is_left() -> None:
    """The files behind it are no objects of the cluster."""
    write({"eu/q.yaml": REAL, "eu/kustomization.yaml": DELETED})
    screen = shown("kubectl-fairshare shares -f eu")
    assert "no queue" in screen.stdout
    assert "not exact" in screen.stdout
    write({f"us/{name}": text for name, text in PREFIXED.items()})
    screen = shown("kubectl-fairshare shares -f .")
    assert "0 of 1 queue" in screen.stdout
    assert "team-eu" in screen.stdout


def test_a_file_that_is_not_there_is_an_error() -> None:
    write({"eu/q.yaml": REAL, "eu/kustomization.yaml": "resources: [q.yaml, gone.yaml]\n"})
    screen = shown("kubectl-fairshare shares -f eu")
    assert screen.code == 3
    assert "eu/kustomization.yaml:1:21: this kustomization names `gone.yaml`, which is not there" in screen.stderr


def test_a_patch_of_a_base_changes_that_base_alone_and_one_of_a_component_all() -> None:
    hold = "patches: [{target: {kind: ClusterQueue}, patch: '[{op: replace, path: /spec/stopPolicy, value: Hold}]'}]\n"
    for name in "abc":
        write({f"{name}/q.yaml": QUEUE % (name, "None"), f"{name}/kustomization.yaml": "resources: [q.yaml]\n"})
    write(
        {"b/kustomization.yaml": f"resources: [q.yaml]\n{hold}", "part/kustomization.yaml": f"kind: Component\n{hold}"}
    )
    write({"all/kustomization.yaml": "resources: [../a, ../b, ../c]\n"})
    write({"held/kustomization.yaml": "resources: [../a, ../c]\ncomponents: [../part]\n"})
    policies = {
        name: {m.key.name: m.data["spec"]["stopPolicy"] for m in each.reading.manifests if m.key in each.own}
        for name, each in units().items()
    }
    assert policies == {"all": {"a": "None", "b": "Hold", "c": "None"}, "held": {"a": "Hold", "c": "Hold"}}


@pytest.mark.parametrize(
    ("fields", "answered"),
    [
        ("images: [{name: example.com/other-kueue, newTag: v1}]", True),
        ("images: [{name: registry.k8s.io/kueue/kueue, newTag: v0.17.8}]", False),
        ("commonAnnotations: {example.com/wave: '1'}", True),
        ("commonAnnotations: {kueue.x-k8s.io/queue-name: x}", False),
        ("commonAnnotations: {fairshare.dev/class: x}", False),
    ],
)
def test_what_changes_nothing_that_is_read_needs_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: str, answered: bool
) -> None:
    write({"eu/q.yaml": REAL, "eu/kustomization.yaml": f"resources: [q.yaml]\n{fields}\n"})
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (shown("kubectl-fairshare shares -f eu").code == 0) is answered


LOCAL = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: lq}\nspec: {clusterQueue: team}\n"


@pytest.mark.parametrize(
    ("top", "inner", "namespace"), [("", "a", "a"), ("namespace: b\n", "a", "b"), ("namespace: b\n", "", "b")]
)
def test_the_outermost_namespace_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, top: str, inner: str, namespace: str
) -> None:
    """As kustomize builds it: a namespace of a base is that of its objects, unless one around it sets another."""
    own = f"namespace: {inner}\n" if inner else ""
    write({"base/lq.yaml": LOCAL, "base/kustomization.yaml": f"resources: [lq.yaml]\n{own}"})
    write({"eu/q.yaml": REAL, "eu/kustomization.yaml": f"resources: [q.yaml, ../base]\n{top}"})
    monkeypatch.setenv("PATH", str(tmp_path))
    screen = shown(f"kubectl-fairshare plan -f . --queue {namespace}/lq --request cpu=1")
    assert screen.code == 0, screen


@pytest.mark.parametrize("command", ["lint eu", "shares -f eu"])
@pytest.mark.parametrize(
    ("field", "place", "said"),
    [
        ("patches: [{path: p.yaml}]", "eu/p.yaml:1:1", "this patch changes ClusterQueue gone, which is not in `eu`"),
        ("patches: [{patch: '[{op: remove, path: /spec/a}]'}]", "eu/kustomization.yaml:2:", "says no target"),
        ("resources: [q.yaml, gone.yaml]", "eu/kustomization.yaml:1:21", "names `gone.yaml`, which is not there"),
    ],
)
def test_what_kustomize_refuses_is_no_success(command: str, field: str, place: str, said: str) -> None:
    first = "" if field.startswith("resources") else "resources: [q.yaml]\n"
    write({"eu/q.yaml": REAL, "eu/kustomization.yaml": f"{first}{field}\n", "eu/p.yaml": QUEUE % ("gone", "Hold")})
    screen = shown(f"kubectl-fairshare {command}")
    assert screen.code == 3, screen
    assert place in screen.stderr + screen.stdout
    assert said in screen.stderr + screen.stdout


FILES = "resources: [q.yaml]\n"


@pytest.mark.parametrize("command", ["lint .", "shares -f ."])
@pytest.mark.parametrize(
    ("kustomizations", "place", "entry"),
    [
        ({"eu": "resources: [., q.yaml]\n"}, "eu/kustomization.yaml:1:13", "."),
        ({"eu": "resources: ['', q.yaml]\n"}, "eu/kustomization.yaml:1:13", ""),
        ({"eu": "resources: [../x, q.yaml]\n", "x": "bases: [../eu]\n"}, "x/kustomization.yaml:1:9", "../eu"),
        ({"eu": "resources: [x, q.yaml]\n", "eu/x": "resources: [../y]\n", "eu/y": "components: [..]\n"}, "", ".."),
        ({"eu": FILES, "eu/x": "resources: [..]\n"}, "eu/x/kustomization.yaml:1:13", ".."),
        ({"eu": FILES, "eu/x": "resources: [../../y]\n", "y": "resources: [../eu]\n"}, "y/kust", "../eu"),
        (
            {"eu": "resources: [../x, q.yaml]\n", "x": "resources: [../y]\n", "y": "resources: [../x]\n"},
            "y/kust",
            "../x",
        ),
    ],
)
def test_a_cycle_of_bases_is_an_error_at_the_name(
    command: str, kustomizations: dict[str, str], place: str, entry: str
) -> None:
    """As kustomize has it: a base is not a kustomization that reads it, nor a folder in which one is."""
    write({f"{folder}/kustomization.yaml": text for folder, text in kustomizations.items()} | {"eu/q.yaml": REAL})
    screen = shown(f"kubectl-fairshare {command}")
    assert screen.code == 3, screen
    said = " ".join((screen.stderr + screen.stdout).split())
    assert place in said
    assert f"`{entry}` leads back to this kustomization: kustomize does not build a cycle" in said


def test_no_cycle_is_no_error() -> None:
    """A folder beside, an overlay within an overlay; and cycles without anything of a scheduler."""
    write({"a/q.yaml": REAL, "a/kustomization.yaml": FILES, "a-b/kustomization.yaml": "resources: [../a]\n"})
    write({"top/kustomization.yaml": "resources: [x]\n", "top/x/kustomization.yaml": "resources: [../../a-b]\n"})
    write({"app/kustomization.yaml": "resources: [., d.yaml]\n", "app/d.yaml": "kind: Service\napiVersion: v1\n"})
    screen = shown("kubectl-fairshare shares -f .")
    assert screen.code == 0, screen
