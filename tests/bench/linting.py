"""Measures ``lint`` on manifests as people write them, as ratios to merely loading them with PyYAML's C loader.

Where kubeconform is on the PATH (``go install github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7``), it checks the
same file in turn with ``lint``, in one thread, with the schemas of ``schemas/kueue`` under the names that it looks for.

All are whole processes, started anew, by processor time; medians of several rounds in turn.
"""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import orjson

from tests.bench.manifests import Extent, in_a_file_each, in_one_file
from tests.bench.run import Medians, Row, cost, run

LOAD = """\
import sys, yaml
from pathlib import Path
loaded = []
for path in sorted(Path(sys.argv[1]).glob("*.yaml")):
    with path.open("rb") as stream:
        loaded.extend(yaml.load_all(stream, yaml.CSafeLoader))
"""
MANY = 20_000
SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "kueue"


def lint_table(folder: Path, rounds: int, scales: Sequence[int]) -> Iterator[Row]:
    """All rows about lint; ``folder`` is for what they are measured on."""
    found: dict[int, Medians] = {}
    for scale in scales:
        extent = Extent().times(scale)
        one, each = folder / f"one-{scale}", folder / f"each-{scale}"
        run([sys.executable, "-m", "tests.bench.linting", str(one), str(each), str(scale)])
        found[scale] = _medians({"one": one, "each": each}, rounds if scale == 1 else max(1, rounds // 2))
        yield Row(f"YAML documents{'' if scale == 1 else f', {scale} times as many'}", extent.documents)
        yield Row("  yaml.load_all of one file in seconds", found[scale]["load one"])
        for layout, name in (("one", "in one file"), ("each", "in a file each")):
            ratio = found[scale][f"lint {layout}"] / found[scale][f"load {layout}"]
            yield Row(f"  lint to yaml.load_all, {name}", ratio, 1.5)
    if shutil.which("kubeconform"):
        ratio, checked = _to_kubeconform(folder, rounds)
        yield Row("  documents that kubeconform checks against a schema", checked)
        yield Row("  lint to kubeconform, in one file", ratio, 1)
    if 10 in found:
        yield Row("growth of lint, tenfold in one file", found[10]["lint one"] / found[1]["lint one"], 12)
    few, many = (_seconds_with_findings(folder, number, rounds) for number in (MANY // 10, MANY))
    yield Row(f"growth from {MANY // 10} to {MANY} findings in one line of JSON", many / few, 12)


def _medians(layouts: dict[str, Path], rounds: int) -> Medians:
    figures: list[Medians] = []
    lint = [sys.executable, "-m", "kubectl_fairshare", "lint", "-q"]
    cost([*lint, str(next(iter(layouts.values())))])  # leaves compiled modules behind
    for _ in range(rounds):
        found: Medians = {}
        for name, folder in layouts.items():
            found[f"load {name}"], _ = cost([sys.executable, "-c", LOAD, str(folder)])
            found[f"lint {name}"], _ = cost([*lint, str(folder)])
        figures.append(found)
    return {name: median(f[name] for f in figures) for name in figures[0]}


def _to_kubeconform(folder: Path, rounds: int) -> tuple[float, int]:
    """The median ratio of pairs, and how many documents kubeconform had a schema for."""
    file, schemas = folder / "one-1" / "all.yaml", folder / "schemas"
    schemas.mkdir()
    for path in SCHEMAS.glob("*/*.json"):
        shutil.copy(path, schemas / f"{path.stem.lower()}-kueue-{path.parent.name}.json")
    where = ["-schema-location", f"{schemas}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json", "-ignore-missing-schemas"]
    checker = ["kubeconform", "-n", "1", "-summary", "-output", "json", *where, str(file)]
    lint = [sys.executable, "-m", "kubectl_fairshare", "lint", "-q", str(file)]
    ratio = median(cost(lint)[0] / cost(checker)[0] for _ in range(rounds))
    return ratio, orjson.loads(run(checker))["summary"]["valid"]


def _seconds_with_findings(folder: Path, number: int, rounds: int) -> float:
    path = folder / f"findings-{number}.json"
    path.write_bytes(one_line(number))
    lint = [sys.executable, "-m", "kubectl_fairshare", "lint", "-q", str(path)]
    return median(cost(lint)[0] for _ in range(rounds))


def one_line(number: int) -> bytes:
    """One object on one line with so many fields that nobody knows."""
    spec = {"namespaceSelector": {}, **{f"field{i:06}": i for i in range(number)}}
    queue = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "wide"}, "spec": spec}
    return orjson.dumps(queue)


def write(one: Path, each: Path, scale: int) -> None:
    """Writes an organisation in both layouts."""
    extent = Extent().times(scale)
    one.mkdir()
    in_one_file(extent, one / "all.yaml")
    in_a_file_each(extent, each)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
