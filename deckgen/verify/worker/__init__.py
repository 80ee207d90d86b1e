"""The worker: standard library and torch only, Python 3.8 or newer, sent by path to any interpreter.

It runs as a package of its own with `sandbox` (`_deckgen_worker`, see `__main__.py`), so that `--python OTHER/bin/python` needs no
deckgen there and a snippet cannot import one of these modules by accident.
"""
