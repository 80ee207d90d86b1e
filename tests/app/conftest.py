import pytest

from deckgen.app import cutting
from deckgen.read import cuts


@pytest.fixture(scope="module")
def short_passages():
    """Notes of a few lines are cut as long ones are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "LONG", 1)
        patch.setattr(cuts, "FEWEST", 12)
        patch.setattr(cuts, "_ONE_IN", 2)
        yield
