"""Hostile notes, every command, every format, both streams, at a terminal and in a pipe: nothing that is told commands."""

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from xml.etree import ElementTree

import pytest
from commanding import commanding
from commands import Command
from processes import GUARD

if sys.platform != "win32":
    import pty
    import tty

pytestmark = [
    pytest.mark.slow,
    pytest.mark.posix("names of files may hold less there, and there is no pty"),
]

ESCAPES = "\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\u202e\u2028\x7f"
COMMANDS = "\n::error::owned\n   ::set-output name=x::y\n##[error]owned ##vso[task.complete]"
EVIL = ESCAPES + COMMANDS
ONE_LINE = f"{ESCAPES} ::error::owned ##[error]owned"
NAME = "::error::\n::error::a\x1b[2J\u202e\udce9##[error].md"
"""What may name a file."""
QUOTED = json.dumps(EVIL)
NOTES = f"""---
title: {QUOTED}
tags: [{QUOTED}]
{json.dumps("key" + EVIL)}: 1
---

# ::error::{ONE_LINE}

### What is ::error:: {ONE_LINE}?

{EVIL}

<!-- deckgen: id={ONE_LINE} -->
<!-- deckgen: {ONE_LINE} -->

::error::x

### Without an answer {ONE_LINE}

| Name | Meaning |
| --- | --- |
| `torch.no_such_name{ESCAPES}` | ::error::x |
| `torch.catt` | {ONE_LINE} |

![{ONE_LINE}]({ESCAPES}.png)

```python {{file={ONE_LINE}.py}}
```

```python
print({EVIL!a})
```

Output:

```text
{EVIL}
```

```python
print(1)  # prints {ONE_LINE}
```

:::note

```python
print(2)  # prints 3
```

```python
raise ValueError({EVIL!a})
```

```python
raise ValueError({EVIL!a})  # RuntimeError: {ONE_LINE}
```
"""
CONFIG = f"""\
id = 1700000000000
name = {json.dumps("n" + ONE_LINE.replace("::", "--"))}
tags = [{QUOTED}]
waivers = [{{text = {QUOTED}, reason = {QUOTED}}}, {{text = "prints 3", reason = {QUOTED}}}]
"""
FORMATS = ("text", "json", "junit", "github", "sarif", "summary", "badge")
DECK = f"d{NAME}"
COMMANDS_TOLD = [
    *(("verify", DECK, "--format", style) for style in FORMATS),
    ("verify", DECK, "-q"),
    *(("inspect", DECK, "--format", style) for style in FORMATS[:2]),
    ("build", DECK, "--explain", "--on-contradiction", "correct"),
    ("build", DECK, "--no-run"),
    ("build", DECK, "--no-run"),  # told again from what was kept
    ("build", DECK, "-q", "--no-cache"),
    ("build", DECK, "--locked", "--no-run", "-o", f"o{NAME}"),
    ("build", DECK, "--lock", NAME, "--no-run"),
    ("diff", f"o{NAME}", f"{DECK}/deckgen.lock"),
    ("build", DECK, "--no-run", "--no-cache", "-o", "all"),
    ("diff", "build/*.apkg", "all/*.apkg"),
    ("diff", "build/*.apkg", "all/*.apkg", "--format", "json"),
    ("preview", DECK, "--no-run"),
    ("update", DECK, "--check"),
    ("update", DECK, "--diff"),
    ("adopt", EVIL, f"a{EVIL}", DECK),
    ("verify", "--docstrings", EVIL),
    ("cache", "info"),
    ("api", "torch.cat", EVIL),
    ("init", f"new{NAME}"),
    ("init", DECK),
    ("inspect", EVIL),
    ("inspect", f"--{EVIL}"),
    ("verify", DECK, "--fail-on", EVIL),
    ("verify", DECK, "--min-checked", EVIL),
    ("verify", DECK, "--device", EVIL),
    ("verify", DECK, "--python", f"./{NAME}"),
    (EVIL,),
    ("--help",),
]
AT_A_TERMINAL = [
    ("verify", DECK, "-q"),
    ("inspect", DECK),
    ("build", DECK, "-q", "--explain", "--no-cache"),
    ("update", DECK, "-q", "--diff"),
    ("diff", "build/*.apkg", "all/*.apkg"),
    ("inspect", f"--{EVIL}"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Holds a deck of hostile notes, in a folder with such a name."""
    place = tmp_path_factory.mktemp("told")
    folder = place / DECK
    folder.mkdir()
    (folder / "deck.toml").write_text(CONFIG, "utf-8")
    for name in (NAME, "plain.md"):
        (folder / name).write_text(NOTES, "utf-8", "surrogatepass")
    whole = re.sub(r"\{file=[^\n]*\}", "", NOTES)  # an include that is not found costs its file
    (folder / "whole.md").write_text(whole, "utf-8", "surrogatepass")
    for name in ("bad.ipynb", "bad.md"):
        (folder / name).write_text('{"cells": [' + QUOTED, "utf-8")
    cell = {
        "cell_type": "code",
        "metadata": {"id": EVIL},
        "source": f"print({EVIL!a})",
        "outputs": [{"text": EVIL, "output_type": EVIL}],
    }
    (folder / f"{NAME}.ipynb").write_text(
        json.dumps({"cells": [cell], "nbformat": 3, "metadata": {EVIL: EVIL}}), "utf-8"
    )
    (folder / f"{NAME}.rst").write_text("x", "utf-8")
    for more in ((), ("--no-run", "--no-cache", "-o", "all")):  # two packages, for `diff`
        deckgen(place, "build", DECK, *more)
    return place


def deckgen(place, *arguments):
    return Command(place, place / "home")(*packages(place, arguments), TERM="dumb")


def packages(place, arguments):
    """The same with the packages that patterns stand for."""
    return [next((str(path) for path in place.glob(one)), one) if "*.apkg" in one else one for one in arguments]


def at_a_terminal(place, *arguments):
    """What a terminal gets from both streams."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)  # as it is written, without the terminal's own ends of lines
    written = []

    def listen():
        with contextlib.suppress(OSError):  # nobody has the other end open any more
            while data := os.read(ours, 65_536):
                written.append(data)

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        home = {"XDG_CACHE_HOME": f"{place}/home/cache", "XDG_DATA_HOME": f"{place}/home/data"}
        subprocess.run(
            [sys.executable, "-m", "deckgen", *map(os.fsencode, packages(place, arguments))],
            cwd=place,
            env={**os.environ, **home, "TERM": "dumb", "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            timeout=GUARD,
        )
    finally:
        os.close(theirs)
        listener.join(GUARD)
        os.close(ours)
    return b"".join(written).decode("utf-8")


def own_commands_left_out(text):
    """A report for GitHub without its own annotations, each checked to be one."""
    own = re.compile(r"::(?:error|warning)(?: file=[^:,]*,line=\d+,endLine=\d+,title=deckgen%3A [\w-]+)?::(.*)")
    rest = []
    for line in text.split("\n"):
        found = own.fullmatch(line)
        rest.append(found[1] if found else line)
    return "\n".join(rest)


def hostile(text, arguments):
    return commanding(own_commands_left_out(text) if "github" in arguments else text)


@pytest.mark.parametrize("arguments", COMMANDS_TOLD, ids=lambda arguments: ascii(" ".join(arguments))[:40])
def test_nothing_that_is_told_commands(place, arguments):
    run = deckgen(place, *arguments)
    out, err = run.stdout, run.stderr
    assert hostile(out, arguments) == []
    assert commanding(err) == []
    assert "internal error" not in err
    assert out + err
    if "json" in arguments and arguments[0] != "diff":
        assert "\x1b[2J" in str(json.loads(out)).encode().decode("unicode_escape")
    if "junit" in arguments:
        assert ElementTree.fromstring(out).findall(".//testcase")


@pytest.mark.parametrize("arguments", AT_A_TERMINAL, ids=lambda arguments: ascii(" ".join(arguments))[:40])
def test_nothing_that_a_terminal_is_told_commands_it(place, arguments):
    told = at_a_terminal(place, *arguments)
    assert commanding(told) == []
    assert "\\x1b" in told or "::" in told
