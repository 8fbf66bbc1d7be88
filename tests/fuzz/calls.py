"""One call of the program: its words and its files, drawn at random and written as JSON."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Final

import yaml

from tests.fuzz import seeds
from tests.fuzz.mutants import TOKENS, mutate
from tests.fuzz.plays import play
from tests.fuzz.trees import of_server, tree

SCREENS: Final = ("text", "wide", "json", "yaml", "markdown", "name")
FORMATS: Final = {
    "shares": (*SCREENS, "csv", "svg"),
    "plan": (*SCREENS, "svg"),
    "why": SCREENS,
    "cycle": (*SCREENS, "svg"),
    "capacity": ("text", "wide", "json", "yaml", "csv", "name"),
    "diff": ("text", "wide", "markdown", "html", "json", "yaml", "name", "csv", "svg"),
    "lint": ("text", "concise", "json", "sarif", "junit", "github", "gitlab", "markdown"),
    "report": (),
    "snapshot": (),
    "simulate": ("text", "csv", "json", "yaml", "svg", "html"),
    "test": ("text", "json", "junit", "github"),
    "__complete": (),
    "trace": (),
    "forecast": (*SCREENS, "csv", "svg"),
}
WEIGHTS: Final = (4, 10, 5, 3, 2, 3, 10, 2, 3, 1, 2, 1, 2, 2)
_OF_TREES: Final = 0.2
"""The part of calls that read a folder of a repository, or a server."""
_OF_SERVERS: Final = 0.2
_SCHEDULERS: Final = ("kueue", "kai", "elasticquota", "koordinator")
_TESTS: Final = """\
given: {paths: [in.yaml]}
tests:
- name: each queue gets one
  for-each: ClusterQueue
  when: {submit: {queue: "${queue}", request: {cpu: 1}}}
  then: {outcome: Admitted}
- name: guaranteed
  invariants: [guaranteed, no-flip]
"""
_TRACES: Final = {
    "jsonl": (seeds.DATA / "traces" / "replayed.jsonl").read_text(),
    "csv": (seeds.DATA / "traces" / "small.csv").read_text(),
    "swf": (seeds.DATA / "traces" / "small.swf").read_text(),
}
_SCENARIO: Final = (seeds.DATA / "demo" / "turns.yaml").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Call:
    """One call: the words, and the texts of files by name; ``{}`` in a word is the folder with them."""

    words: list[str]
    files: dict[str, str]
    because: str = ""
    packed: list[str] = field(default_factory=list)
    name: str = ""

    def __str__(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=True, sort_keys=True) + "\n"

    def contents(self) -> dict[str, bytes]:
        """The bytes of the files; those that are ``packed`` are gzipped."""
        encoded = {name: text.encode("utf-8", "surrogateescape") for name, text in self.files.items()}
        return {name: gzip.compress(data) if name in self.packed else data for name, data in encoded.items()}


def parsed(text: str) -> Call:
    """The call that ``str`` wrote."""
    return Call(**json.loads(text))


def draw(dice: Random) -> Call:
    """A call with inputs gone wrong."""
    if dice.random() < _OF_TREES:
        made = of_server(dice) if dice.random() < _OF_SERVERS else tree(dice)
        return Call(made.words, made.files)
    (command,) = dice.choices(list(FORMATS), WEIGHTS)
    if command == "simulate" and dice.random() < 0.6:
        found = play(dice)
        return Call(found.words, found.files, packed=found.packed)
    if command == "simulate" and dice.random() < 0.7:
        return Call([command, "-f", "{}/in.yaml", *_form(dice, command)], {"in.yaml": _scenario(dice)})
    if command == "trace" and dice.random() < 0.5:
        return _log(dice)
    documents = seeds.state(dice)
    files = {}
    if command in ("plan", "why"):
        jobs = [seeds.job(dice, _queue(dice, documents)) for _ in range(dice.choice([1, 1, 1, 2]))]
        _mutate(dice, jobs, dice.choice([0, 1, 1, 2, 4]))
        files["work.yaml"] = _written(dice, jobs)
        if command == "why":
            documents += jobs
    if command == "diff":
        files["before.yaml"] = _written(dice, documents)
    _mutate(dice, documents, dice.choice([0, 1, 1, 2, 3, 6]))
    if command in ("simulate", "forecast"):
        files["trace.jsonl"] = _jobs(dice)
    if command == "test":
        files["fairshare-test.yaml"] = _tests(dice)
    text = _written(dice, documents)
    files["in.yaml"] = _strewn(dice, text) if dice.random() < 0.1 else text
    packed = ["in.yaml"] if dice.random() < 0.02 else []
    return Call(_words(dice, command, documents), files, packed=packed)


def _words(dice: Random, command: str, documents: Sequence[Any]) -> list[str]:
    words = {
        "plan": ["-f", "{}/in.yaml", *_plan(dice)],
        "why": ["-f", "{}/in.yaml", *_why(dice, documents)],
        "diff": ["{}/before.yaml", "{}/in.yaml", *dice.choice([[], ["--no-saturated"]])],
        "lint": ["{}/in.yaml", *_lint(dice)],
        "snapshot": ["-f", "{}/in.yaml", "-o", "{}/out.gz", "--redact", dice.choice(["none", "names", "all"])],
        "report": ["-f", "{}/in.yaml", *dice.choice([["-o", "{}/out.html"], ["--metrics"]])],
        "test": ["{}"],
        "shares": ["-f", "{}/in.yaml", *_shares(dice, documents)],
        "simulate": ["-f", "{}/in.yaml", "--trace", "{}/trace.jsonl", "--until", "2h"],
        "trace": ["-f", "{}/in.yaml", "-o", "{}/out.jsonl", "--redact", dice.choice(["none", "names", "all"])],
        "forecast": ["-f", "{}/in.yaml", "--seeds", "2", *_forecast(dice, documents)],
        "__complete": ["shares", "-f", "{}/in.yaml", "--queue", ""],
    }.get(command, ["-f", "{}/in.yaml"])
    if command in ("shares", "plan", "why", "cycle", "capacity", "forecast") and dice.random() < 0.25:
        words += ["--scheduler", dice.choice(_SCHEDULERS)]
    if command in ("plan", "cycle", "shares", "why") and dice.random() < 0.1:
        words += ["--nodes", "4xcpu=8,memory=32Gi,nvidia.com/gpu=8"]
    if command in ("plan", "why", "shares", "cycle") and dice.random() < 0.15:
        words += ["--complete"]
    return [command, *words, *_form(dice, command)]


def _plan(dice: Random) -> list[str]:
    return dice.choice([["-w", "{}/work.yaml"]] * 5 + [["-w", "{}/work.yaml", "--together"]] * 2 + [["--together"]])


def _why(dice: Random, documents: Sequence[Any]) -> list[str]:
    name = _name(dice, documents)
    return dice.choice([["-A"], ["-A"], [name], [name], [name, "--forecast"], ["-A", "--churn"]])


def _forecast(dice: Random, documents: Sequence[Any]) -> list[str]:
    trace = "{}/trace.jsonl"
    flags = [[], ["--default-duration", "1h"], ["--trace", trace], ["--calibrate", trace, "--moments", "3"]]
    return [*dice.choice(flags), *dice.choice([[], [], [_name(dice, documents)]])]


def _form(dice: Random, command: str) -> list[str]:
    forms = FORMATS[command]
    if not forms:
        return []
    form = dice.choice(forms)
    extra = dice.choice([[], [], [], ["--ascii"], ["--color", "always"]]) if form == "text" else []
    return ["-o", form, *extra]


def _lint(dice: Random) -> list[str]:
    flags = [[], [], ["--select", "all"], ["--complete"], ["--fix"], ["--fix", "--unsafe-fixes"], ["--diff"]]
    flags += [["--diff", "--unsafe-fixes", "--select", "all"], ["--fail-on", "info"], ["--release", "0.20"]]
    return list(dice.choice(flags))


def _shares(dice: Random, documents: Sequence[Any]) -> list[str]:
    name = _name(dice, documents)
    flags = [
        [],
        [],
        ["--saturated"],
        ["--topology"],
        ["--by", "namespace"],
        ["--by", "localqueue"],
        ["--explain", name],
    ]
    return list(dice.choice([*flags, ["--queue", name]]))


def _name(dice: Random, documents: Sequence[Any]) -> str:
    each = dice.choice(documents) if documents else None
    metadata = each.get("metadata") if isinstance(each, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) and name and not name.startswith("-") and "\x00" not in name else "x"


def _queue(dice: Random, documents: Sequence[Any]) -> str:
    queues = [each for each in documents if isinstance(each, dict) and str(each.get("kind")) in ("LocalQueue", "Queue")]
    return _name(dice, queues)


def _mutate(dice: Random, documents: list[Any], times: int) -> None:
    for _ in range(times):
        if documents:
            mutate(dice, documents)


def _written(dice: Random, documents: list[Any]) -> str:
    how = dice.randint(0, 3)
    if how == 0:
        return json.dumps({"apiVersion": "v1", "kind": "List", "items": documents})
    if how <= 2:
        return "".join(f"---\n{json.dumps(each)}\n" for each in documents)
    dumped: str = yaml.dump_all(documents, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)
    return dumped


def _strewn(dice: Random, text: str) -> str:
    """The text cut, doubled and strewn with what YAML takes for syntax."""
    for _ in range(dice.randint(1, 4)):
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.choice([0, 0, 1, 1, 7, 80]))
        put = dice.choice([dice.choice(TOKENS), dice.choice(TOKENS), text[start:end] * 2, ""])
        text = text[:start] + put + text[end:]
    return text


def _scenario(dice: Random) -> str:
    documents = [yaml.load(_SCENARIO, yaml.CSafeLoader)]
    documents[0]["Cycles"] = 5
    _mutate(dice, documents, dice.choice([1, 1, 2, 4]))
    return json.dumps(documents[0]) if documents else ""


def _jobs(dice: Random) -> str:
    """The jobs of a trace, some gone wrong."""
    lines = [json.loads(line) for line in _TRACES["jsonl"].splitlines()]
    _mutate(dice, lines, dice.choice([0, 1, 1, 2, 4]))
    return "".join(json.dumps(line) + "\n" for line in lines)


def _log(dice: Random) -> Call:
    """A log of another program, with its text strewn."""
    form = dice.choice(["csv", "swf"])
    text = _strewn(dice, _TRACES[form])
    fields = ("created=submit_time", "queue=team", "duration=run", "request.nvidia.com/gpu=gpus", "priority=prio")
    columns = [word for each in fields for word in ("--column", each)] if form == "csv" else []
    return Call(["trace", f"--{form}", f"{{}}/log.{form}", "-o", "{}/out.jsonl", *columns], {f"log.{form}": text})


def _tests(dice: Random) -> str:
    documents = [yaml.load(_TESTS, yaml.CSafeLoader)]
    _mutate(dice, documents, dice.choice([0, 0, 1, 2]))
    return json.dumps(documents[0]) if documents else ""
