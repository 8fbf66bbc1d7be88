"""Files, directories, globs, gzip and standard input, each read once and named as the user named it."""

import gc
import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.text.texts import config_map, read_text, write


@pytest.fixture
def org(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory `org` of manifests and other things, seen from the directory above."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "org"
    write(folder / "a.yaml", config_map("a"))
    write(folder / "deep" / "er" / "b.yml", config_map("b"))
    write(folder / "deep" / "c.json", '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "c"}}')
    write(folder / "d.yaml.gz", gzip.compress(config_map("d").encode()))
    write(folder / ".git" / "e.yaml", "no: [yaml")
    write(folder / "README.md", "no: [yaml")
    write(folder / "kustomization.yaml", "resources: [a.yaml]\n")
    return folder


ALL = ["org/a.yaml", "org/d.yaml.gz", "org/deep/c.json", "org/deep/er/b.yml"]


@pytest.mark.parametrize(
    ("filenames", "names"),
    [
        (["org"], ALL),
        (["org/"], ALL),
        (["./org"], ["./" + name for name in ALL]),
        (["."], ALL),
        (["org/*"], ALL),
        (["org/**"], ALL),
        (["org/*.yaml"], ["org/a.yaml"]),
        (["org/[ab].yaml", "org/?.yaml"], ["org/a.yaml"]),
        (["**/*.yml"], ["org/deep/er/b.yml"]),
        (["./**/b.yml"], ["./org/deep/er/b.yml"]),
        (["org/**/er/*.yml"], ["org/deep/er/b.yml"]),
        (["org/**/*.json"], ["org/deep/c.json"]),
        (["org/a.yaml", "org", "./org/deep/../a.yaml"], ALL),
        (["org/deep", "org/deep/er/b.yml"], ["org/deep/c.json", "org/deep/er/b.yml"]),
    ],
)
@pytest.mark.usefixtures("org")
def test_what_is_named_is_read_once(filenames: list[str], names: list[str]) -> None:
    assert sorted(read(filenames, schedulers=known_schedulers()).texts) == names


def test_links_to_files_and_directories_are_followed(org: Path) -> None:
    (org / "deep" / "link.yaml").symlink_to("../a.yaml")
    (org / "also").symlink_to("deep")
    assert len(read(["org"], schedulers=known_schedulers()).manifests) == 4
    assert list(read(["org/deep/link.yaml"], schedulers=known_schedulers()).texts) == ["org/deep/link.yaml"]


def test_a_named_file_is_read_whatever_its_name(org: Path) -> None:
    write(org / "dump.txt", config_map("x"))
    write(org / "[1].yaml", config_map("z"))
    assert [m.key.name for m in read(["org/dump.txt", "org/[1].yaml"], schedulers=known_schedulers()).manifests] == [
        "x",
        "z",
    ]


@pytest.mark.parametrize(
    ("filenames", "place", "message"),
    [
        (["none.yaml"], "none.yaml", "no such file or directory"),
        (["none/*.yaml"], "none/*.yaml", "no file matches this pattern"),
        (["org/**/*.toml"], "org/**/*.toml", "no file matches this pattern"),
        (["none/**/*.yaml"], "none/**/*.yaml", "no file matches this pattern"),
        (["bare"], "bare", "no manifests in this directory"),
        (["https://example.com/a.yaml"], "https://example.com/a.yaml", "URLs are not supported"),
        (["void.yaml"], "void.yaml", "nothing to read: the input contains no object"),
        (["comments.yaml", "void.yaml"], "comments.yaml, void.yaml", "nothing to read: the input contains no object"),
        ([], None, "nothing to read"),
    ],
)
def test_nothing_found_is_told_with_a_remedy(org: Path, filenames: list[str], place: str | None, message: str) -> None:
    (org.parent / "bare").mkdir()
    write(org.parent / "void.yaml", "")
    write(org.parent / "comments.yaml", "# nothing\n---\n---\n# here\n")
    with pytest.raises(FairshareError) as caught:
        read(filenames, schedulers=known_schedulers())
    (problem,) = caught.value.problems
    assert (problem.place, problem.message) == (place, message)
    assert problem.help


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_what_may_not_be_read_is_told(org: Path) -> None:
    (org / "a.yaml").chmod(0)
    (org / "deep").chmod(0)
    with pytest.raises(FairshareError) as caught:
        read(["org"], schedulers=known_schedulers())
    (org / "deep").chmod(0o700)
    assert [p.place for p in caught.value.problems] == ["org/a.yaml", "org/deep"]


def test_empty_files_are_passed_over_beside_others(org: Path) -> None:
    write(org / "void.yaml", "---\n# nothing\n")
    reading = read(["org"], schedulers=known_schedulers())
    assert reading.empty == ("org/void.yaml",)
    assert len(reading.manifests) == 4


def test_all_problems_are_told_in_order_of_place(org: Path) -> None:
    write(org / "z.yaml", "a: 1\n---\n- b\n")
    write(org / "b.yaml", "a: [\n")
    with pytest.raises(FairshareError) as caught:
        read(["org/z.yaml", "none", "org/b.yaml"], schedulers=known_schedulers())
    assert [str(p.place) for p in caught.value.problems] == [
        "none",
        "org/b.yaml:2:1",
        "org/z.yaml:1:1",
        "org/z.yaml:3:1",
    ]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:])])
def test_standard_input(pack: Callable[[bytes], bytes]) -> None:
    reading = read(["-", "-"], stdin=io.BytesIO(pack(config_map("a").encode())), schedulers=known_schedulers())
    (manifest,) = reading.manifests
    assert str(reading.texts.locate(manifest.origin, ("metadata", "name"))) == "<stdin>:4:9"


def test_a_name_that_is_not_utf8_can_be_printed(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.yaml"
    Path(os.fsdecode(path)).write_text(config_map("a"))
    (name,) = read([str(tmp_path)], schedulers=known_schedulers()).texts
    assert name == f"{tmp_path}/\\xff.yaml"


def test_garbage_collection_is_as_it_was() -> None:
    assert gc.isenabled()
    read_text(config_map("a"))
    assert gc.isenabled()
    gc.disable()
    try:
        read_text(config_map("a"))
        assert not gc.isenabled()
    finally:
        gc.enable()


# kustomize: each file of a configMapGenerator becomes a value of the ConfigMap, under its name or the one before "=".
@pytest.mark.parametrize("name", ["scheduler.conf", "scheduler.yaml", "../shared/scheduler.conf"])
def test_configuration_of_which_a_kustomization_makes_a_config_map_is_read_once(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "overlay"
    folder.mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / ".git").mkdir()
    write(folder / "a.yaml", config_map("a"))
    (folder / name).write_text("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n")
    (folder / "values.conf").write_text("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n")
    (folder / "kustomization.yaml").write_text(
        f"configMapGenerator:\n- name: c\n  files: [config={name}, values.conf, missing.conf]\n"
    )
    kinds = sorted(each.key.kind for each in read([str(folder)], known_schedulers()).manifests)
    assert kinds == ["ConfigMap", "KubeSchedulerConfiguration"]
