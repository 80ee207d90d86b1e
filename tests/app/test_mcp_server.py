"""The server of the Model Context Protocol, driven by the official client: a real process, as an editor or an agent starts it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from processes import as_from_a_terminal, eventually, processes
from schemas import faults

from deckgen.app.call_folder import call_folder, remove_left_folders

pytestmark = [
    pytest.mark.slow,
    pytest.mark.linux("has no sandbox that can be required"),
]

TRUE = [
    {"id": "sum", "question": "What does `torch.arange(4).sum()` return?", "answer": "`tensor(6)`"},
    {"id": "shape", "front": "What is the shape of `torch.ones(2, 3).T`?", "back": "`(3, 2)`"},
    {"id": "dtype", "question": "What is the dtype of `torch.tensor([1])`?", "answer": "`torch.int64`"},
    {
        "id": "raises",
        "question": "Which exception does `torch.ones(2) + torch.ones(3)` raise?",
        "answer": "`RuntimeError`",
    },
    {"id": "default", "question": "What is the default `lr` of `torch.optim.SGD`?", "answer": "`0.001`"},
    {"id": "gap", "text": "`torch.ones(2, 3)` has {{c1::6}} elements."},
    {
        "id": "choice",
        "question": "What is the dtype of `torch.tensor([1.])`?",
        "choices": ["`torch.float64`", "`torch.float32`"],
        "answer": "B",
    },
    {
        "id": "prints",
        "question": "What does this print?",
        "code": "import torch\nx = torch.arange(6).view(2, 3)\nprint(x.sum(0))",
        "answer": "`tensor([3, 5, 7])`",
    },
]
FALSE = [
    {**TRUE[0], "answer": "`tensor(7)`"},
    {**TRUE[1], "back": "`(2, 3)`"},
    {**TRUE[2], "answer": "`torch.int32`"},
    {**TRUE[3], "answer": "`ValueError`"},
    {**TRUE[4], "answer": "`0.01`"},
    {**TRUE[5], "text": "`torch.ones(2, 3)` has {{c1::5}} elements."},
    {**TRUE[6], "answer": "A"},
    {**TRUE[7], "answer": "`tensor([3, 12])`"},
]
RIGHT = ["tensor(6)", "(3, 2)", "torch.int64", "RuntimeError", "lr=0.001", "6", "torch.float32", "tensor([3, 5, 7])"]


class Server:
    """The server's folder, and a connection to it for each test."""

    def __init__(self, place: Path, temporary: Path, environment: dict[str, str]) -> None:
        self.place, self.temporary, self.environment = place, temporary, environment

    @asynccontextmanager
    async def connected(self, *options: str) -> AsyncIterator[Client]:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "deckgen", "mcp", *options], cwd=self.place, env=self.environment
        )
        async with Client(stdio_client(command)) as client:
            yield client

    def answers(self, talk: Callable[[Client], Any], *options: str) -> Any:
        """What a conversation comes to."""

        async def conversation() -> Any:
            async with self.connected(*options) as client:
                return await talk(client)

        return anyio.run(conversation)

    @property
    def leftovers(self) -> list[int]:
        """Processes that a call started: each works in a folder of ours."""
        found = set(processes(str(self.temporary)))
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(folder / "cwd").startswith(str(self.temporary)):
                    found.add(int(folder.name))
            except OSError:
                continue
        return sorted(found)


@pytest.fixture
def server(tmp_path):
    place, temporary = tmp_path / "place", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    environment = {"TMPDIR": str(temporary), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return Server(place, temporary, environment)


async def check(client: Client, cards: list[Any]) -> dict[str, Any]:
    result = await client.call_tool("check_cards", {"cards": cards})
    assert not result.is_error, result
    assert faults(result.structured_content) == []
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


def test_its_tools_say_what_they_take_and_give(server):
    async def talk(client):
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in server.answers(talk)}
    assert set(tools) == {"check_cards", "check_markdown", "api"}
    assert tools["check_cards"].input_schema["$defs"]["card"]["properties"]["choices"]
    assert tools["check_markdown"].output_schema["title"] == "deckgen.check/1"


def test_true_cards_are_proved_and_false_ones_refuted_with_what_is_right(server):
    told: dict[str, Any] = {}

    async def ask(client, name, cards):
        told[name] = (await check(client, cards))["cards"]

    async def talk(client):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, client, "true", TRUE)
            tasks.start_soon(ask, client, "false", FALSE)

    server.answers(talk)
    true, false = told["true"], told["false"]
    assert [card["verdict"] for card in (*true, *false)] == ["proved"] * 8 + ["refuted"] * 8
    assert [card["id"] for card in true] == [card["id"] for card in TRUE]
    for card, right in zip(false, RIGHT, strict=True):
        assert any(right in (claim["observed"] or "") for claim in card["claims"]), card


def test_each_card_has_its_verdict_also_if_it_is_none(server):
    cards = [
        TRUE[0],
        {"front": "What?", "id": "half"},
        7,
        {"question": "Why is `torch.sum` fast?", "answer": "It is vectorised."},
        TRUE[0],
    ]

    async def talk(client):
        return await check(client, cards)

    told = server.answers(talk)["cards"]
    assert [card["verdict"] for card in told] == ["proved", "unreadable", "unreadable", "names", "unreadable"]
    assert all(card["why"] for card in told if card["verdict"] == "unreadable")
    assert [card["id"] for card in told] == [TRUE[0]["id"], "half", None, None, TRUE[0]["id"]]


def test_markdown_is_told_its_cards_and_what_it_claims_besides(server):
    text = "# A\n\nQ: What does `torch.arange(4).sum()` return?\nA: `tensor(7)`\n\nSee also `nn.Liner`.\n"

    async def talk(client):
        return (await client.call_tool("check_markdown", {"text": text})).structured_content

    told = server.answers(talk)
    assert faults(told) == []
    assert [card["verdict"] for card in told["cards"]] == ["refuted"]
    assert [(claim["line"], claim["observed"]) for claim in told["claims"]] == [(6, "torch.nn.Linear")]


def test_names_are_looked_up_and_wrong_calls_are_answered(server):
    async def talk(client):
        calls = [
            ("api", {"names": ["torch.optim.SGD", "torch.nope"]}),
            ("api", {"names": ["--help"]}),
            ("api", {"names": []}),
            ("api", {"names": ["torch.\0sum"]}),
            ("api", {"names": ["torch.sum" * 100_000]}),
            ("check_cards", {"cards": "all"}),
            ("check_markdown", {}),
            ("build", {}),
        ]
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    found, option, *wrong = server.answers(talk)
    assert "lr=0.001" in found.content[0].text
    assert "torch has no such name" in found.content[0].text
    assert "torch has no such name" in option.content[0].text
    assert all(one.is_error for one in wrong)
    assert [one.content[0].text.partition(":")[0] for one in wrong[1:3]] == ["this cannot be asked"] * 2


HOSTILE = """import os, pathlib, signal, socket
def refused(act):
    try:
        act()
    except OSError:
        return True
    return False
place = {place!r}
print([refused(act) for act in (
    lambda: pathlib.Path(place, "mine").write_text("here"),
    lambda: pathlib.Path(place, "secret.txt").read_text(),
    lambda: os.kill({server}, signal.SIGKILL),
    lambda: socket.create_connection(("127.0.0.1", {port}), 1),
)])
"""
LEAVES = "import os\nos._exit(0)\nprint('tensor(6)')"


def test_a_hostile_card_is_contained_and_the_next_call_is_answered(server):
    (server.place / "secret.txt").write_text("a secret")
    question = "What does this print?"

    async def talk(client):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            code = HOSTILE.format(place=str(server.place), server=os.getpid(), port=listening.getsockname()[1])
            hostile = [
                {"question": question, "code": code, "answer": "`[True, True, True, True]`"},
                {"question": question, "code": LEAVES, "answer": "`tensor(6)`"},
                TRUE[0],
            ]
            return await check(client, hostile), await check(client, FALSE[:1])

    first, second = server.answers(talk)
    assert first["environment"]["sandbox"] != "off"
    assert [card["verdict"] for card in first["cards"]] == ["proved", "refuted", "proved"]
    assert [card["verdict"] for card in second["cards"]] == ["refuted"]
    assert [path.name for path in server.place.iterdir()] == ["secret.txt"]
    assert server.leftovers == []


ENDLESS = {
    "question": "What does this print?",
    "code": "import time\nwhile True:\n    time.sleep(0.1)",
    "answer": "`nothing`",
}


def running_snippet(server: Server) -> Callable[[], bool]:
    """True once something of a call runs."""
    return lambda: len(server.leftovers) >= 3  # the run, its zygote, and a session of that


def test_a_call_that_is_given_up_leaves_nothing_and_the_next_is_answered(server):
    async def talk(client):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(check, client, [ENDLESS])
            await anyio.to_thread.run_sync(eventually, running_snippet(server))
            tasks.cancel_scope.cancel()
        gone = await anyio.to_thread.run_sync(
            eventually, lambda: server.leftovers == [] and not [*server.temporary.iterdir()]
        )
        return gone, await check(client, TRUE[:1])

    gone, told = server.answers(talk)
    assert gone
    assert [card["verdict"] for card in told["cards"]] == ["proved"]


@pytest.fixture
def process(server):
    """A server without a client, to which a test writes itself."""
    started = subprocess.Popen(
        [sys.executable, "-m", "deckgen", "mcp"],
        cwd=server.place,
        env={**os.environ, **server.environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=as_from_a_terminal,  # noqa: PLW1509 # no thread holds what it needs
    )
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    send(started, id=1, method="initialize", params=client)
    send(started, method="notifications/initialized")
    assert started.stdout.readline()
    yield started
    started.kill()
    started.wait()


def send(process: subprocess.Popen[bytes], **message: Any) -> None:
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    process.stdin.flush()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, None])
def test_a_server_that_ends_during_a_call_leaves_nothing(server, process, number):
    """By a signal, or since nobody asks any more."""
    send(process, id=2, method="tools/call", params={"name": "check_cards", "arguments": {"cards": [ENDLESS]}})
    assert eventually(running_snippet(server))
    if number is None:
        process.stdin.close()
    else:
        process.send_signal(number)
    assert process.wait() == (-number if number else 0)
    assert eventually(lambda: server.leftovers == [])
    assert [*server.temporary.iterdir()] == []


@pytest.mark.linux("nothing tells a process that its parent has gone")
def test_of_a_server_that_is_killed_nothing_runs_on_and_the_next_one_removes_its_folder(server, process):
    send(process, id=2, method="tools/call", params={"name": "check_cards", "arguments": {"cards": [ENDLESS]}})
    assert eventually(running_snippet(server))
    process.kill()
    assert eventually(lambda: server.leftovers == [], 10)
    (left,) = server.temporary.iterdir()
    os.utime(left, (0, 0))  # long ago

    async def talk(client):
        return [*server.temporary.iterdir()]

    assert server.answers(talk) == []


def test_a_folder_in_use_stays(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with call_folder() as folder:
        os.utime(folder, (0, 0))
        remove_left_folders()
        assert folder.is_dir()
    assert not folder.exists()


def test_a_server_to_which_nobody_listens_ends_without_a_word(process):
    process.stdout.close()
    send(process, id=2, method="ping")
    process.stdin.close()
    assert process.wait() in (0, 141)  # whichever it hears of first
    assert process.stderr.read() == b""


def test_without_its_package_the_command_says_what_to_install(tmp_path):
    (tmp_path / "mcp_types.py").write_text("raise ImportError('not here')\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-m", "deckgen", "mcp"], env=environment, capture_output=True, text=True)
    assert ran.returncode == 2
    assert 'pip install "torch-deckgen[mcp]"' in ran.stderr
