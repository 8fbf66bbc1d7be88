"""How hard the properties are tried.

``FAIRSHARE_EXAMPLES=20000`` asks every property about so many cases, and ``.ci/run`` asks for some hundreds. Without it
each property says how hard it is to meet, and a sixth of that has to do: the whole folder takes less than a minute.
"""

import os

from hypothesis import HealthCheck, Phase, settings

ASKED = int(os.environ.get("FAIRSHARE_EXAMPLES", "0"))


def examples(count: int) -> settings:
    """The settings with which a property is asked about a sixth of ``count`` cases, or as many as wanted."""
    return settings(
        max_examples=ASKED or max(count // 6, 12),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    )
