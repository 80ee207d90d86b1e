"""What code imports, as it asks for it: found or not, by a statement or by `find_spec`. Standard library only.

What it imports decides what it shows, so deckgen remembers a session for as long as all of this is the same.
"""

from __future__ import annotations

import re
import sys
from typing import Any, Callable, Dict, Optional, Tuple

KNOWN = frozenset([*getattr(sys, "stdlib_module_names", sys.builtin_module_names), "torch", "torchgen", "functorch"])
"""Modules of Python and of torch, which have one version for all sessions."""
AT_START = ("sitecustomize", "usercustomize")
"""Modules that Python asks for before anybody can listen."""
ONLY_FIND = ("__main__", "_deckgen_worker", "_distutils_hack", "_virtualenv", "__editable__")
"""Beginnings of modules that installers leave so that others are found."""


class Imports:
    """The first of the finders. It finds nothing by itself: it asks the others, and notes what they say.

    Only the first part of a name is looked at: what a package has inside is known with the package.
    """

    def __init__(self) -> None:
        self.found: Dict[str, Optional[str]] = {}
        """By name: its file, or the folder of a package without one; None for what is not there."""
        self.tell: Callable[[str, Optional[str]], None] = lambda name, place: None
        """Called with each name that is new, and its place."""

    def watch(self) -> None:
        """From here on; what was imported before is noted, too."""
        for name, module in list(sys.modules.items()):
            if "." not in name and name not in KNOWN and not name.startswith(ONLY_FIND):
                self._note(name, _place(getattr(module, "__spec__", None)))
        for name in AT_START:
            self.found.setdefault(name, None)
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """What the other finders find."""
        if "." in name or name in KNOWN or name in self.found:
            return None
        for finder in sys.meta_path:
            look = None if finder is self else getattr(finder, "find_spec", None)
            spec = look and look(name, path, target)
            if spec is not None:
                self._note_finder(finder)
                self._note(name, _place(spec))
                return spec
        self._note(name, None)
        return None

    def _note_finder(self, finder: Any) -> None:
        """That of an installer leads to a project: where to, stands in the module that it is from."""
        name = str(getattr(finder, "__module__", "")).partition(".")[0]
        if name not in KNOWN and name not in self.found and not name.startswith("_frozen_importlib"):
            self._note(name, _place(getattr(sys.modules.get(name), "__spec__", None)))

    def find_distributions(self, context: Any = None) -> Tuple[()]:
        """None; but that of `importlib.metadata.version("torchvision")` was asked for. Of a list of all, nothing is noted."""
        name = getattr(context, "name", None)
        if isinstance(name, str) and name:
            name = re.sub(r"[-_.]+", "_", name).lower() + ".dist-info"
            if name not in self.found:
                self._note(name, None)
        return ()

    def _note(self, name: str, place: Optional[str]) -> None:
        self.found[name] = place
        self.tell(name, place)


def _place(spec: Any) -> Optional[str]:
    if spec is None or spec.has_location:
        return spec.origin if spec else None
    return next(iter(spec.submodule_search_locations or ()), None)


imports = Imports()
"""Those of this process and of those that are forked from it."""
