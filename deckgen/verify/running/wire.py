"""The wire: observations as the JSON that workers send and the cache keeps."""

from __future__ import annotations

from typing import Any, TypeVar

from deckgen.model.observation import Event, Observation, Value

Json = dict[str, Any]


_Known = TypeVar("_Known")
_TEXT, _OPTIONAL_TEXT, _OPTIONAL_INT, _ELEMENT = (
    (str,),
    (str, type(None)),
    (int, type(None)),
    (int, float, bool, str, type(None)),
)
DEEPEST = 40
"""Values in values; the worker describes fewer."""


def _typed(part: _Known, types: tuple[type, ...]) -> _Known:
    """A part of a frame, if it is of one of these types. Raises TypeError: a snippet may have written the frame itself."""
    if not isinstance(part, types):
        raise TypeError(f"{type(part).__name__} in a frame")
    return part


def value(found: Json, depth: int = 0) -> Value:
    """A `Value` from the worker's description. Raises TypeError, KeyError or ValueError for what no worker describes."""
    if depth > DEEPEST:
        raise ValueError("values in values without end")
    return Value(
        kind=_typed(found["kind"], _TEXT),
        type=_typed(found["type"], _TEXT),
        repr=_typed(found["repr"], _TEXT),
        shape=_tuple(found.get("shape")),
        dtype=_typed(found.get("dtype"), _OPTIONAL_TEXT),
        device=_typed(found.get("device"), _OPTIONAL_TEXT),
        requires_grad=_typed(found.get("requires_grad"), (bool, type(None))),
        grad_fn=_typed(found.get("grad_fn"), _OPTIONAL_TEXT),
        data=_data(found.get("data")),
        items=tuple(value(item, depth + 1) for item in found.get("items", ())),
        keys=tuple(value(key, depth + 1) for key in found.get("keys", ())),
    )


def _tuple(numbers: list[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(_typed(number, (int,)) for number in numbers)


def _data(elements: list[Any] | None) -> tuple[Any, ...] | None:
    if elements is None:
        return None
    return tuple(complex(one["re"], one["im"]) if isinstance(one, dict) else _typed(one, _ELEMENT) for one in elements)


def event(found: Json) -> Event:
    """An `Event` from the worker's frame. Raises as `value`."""
    return Event(
        kind=_typed(found["kind"], _TEXT),
        text=_typed(found["text"], _TEXT),
        inner=_typed(found["inner"], _OPTIONAL_INT),
        outer=_typed(found["outer"], _OPTIONAL_INT),
        outer_end=_typed(found["outer_end"], _OPTIONAL_INT),
        target=_typed(found.get("target"), _OPTIONAL_TEXT),
        values=tuple(value(one) for one in found.get("values", ())),
        random=found.get("random", False) is True,
        of_torch=found.get("of_torch", False) is True,
    )


def observation(found: Json) -> Observation:
    """An `Observation` from what the cache keeps of it; the plan adds needs, context and prelude."""
    return Observation(
        status=found["status"],
        events=tuple(event(one) for one in found["events"]),
        exception=_typed(found["exception"], _OPTIONAL_TEXT),
        exception_line=_typed(found["exception_line"], _OPTIONAL_INT),
        reason=_typed(found["reason"], _OPTIONAL_TEXT),
        device=_typed(found["device"], _TEXT),
        seed=_typed(found["seed"], _OPTIONAL_INT),
    )
