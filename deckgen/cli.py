"""The command line from the outside: signals, errors, exit status. The commands are in `app/commands.py`.

Nothing of them is imported before signals are heeded: Ctrl-C in the first quarter of a second is no fault of ours.
"""

from __future__ import annotations

import _thread
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType

from deckgen import streams
from deckgen.model.errors import REPORT_IT, DeckgenError, UsageError, fault
from deckgen.text.harmless import lines

AGAIN = 0.02
"""Seconds after which a signal that was lost is sent again."""


class StoppedError(BaseException):
    """Somebody wants us to end. Not KeyboardInterrupt, which click turns into exit status 1: that means a false claim."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def heeding_signals() -> Iterator[None]:
    """Have what asks us to end unwind the stack, so that workers, folders and half-written files go first."""

    asked: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        raise StoppedError(number)

    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in numbers if main}
    heard = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}  # nohup means it
    for number in heard:
        signal.signal(number, stop)
    ignored = sys.unraisablehook
    if main:
        sys.unraisablehook = partial(_again, ignored)
    try:
        yield
    except Exception:
        if asked:  # it was raised in what somebody else called, SQLite or an import, and they made their own of it
            raise StoppedError(asked[0]) from None
        raise
    finally:
        if main:
            sys.unraisablehook = ignored
        for number, handler in heard.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _again(ignored: Callable[[sys.UnraisableHookArgs], object], caught: sys.UnraisableHookArgs) -> None:
    """Sends a signal once more whose exception Python could only print: it came in a callback of an import or a `__del__`."""
    error = caught.exc_value
    if not isinstance(error, StoppedError):
        ignored(caught)
        return
    # from a thread, and when this is over: here it would be lost again
    send = _thread.interrupt_main if sys.platform == "win32" else partial(os.kill, os.getpid())
    threading.Timer(AGAIN, send, (error.number,)).start()


@contextmanager
def handle_errors() -> Iterator[None]:
    """Turns an error into `file:line: what`, a hint and its exit status."""
    try:
        try:
            yield
        finally:
            streams.flush()
    except DeckgenError as error:
        _say(str(error), error.hint)
        sys.exit(error.exit_code)
    except StoppedError as stopped:
        _say("stopped; what is written is whole")
        sys.exit(128 + stopped.number)
    except BrokenPipeError:
        # `deckgen inspect | head` is a normal thing to type
        streams.close()
        sys.exit(141)
    except OSError as error:
        if (
            sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
        ):  # its name for a broken pipe
            streams.close()
            sys.exit(141)
        streams.trace(error)
        # without a name: `deckgen inspect > FILE` on a disk that is full
        _say(f"{error.filename or 'the output cannot be written'}: {error.strerror}")
        sys.exit(UsageError.exit_code)
    except Exception as error:  # what nobody foresaw, on one line
        streams.trace(error)
        _say(fault(error), REPORT_IT)
        sys.exit(INTERNAL)


INTERNAL = 70
"""The exit status of a fault of ours: EX_SOFTWARE of sysexits.h."""


def _say(text: str, hint: str | None = None) -> None:
    """A message to the person at the terminal. The exit status says the same where there is no terminal."""
    streams.err(lines([f"deckgen: {text}", *([f"  hint: {hint}"] if hint else [])]))


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point of the command `deckgen`."""
    # A run makes some hundred objects a note, all of which it needs to its end, and no cycles to speak of: looking
    # for cycles took a tenth of a build and freed nothing (306 MiB with it and without, at 10,000 notes).
    gc.disable()
    streams.prepare()
    try:
        with handle_errors(), heeding_signals():
            from deckgen.app.commands import run

            run(sys.argv[1:] if arguments is None else arguments)
    finally:
        if arguments is None:  # the process ends
            streams.finish()
            gc.freeze()  # or Python would look for cycles in all that the run has made: 0.2 s for 300,000 objects
