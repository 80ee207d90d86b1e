"""`pytest --deckgen notes/`: what notes claim, as tests (docs/pytest.md).

pytest imports this module in every run, so it imports nothing; without `--deckgen` or `deckgen = true` it does nothing else.
"""

from __future__ import annotations

import pytest

VALUES = {
    "fail-on": "Words that also fail, as for `deckgen verify`.",
    "min-checked": "Fail if fewer claims could be checked: N or P%%.",
    "min-proved": "Fail if the answers of fewer cards are proved: N or P%%.",
    "timeout": "Seconds that a snippet may take [30].",
    "jobs": "Sessions at once [one per core].",
    "sandbox": "How code is kept away from your machine: auto, require or off [auto].",
    "device": "Where snippets run: auto, cpu, cuda or emulated [auto].",
    "python": "Check against the torch of this interpreter.",
}
"""Options with a value: `--deckgen-fail-on` on the command line, `deckgen_fail_on` in the configuration."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and the keys of the configuration."""
    group = parser.getgroup("deckgen", "claims of PyTorch notes")
    group.addoption("--deckgen", action="store_true", help="Check what notes claim, as tests.")
    group.addoption("--deckgen-no-cache", action="store_true", help="Run all snippets of notes again.")
    parser.addini("deckgen", "Check what notes claim, as with --deckgen.", type="bool", default=False)
    parser.addini("deckgen_paths", "Files and folders of notes; others are none.", type="args")
    for name, what in VALUES.items():
        group.addoption(f"--deckgen-{name}", metavar="VALUE", help=what)
        parser.addini(f"deckgen_{name.replace('-', '_')}", what)


def pytest_configure(config: pytest.Config) -> None:
    """Collects notes if that is asked for."""
    if config.getoption("deckgen") or config.getini("deckgen"):
        from deckgen.pytest_plugin.plugin import NotesPlugin

        config.pluginmanager.register(NotesPlugin(config), "deckgen-notes")
