"""``--nodes``: hypothetical Nodes, as ``COUNTxRESOURCE=AMOUNT,…``."""

import re
from typing import Final

import click

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.nodes import NodeGroup

_OPTION: Final = "--nodes"
_FORM: Final = "write `--nodes 4xnvidia.com/gpu=8,cpu=96,memory=1Ti`; also `label=KEY=VALUE` and `name=NAME`"
_GROUP: Final = re.compile(r"([0-9]{1,9})x(.*)", re.DOTALL | re.ASCII)
_RESOURCE: Final = re.compile(r"[a-z][-a-z0-9./]*=[0-9]")
_MOST: Final = 5000
"""Nodes of one option: what Kubernetes supports in one cluster."""
_PLAIN: Final = ("cpu", "ephemeral-storage", "memory", "pods")
_FRACTIONAL: Final = ("cpu", "ephemeral-storage", "memory")


def _node_groups(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[NodeGroup, ...]:
    """The groups of Nodes; raises ``UsageError`` with every text that does not describe one."""
    groups: list[NodeGroup] = []
    problems: list[Problem] = []
    for value in values:
        try:
            groups.append(node_group(value))
        except UsageError as error:
            problems.extend(error.problems)
    if sum(group.count for group in groups) > _MOST:
        problems.append(_count_problem(sum(group.count for group in groups)))
    if problems:
        raise UsageError(*problems)
    return tuple(groups)


def node_group(text: str) -> NodeGroup:
    """The Nodes that one text describes. Raises ``UsageError``."""
    found = _GROUP.fullmatch(text.strip())
    if found is None:
        remedy = f"write the number of Nodes: `--nodes 1x{text}`" if _RESOURCE.match(text) else _FORM
        raise _wrong(f"`{text[:64]}` has no count", remedy)
    count = int(found[1])
    if not 1 <= count <= _MOST:
        raise UsageError(_count_problem(count))
    allocatable: dict[str, str] = {}
    labels: dict[str, str] = {}
    wishes: dict[str, str] = {}
    for part in found[2].split(","):
        name, equals, value = (each.strip() for each in part.partition("="))
        if not equals or not name or not value:
            raise _wrong(f"`{part[:64]}` is not `RESOURCE=AMOUNT`", _FORM)
        key, shown = (value.partition("=")[0], "label") if name == "label" else (name, name)
        into = labels if name == "label" else wishes if name == "name" else allocatable
        if key in into:
            raise _wrong(f"{'label ' if shown == 'label' else ''}`{key[:64]}` is given twice", "write each once")
        into[key] = _label(value) if name == "label" else _name(value) if name == "name" else _amount(name, value)
    if not allocatable:
        raise _wrong(f"`{text[:64]}` names no resource", _FORM)
    return NodeGroup(count, allocatable, labels, wishes.get("name", "node"))


def _count_problem(count: int) -> Problem:
    return Problem(f"{count} Nodes are out of range", _OPTION, f"write a number from 1 to {_MOST}")


def _wrong(message: str, remedy: str) -> UsageError:
    return UsageError(Problem(message, _OPTION, remedy))


def _amount(resource: str, value: str) -> str:
    """The quantity as written, checked."""
    from kubectl_fairshare.api.label_syntax import is_label_key

    if "/" not in resource and resource not in _PLAIN and not resource.startswith("hugepages-"):
        near = f"write `nvidia.com/{resource}={value}`" if resource == "gpu" else f"write {', '.join(_PLAIN)}, or "
        raise _wrong(
            f"`{resource[:64]}` is not a resource of a Node", near if resource == "gpu" else near + "DOMAIN/NAME"
        )
    if not is_label_key(resource) or resource.startswith("requests."):
        raise _wrong(
            f"`{resource[:64]}` is not the name of a resource", "write it as Pods request it: `nvidia.com/gpu`"
        )
    try:
        nano = quantity.nano(value)
    except quantity.QuantityError:
        remedy = "write it like `96`, `500m` or `1Ti`"
        raise _wrong(f"`{value[:64]}` of `{resource}` is not a quantity", remedy) from None
    if nano < 0:
        raise _wrong(f"`{value}` of `{resource}` is negative", "write 0 or more")
    if resource not in _FRACTIONAL and nano % 10**9:
        raise _wrong(f"`{value}` of `{resource}` is not a whole number", "write a whole number")
    return value


def _label(text: str) -> str:
    """The value of ``KEY=VALUE``, where both may be a label's."""
    from kubectl_fairshare.api.label_syntax import is_label_key, is_label_value

    key, equals, value = text.partition("=")
    if not equals or not is_label_key(key) or not is_label_value(value):
        raise _wrong(f"`{text[:64]}` is not a label", "write `label=topology.kubernetes.io/zone=a`")
    return value


def _name(text: str) -> str:
    from kubectl_fairshare.api.label_syntax import is_dns_label

    if not is_dns_label(text):
        raise _wrong(f"`{text[:64]}` is not a name", "write lower-case letters, digits and `-`: `name=gpu`")
    return text


nodes_option: Final = click.option(
    _OPTION,
    multiple=True,
    callback=_node_groups,
    metavar="COUNTxRESOURCE=N,…",
    help="Add hypothetical, empty Nodes: 4xnvidia.com/gpu=8,cpu=96,memory=1Ti; also label=KEY=VALUE, name=NAME. "
    "Repeatable.",
)
