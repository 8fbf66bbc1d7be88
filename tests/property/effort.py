"""How hard the properties are tried.

``FAIRSHARE_EXAMPLES=20000`` asks every property about so many cases; without it each names a number with which the
whole folder takes about a minute.
"""

import os

from hypothesis import HealthCheck, Phase, settings

ASKED = int(os.environ.get("FAIRSHARE_EXAMPLES", "0"))


def examples(count: int) -> settings:
    """The settings with which a property is asked about ``count`` cases, or as many as the environment wants."""
    return settings(
        max_examples=ASKED or count,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    )
