"""Conversations exported as JSON: ChatGPT's `conversations.json`, and lists of `{role, content}`, in one array or one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from deckgen.model.document import Block, Document, Heading, Speaker, Turn
from deckgen.model.source import Source, Span, line_span
from deckgen.read import located, markdown
from deckgen.read.assemble import document_of_blocks, moved
from deckgen.read.located import Json, Located, lines_of, told_apart
from deckgen.text.pattern import pattern

_OPENING = pattern(r"\s*[\[{]")
_ROLE = pattern(r'"(?:role|author|sender|from|speaker)"\s*:')
_ROLE_KEYS = ("role", "author", "sender", "from", "speaker", "type")
_TEXT_KEYS = ("content", "text", "value", "message", "parts")
_LIST_KEYS = ("messages", "chat_messages", "conversations", "conversation", "history", "turns")
_TITLE_KEYS = ("title", "name", "topic")
_SPEAKERS: dict[str, Speaker] = {
    "user": "pupil",
    "human": "pupil",
    "prompter": "pupil",
    "assistant": "tutor",
    "gpt": "tutor",
    "chatgpt": "tutor",
    "ai": "tutor",
    "bot": "tutor",
    "model": "tutor",
    "claude": "tutor",
    "system": "system",
}
"""Roles as exporters write them; messages of others (tools, plug-ins) are left out."""


class _Message(NamedTuple):
    speaker: Speaker
    parts: list[str]
    """Each begins a line of its own."""


class _Talk(NamedTuple):
    title: str
    messages: Sequence[_Message]


def claims_source(source: Source) -> bool:
    """JSON in which somebody says something."""
    if not _OPENING.match(source.text) or not _ROLE.search(source.text):
        return False
    return any(talk.messages for talk in _talks(_loaded(source, [])))


def read(source: Source) -> Document:
    """A turn for each message, and its Markdown. All blocks of a message stand on its line of the file."""
    strings: list[Located] = []
    talks = [talk for talk in _talks(_loaded(source, strings)) if talk.messages]
    places = told_apart(strings)
    blocks: list[Block] = []
    for talk in talks:
        if isinstance(talk.title, Located) and talk.title.strip():
            blocks.append(Heading(line_span(talk.title.line), 1, talk.title.strip()))
        for message in talk.messages:
            blocks += _turn(message)
    blocks.sort(key=lambda block: block.span.start)
    return document_of_blocks(source, "chat", blocks, title=talks[0].title if talks else "", places=places)


def _loaded(source: Source, strings: list[Located]) -> Json:
    try:
        return located.loads(source.text, strings=strings)
    except ValueError:
        strings.clear()
        return _by_lines(source, strings)


def _by_lines(source: Source, strings: list[Located]) -> Json:
    """The values of a file that holds one a line; None if a line is no JSON."""
    filled = [(number, line) for number, line in enumerate(source.lines) if line.strip()]
    try:
        return [located.loads(line, number, strings) for number, line in filled] if len(filled) > 1 else None
    except ValueError:
        return None


def _turn(message: _Message) -> list[Block]:
    texts: list[str] = []
    numbers: list[int] = []
    for part in message.parts:
        text, lines = lines_of(part)
        texts += text
        numbers += lines
    if not numbers:
        return []
    turn = Turn(line_span(numbers[0]), message.speaker)

    def place(span: Span) -> Span:
        start = numbers[min(span.start, len(numbers) - 1)]
        last = numbers[min(max(span.start, span.stop - 1), len(numbers) - 1)]
        return Span(start, max(start, last) + 1)

    return [turn, *(moved(block, place) for block in markdown.blocks_of(texts))]


def _talks(value: Json) -> Iterator[_Talk]:
    """The conversations of an export, each in the order in which it was held."""
    if isinstance(value, list):
        messages = _messages(value)
        if messages:
            yield _Talk("", messages)
            return
        for entry in value:
            if isinstance(entry, dict):
                yield from _talks(entry)
    elif isinstance(value, dict):
        title = next((value[key] for key in _TITLE_KEYS if isinstance(value.get(key), str)), "")
        if isinstance(value.get("mapping"), dict):
            yield _Talk(title, _messages(_path(value["mapping"], value.get("current_node"))))
            return
        for key in _LIST_KEYS:
            if isinstance(value.get(key), list):
                messages = _messages(value[key])
                if messages:
                    yield _Talk(title, messages)
                else:
                    yield from _talks(value[key])


def _path(mapping: Mapping[str, Json], current: Json) -> list[Json]:
    """The messages from the first to the current one: other branches are answers that were discarded."""
    found: list[Json] = []
    seen: set[str] = set()
    node = current if isinstance(current, str) and current in mapping else _last_leaf(mapping)
    while node in mapping and node not in seen:
        seen.add(str(node))
        entry = mapping[node]
        if not isinstance(entry, dict):
            break
        found.append(entry.get("message"))
        parent = entry.get("parent")
        node = parent if isinstance(parent, str) else ""
    return found[::-1]


def _last_leaf(mapping: Mapping[str, Json]) -> str:
    leaves = [key for key, entry in mapping.items() if isinstance(entry, dict) and not entry.get("children")]
    return leaves[-1] if leaves else ""


def _messages(values: Sequence[Json]) -> list[_Message]:
    found = []
    for value in values:
        speaker = _speaker(value) if isinstance(value, dict) else None
        if speaker is not None and isinstance(value, dict):
            text = _text(next((value[key] for key in _TEXT_KEYS if value.get(key)), None))
            if text:
                found.append(_Message(speaker, text))
    return found


def _speaker(message: Mapping[str, Json]) -> Speaker | None:
    for key in _ROLE_KEYS:
        role = message.get(key)
        if isinstance(role, dict):
            role = role.get("role", role.get("name"))
        if isinstance(role, str) and role.lower() in _SPEAKERS:
            return _SPEAKERS[role.lower()]
    return None


def _text(content: Json, depth: int = 0) -> list[str]:
    """The strings of a message's content, in whatever wrapping; each begins a line of its own."""
    if isinstance(content, str):
        return [content]
    if depth > 4:
        return []
    if isinstance(content, dict):
        return next((_text(content[key], depth + 1) for key in ("parts", "text", "value") if content.get(key)), [])
    if isinstance(content, list):
        return [text for part in content for text in _text(part, depth + 1)]
    return []
