"""Which scheduler is asked, where the input holds the quotas of several."""

import click

from kubectl_fairshare.cli.asking.load import Loaded, placed
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.schedulers import ELASTICQUOTA, KAI, KUEUE, schedulers

scheduler_option = click.option(
    "--scheduler",
    type=click.Choice([KUEUE, KAI, ELASTICQUOTA]),
    help="Whose quotas, where the input holds those of several. [the first of these]",
)


def scheduler_of(loaded: Loaded, wished: str | None) -> str:
    """The scheduler that is asked: the one wished for, else the first whose quotas are there.

    Raises ``UsageError`` where the input holds no quota of the one wished for, and ``FairshareError`` where it
    holds only quotas that nobody here knows.
    """
    with placed(loaded.places):
        found = schedulers(loaded.snapshot)
    if wished is None or wished in found:
        return wished or found[0]
    raise UsageError(
        Problem(f"the input holds no quotas of `{wished}`", "--scheduler", f"it holds those of `{found[0]}`")
    )
