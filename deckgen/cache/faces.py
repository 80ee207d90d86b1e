"""How notes look: the fields of each, by everything that they were rendered from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from deckgen.cache.folder import Folder
from deckgen.cache.tools import digest, tools
from deckgen.model.deck import Kind

Face = tuple[Kind, tuple[str, ...], tuple[str, ...], str, tuple[int, ...]]
"""Kind, fields, tags, answer in plain words, ordinals of the cards."""

_DECODER = msgspec.msgpack.Decoder(dict[bytes, Face])


@dataclass(slots=True)
class Faces:
    """The faces of the notes of one source. Those that were not asked for again are forgotten."""

    folder: Folder
    source: str
    _known: Mapping[bytes, Face] = field(init=False)
    _used: dict[bytes, Face] = field(default_factory=dict)
    _new: bool = False

    def __post_init__(self) -> None:
        self._known = self._read()

    def get(self, name: bytes) -> Face | None:
        face = self._known.get(name)
        if face is not None:
            self._used[name] = face
        return face

    def put(self, name: bytes, face: Face) -> None:
        self._used[name] = face
        self._new = True

    def save(self) -> None:
        """Writes what was used, if there is anything new."""
        if self._new:
            self.folder.write(self._name(), tools().encode() + msgspec.msgpack.encode(self._used))

    def _name(self) -> str:
        return digest(self.source)

    def _read(self) -> Mapping[bytes, Face]:
        data = self.folder.read(self._name())
        made_by = tools().encode()
        if data is None or not data.startswith(made_by):
            return {}
        try:
            return _DECODER.decode(data[len(made_by) :])
        except msgspec.DecodeError:
            return {}
