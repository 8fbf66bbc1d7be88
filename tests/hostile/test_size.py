"""A dump of any size and depth gets an answer or a sentence, in time and memory in proportion."""

import gzip
import time
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.screens import shown

QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {stopPolicy: Hold}\n"
HEAD = '{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "q", '
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config, namespace: kueue-system}\ndata:\n"
TEXT = (
    "  controller_manager_config.yaml: |\n    apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n    "
)
LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
EQUAL = ", ".join(['"k": "v"'] * 100_000)
ESCAPES = r"\ud800\u0000" * 20
SECONDS = 20.0
MEGABYTES = 150


def packed(data: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        data = gzip.compress(data, mtime=0)
    return data


def embedded(text: str) -> str:
    return CONFIG + TEXT + text.replace("\n", "\n    ") + "\n"


BOMBS: dict[str, Callable[[], bytes | str]] = {
    "lists in JSON": lambda: f'{HEAD}"x": {"[" * 200_000}{"]" * 200_000}}}}}',
    "mappings in JSON": lambda: HEAD + '"x": ' + '{"a": ' * 100_000,
    "lists in YAML": lambda: f"{QUEUE}x: {'[' * 200_000}",
    "indents": lambda: QUEUE + "x:\n" + "".join(f"{' ' * n}- a:\n" for n in range(1, 2_000)),
    "dashes": lambda: f"{QUEUE}x:\n  {'- ' * 100_000}a\n",
    "aliases": lambda: LAUGHS + QUEUE,
    "aliases in a ConfigMap": lambda: embedded(LAUGHS),
    "depth in a ConfigMap": lambda: embedded("x: " + "[" * 50_000),
    "depth in an annotation": lambda: f'{HEAD}"annotations": {{"a/b": "{"[" * 100_000}"}}}}}}',
    "aliases in merges": lambda: (
        "a0: &a0 {k: 1}\n"
        + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 12))
        + QUEUE
    ),
    "an alias of itself": lambda: f"{QUEUE}x: &x [*x, *x]\n",
    "zeros": lambda: packed(bytes(80 << 20)),
    "zeros twice packed": lambda: packed(bytes(64 << 20), 2),
    "members": lambda: packed(QUEUE.encode()) * 5_000,
    "packed garbage": lambda: packed(QUEUE.encode())[:10] + zlib.compress(b"x" * 9_000_000)[2:-4] + b"\xff" * 8,
    "a number": lambda: f'{HEAD}"generation": {"9" * 1_000_000}}}}}',
    "a quantity": lambda: f'{HEAD}"labels": {{}}}}, "spec": {{"fairSharing": {{"weight": "{"9" * 500_000}e9"}}}}}}',
    "a key": lambda: f'{HEAD}"labels": {{"{"k" * 3_000_000}": "v"}}}}}}',
    "equal keys": lambda: f'{HEAD}"labels": {{{EQUAL}}}}}}}',
    "escapes": lambda: f'{HEAD}"labels": {{"a": "{ESCAPES}"}}}}}}' * 2_000,
    "empty documents": lambda: "---\n" * 200_000 + QUEUE,
    "comments": lambda: QUEUE + "#" * 3_000_000 + "\n" + "# x\n" * 200_000,
    "blanks": lambda: f"{QUEUE}x: a{' ' * 2_000_000}b\n",
    "quotes": lambda: f"{QUEUE}x: '{chr(39) * 2 * 500_000}'\n",
    "tags": lambda: f"{QUEUE}x: {'!a ' * 50_000}b\n",
}


@pytest.mark.parametrize("command", sampled(["shares -f", "lint"], 2))
@pytest.mark.parametrize("bomb", BOMBS)
def test_no_dump_ends_a_run_or_holds_it_up(bomb: str, command: str, tmp_path: Path) -> None:
    path = tmp_path / "dump.yaml"
    made = BOMBS[bomb]()
    path.write_bytes(made if isinstance(made, bytes) else made.encode())
    del made
    before = time.process_time()
    screen = shown(f"kubectl-fairshare {command} {path}")
    assert screen.code in (0, 1, 3, 4, 5), screen.stderr[:500]
    assert time.process_time() - before < SECONDS


@pytest.mark.parametrize(
    "bomb", sampled(["zeros", "zeros twice packed", "aliases in merges", "aliases", "aliases in a ConfigMap"], 5)
)
def test_no_dump_grows_in_memory(bomb: str, tmp_path: Path) -> None:
    path = tmp_path / "dump.yaml"
    made = BOMBS[bomb]()
    path.write_bytes(made if isinstance(made, bytes) else made.encode())
    del made
    tracemalloc.start()
    shown(f"kubectl-fairshare shares -f {path} --max-input 20Mi")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MEGABYTES << 20
