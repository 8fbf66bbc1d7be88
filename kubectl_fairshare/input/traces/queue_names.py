"""The namespace and queue of each job of a log, from a template that names fields of the log."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted

_FIELD: Final = re.compile(r"\{([^{}]*)\}")
_ODD: Final = re.compile(r"[^a-z0-9.-]+")


class QueueNames:
    """A template ``NAMESPACE/QUEUE`` with fields in braces: ``team-{group}/main``. Without ``/`` it is the queue.

    Raises ``UsageError`` for a field that is not one of ``fields``.
    """

    def __init__(self, template: str, fields: Collection[str], namespace: str = "default") -> None:
        for field in _FIELD.findall(template):
            if field not in fields:
                remedy = did_you_mean(likely(field, fields, 1)) or f"fields are {quoted(sorted(fields))}"
                raise UsageError(Problem(f"`{template}` names an unknown field `{field}`", "--queue", remedy))
        before, slash, after = template.partition("/")
        self._namespace, self._queue = (before, after) if slash else (namespace, before)

    def of(self, words: Mapping[str, str]) -> tuple[str, str]:
        """Namespace and queue of a job with these fields, as names that Kubernetes allows."""
        return _filled(self._namespace, words), _filled(self._queue, words)


def _filled(template: str, words: Mapping[str, str]) -> str:
    text = _FIELD.sub(lambda match: words[match[1]], template)
    return _ODD.sub("-", text.lower()).strip("-.")
