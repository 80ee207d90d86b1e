"""What the self-test attempts to reach is laid out in any temporary folder, however long its path."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deckgen.verify.sandbox.forbidden import LONGEST_PATH, ForbiddenThings

pytestmark = pytest.mark.posix("sockets with a path")


@pytest.mark.parametrize("length", range(LONGEST_PATH - 30, LONGEST_PATH + 10))
def test_a_temporary_folder_may_have_a_path_of_any_length(length: int) -> None:
    """Sockets have paths too, and the system limits those."""
    with TemporaryDirectory(dir="/tmp") as place:
        folder = Path(place, "x" * (length - len(place) - 1))
        folder.mkdir()
        things = ForbiddenThings(str(folder))
        assert Path(things.secret).read_text(encoding="ascii") == "secret"
        things.close()
        assert not Path(things.folder).exists()
