"""Which files belong together: by kustomizations, by GitOps programs, and where objects differ."""

from tests.unit.input.units.folders import JOB, LOCAL, QUEUE, units, write


def test_files_that_agree_are_one_unit() -> None:
    write({"a/queue.yaml": QUEUE % ("a", "None"), "b/queue.yaml": QUEUE % ("b", "None")})
    assert units() == {}


def test_the_same_object_in_two_folders_is_no_conflict() -> None:
    write({"a/queue.yaml": QUEUE % ("a", "None"), "b/queue.yaml": QUEUE % ("a", "None")})
    assert units() == {}


def test_an_object_that_two_folders_give_differently_divides_them() -> None:
    write({"a/q.yaml": QUEUE % ("a", "None"), "b/q.yaml": QUEUE % ("a", "Hold"), "jobs/j.yaml": JOB % "j"})
    found = {name: each.unit.sources for name, each in units().items()}
    assert found == {"a": ("a/q.yaml",), "b": ("b/q.yaml",), "jobs": ("jobs/j.yaml",)}


def test_alternatives_of_one_folder_share_what_agrees_with_both() -> None:
    write({"q-a.yaml": QUEUE % ("a", "None"), "q-b.yaml": QUEUE % ("a", "Hold"), "local.yaml": LOCAL % ("l", "a")})
    found = units()
    assert {name: each.unit.sources for name, each in found.items()} == {
        "q-a.yaml": ("local.yaml", "q-a.yaml"),
        "q-b.yaml": ("local.yaml", "q-b.yaml"),
    }
    assert all(each.unit.alternative for each in found.values())


def test_a_file_that_gives_an_object_twice_agrees_with_no_other_one() -> None:
    both = f"{QUEUE % ('a', 'None')}---\n{QUEUE % ('a', 'Hold')}"
    write({"a/q.yaml": both, "b/q.yaml": QUEUE % ("a", "None"), "c/q.yaml": QUEUE % ("a", "None")})
    assert {name: each.unit.sources for name, each in units().items()} == {
        "a": ("a/q.yaml",),
        "b": ("b/q.yaml",),
        "c": ("c/q.yaml",),
    }


def test_each_kustomization_that_no_other_one_reads_is_a_unit() -> None:
    write(
        {
            "base/kustomization.yaml": "resources: [q.yaml]\n",
            "base/q.yaml": QUEUE % ("a", "None"),
            "prod/kustomization.yaml": "resources: [../base]\n",
            "test/kustomization.yaml": "resources: [../base, more.yaml]\n",
            "test/more.yaml": QUEUE % ("b", "None"),
        }
    )
    assert {name: (each.unit.kind, each.unit.sources) for name, each in units().items()} == {
        "prod": ("kustomization", ("base/q.yaml",)),
        "test": ("kustomization", ("base/q.yaml", "test/more.yaml")),
    }


def test_what_a_gitops_program_applies_is_a_unit() -> None:
    application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"
    write(
        {
            "apps/a.yaml": f"{application}spec: {{source: {{path: clusters/a}}}}\n",
            "clusters/a/q.yaml": QUEUE % ("a", "None"),
            "clusters/b/q.yaml": QUEUE % ("b", "None"),
        }
    )
    kinds = {name: each.unit.kind for name, each in units().items()}
    assert kinds == {".": "folder", "clusters/a": "Argo CD Application"}
