"""Text in files that have all of it on one line, beside the same on lines of its own."""

from collections.abc import Callable

from carded import said

from bench import wrapped

ON_ONE_LINE: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "notebook": (str, lambda text: wrapped.notebook([text], one_line=True)),
    "chat": (said, lambda text: wrapped.chat(["Teach me.", text.strip()], one_line=True)),
    "page": (
        lambda text: wrapped.page([text], one_line=False),
        lambda text: wrapped.page([text], one_line=True),
    ),
}
