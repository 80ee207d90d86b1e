"""Workers of both engines."""

import sys
from collections.abc import Iterator

import pytest
from running import Sessions

from deckgen.verify.engine.spawn import SpawnRunner

ENGINES = [pytest.param(SpawnRunner, marks=pytest.mark.slow)]
if sys.platform == "linux":
    from deckgen.verify.engine.fork import ForkRunner

    ENGINES.insert(0, pytest.param(ForkRunner))


@pytest.fixture(scope="session", params=ENGINES)
def sessions(request: pytest.FixtureRequest) -> Iterator[Sessions]:
    """Sessions under each engine in turn."""
    runner = request.param(sys.executable)
    runner.start()
    yield Sessions(runner)
    runner.close()
