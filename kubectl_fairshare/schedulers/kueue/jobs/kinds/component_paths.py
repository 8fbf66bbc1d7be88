"""Paths with which an AppWrapper points to a pod template in a wrapped object: ``template.spec.jobs[0].pod``.

Source: AppWrapper v1.2.
"""

import re
from typing import Final

from kubectl_fairshare.jobs.fields import Field, wrong
from kubectl_fairshare.model.errors import FairshareError, Problem

_PATH: Final = re.compile(r"template((?:\.[^.\[]+|\[\d{1,9}\])*)", re.ASCII)
_PART: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]", re.ASCII)


def at_path(template: Field, path: Field) -> Field:
    """The field of a component that ``path`` points to. Raises ``FairshareError`` if there is no such field."""
    found = _PATH.fullmatch(path.text())
    if found is None:
        message = f"`{path.text()}` is not a path within a component"
        raise FairshareError(Problem(message, path.place, "write it like `template.spec.workers[0].template`"))
    at = template
    for key, index in _PART.findall(found.group(1)):
        at = at.at(key) if key else _element(at, int(index))
        if at.value is None:
            raise FairshareError(Problem(f"the component has no field `{path.text()}`", path.place))
    if not isinstance(at.value, dict) or not isinstance(at.value.get("spec"), dict):
        raise FairshareError(Problem(f"`{path.text()}` is not a pod template", path.place, "it needs a `spec`"))
    return at


def _element(at: Field, index: int) -> Field:
    if not isinstance(at.value, list):
        raise wrong(at.place, "a list", at.value)
    return at.entries()[index] if index < len(at.value) else at._replace(value=None)
