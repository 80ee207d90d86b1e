"""Names as people write them are judged against the real torch."""

import re
from pathlib import Path

import pytest
from api_facts import Judge, ask, claim, judge  # noqa: F401 (fixtures)

from deckgen.extract.names.mentions import mentions
from deckgen.model.source import Source
from deckgen.read import read

CASES = Path(__file__).parents[1] / "cases" / "apis.md"


def cases() -> list[tuple[str, str, list[str]]]:
    """(title, source, expected lines) of each section of the cases file."""
    text = CASES.read_text("utf-8")
    found = re.findall(r"^## (.+?)\n.*?^`{4}markdown\n(.*?)^`{4}\n+^`{4}verdicts\n(.*?)^`{4}$", text, re.M | re.S)
    return [(title, source, expected.split("\n")[:-1]) for title, source, expected in found]


def told(verdict) -> str:
    line = f"{verdict.claim.span.first}: {verdict.claim.text} = {verdict.word}"
    return f"{line} -> {verdict.suggestion}" if verdict.suggestion else line


def test_the_cases_are_all_read():
    assert len(cases()) == CASES.read_text("utf-8").count("\n````verdicts\n")


@pytest.mark.parametrize(("title", "source", "expected"), cases(), ids=[case[0] for case in cases()])
def test_a_source_has_these_apis_with_these_verdicts(title: str, source: str, expected: list[str], judge: Judge):  # noqa: F811
    document = read(Source("notes.md", source))
    verdicts = [one for one in judge(mentions(document)) if one.claim.form != "code" or one.word != "exists"]
    assert [told(verdict) for verdict in verdicts] == expected


def test_reasons_teach(judge: Judge):  # noqa: F811
    short, pair, gone = judge(
        [
            claim("SummaryWriter.add_scalar(tag, value)"),
            claim("nn.CrossEntropyLoss", peers=("F.binary_cross_entropy",)),
            claim("torch.symeig"),
        ]
    )
    assert short.reason == "the parameter is called `scalar_value`: `value=...` raises TypeError"
    assert pair.reason == "the module of torch.nn.functional.binary_cross_entropy is torch.nn.BCELoss"
    assert gone.reason.startswith("calling it only raises: This function was deprecated since version 1.9")


def test_a_verdict_shows_the_live_signature(judge: Judge):  # noqa: F811
    (verdict,) = judge([claim("optim.SGD(params, lr)")])
    assert verdict.qualified == "torch.optim.SGD"
    assert verdict.signature.startswith("SGD(params, lr=0.001, momentum=0")


def test_a_module_that_needs_a_missing_package_is_unverified(judge: Judge):  # noqa: F811
    (verdict,) = judge([claim("torchvision.ops.nms(boxes, scores, iou_threshold)")])
    assert (verdict.word, verdict.reason) == ("unverified", "missing-module torchvision: not part of torch")


def test_facts_may_come_from_another_torch(judge: Judge):  # noqa: F811
    """Nothing but the answer is looked at: an empty torch makes every rooted name unverified, not missing."""
    from deckgen.verify.names.judge import judge_apis, names_to_look_up

    claims = [claim("torch.matmul"), claim("DataLoader")]
    names = {
        name: {"object": None, "rest": name, "problem": "missing-module torch", "hits": []}
        for name in names_to_look_up(claims)["names"]
    }
    facts = {"torch": "", "names": names, "objects": {}, "pool": {}, "uses": {}}
    assert [(one.word, one.reason) for one in judge_apis(claims, facts)] == [("unverified", "missing-module torch")] * 2
