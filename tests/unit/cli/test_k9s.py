"""The plugins for k9s on their page: of the form that k9s reads, and each command is one that the program takes.

Source: k9s, the schema of its plugins: the fields, which of them are required, and their types.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
import yaml

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
FIELDS: Final = {
    "shortCut": str,
    "override": bool,
    "description": str,
    "confirm": bool,
    "dangerous": bool,
    "scopes": list,
    "command": str,
    "background": bool,
    "overwriteOutput": bool,
    "args": list,
}
REQUIRED: Final = {"shortCut", "description", "scopes", "command"}
NAMES: Final = {"workload": "sweep-3", "shares": "vision", "plan": "gpus"}
_PAGE: Final = (ROOT / "docs" / "k9s.md").read_text("utf-8")
(_BLOCK,) = re.findall(r"```yaml\n(.*?)```", _PAGE, re.DOTALL)
PLUGINS: Final[dict[str, Any]] = yaml.safe_load(_BLOCK)["plugins"]


@pytest.mark.parametrize("name", PLUGINS)
def test_each_plugin_has_the_form_that_k9s_reads(name: str) -> None:
    plugin = PLUGINS[name]
    assert REQUIRED <= plugin.keys() <= FIELDS.keys()
    assert all(isinstance(value, FIELDS[field]) for field, value in plugin.items())
    assert all(isinstance(each, str) for field in ("scopes", "args") for each in plugin[field])


def test_no_scope_has_two_plugins_on_one_key() -> None:
    keys = [(each["shortCut"], scope) for each in PLUGINS.values() for scope in each["scopes"]]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", PLUGINS)
def test_each_command_is_answered_for_the_object_under_the_cursor(run: Run, name: str) -> None:
    """The demo has no Job and no Pod: there the command is one that says so."""
    plugin = PLUGINS[name]
    assert (plugin["command"], plugin["args"][0]) == ("sh", "-c")
    script, given = plugin["args"][1], " ".join(plugin["args"][3:])
    verb = script.removeprefix("kubectl fairshare ").partition(" ")[0]
    assert (script, plugin["args"][2]) == (f'kubectl fairshare {verb} "$@" --color always | less -R', "k9s")
    command = f"kubectl fairshare {verb} {given} --color always"
    kind = name.rpartition("-")[2]
    subject = {"$NAMESPACE": "search" if kind == "plan" else "vision", "$NAME": NAMES.get(kind, "none")}
    for variable, text in subject.items():
        command = re.sub(rf"{re.escape(variable)}\b", text, command)
    assert " --context $CONTEXT" in command
    command = command.replace(" --context $CONTEXT", " -f testdata/demo/org").replace(
        "kubectl fairshare", "kubectl-fairshare"
    )
    assert "$" not in command
    screen = run(command)
    if kind in NAMES:
        assert (screen.code in (0, 4), screen.stderr) == (True, "")
        assert NAMES[kind] in screen.stdout
    else:
        assert (screen.code, f"no {kind}" in screen.stderr or "none" in screen.stderr) == (2, True)
