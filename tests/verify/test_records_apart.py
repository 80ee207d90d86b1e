"""Cards of a file of data are checked one by one: no name goes from the code of one to that of another."""

import json
from pathlib import Path

from deckgen import api


def test_a_name_of_another_card_is_missing(tmp_path: Path):
    cards = [
        {"question": "What does this print?", "code": "x = torch.ones(3)\nprint(x.sum())", "answer": "tensor(3.)"},
        {"question": "What does this print?", "code": "print(x.mean())", "answer": "tensor(9.)"},
        {"question": "What does this print?", "code": "x = torch.ones(2)\nprint(x.sum())", "answer": "tensor(3.)"},
    ]
    path = tmp_path / "cards.jsonl"
    path.write_text("\n".join(map(json.dumps, cards)))
    results = api.verify(api.Options(paths=(str(path),), no_cache=True))
    verdicts = results.verification.sources[0].verdicts
    assert [one.word for one in verdicts] == ["holds", "unverified", "contradicted"]
    assert verdicts[1].reason == "missing-name x"
    assert [decision.proof for decision in results.decisions] == ["proved", "unverified", "refuted"]
