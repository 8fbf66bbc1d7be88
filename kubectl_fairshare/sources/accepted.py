"""The objects that an API server holds, or would hold: judged, converted, in v1beta2 form.

An object that carries a resourceVersion was taken by an API server and is read as it is; any other is
judged first, as an API server would, and one that would be refused cannot be reasoned about.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeVar

from kubectl_fairshare.admission.kueue.kinds import STORED, VERSIONS
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.kueue import GROUP
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest

T = TypeVar("T")
_SERVER_SET: Final = ("uid", "creationTimestamp")
_REMEDY: Final = "mend the field, then ask again"


class Accepted:
    """Takes objects of Kueue's kinds one by one; what is wrong with any of them is collected.

    ``others`` are the objects of other API groups.
    """

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self.problems: list[Problem] = []
        self.unknown_fields: dict[ObjectKey, tuple[str, ...]] = {}
        self.others: list[Manifest] = []
        self._by_kind: dict[str, list[Manifest]] = {}
        for manifest in manifests:
            key = manifest.key
            if key.group == GROUP:
                self._by_kind.setdefault(key.kind, []).append(manifest)
            else:
                self.others.append(manifest)

    def of(self, kind: str) -> list[Manifest]:
        """The objects of one kind in v1beta2 form; those refused are left out and noted."""
        found = []
        for manifest in self._by_kind.get(kind, ()):
            plain = manifest.version == STORED and manifest.stored
            stored = manifest if plain else self._stored_form(manifest)
            if stored is not None:
                found.append(stored)
        return found

    def outside(self, kinds: Collection[str]) -> list[Manifest]:
        """The objects of Kueue's group whose kind is none of ``kinds``."""
        return [m for kind, manifests in self._by_kind.items() if kind not in kinds for m in manifests]

    def read(self, manifests: Iterable[Manifest], read: Callable[[Manifest], T]) -> list[T]:
        """What ``read`` makes of each; one that it cannot read is explained and left out."""
        found = []
        for manifest in manifests:
            try:
                found.append(read(manifest))
            except ValueError as error:  # MisreadError, or a mapping of another shape than one
                self._explain(manifest, str(error))
        return found

    @contextmanager
    def problems_told(self) -> Iterator[None]:
        """Raises what goes wrong inside together with all that was noted before."""
        try:
            yield
        except FairshareError as error:
            raise FairshareError(*self.problems, *error.problems) from None

    def _stored_form(self, manifest: Manifest) -> Manifest | None:
        if manifest.version not in VERSIONS:
            message = f"Kueue v0.19 serves no `{manifest.api_version}`"
            remedy = f"write {manifest.key} in `{GROUP}/{STORED}`, or in `{GROUP}/{VERSIONS[0]}`"
            self.problems.append(Problem(message, Place(manifest.key, ("apiVersion",)), remedy))
            return None
        if manifest.stored:
            return self._converted(manifest)
        from kubectl_fairshare.admission.kueue.judge import judge

        judgement = judge(manifest.data)
        if judgement.unknown_fields:
            self.unknown_fields[manifest.key] = judgement.unknown_fields
        if judgement.stored is None:
            self._explain(manifest, "the API server refuses it")
            return None
        return replace(manifest, version=STORED, data=_as_it_stands(manifest, judgement.stored))

    def _converted(self, manifest: Manifest) -> Manifest | None:
        from kubectl_fairshare.admission.kueue.conversion import ConversionError, to_v1beta2

        try:
            return replace(manifest, version=STORED, data=dict(to_v1beta2(manifest.data)))
        except ConversionError as error:
            self._explain(manifest, str(error))
            return None

    def _explain(self, manifest: Manifest, otherwise: str) -> None:
        """Notes why the API server refuses the object; ``otherwise`` is the text when it would not."""
        from kubectl_fairshare.admission.kueue.judge import judge

        judgement = judge(manifest.data)
        causes = judgement.causes or ((judgement.undecodable,) if judgement.undecodable is not None else ())
        for cause in causes:
            message = f"the API server refuses {manifest.key}: {cause.field}: {cause.message}"
            self.problems.append(Problem(message, Place(manifest.key, cause.path), _REMEDY))
        if not causes:
            text = f"{manifest.key} cannot be read: {otherwise}"
            self.problems.append(Problem(text, Place(manifest.key), _REMEDY))


def _as_it_stands(manifest: Manifest, stored: JsonObject) -> dict[str, Json]:
    """The object as a new one would be stored, with what only a server writes, where the text has it.

    A dump may have been cleaned of its resourceVersion; a state written by hand never had one. Both mean
    the status that they tell.
    """
    from kubectl_fairshare.admission.kueue.conversion import to_v1beta2

    written = manifest.data["metadata"]
    told = {field: written[field] for field in _SERVER_SET if field in written}
    data = {**stored, "metadata": {**stored["metadata"], **told}}
    return {**data, "status": to_v1beta2(manifest.data)["status"]} if "status" in manifest.data else data
