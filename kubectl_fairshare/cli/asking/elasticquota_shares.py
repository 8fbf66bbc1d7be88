"""``shares`` of ElasticQuotas."""

from dataclasses import replace

from kubectl_fairshare.cli.asking.load import Loaded
from kubectl_fairshare.cli.asking.selection import unknown
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.schedulers.elasticquota.engine import ElasticQuotaEngine
from kubectl_fairshare.schedulers.elasticquota.quotas.report import QuotaTable


def answer(
    loaded: Loaded, resources: tuple[str, ...], others: list[str], streams: Streams, screen: ScreenOptions
) -> int:
    """Shows all quotas, or ``resources`` alone of them.

    Raises ``UsageError`` for a resource that no quota names or uses, and for ``others``: options that ask for what
    only Kueue has.
    """
    if others:
        help_text = "ElasticQuotas know `--resource` and `-o` alone"
        raise UsageError(
            *(Problem("asks about Kueue's queues, and the input holds none", o, help_text) for o in others)
        )
    found = _selected(ElasticQuotaEngine().shares(loaded.snapshot), resources)
    if screen.output in ("json", "yaml"):
        from kubectl_fairshare.schedulers.elasticquota.documents.shares import shares_document

        write_document(streams, screen, shares_document(found, loaded.places))
    elif screen.is_text:
        from kubectl_fairshare.schedulers.elasticquota.words.screens.shares import shares_screen

        streams.stdout.write(shares_screen(found, view_of(streams, screen, loaded.places)))
    else:
        from kubectl_fairshare.schedulers.elasticquota.words.rows import shares_csv, shares_names

        streams.stdout.write(shares_csv(found) if screen.output == "csv" else shares_names(found))
    return 0


def _selected(found: QuotaTable, resources: tuple[str, ...]) -> QuotaTable:
    """The table with the resources asked for; all where none is."""
    for name in resources:
        if name not in found.resources:
            raise unknown("resource", name, found.resources, "--resource")
    if not resources:
        return found
    return replace(found, resources=tuple(r for r in found.resources if r in resources))
