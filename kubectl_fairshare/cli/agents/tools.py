"""The tools of an agent, each built from one command: its arguments, its documents, and the command line of a call."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from kubectl_fairshare.cli.agents.arguments import argument_help, argument_name, argument_text, flags_of
from kubectl_fairshare.cli.options.cluster_options import CLUSTER_OPTIONS, HOMES
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers import every_scheduler

Schema = dict[str, Any]
TOOLS: Final[Mapping[str, tuple[str, ...]]] = {
    "shares": ("shares", "derivation", "saturation", "topologies", "usage"),
    "plan": ("plan", "planlist", "together"),
    "why": ("why", "whylist", "waitinglist", "churn"),
    "cycle": ("cycle", "course"),
    "lint": ("lintreport", "rulelist"),
    "rule": ("rule",),
    "diff": ("diff", "difflist"),
    "forecast": ("forecast", "forecastcalibration"),
    "capacity": ("capacity",),
    "test": ("testreport",),
    "search": ("search",),
    "simulate": ("simulation", "comparison", "calibration"),
}
"""The commands that are tools, with the ends of the names of their documents' schemas."""
STDIN: Final = "stdin"
DETAIL: Final = "detail"
DETAILS: Final = ("brief", "full")
_COMMON: Final = next(iter(TOOLS))
"""The tool that describes the arguments that others have, too."""
_WITHHELD: Final = frozenset(
    {
        *("output", "api", "color", "ascii", "quiet", "no_pager", "brief", "watch", "interval", "max_input"),
        *("fix", "unsafe_fixes", "diff", "write_baseline", "update", "write", "init", "output_dir"),
        *("what", "vary", "results", "jobs", "backend", "address", "workers_at"),  # a sweep: a folder and processes
        "ready",  # the list of tools must stay small
        "kustomize",  # a build may fetch from the network
        "helm",  # a program
    }
)
_ALWAYS: Final[Mapping[str, tuple[str, ...]]] = {"search": ("--jobs=1",)}
"""Words of every call: no call starts processes."""
_PLACES: Final[Mapping[str, str]] = {
    "subject": "KIND/NAME, or a name.",
    "paths": "Files, directories or globs.",
    "versions": "BEFORE and AFTER, or AFTER alone.",
    "rule": "Id or name.",
}
"""What is at each place of a command line."""
_EVERYWHERE: Final = "everywhere"
_NARROWING: Final = ("limit", "queue", "resource", "namespace", "flavor", "select", "subject", "each")
_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


class AgentTool(Value, frozen=True):
    """A command as a tool.

    ``taken`` are the parameters that an agent may set, by the names of their arguments; ``paths`` are those that name
    files, ``described`` are the properties of the schema that another tool describes.
    """

    name: str
    about: str
    taken: Mapping[str, click.Parameter]
    paths: frozenset[str]
    described: Mapping[str, Schema]

    @property
    def flags(self) -> dict[str, str]:
        """The argument for each option."""
        return flags_of(self.taken)

    @property
    def takes(self) -> Schema:
        """The JSON Schema of the arguments."""
        properties = self.properties()
        for name in properties.keys() & self.described.keys():
            if properties[name] == self.described[name]:
                properties[name] = {"type": properties[name]["type"]}
        needed = [n for n, p in self.taken.items() if isinstance(p, click.Argument) and p.required]
        demands = {"required": needed} if needed else {}
        return {"type": "object", "properties": properties, **demands, "additionalProperties": False}

    def properties(self) -> dict[str, Schema]:
        """The JSON Schema of each argument, with its description."""
        found = {name: _property(name, each, self.flags) for name, each in self.taken.items()}
        if self.paths:
            found[STDIN] = {"type": "string", "description": "Manifests as text; the file name `-` reads them."}
        about = "How much of the document the result has. [brief]"
        found[DETAIL] = {"type": "string", "enum": list(DETAILS), "description": about}
        return found

    @property
    def narrowing(self) -> tuple[str, ...]:
        """The arguments that make an answer smaller."""
        return tuple(name for name in _NARROWING if name in self.taken)

    def command_line(self, given: Mapping[str, Any]) -> list[str]:
        """The words of the call, without the program. Raises ``UsageError`` for arguments that do not fit."""
        self._check(given)
        options: list[str] = []
        words: list[str] = []
        for name, value in given.items():
            param = self.taken.get(name)
            if isinstance(param, click.Argument):
                words += value if isinstance(value, list) else [value]
            elif isinstance(param, click.Option):
                options += _option_words(param, value)
        return [self.name, *_ALWAYS.get(self.name, ()), *options, *(["--", *words] if words else [])]

    def files(self, given: Mapping[str, Any]) -> Iterator[str]:
        """The files, folders, globs and revisions that the arguments name."""
        for name in self.paths.intersection(given):
            value = given[name]
            yield from value if isinstance(value, list) else [value]

    def _check(self, given: Mapping[str, Any]) -> None:
        known = self.properties()
        for name, value in given.items():
            if name not in known:
                remedy = did_you_mean(likely(name, list(known), 2)) or f"arguments are {quoted(known)}"
                raise UsageError(Problem(f"`{self.name}` has no argument `{name}`", help=remedy))
            kind = known[name]["type"]
            items = value if isinstance(value, list) and isinstance(kind, list) else [value]
            one = kind[0] if isinstance(kind, list) else kind
            if not all(_is(one, each) for each in items):
                asked = f"{one}, or a list of these" if isinstance(kind, list) else kind
                raise UsageError(Problem(f"is not of type {asked}", name, f"see the schema of `{self.name}`"))
            choices = known[name].get("enum") or known[name].get("items", {}).get("enum")
            if choices and not all(each in choices for each in items):
                raise UsageError(Problem(f"is not one of {quoted(choices)}", name))


def agent_tools(*, cluster: bool) -> dict[str, AgentTool]:
    """Every tool, by name; with a ``cluster`` they may say in which namespaces schedulers run."""
    from kubectl_fairshare.cli.program import COMMANDS, program

    found: dict[str, AgentTool] = {}
    for name in TOOLS:
        command = program.get_command(click.Context(program), name)
        if command is None:
            raise LookupError(name)
        offered = [p for p in command.params if p.name not in _withheld(cluster) and not getattr(p, "hidden", False)]
        taken = {argument_name(each): each for each in offered}
        about, _, _ = (command.help or "").partition("\b")
        text = argument_help(f"{COMMANDS.get(name, command.short_help)}. {' '.join(about.split())}", flags_of(taken))
        common = found[_COMMON].properties() if found else {}
        more = f" Arguments without a description: as in `{_COMMON}`." if common.keys() & taken.keys() else ""
        found[name] = AgentTool(name, text[:1].upper() + text[1:] + more, taken, _paths(taken), common)
    return found


def _withheld(cluster: bool) -> frozenset[str]:
    """The parameters that no agent sets: they write, choose who asks a cluster, reach the network, or change -o."""
    home = {each.parameter for each in HOMES}
    names = {_name(option) for option in CLUSTER_OPTIONS} - {_EVERYWHERE, *(home if cluster else ())}
    network = [o.name for each in every_scheduler() for o in each.options if o.metavar == "URL"]
    options = {o.name for each in every_scheduler() for o in each.options}
    return _WITHHELD | names | {name for name in options if any(name.startswith(each) for each in network)}


def _name(option: Any) -> str:
    """The name of the parameter that a decorator adds."""
    return next(p.name or "" for p in click.command()(option(lambda: None)).params)


def _paths(taken: Mapping[str, click.Parameter]) -> frozenset[str]:
    files = {o.name for each in every_scheduler() for o in each.options if "FILE" in o.metavar}
    return frozenset(a for a, param in taken.items() if isinstance(param.type, click.Path) or param.name in files)


def _property(name: str, param: click.Parameter, flags: Mapping[str, str]) -> Schema:
    """The JSON Schema of one parameter; a list of one may be given without its brackets."""
    kind = _type(param)
    several = param.multiple or param.nargs != 1
    found: Schema = {"type": [kind, "array"] if several else kind}
    if isinstance(param.type, click.Choice):
        choices = {"enum": [str(choice) for choice in param.type.choices]}
        found |= {"items": choices} if several else choices
    text = param.help if isinstance(param, click.Option) else None
    about = argument_text((text or "").replace(" Repeatable.", ""), flags)
    return {**found, "description": about or _PLACES[name]}


def _type(param: click.Parameter) -> str:
    if isinstance(param, click.Option) and param.is_flag:
        return "boolean"
    if isinstance(param.type, click.types.IntParamType):
        return "integer"
    return "number" if isinstance(param.type, click.types.FloatParamType) else "string"


def _is(kind: str, value: object) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _option_words(option: click.Option, value: Any) -> list[str]:
    flag = max(option.opts, key=len)
    if not option.is_flag:
        return [f"{flag}={each}" for each in (value if isinstance(value, list) else [value])]
    if value:
        return [flag]
    return [max(option.secondary_opts, key=len)] if option.secondary_opts else []
