"""From where this deckgen was installed, for those who install it elsewhere: CI."""

from __future__ import annotations

import json
import re
import subprocess
from contextlib import suppress
from importlib import metadata
from urllib.parse import urlsplit
from urllib.request import url2pathname


def installed_from() -> str | None:
    """From where pip installs this deckgen elsewhere: `torch-deckgen==0.1.0`, or a git address; None if that is not known.

    pip writes an address beside what did not come from an index (PEP 610). Of a folder the address is that of its git remote.
    Passwords in addresses are left out.
    """
    found = next(iter(metadata.distributions(name="torch-deckgen")), None)
    if found is None:
        return None
    told = found.read_text("direct_url.json")
    if told is None:
        return f"torch-deckgen=={found.version}"
    origin = json.loads(told)
    address = str(origin.get("url", ""))
    if "vcs_info" not in origin and address.startswith("file:"):
        address = _remote(url2pathname(urlsplit(address).path))
    return _public(address, is_git="archive_info" not in origin)


def _remote(folder: str) -> str:
    """The address from which a clone came; empty without one."""
    with suppress(OSError, subprocess.SubprocessError, UnicodeDecodeError):
        command = ["git", "-C", folder, "remote", "get-url", "origin"]
        return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=10, check=True).stdout.strip()
    return ""


def _public(address: str, is_git: bool) -> str | None:
    """An address as everybody may write it; of git@HOST:OWNER/NAME its counterpart for everybody."""
    address = re.sub(r"^(?:ssh://)?git@([^:/]+)[:/]", r"https://\1/", address)
    found = urlsplit(address)
    if found.scheme != "https" or not found.hostname:
        return None
    return f"{'git+' * is_git}https://{found.hostname}{f':{found.port}' * bool(found.port)}{found.path}"
