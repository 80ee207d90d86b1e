"""A worker for one session: where a process cannot be forked safely (Windows, macOS, a real GPU)."""

from __future__ import annotations

import json
import os
from typing import Any, Dict

from . import boot, warden
from .world import World

Json = Dict[str, Any]


def serve_once(settings: Json) -> None:
    """Import torch, say so, wait for one request on standard input, answer it on standard output, and leave."""
    warden.split(settings["root"])
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    world = World(settings["root"], settings["sandbox"])
    hello = boot.import_torch(settings.get("preload", []))
    if "error" in hello:
        say(target, hello)
        os._exit(1)
    from . import child, folder, limits, session, warm

    guard, verdict = world.guarded(tested=settings.get("self_test", False))
    hello.update(verdict)
    if settings["sandbox"]:
        warm.shield()
    say(target, hello)
    limits.measure()
    request = child.read_request(source)
    if hasattr(os, "fork"):
        os.close(source)  # a snippet shall not read from it
    else:
        warden.follow(source)
    loopback = request.get("loopback", False)
    guard.separate(loopback)
    files = {name: plain_file(number, world.folder, name) for name, number in (("stdout", 1), ("stderr", 2))}
    own = os.path.join(world.folder, "session")
    folder.enter_folder(own)
    limits.set_limits(request["limits"])
    guard.enter(guard.ready(own, loopback), loopback)
    child.answer(target, request, files, session.Session())
    os._exit(0)


def say(descriptor: int, message: Json) -> None:
    os.write(descriptor, json.dumps(message).encode("ascii") + b"\n")


def plain_file(descriptor: int, root: str, name: str) -> int:
    """A file for output that bypasses Python; the limit on its size is checked after each statement."""
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    file = os.open(os.path.join(root, name), flags, 0o600)
    os.dup2(file, descriptor)
    os.close(file)
    return descriptor
