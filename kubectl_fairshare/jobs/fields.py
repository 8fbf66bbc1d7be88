"""Reads fields of foreign objects: returns the wanted type, or raises an error with object and field."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath, Json, field_text
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.placeholders import FILL_IN, placeholder_in

_WHOLE_INT32: Final = (1 << 31) - 1
_THOUSANDTH: Final = 10**6
_new = tuple.__new__


class Field(NamedTuple):
    """A value and its place. A missing field has the value None, and so do its children.

    Every reader raises ``FairshareError`` for a value of another type.
    """

    owner: ObjectKey
    path: FieldPath
    value: Json

    @property
    def place(self) -> Place:
        """The symbolic place of the field."""
        return Place(self.owner, self.path)

    def at(self, *names: str) -> "Field":
        """The field below this one, one name per level."""
        owner, path, value = self
        for name in names:
            if isinstance(value, dict):
                value = value.get(name)
            elif value is None:
                break
            else:
                raise self._not_an_object(names)
        return _new(Field, (owner, path + names, value))  # half the time of Field(…), and thousands of jobs are read

    def _not_an_object(self, names: tuple[str, ...]) -> FairshareError:
        """The error for the first value on the way that has no fields."""
        above = [self.at(*names[:depth]) for depth in range(len(names))]
        first = next(field for field in above if field.value is not None and not isinstance(field.value, dict))
        return wrong(first.place, "an object", first.value)

    def entries(self) -> tuple["Field", ...]:
        """The elements of a list."""
        if self.value is None:
            return ()
        if not isinstance(self.value, list):
            raise wrong(self.place, "a list", self.value)
        return tuple(Field(self.owner, (*self.path, i), v) for i, v in enumerate(self.value))

    def text(self, default: str = "") -> str:
        """A string."""
        if self.value is None:
            return default
        if not isinstance(self.value, str):
            raise wrong(self.place, "a string", self.value)
        return self.value

    def texts(self) -> dict[str, str]:
        """An object of strings, as labels and annotations are."""
        return {name: self.at(name).text() for name in self.mapping()}

    def mapping(self) -> Mapping[str, Json]:
        """An object."""
        if self.value is None:
            return {}
        if not isinstance(self.value, dict):
            raise wrong(self.place, "an object", self.value)
        return self.value

    def moment(self) -> int | None:
        """A moment, in nanoseconds since 1970; None for an absent or empty one."""
        text = self.text()
        try:
            return nanoseconds(text) if text else None
        except ValueError as error:
            message = f"`{field_text(self.path)}` is not a moment: `{text[:64]}`"
            raise FairshareError(Problem(message, self.place, "write it like `2026-01-31T12:00:00Z`")) from error

    def flag(self) -> bool:
        """A boolean; absent is false."""
        if self.value is None:
            return False
        if not isinstance(self.value, bool):
            raise wrong(self.place, "true or false", self.value)
        return self.value

    def integer(self, default: int) -> int:
        """A whole number of 32 bits."""
        value = self.value
        if value is None:
            return default
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not -_WHOLE_INT32 - 1 <= value <= _WHOLE_INT32:
            raise wrong(self.place, "a whole number of 32 bits", self.value)
        return value

    def natural(self, default: int) -> int:
        """A whole number of 32 bits that is not negative."""
        value = self.integer(default)
        if value < 0:
            raise FairshareError(Problem(f"`{field_text(self.path)}` is negative: `{value}`", self.place))
        return value

    def resources(self, *, native: bool, negative: bool = False) -> dict[str, int]:
        """A resource list: amounts in 10⁻⁹, ``negative`` ones if they count; ``native`` as in ``nano``."""
        return {name: self.at(name).nano(native=native, negative=negative) for name in self.mapping()}

    def nano(self, *, native: bool, negative: bool = False) -> int:
        """A quantity in 10⁻⁹; a ``negative`` one only if it counts; null is 0.

        Kubernetes' ``native`` kinds also take fractions without quotes, and store whole thousandths,
        rounded up; custom resources do neither.
        """
        value = 0 if self.value is None else self.value
        if native and isinstance(value, float):
            value = repr(value)
        try:
            amount = quantity.nano(value)
        except quantity.QuantityError as error:
            if placeholder := placeholder_in(value):
                raise FairshareError(Problem(f"`{placeholder}` is a placeholder", self.place, FILL_IN)) from error
            help_text = "put quotes around it" if isinstance(value, float) else "write it like `500m`, `2` or `4Gi`"
            raise FairshareError(
                Problem(f"{_description(self.value)} is not a quantity", self.place, help_text)
            ) from error
        if amount < 0 and not negative:
            raise FairshareError(Problem(f"quantity `{self.value}` is negative", self.place, "write 0 or more"))
        return -(-amount // _THOUSANDTH) * _THOUSANDTH if native else amount


def root_of(manifest: Manifest) -> Field:
    """The whole object as a field."""
    return Field(manifest.key, (), manifest.data)


def wrong(place: Place, wanted: str, value: Json) -> FairshareError:
    """The error for a value of another type than ``wanted``; a placeholder is named as such."""
    if placeholder := placeholder_in(value):
        return FairshareError(Problem(f"`{placeholder}` is a placeholder", place, FILL_IN))
    where = f"`{field_text(place.path)}`" if place.path else "the document"
    return FairshareError(Problem(f"{where} must be {wanted}, not {_description(value)}", place))


def _description(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else f"`{str(value)[:64]}`"
