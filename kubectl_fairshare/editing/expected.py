"""Values of a YAML file of ours, written anew where a test expects something else; comments and order stay.

Tested in ``tests/unit/policy/test_suite.py``.
"""

import io
from collections.abc import Sequence

from kubectl_fairshare.model.json import FieldPath, Json


def with_values(text: str, values: Sequence[tuple[FieldPath, Json]]) -> str:
    """The text with other values at some paths, each of which is there. Raises ``LookupError`` for any other."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1 << 16
    yaml.indent(mapping=2, sequence=4, offset=2) if "\n  - " in text else yaml.indent(mapping=2, sequence=2, offset=0)
    document = yaml.load(text)
    for path, value in values:
        holder = document
        for part in path[:-1]:
            holder = holder[part]
        holder[path[-1]] = value
    written = io.StringIO()
    yaml.dump(document, written)
    return written.getvalue()
