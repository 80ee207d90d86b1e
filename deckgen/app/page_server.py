"""The server of the page: what it shows, and the answers to a browser that knows the page's token.

It listens on this machine only. A request is answered if its path begins with the token and it comes under the machine's
own name, so that no other site can ask anything, even one whose name was made to lead here.
"""

from __future__ import annotations

import hmac
import json
import sys
import threading
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from typing import Any, get_args

import msgspec

from deckgen.app.author import record
from deckgen.app.options import Options
from deckgen.app.review import Review
from deckgen.model.author import Wish
from deckgen.model.errors import DeckgenError

WAIT = 20.0
"""Seconds that an answer waits for something new."""
LARGEST = 500_000
"""Bytes that a decision may have."""

MOST_PASSED_OVER = 20_000_000
"""Bytes of a larger one that are read before it is refused."""


class PageState:
    """What the page shows. Each change wakes up those who wait for one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._beat = self._version = 0
        self._doing = self._error = ""
        self._sources = "[]"
        self._decided = False
        self.decisions = 0
        """How many there were so far."""
        self._shown = 0
        """How many there were when the notes were read that are shown."""
        self.review = Review()
        self.again: SimpleQueue[None] = SimpleQueue()
        """Something is put in whenever the notes or a lock changed."""

    def say(self, doing: str = "", error: str = "") -> None:
        """Tells what is going on, or what is wrong; what was shown before stays."""
        with self._changed:
            self._beat, self._doing, self._error = self._beat + 1, doing, error
            self._changed.notify_all()

    def show(self, made: Review, since: int | None = None) -> None:
        """Shows what was found; not if there were more than `since` decisions before: the page is ahead, and the next is under way."""
        if since is not None and since != self.decisions:
            return
        sources = _json(made.sources)
        with self._changed:
            self.review = made
            self._shown = self.decisions if since is None else since
            if sources != self._sources or self._decided:
                self._sources, self._version, self._decided = sources, self._version + 1, False
        self.say(error="; ".join(made.wrong))

    def decided(self) -> int:
        """The author has decided: the page shows it already, so it is told what came of it even if that is nothing new.

        Gives the number of this decision: what was read before it must not be shown in its place.
        """
        with self._changed:
            self._decided = True
            self.decisions += 1
            number = self.decisions
        self.again.put(None)
        return number

    def state_json(self, since: int, have: int) -> str:
        """What is new since the beat that a page knows, as JSON, as soon as there is anything."""
        with self._changed:
            self._changed.wait_for(lambda: self._beat != since, WAIT)
            state = {"beat": self._beat, "version": self._version, "doing": self._doing, "error": self._error}
            state["decisions"] = self._shown
            return json.dumps(state)[:-1] + (f', "sources": {self._sources}}}' if have != self._version else "}")


def _json(value: object) -> str:
    """As `json.dumps` writes it, in a tenth of the time: all notes are told after each decision."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # half a character
        return json.dumps(value, ensure_ascii=False)


class PageServer(ThreadingHTTPServer):
    """Answers each request in a thread of its own."""

    daemon_threads = True
    allow_reuse_address = sys.platform != "win32"
    """There it would let another program listen on the same port."""
    request_queue_size = 1024
    """Connections that wait to be accepted: with the usual five, decisions made at once were reset, and lost."""

    def __init__(self, state: PageState, token: str, options: Options, port: int) -> None:
        super().__init__(("127.0.0.1", port), partial(_Handler, state, token, options))

    def handle_error(self, *_: object) -> None:
        """A page that was closed while it waited for an answer is nothing to tell anybody."""


class _Handler(BaseHTTPRequestHandler):
    """Answers the page, and nobody who does not know its token or comes under another name."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "deckgen", ""
    timeout = 60

    def __init__(self, state: PageState, token: str, options: Options, *rest: Any) -> None:
        self.state, self.token, self.options = state, token, options
        super().__init__(*rest)

    def do_GET(self) -> None:
        asked, _, query = self._below_token().partition("?")
        if not self._is_ours:
            self._refuse(HTTPStatus.FORBIDDEN)
        elif asked == "":
            from deckgen.render.preview import review_page

            text, policy = review_page(", ".join(self.options.paths))
            self._answer(text, "text/html", policy=f"{policy}; frame-ancestors 'none'")
        elif asked == "state":
            numbers = dict(part.split("=", 1) for part in query.split("&") if "=" in part)
            since, have = (
                int(number) if (number := numbers.get(name, "")).isdecimal() else 0 for name in ("since", "have")
            )
            self._answer(self.state.state_json(since, have))
        else:
            self._refuse(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        # a page of another site can send a form, but not this type, and a browser says where it comes from
        origin = f"http://{self.headers.get('Host')}"
        is_json = self.headers.get_content_type() == "application/json"
        if not self._is_ours or not is_json or self.headers.get("Origin", origin) != origin:
            self._refuse(HTTPStatus.FORBIDDEN)
        elif self._below_token() != "decide":
            self._refuse(HTTPStatus.NOT_FOUND)
        elif not length.isdecimal() or int(length) > LARGEST:
            self._pass_over(int(length[:9]) if length.isdecimal() else 0)
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            self._decide(self.rfile.read(int(length)))

    def _pass_over(self, length: int) -> None:
        """Reads a body that is too large and keeps nothing of it: who is still sending hears no answer."""
        left = min(length, MOST_PASSED_OVER)
        while left > 0 and (part := self.rfile.read(min(left, LARGEST))):
            left -= len(part)

    def _below_token(self) -> str:
        return "/".join(self.path.split("/")[2:])

    @property
    def _is_ours(self) -> bool:
        """False for who does not know the token, and for a site whose name was made to lead here."""
        token = self.path.removeprefix("/").split("/", 1)[0]
        _, port = self.request.getsockname()
        known = hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())
        return known and self.headers.get("Host") in (f"127.0.0.1:{port}", f"localhost:{port}")

    def _decide(self, data: bytes) -> None:
        try:
            asked = json.loads(data)
            notes, wish = [self.state.review.notes.get(name) for name in asked["notes"]], asked["wish"]
            if not notes or (wish is not None and wish not in get_args(Wish)):
                raise ValueError(wish)
        except (ValueError, KeyError, TypeError, AttributeError):
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        known = [note for note in notes if note is not None]
        if len(known) < len(notes) or len({note.folder.lock for note in known}) > 1:
            what = "this note has" if len(notes) == 1 else "some of these notes have"
            message = f"not written: {what} changed meanwhile; decide once more"
            self._answer(json.dumps({"message": message}), status=HTTPStatus.CONFLICT)
            return
        folder = known[0].folder
        try:
            waiting = partial(self.state.say, "waiting for a build of this deck to end ...")
            decided = ((note.note, note.decision) for note in known)
            record(folder, decided, wish, self.options.output, lambda _lock: waiting())
        except (DeckgenError, OSError) as error:
            self._answer(json.dumps({"message": f"not written: {error}"}), status=HTTPStatus.CONFLICT)
            return
        number = self.state.decided()
        count = "" if len(known) == 1 else f"{len(known)} decisions "
        self._answer(json.dumps({"message": f"{count}written into {folder.lock.as_posix()}", "decision": number}))

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True  # a body that nobody read would be taken for the next request
        self._answer(json.dumps({"message": status.phrase}), status=status)

    def _answer(
        self,
        text: str,
        kind: str = "application/json",
        *,
        status: HTTPStatus = HTTPStatus.OK,
        policy: str = "default-src 'none'",
    ) -> None:
        data = text.encode("utf-8", "surrogatepass")
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", policy),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """The author looks at the page, not at the terminal."""
