"""What a release writes and says of itself."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from installing import PROJECT

import deckgen

ADDRESS, TAG = "https://example.org/owner/deckgen", f"v{deckgen.__version__}"
WRITTEN = ("pyproject.toml", "CITATION.cff", "README.md", "deckgen/__init__.py")


def write(folder: Path, tag: str, address: str) -> subprocess.CompletedProcess[str]:
    """Runs the script on copies of the files that it changes."""
    for name in WRITTEN:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(PROJECT / name, folder / name)
    command = [sys.executable, PROJECT / ".ci" / "write_address", tag, address, folder]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_release_names_its_repository(tmp_path):
    ran = write(tmp_path, TAG, ADDRESS)
    assert ran.returncode == 0, ran.stderr
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert urls.keys() == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    assert {url.startswith(ADDRESS) for url in urls.values()} == {True}
    citation = yaml.safe_load((tmp_path / "CITATION.cff").read_text("utf-8"))
    assert citation["repository-code"] == ADDRESS
    assert citation["date-released"]


def test_the_page_of_a_release_has_no_link_to_a_file_beside_it(tmp_path):
    write(tmp_path, TAG, ADDRESS)
    page = (tmp_path / "README.md").read_text("utf-8")
    assert re.findall(r"\]\((?!https:|#)[^)]*\)", page) == []
    assert f"({ADDRESS}/blob/{TAG}/docs/" in page
    assert f"({ADDRESS}/raw/{TAG}/docs/pictures/" in page


@pytest.mark.parametrize(
    ("tag", "address", "said"),
    [("v9.9.9", ADDRESS, "the tag is v9.9.9"), (TAG, "owner/deckgen", "is not the address of a repository")],
)
def test_a_tag_that_is_not_the_version_and_an_address_that_is_none_are_refused(tag, address, said, tmp_path):
    ran = write(tmp_path, tag, address)
    assert (ran.returncode, said in ran.stderr) == (1, True)
    assert [(tmp_path / name).read_bytes() for name in WRITTEN] == [(PROJECT / name).read_bytes() for name in WRITTEN]


def test_the_citation_is_one_and_of_this_version():
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()  # what the format requires
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert (citation["version"], citation["license"]) == (deckgen.__version__, "MIT")
    assert [author["name"] for author in citation["authors"]] == ["The deckgen authors"]


def test_only_the_job_that_publishes_may_ask_for_a_token_of_pypi():
    jobs = yaml.safe_load((PROJECT / ".github" / "workflows" / "release.yml").read_text("utf-8"))["jobs"]
    asking = [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})]
    assert asking == ["pypi"]
    assert jobs["pypi"]["environment"]["name"] == "pypi"
    assert jobs["pypi"]["needs"] == ["distributions", "decks"]
    assert [step["uses"].partition("@")[0] for step in jobs["pypi"]["steps"]][-1] == "pypa/gh-action-pypi-publish"


@pytest.mark.parametrize("page", ["SECURITY.md", "CODE_OF_CONDUCT.md"])
def test_what_these_pages_link_to_exists(page):
    text = (PROJECT / page).read_text("utf-8")
    for path, _, heading in re.findall(r"\]\((?!https:)([^)#]+)(#([^)]+))?\)", text):
        titles = re.findall(r"^#+ (.+)$", (PROJECT / path).read_text("utf-8"), re.MULTILINE)
        assert not heading or heading in [title.lower().replace(" ", "-") for title in titles]
