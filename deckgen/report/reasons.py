"""What to do about each reason for which something is `unverified`: `deckgen explain REASON` prints it."""

from __future__ import annotations

from collections.abc import Mapping

_SMALLER = "make the example smaller, or write `{no-run}` on its fence"
_NOT_RUN = "write `{no-run}` on its fence if it should not be run"
_PLAIN = (
    "nothing, if it is no fact about torch; else ask for something that is the same on every machine, such as a shape"
)
_AGAIN = "run it again; if it stays, look for what ends the process, and write `{no-run}` on its fence"

REMEDIES: Mapping[str, str] = {
    "assumed": "give the value in the code above (`x = torch.ones(2)`)",
    "assumed-indentation": "put the indentation back",
    "chance": "give a seed (`torch.manual_seed(0)`), or make the example faster, so that more draws fit in",
    "context": "give the name its value in the same chapter",
    "disk-limit": _SMALLER,
    "empty": "write the code, or take the fence away",
    "environment": _PLAIN,
    "flooded": "print less",
    "forged": "look at the code before you run it anywhere: ordinary code does not do that",
    "killed": _SMALLER,
    "lost": _AGAIN,
    "memory-limit": _SMALLER,
    "missing-file": "let the code write the file before it reads it",
    "missing-module": "install the module where torch is, or name another Python with `--python`",
    "missing-name": "give the name its value above; imports for all snippets go into `prelude` in `deck.toml`",
    "needs": "install deckgen into that Python, and run it there",
    "needs-cuda": 'run it on a machine with a GPU, or write `{gpus>=1}` on its fence: its card then says "needs a GPU"',
    "needs-distributed": f"start its processes in the code, on one machine, or {_NOT_RUN}",
    "not-started": "run it again when less else is running, or with `--jobs 1`",
    "not-python": "mend the code; if it is no Python, give its fence another language",
    "not-reached": "look for what stops the code above it: an exception, a branch, `exit()`",
    "placeholder": "fill the gaps",
    "sandbox": f"do without; {_NOT_RUN}",
    "signature-only": "nothing; write a call if you want a result",
    "timed-out": "give it more seconds: `timeout` in `deck.toml`, or `--timeout 120`; or make the example smaller",
    "uninitialised": "use `torch.zeros` or `torch.ones` in place of `torch.empty`",
    "too-many-processes": "start fewer processes or threads, such as `num_workers=2`",
    "too-much-memory": _SMALLER,
    "worker-killed": _AGAIN,
}
"""By the reason, as reports name it."""
