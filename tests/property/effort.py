"""How hard the properties are tried.

``FAIRSHARE_EXAMPLES=20000`` asks every property about so many cases. Without it
each property says how hard it is to meet, and a twelfth of that has to do: the whole folder takes half a minute.
"""

import os

from hypothesis import HealthCheck, Phase, settings

ASKED = int(os.environ.get("FAIRSHARE_EXAMPLES", "0"))


def examples(count: int) -> settings:
    """The settings with which a property is asked about a twelfth of ``count`` cases, or as many as wanted."""
    return settings(
        max_examples=ASKED or max(count // 12, 6),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    )
