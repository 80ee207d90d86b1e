"""`deckgen mcp`: a server of the Model Context Protocol (modelcontextprotocol.io) on the standard streams.

Each call is one run of the command line in a folder of its own, which is gone when the call ends: what a card does reaches no
other call, whoever gives a call up ends its processes, and what was observed comes from deckgen's cache the next time.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from deckgen import __version__
from deckgen.app.call_folder import call_folder, ends_with_its_parent, remove_left_folders
from deckgen.app.verdicts import cards_as_lines, check_of
from deckgen.report import schemas

GRACE = 5.0
"""Seconds in which a run that is given up may clear up after itself."""
NO_FILES: Mapping[str, str] = MappingProxyType({})
FOUND = frozenset({0, 1, 3})
"""Exit statuses of a run that has verdicts to tell."""
INSTRUCTIONS = """Checks flashcards and notes about PyTorch against the torch that is installed here. Before you give cards to \
anybody, call check_cards and mend those that are `refuted`: `claims` says what torch observed. An answer that is a value, a \
shape, a dtype, an exception or a default, for code in backticks that stands alone, can be proved; reasons and opinions stay `open`."""


class CallError(Exception):
    """What the caller did wrong, or what this machine cannot do: told to the caller, and the server goes on."""


class Ran(NamedTuple):
    """What a run of the command line said."""

    out: str
    err: str


@dataclass(slots=True)
class Service:
    """The tools."""

    options: Sequence[str] = ()
    """Of `deckgen verify`."""
    look_up_options: Sequence[str] = ()
    """Of `deckgen api`."""
    _one: anyio.Lock = field(default_factory=anyio.Lock)
    """A run takes all cores, so that one at a time is as fast as several."""
    calls: set[anyio.CancelScope] = field(default_factory=set)
    """Those that run."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """What a tool answers. What the caller did wrong is an answer, too."""
        with anyio.CancelScope() as scope:
            self.calls.add(scope)
            try:
                if name not in TOOLS:
                    raise CallError(f"there is no tool `{name}`")
                async with self._one:
                    return await TOOLS[name].answer(self, arguments)
            except CallError as error:
                return _answer(str(error), is_error=True)
            finally:
                self.calls.discard(scope)
        return _answer("stopped", is_error=True)

    async def check_cards(self, arguments: Mapping[str, Any]) -> types.CallToolResult:
        cards = arguments.get("cards")
        if not isinstance(cards, list) or not cards:
            raise CallError("`cards` must be a list of cards: see the schema of this tool")
        return await self._check(cards_as_lines(cards), "cards.jsonl", cards)

    async def check_markdown(self, arguments: Mapping[str, Any]) -> types.CallToolResult:
        text = arguments.get("text")
        if not isinstance(text, str) or not text.strip():
            raise CallError("`text` must be Markdown")
        return await self._check(text, "notes.md", None)

    async def _check(self, text: str, name: str, cards: list[object] | None) -> types.CallToolResult:
        ran = await run(("verify", name, "--format", "json", *self.options), {name: text})
        told = check_of(json.loads(ran.out), cards)
        return _answer(json.dumps(told, ensure_ascii=False), told)

    async def api(self, arguments: Mapping[str, Any]) -> types.CallToolResult:
        names = arguments.get("names")
        if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
            raise CallError("`names` must be a list of names, such as `torch.optim.Adam`")
        ran = await run(("api", *self.look_up_options, "--", *names))
        return _answer(f"{ran.out}\n{ran.err}".strip())


def _answer(text: str, data: dict[str, Any] | None = None, *, is_error: bool = False) -> types.CallToolResult:
    content = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=[*content], structured_content=data, is_error=is_error)


@dataclass(frozen=True, slots=True)
class Tool:
    """What a caller is told of a tool, and what answers."""

    answer: Callable[[Service, Mapping[str, Any]], Awaitable[types.CallToolResult]]
    description: str
    takes: Callable[[], dict[str, Any]]
    is_check: bool = True


def _cards_taken() -> dict[str, Any]:
    definitions = schemas.schema(schemas.TAKEN_IN)["$defs"]
    cards = {"type": "array", "items": {"$ref": "#/$defs/card"}, "minItems": 1}
    return {"type": "object", "required": ["cards"], "properties": {"cards": cards}, "$defs": definitions}


def _text_taken() -> dict[str, Any]:
    text = {"type": "string", "description": "Markdown, as in a file of notes"}
    return {"type": "object", "required": ["text"], "properties": {"text": text}}


def _names_taken() -> dict[str, Any]:
    names = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    return {"type": "object", "required": ["names"], "properties": {"names": names}}


TOOLS: Mapping[str, Tool] = {
    "check_cards": Tool(
        Service.check_cards,
        "Checks flashcards about PyTorch by running them: one verdict for each card, and what is right where torch says otherwise.",
        _cards_taken,
    ),
    "check_markdown": Tool(
        Service.check_markdown,
        "Checks notes in Markdown: the verdicts on the cards in them, and on what their code and names claim besides.",
        _text_taken,
    ),
    "api": Tool(
        Service.api,
        "Looks up names (functions, classes, modules) in the torch that is installed: a table of signatures, parameters and first sentences.",
        _names_taken,
        is_check=False,
    ),
}


async def run(arguments: Sequence[str], files: Mapping[str, str] = NO_FILES) -> Ran:
    """Runs `deckgen` in a folder that has only these files. Its processes and the folder are gone when this returns, also if
    it is given up. Raises CallError if it has nothing to tell, or cannot be started with that.
    """
    with call_folder() as folder:
        try:
            for name, text in files.items():
                (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
            process = await _started(arguments, folder)
        except (OSError, ValueError) as error:  # of texts that no command line can have: too long, half a character
            raise CallError(f"this cannot be asked: {error}") from None
        try:
            out, err = await process.communicate()
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
    ran = Ran(out.decode("utf-8"), err.decode("utf-8"))
    if process.returncode not in FOUND:
        raise CallError(ran.err.strip() or f"the run ended with status {process.returncode}")
    return ran


async def _started(arguments: Sequence[str], folder: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "deckgen", *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder), "XDG_DATA_HOME": str(folder), "NO_COLOR": "1"},
        preexec_fn=ends_with_its_parent(),
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    """Asks a run to end, and ends it if it does not."""
    if process.returncode is not None:
        return
    process.terminate()
    with anyio.move_on_after(GRACE):
        await process.wait()
    if process.returncode is None:
        process.kill()
        await process.wait()


def server(service: Service) -> Server[Any]:
    """The protocol's side of the tools."""

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        told = schemas.schema("deckgen.check/1")
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=tool.description,
                    input_schema=tool.takes(),
                    output_schema=told if tool.is_check else None,
                    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
                )
                for name, tool in TOOLS.items()
            ]
        )

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await service.call(params.name, params.arguments or {})

    return Server(
        "deckgen",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(service: Service) -> None:
    """Answers until nobody asks any more, or a signal comes. Raises BrokenPipeError if nobody listens."""
    remove_left_folders()
    gc.enable()  # what a single run does without (`cli.main`)
    try:
        anyio.run(_serve, service)
    except BaseExceptionGroup as errors:
        if errors.split(BrokenPipeError)[1] is None:  # whoever asked has gone
            raise BrokenPipeError from None
        raise


async def _serve(service: Service) -> None:
    served = server(service)
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        if sys.platform != "win32":
            tasks.start_soon(_heed_signals, service)
        await served.run(read, write, served.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _heed_signals(service: Service) -> None:
    """Ends as who is asked to, once nothing of a call is left. The thread that reads the stream could not be told to stop."""
    asking = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        asking.append(signal.SIGHUP)
    with anyio.open_signal_receiver(*asking) as signals:
        async for number in signals:
            for scope in service.calls:
                scope.cancel()
            while service.calls:
                await anyio.sleep(0.02)
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
