"""Object metadata: the fields of every kind that the API server reads apart from the schema.

Tested in ``tests/unit/api/test_swift.py``.
"""

from typing import Final

from kubectl_fairshare.api.structures.library import SHARED
from kubectl_fairshare.api.structures.structure import Struct

OBJECT_META: Final = SHARED.struct("api/meta", "ObjectMeta")
META_FIELDS: Final = ("kind", "apiVersion", "metadata")


def is_kind(struct: Struct) -> bool:
    """Whether the structure is a kind of its own, with type and metadata."""
    return all(name in struct.fields for name in META_FIELDS)
