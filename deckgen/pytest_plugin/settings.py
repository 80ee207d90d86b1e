"""What a run of pytest asks deckgen for: options of its command line, and keys of its configuration."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest

from deckgen import api
from deckgen.model.config import seconds
from deckgen.model.errors import UsageError
from deckgen.pytest_plugin import VALUES
from deckgen.pytest_plugin.checking import Wishes

Value = TypeVar("Value")
_OURS = re.compile(rf"(?<![\w-])--({'|'.join(VALUES)})\b")


def in_words_of_pytest(text: str) -> str:
    """A message of deckgen, with options of its command line as pytest has them.

    >>> in_words_of_pytest("only 1 claims were checked; --min-checked wants 9")
    'only 1 claims were checked; --deckgen-min-checked wants 9'
    """
    return _OURS.sub(r"--deckgen-\1", text)


class Setting(NamedTuple):
    """A value, as somebody wrote it."""

    where: str
    """`--deckgen-timeout` or `deckgen_timeout`."""
    text: str | None
    """None if nobody wrote any."""

    def read(self, how: Callable[[str | None], Value]) -> Value:
        """What it means. Raises UsageError, which names the place where it stands."""
        try:
            return how(self.text)
        except UsageError as error:
            raise UsageError(error.message, self.where, error.hint) from None


def wishes(config: pytest.Config) -> tuple[api.Options, Wishes]:
    """The options as they are given or configured. Raises UsageError."""
    values = {name: _setting(config, name) for name in VALUES}
    jobs, python = values["jobs"].read(_number), values["python"].text
    options = api.Options(
        paths=(),
        timeout=values["timeout"].read(_number),
        jobs=jobs if jobs is None else max(1, int(jobs)),
        sandbox=values["sandbox"].read(_one_of("auto", "require", "off")) or "auto",
        device=values["device"].read(_one_of("auto", "cpu", "cuda", "emulated")),
        python=Path(python) if python else None,
        no_cache=config.getoption("deckgen_no_cache"),
    )
    checked = values["min-checked"].read(api.parse_min_checked)
    proved = values["min-proved"].read(lambda text: api.parse_min_checked(text, noun="cards"))
    return options, Wishes(values["fail-on"].read(api.parse_fail_on), checked, proved)


def _setting(config: pytest.Config, name: str) -> Setting:
    """As the command line says, else the configuration. Raises UsageError for an option that is empty."""
    key = f"deckgen_{name.replace('-', '_')}"
    given = config.getoption(key)
    if given is None:
        return Setting(key, config.getini(key) or None)
    if not given.strip(" ,"):
        raise UsageError("it is empty: write a value, or leave it out", f"--deckgen-{name}")
    return Setting(f"--deckgen-{name}", given)


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else seconds(float(text))
    except ValueError:
        raise UsageError(f"`{text}` is not a number above 0") from None


def _one_of(*known: str) -> Callable[[str | None], str | None]:
    def read(text: str | None) -> str | None:
        if text is not None and text not in known:
            raise UsageError(f"`{text}` is none of {', '.join(known)}")
        return text

    return read
