"""The objects that an API server has stored or would store: judged, converted, in v1beta2 form.

An object with a resourceVersion was stored by an API server and is read as it is. Any other object is judged first, as
an API server would do it; an object that the server would reject cannot be used.

Tested in ``tests/unit/schedulers/kueue/reading/test_exact_amounts.py``.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from kubectl_fairshare.api.causes import UNSUPPORTED, Cause, cause, dotted_path
from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.placeholders import FILL_IN, placeholder_in
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission import retired
from kubectl_fairshare.schedulers.kueue.admission.kinds import STORED, VERSIONS
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws

T = TypeVar("T")
_SERVER_SET: Final = ("uid", "creationTimestamp")
_ALPHA: Final = "v1alpha1"
_ORDER: Final = "CQ04"
_REORDER: Final = "write the resources of each flavor in the order of `coveredResources`; `lint --fix` does"
_REMEDY: Final = "fix the field, then ask again"
_SERVED: Final = f"in `{GROUP}/{STORED}`, or in `{GROUP}/{VERSIONS[0]}`"


class Accepted:
    """Reads objects of Kueue's kinds one by one, and collects their mistakes.

    ``others`` are the objects of other API groups. ``judgements`` are those of the judged objects; ``problems`` is
    what cannot be read in the other objects. ``reads_old``: the input is for a release that serves v1alpha1.
    ``laws`` are those of writes in the release that counts.
    """

    reads_old = False

    def __init__(self, manifests: ByKind, laws: WriteLaws = NEWEST) -> None:
        self.laws = laws
        self.problems: list[Problem] = []
        self.judgements: dict[ObjectKey, Judgement] = {}
        self.others = [each for (group, _), alike in manifests.items() if group != GROUP for each in alike]
        self._manifests = manifests
        self._taken: dict[str, list[Manifest]] = {}

    def of(self, kind: str) -> list[Manifest]:
        """The objects of one kind in v1beta2 form; rejected ones are left out and recorded."""
        if kind not in self._taken:
            self._taken[kind] = self._take(kind)
        return self._taken[kind]

    def _take(self, kind: str) -> list[Manifest]:
        found = []
        for manifest in self._manifests.get((GROUP, kind), ()):
            plain = manifest.version == STORED and manifest.stored
            stored = manifest if plain else self._stored_form(manifest)
            if stored is not None:
                found.append(stored)
        return found

    def read(self, manifests: Iterable[Manifest], read: Callable[[Manifest], T]) -> list[T]:
        """The results of ``read``; an object that it cannot read is recorded and left out."""
        found = []
        for manifest in manifests:
            try:
                found.append(read(manifest))
            except ValueError as error:  # MisreadError, or a value of another type than a mapping
                self._explain(manifest, str(error))
        return found

    @property
    def unknown_fields(self) -> dict[ObjectKey, tuple[FieldPath, ...]]:
        """The paths of fields that an API server would ignore, by object."""
        return {key: each.unknown_fields for key, each in self.judgements.items() if each.unknown_fields}

    @property
    def dropped_fields(self) -> Iterator[Problem]:
        """A note for each field that an API server would ignore."""
        for key, paths in sorted(self.unknown_fields.items()):
            for path in paths:
                message = f"{key} has no field `{dotted_path(path)}`: an API server drops it, and so is done here"
                yield Problem(message, Place(key, path))

    @property
    def refusals(self) -> Iterator[Problem]:
        """The problems for which an API server would reject an object."""
        for key, judgement in self.judgements.items():
            if not judgement.accepted:
                yield from _rejections(key, judgement, "the API server rejects it")

    def _stored_form(self, manifest: Manifest) -> Manifest | None:
        if self.reads_old and manifest.version == _ALPHA and (manifest.key.kind, _ALPHA) in retired.KINDS:
            manifest = _as_v1beta1(manifest)
        if manifest.version not in VERSIONS:
            self.judgements[manifest.key] = Judgement(False, NOT_FOUND, (_not_served(manifest),))
            return None
        if manifest.stored:
            return self._converted(manifest)
        from kubectl_fairshare.schedulers.kueue.admission.judge import judge

        judgement = self.judgements[manifest.key] = judge(manifest.data, laws=self.laws)
        if judgement.stored is None:
            return None
        return Manifest(manifest.key, STORED, _as_it_stands(manifest, judgement.stored), manifest.origin)

    def _converted(self, manifest: Manifest) -> Manifest | None:
        from kubectl_fairshare.schedulers.kueue.admission.conversion import ConversionError, to_v1beta2

        try:
            return replace(manifest, version=STORED, held_data=dict(to_v1beta2(manifest.data)))
        except ConversionError as error:
            self._explain(manifest, str(error))
            return None

    def _explain(self, manifest: Manifest, otherwise: str) -> None:
        """Records why the API server rejects the object; ``otherwise`` is the text if it would not."""
        from kubectl_fairshare.schedulers.kueue.admission.judge import judge

        self.problems.extend(_rejections(manifest.key, judge(manifest.data, laws=self.laws), otherwise))


def _rejections(key: ObjectKey, judgement: Judgement, otherwise: str) -> Iterator[Problem]:
    """A problem for each cause, but one for all resources out of order; ``otherwise`` is the text without a cause."""
    if judgement.stage == NOT_FOUND and judgement.causes:  # no cause: a kind that Kueue does not serve, such as Node
        yield Problem(judgement.causes[0].message, Place(key, judgement.causes[0].path), f"write {key} {_SERVED}")
        return
    misplaced = [cause for cause in judgement.all_causes if cause.law == _ORDER]
    for each in judgement.all_causes:
        if each in misplaced[1:]:
            continue
        placeholder = placeholder_in(f"{key} {each.message}")
        if placeholder:
            yield Problem(f"{key}: {each.field} has the placeholder `{placeholder}`", Place(key, each.path), FILL_IN)
            continue
        more = f", and {len(misplaced) - 1} more in other positions" if each in misplaced and misplaced[1:] else ""
        remedy = _REORDER if each.law == _ORDER else _REMEDY
        message = f"the API server rejects {key}: {each.field}: {each.message}{more}"
        yield Problem(message, Place(key, each.path), remedy)
    if not judgement.all_causes:
        yield Problem(f"{key} cannot be read: {otherwise}", Place(key), _REMEDY)


def _as_v1beta1(manifest: Manifest) -> Manifest:
    """An object of v1alpha1 as v1beta1 writes it, which differs only in the name of a Cohort's parent."""
    data = {**manifest.data, "apiVersion": f"{GROUP}/{VERSIONS[0]}"}
    spec = data.get("spec")
    if manifest.key.kind == "Cohort" and isinstance(spec, dict) and "parent" in spec:
        data["spec"] = {("parentName" if name == "parent" else name): each for name, each in spec.items()}
    return replace(manifest, version=VERSIONS[0], held_data=data)


def _not_served(manifest: Manifest) -> Cause:
    return cause(UNSUPPORTED, ("apiVersion",), f"Kueue v0.19 does not serve `{manifest.api_version}`")


def _as_it_stands(manifest: Manifest, stored: JsonObject) -> dict[str, Json]:
    """The object as it would be stored on creation, with the server's fields if the text has them.

    A dump may have lost its resourceVersion, and a state written by a person never had one. In both, the status is
    meant to be used.
    """
    written = manifest.data["metadata"]
    server_set = {field: written[field] for field in _SERVER_SET if field in written}
    if not server_set and "status" not in manifest.data:
        return dict(stored)
    from kubectl_fairshare.schedulers.kueue.admission.conversion import ConversionError, to_v1beta2

    data = {**stored, "metadata": {**stored["metadata"], **server_set}}
    if manifest.data.get("status") is None:
        return data
    try:
        converted = to_v1beta2(manifest.data)
    except ConversionError:  # a create always drops the status
        return data
    return {**data, "status": converted["status"]} if "status" in converted else data
