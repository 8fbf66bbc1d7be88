"""A slow and obvious second opinion on Kueue's decisions, for small trees.

It follows the published description of the decisions sentence by sentence, keeps its state in plain dictionaries
and works every figure out from scratch whenever it is asked for. The fast engine must agree with it.
"""

from tests.property.obvious.answer import decide
from tests.property.obvious.saturation import saturated_usage

__all__ = ["decide", "saturated_usage"]
