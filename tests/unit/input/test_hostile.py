"""Hostile input gets a clear, placed answer, in bounded time and memory."""

import gzip
import io
import os
import socket
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.text.texts import config_map, documents, problems, refusal, write

SECONDS = 20.0  # of processor time; many times what is needed, so that only what never ends fails
MEGABYTE = 1 << 20


@contextmanager
def bounded(megabytes: float) -> Iterator[None]:
    """Fails when what happens inside takes long, or much memory at once."""
    tracemalloc.start()
    started = time.process_time()
    try:
        yield
        took, (_, peak) = time.process_time() - started, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert took < SECONDS
    assert peak < megabytes * MEGABYTE


def raised(*filenames: str, **settings: int) -> Problem:
    with pytest.raises(FairshareError) as caught:
        read(filenames, known_schedulers(), **settings)  # type: ignore[arg-type]
    (problem,) = caught.value.problems
    assert problem.help
    return problem


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
CHAIN = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 300))
SMALL = "{{apiVersion: v1, kind: A, metadata: {{name: {}}}}}"
DEEP = "nested more than 200 levels deep"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: " + "[" * 10_000 + "]" * 10_000, "1:203", DEEP),
        ("a: " + "[" * 1_000_000, "1:203", DEEP),
        ("a: " + "{a: " * 10_000, "1:800", DEEP),
        ("".join(" " * n + "a:\n" for n in range(10_000)), "201:201", DEEP),
        ("- " * 10_000, "1:401", DEEP),
        ("[" * 10_000 + "]" * 10_000, "1:201", DEEP),
        ("[" * 1_000_000, "1:201", DEEP),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, "1:1001", DEEP),
        ("{}\n" + '{"a":[' * 5_000 + "]}" * 5_000, "2:601", DEEP),
        ('{"x": "[[", "a": ' + "[" * 300 + "]" * 300 + "}", "1:217", DEEP),
        (LAUGHS, "6:20", "aliases expand to more than 400000 values"),
        (CHAIN, "199:14", "aliases nest more than 200 levels deep"),
        ("a: &a [*a]\n", "1:8", "anchor `&a` contains itself"),
        ("a: &a {b: {c: *a}}\n", "1:15", "anchor `&a` contains itself"),
        ("a: *b\n", "1:4", "no anchor `&b` before this alias"),
        ("a:\n\tb: 1\n", "2:1", "tab in the indentation"),
        ("a: 1\n\tb: 1\n", "2:1", "tab in the indentation"),
        ("é: \x07\n", "1:4", "character not allowed in YAML: U+0007"),
        ("a: b\nc: \x00", "2:4", "unexpected NUL character"),
        ("? [a]\n: b\n", "1:3", "a key is a single value, not a list or a mapping"),
        ("a: .inf\n", "1:4", "`.inf` is a number that JSON cannot represent"),
        ("a: 1\n---\nb: [\n", "4:1", "not valid YAML: did not find expected node content"),
        ("%YAML 9.9\n---\na: 1\n", "1:1", "not valid YAML: found incompatible YAML document"),
    ],
)
def test_a_text_is_refused_at_its_place(text: str, place: str, message: str) -> None:
    with bounded(400):
        assert refusal(text) == (place, message)


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"\xef\xbb\xbfa: \xc3\xa9\nb: \xc3\xa9\xff", "2:5", "the text is not UTF-8: unexpected byte 0xff"),
        (b'{"a": "\xe9"}', "1:8", "the text is not UTF-8: unexpected byte 0xe9"),
        ("a: b".encode("utf-32"), "1:1", "the text is UTF-32"),
        (b"\xff\xfea\0:\0 \0\xff", "1:4", "the text is not UTF-16-LE: unexpected byte 0xff"),
        ("a: b\n".encode("utf-16-le"), "1:2", "unexpected NUL character"),
        (b"\x89PNG\r\n", "1:1", "the text is not UTF-8: unexpected byte 0x89"),
    ],
)
def test_what_is_not_utf8_is_placed_at_its_first_byte(data: bytes, place: str, message: str) -> None:
    assert refusal(data) == (place, message)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marked_encodings_are_read(encoding: str) -> None:
    assert documents("é: 1\r\nb: 2\r\n".encode(encoding)) == [{"é": 1, "b": 2}]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\r\n---\r\n\ufeffb: 2\n", 3),
        ('{"a": 1}\n\n\ufeff{"b": 2}', 3),
        ("\ufeffa: 1\n---\n\ufeffb: 2", 3),
    ],
)
def test_files_joined_with_their_marks_are_told(text: str, line: int) -> None:
    assert refusal(text) == (f"{line}:1", "a byte order mark inside the text")


def test_keys_given_twice_are_all_told() -> None:
    found = problems("a: 1\nb: {c: 1, 'c': 2}\nyes: 1\na: 2\ntrue: 3\n")
    assert [(str(p.place), str(p.related[0][1])) for p in found] == [
        ("x:2:11", "x:2:5"),
        ("x:4:1", "x:1:1"),
        ("x:5:1", "x:3:1"),
    ]


def test_nesting_up_to_the_limit_is_read() -> None:
    for text in ("[" * 200 + "]" * 200, "[" * 199 + " # yaml\n{}" + "]" * 199, "- " * 199 + "[]"):
        assert documents(text)[0]


@pytest.mark.slow
def test_large_scalars_and_many_small_ones_are_read_in_time() -> None:
    with bounded(200):
        assert documents("a: " + "x" * 10_000_000)[0]["a"].startswith("x")
        assert len(documents("".join(f"k{n}: x\n" for n in range(20_000)))[0]) == 20_000
        assert documents("a: " + "9" * 1_000_000)[0] == {"a": "9" * 1_000_000}
        assert documents("- &a x\n" * 20_000)[0][-1] == "x"


def test_a_document_that_is_broken_leaves_nothing_of_the_rest(tmp_path: Path) -> None:
    path = write(tmp_path / "a.yaml", config_map("a") + "---\na: [\n---\n" + config_map("b"))
    assert str(raised(str(path)).place) == f"{path}:7:1"


@pytest.mark.parametrize("size", [100, 101])
def test_the_limit_is_on_all_input(tmp_path: Path, size: int) -> None:
    one = write(tmp_path / "one.yaml", SMALL.format("one").ljust(50, "\n"))
    two = write(tmp_path / "two.yaml", SMALL.format("b").ljust(size - 50, "\n"))
    if size == 100:
        assert len(read([str(tmp_path)], max_input=100, schedulers=known_schedulers()).manifests) == 2
    else:
        problem = raised(str(one), str(two), max_input=100)
        said = "has 51 bytes, after 50 bytes of other input; the limit for all input is 100 bytes"
        assert (problem.place, problem.message) == (str(two), said)
        assert "--max-input" in str(problem.help)


def test_standard_input_is_read_no_further_than_the_limit() -> None:
    endless = io.BytesIO(b"#" * 50 * MEGABYTE)
    with pytest.raises(FairshareError, match="has more than 1,000 bytes"):
        read(["-"], stdin=endless, max_input=1000, schedulers=known_schedulers())
    assert endless.tell() <= 2 * MEGABYTE


@pytest.mark.slow
def test_a_gzip_bomb_is_not_inflated(tmp_path: Path) -> None:
    bomb = write(tmp_path / "bomb.yaml", gzip.compress(b"\0" * 200 * MEGABYTE))
    with bounded(20):
        problem = raised(str(bomb), max_input=MEGABYTE)
    assert problem.message.startswith("has more than 1,048,576 bytes once decompressed")


def test_broken_gzip_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(config_map("a").encode())
    assert raised(str(write(tmp_path / "cut", whole[:-9]))).message == "the gzip data is truncated"
    assert raised(str(write(tmp_path / "bad", whole[:2] + b"x" * 30))).message == "the gzip data is damaged"


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door.yaml"))
        with pytest.raises(FairshareError) as caught:
            read([str(tmp_path), "/dev/zero"], schedulers=known_schedulers())
    said = [problem.message for problem in caught.value.problems]
    assert said == ["this is a device, not a file", "this is a socket, not a file", "this is a pipe, not a file"]
    assert all("`-f - <" in str(problem.help) for problem in caught.value.problems)


def test_a_terminal_is_not_waited_for() -> None:
    parent, terminal = os.openpty()
    try:
        with os.fdopen(terminal, "rb") as stdin, pytest.raises(FairshareError, match="standard input is a terminal"):
            read(["-"], stdin=stdin, schedulers=known_schedulers())
    finally:
        os.close(parent)


def test_no_standard_input_is_told() -> None:
    with pytest.raises(FairshareError, match="there is no standard input"):
        read(["-"], schedulers=known_schedulers())


def link_up(top: Path) -> None:
    (top / "sub" / "up").symlink_to("..")


def link_to_itself(top: Path) -> None:
    (top / "self.yaml").symlink_to("self.yaml")


def link_to_nothing(top: Path) -> None:
    (top / "gone.yaml").symlink_to("missing")


@pytest.mark.parametrize(
    ("make", "where", "message"),
    [
        (link_up, "sub/up", "a directory loop: this link points back to `{top}`"),
        (link_to_itself, "self.yaml", "this link is broken: its target does not exist"),
        (link_to_nothing, "gone.yaml", "this link is broken: its target does not exist"),
    ],
)
@pytest.mark.parametrize("pattern", ["", "/**/*.yaml"])
def test_links_that_lead_in_circles_are_told(
    tmp_path: Path, make: Callable[[Path], None], where: str, message: str, pattern: str
) -> None:
    write(tmp_path / "sub" / "a.yaml", config_map("a"))
    make(tmp_path)
    problem = raised(f"{tmp_path}{pattern}")
    assert (problem.place, problem.message) == (f"{tmp_path}/{where}", message.format(top=tmp_path))


def test_a_lattice_of_links_is_walked_once(tmp_path: Path) -> None:
    here = tmp_path
    for _ in range(30):  # 2 to the 30th paths, one of them real
        (here / "real").mkdir()
        (here / "link").symlink_to("real")
        here = here / "real"
    write(here / "a.yaml", config_map("deep"))
    with bounded(20):
        assert len(read([str(tmp_path)], schedulers=known_schedulers()).manifests) == 1
        assert len(read([f"{tmp_path}/**/*.yaml"], schedulers=known_schedulers()).manifests) == 1
