"""``mcp``: the questions as tools of an agent. Tested in ``tests/unit/cli/agents/test_tools.py``."""

import os

import click

from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.shared import size
from kubectl_fairshare.input.files.paths import find_settings
from kubectl_fairshare.model.errors import Problem, UsageError

_MOST = "60k"


@click.command("mcp", cls=SectionedCommand, short_help="answer an agent's calls, over standard input")
@click.argument("folders", nargs=-1, type=click.Path(file_okay=False, readable=False))
@click.option("--cluster", is_flag=True, help="Tools may read the cluster, as far as the kubeconfig allows.")
@click.option("--kubeconfig", type=click.Path(readable=False), metavar="FILE", help="With --cluster: kubeconfig.")
@click.option("--context", metavar="NAME", help="With --cluster: context in the kubeconfig. [the current one]")
@click.option("--max-result", callback=size, default=_MOST, metavar="SIZE", help=f"Largest result. [{_MOST}]")
def command(
    folders: tuple[str, ...], cluster: bool, kubeconfig: str | None, context: str | None, max_result: int
) -> int:
    """Serves the questions of this program as tools of an agent (MCP, over standard input and output).

    The tools: shares, plan, why, cycle, forecast, capacity, diff, lint, rule, test, search and
    simulate. A result is brief unless a call asks for `detail: full`; --max-result bounds that.

    Tools only read, and only files in FOLDERS. Relative names start in the first folder. The cluster is read only with
    --cluster. Needs the SDK: `pip install 'mcp>=2.3'`.

    \b
    kubectl fairshare mcp org/
    kubectl fairshare mcp org/ jobs/ --cluster --context staging
    """  # noqa: D301 -- click wants the character
    from kubectl_fairshare.cli.agents.folders import Folders
    from kubectl_fairshare.cli.agents.server import AgentServer, sdk, serve

    if not folders and not cluster:
        raise UsageError(Problem("nothing to read", help="name a folder, or add `--cluster`"))
    if (kubeconfig or context) and not cluster:
        raise UsageError(Problem("needs `--cluster`", "--context" if context else "--kubeconfig", "add `--cluster`"))
    for folder in folders:
        if not os.path.isdir(folder):
            raise UsageError(Problem("is not a folder", folder, "name the folder that holds the manifests"))
    _check_settings(folders)
    sdk()
    named = [("--kubeconfig", kubeconfig and os.path.abspath(kubeconfig)), ("--context", context)]
    words = tuple(f"{flag}={value}" for flag, value in named if value)
    server = AgentServer(Folders(folders), words if cluster else None, max_result)
    if folders:
        os.chdir(folders[0])
    serve(server)
    return 0


def _check_settings(folders: tuple[str, ...]) -> None:
    """Raises ``UsageError`` if commands would read settings that are outside of the folders."""
    from kubectl_fairshare.cli.agents.folders import Folders

    settings = find_settings(folders[0]) if folders else None
    if settings is None:
        return
    path = os.path.realpath(os.path.join(folders[0], settings))
    if not Folders(folders).holds(path):
        remedy = f"name their folder as well: `{os.path.dirname(path)}`"
        raise UsageError(Problem("the settings of this repository are outside of the folders", path, remedy))
