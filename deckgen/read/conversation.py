"""Conversations exported as JSON: ChatGPT's `conversations.json`, and lists of `{role, content}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from deckgen.model.document import Block, Document, Heading, Speaker, Turn
from deckgen.model.source import Source, line_span
from deckgen.read import located, markdown
from deckgen.read.assemble import document_of_blocks, moved_to
from deckgen.read.located import Json, Located, lines_of
from deckgen.text.pattern import pattern

_ROLE = pattern(r'"(?:role|author|sender|from|speaker)"\s*:')
_ROLE_KEYS = ("role", "author", "sender", "from", "speaker", "type")
_TEXT_KEYS = ("content", "text", "value", "message", "parts")
_LIST_KEYS = ("messages", "chat_messages", "conversations", "conversation", "history", "turns")
_TITLE_KEYS = ("title", "name", "topic")
_SPEAKERS: dict[str, Speaker] = {
    **dict.fromkeys(("user", "human", "prompter"), "pupil"),
    **dict.fromkeys(("assistant", "gpt", "chatgpt", "ai", "bot", "model", "claude"), "tutor"),
    "system": "system",
}
"""Roles as exporters write them; messages of others (tools, plug-ins) are left out."""
_DEEPEST = 4
"""Wrappings around the text of a message."""


class _Message(NamedTuple):
    speaker: Speaker
    parts: list[str]
    """Each begins a line of its own."""


class _Talk(NamedTuple):
    title: str
    messages: Sequence[_Message]


def read(source: Source) -> Document | None:
    """A turn for each message, and its Markdown. All blocks of a message stand on its line of the file."""
    if source.text.lstrip()[:1] not in ("[", "{") or not _ROLE.search(source.text):
        return None
    strings: list[Located] = []
    try:
        talks = [talk for talk in _talks(located.loads(source.text, strings=strings)) if talk.messages]
    except ValueError:
        return None
    if not talks:
        return None
    places = located.set_apart(strings)
    blocks: list[Block] = []
    for talk in talks:
        if isinstance(talk.title, Located) and talk.title.strip():
            blocks.append(Heading(line_span(talk.title.line), 1, talk.title.strip()))
        for message in talk.messages:
            blocks += _turn(message)
    blocks.sort(key=lambda block: block.span.start)
    return document_of_blocks(source, "conversation", blocks, title=talks[0].title, chat=True, places=places)


def _turn(message: _Message) -> list[Block]:
    parts = [lines_of(part) for part in message.parts]
    numbers = [number for _, lines in parts for number in lines]
    if not numbers:
        return []
    texts = [text for lines, _ in parts for text in lines]
    return [Turn(line_span(numbers[0]), message.speaker), *moved_to(markdown.blocks_of(texts), numbers)]


def _talks(value: Json) -> Iterator[_Talk]:
    """The conversations of an export, each in the order in which it was held."""
    if isinstance(value, list):
        if messages := _messages(value):
            yield _Talk("", messages)
        else:
            for entry in value:
                if isinstance(entry, dict):
                    yield from _talks(entry)
    elif isinstance(value, dict):
        title = next((value[key] for key in _TITLE_KEYS if isinstance(value.get(key), str)), "")
        if isinstance(value.get("mapping"), dict):
            yield _Talk(title, _messages(_path(value["mapping"], value.get("current_node"))))
            return
        for found in (value[key] for key in _LIST_KEYS if isinstance(value.get(key), list)):
            yield from ([_Talk(title, messages)] if (messages := _messages(found)) else _talks(found))


def _path(mapping: Mapping[str, Json], node: Json) -> list[Json]:
    """The messages from the first to the current one: other branches are answers that were discarded."""
    found: dict[str, Json] = {}
    while isinstance(node, str) and node not in found and isinstance(entry := mapping.get(node), dict):
        found[node] = entry.get("message")
        node = entry.get("parent")
    return list(found.values())[::-1]


def _messages(values: Sequence[Json]) -> list[_Message]:
    found = []
    for value in values:
        if isinstance(value, dict) and (speaker := _speaker(value)) is not None:
            text = _text(next((value[key] for key in _TEXT_KEYS if value.get(key)), None))
            found += [_Message(speaker, text)] if text else []
    return found


def _speaker(message: Mapping[str, Json]) -> Speaker | None:
    for value in map(message.get, _ROLE_KEYS):
        role = value.get("role", value.get("name")) if isinstance(value, dict) else value
        if isinstance(role, str) and role.lower() in _SPEAKERS:
            return _SPEAKERS[role.lower()]
    return None


def _text(content: Json, depth: int = 0) -> list[str]:
    """The strings of a message's content, in whatever wrapping; each begins a line of its own."""
    if isinstance(content, str):
        return [content]
    if isinstance(content, dict):
        content = [next((content[key] for key in ("parts", "text", "value") if content.get(key)), None)]
    if not isinstance(content, list) or depth > _DEEPEST:
        return []
    return [text for part in content for text in _text(part, depth + 1)]
