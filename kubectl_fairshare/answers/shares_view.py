"""An answer that is one screen and one document: a derivation, what saturated queues hold, the domains of topologies.

Tested in ``tests/unit/report/test_shares_view.py``.
"""

from kubectl_fairshare.answers.blocks import Layout
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.values import Value


class SharesView(Value, frozen=True):
    """What the command `shares` says with one of its options.

    ``title`` is in the last line, with ``parts`` after the release; a ``verdict`` is the first line, too.
    """

    option: str
    title: str
    tone: Tone
    fidelity: Fidelity
    layout: Layout
    document: WrittenAnswer
    parts: tuple[str, ...] = ()
    verdict: bool = False
