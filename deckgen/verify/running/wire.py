"""The wire: observations as the JSON that workers send and the cache keeps."""

from __future__ import annotations

from typing import Any

from deckgen.observation import Event, Observation, Value

Json = dict[str, Any]


def value(found: Json) -> Value:
    """A `Value` from the worker's description."""
    return Value(
        kind=found["kind"],
        type=found["type"],
        repr=found["repr"],
        shape=_tuple(found.get("shape")),
        dtype=found.get("dtype"),
        device=found.get("device"),
        requires_grad=found.get("requires_grad"),
        grad_fn=found.get("grad_fn"),
        data=_data(found.get("data")),
        items=tuple(value(item) for item in found.get("items", ())),
        keys=tuple(value(key) for key in found.get("keys", ())),
    )


def _tuple(numbers: list[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(numbers)


def _data(elements: list[Any] | None) -> tuple[Any, ...] | None:
    if elements is None:
        return None
    return tuple(complex(one["re"], one["im"]) if isinstance(one, dict) else one for one in elements)


def event(found: Json) -> Event:
    """An `Event` from the worker's frame."""
    return Event(
        kind=found["kind"],
        text=found["text"],
        inner=found["inner"],
        outer=found["outer"],
        outer_end=found["outer_end"],
        target=found.get("target"),
        values=tuple(value(one) for one in found.get("values", ())),
        random=found.get("random", False),
        of_torch=found.get("of_torch", False) is True,
    )


def observation(found: Json) -> Observation:
    """An `Observation` from what the cache keeps of it; the plan adds needs, context and prelude."""
    return Observation(
        status=found["status"],
        events=tuple(event(one) for one in found["events"]),
        exception=found["exception"],
        exception_line=found["exception_line"],
        reason=found["reason"],
        device=found["device"],
        seed=found["seed"],
    )
