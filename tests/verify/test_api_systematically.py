"""Every public callable of the parts of torch that notes are about: its own signature passes, slips are caught."""

from collections.abc import Iterator
from typing import Any

import pytest
from api_facts import Ask, ask, claim  # noqa: F401 (fixtures)

from deckgen.verify.names.judge import judge_apis, names_to_look_up

PARTS = ("torch.nn", "torch.nn.functional", "torch.optim", "torch.utils.data", "SummaryWriter", "torch.Tensor", "torch")


@pytest.fixture(scope="module")
def callables(ask: Ask) -> dict[str, dict[str, Any]]:  # noqa: F811
    """Path -> facts of every public callable of `PARTS` that has a signature."""
    objects = ask({"names": [], "members": list(PARTS)})["objects"]
    return {path: fact for path, fact in objects.items() if fact["signatures"] and not fact["removed"]}


def words(texts: list[str], ask: Ask) -> list[Any]:  # noqa: F811
    claims = [claim(text) for text in texts]
    return list(judge_apis(claims, ask(names_to_look_up(claims))))


def swapped(name: str) -> str:
    """Two letters in the middle change places: `weight` -> `weihgt`."""
    middle = len(name) // 2
    return name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]


def typed_wrong(name: str) -> Iterator[str]:
    yield swapped(name)
    yield name[:2] + name[3:]
    yield name + name[-1]


def written(path: str, names: list[str]) -> str:
    return f"{path}({', '.join(names)})"


def named(fact: dict[str, Any]) -> list[str]:
    """The parameters of the first signature that can be written as bare names."""
    return [name for name, kind, _ in fact["signatures"][0]["parameters"] if kind in ("positional", "keyword")]


def test_the_parts_are_all_there(callables):
    assert len(callables) > 1400


def test_every_signature_as_torch_shows_it_passes(callables, ask: Ask):  # noqa: F811
    owners = {path: path.rpartition(".")[0] for path in callables}
    texts = [f"{owners[path]}.{one['text']}" for path, fact in callables.items() for one in fact["signatures"]]
    failed = [(v.claim.text, v.word, v.reason) for v in words(texts, ask) if v.word not in ("exists", "deprecated")]
    assert failed == []


def test_every_signature_without_defaults_passes(callables, ask: Ask):  # noqa: F811
    texts = [written(path, named(fact)) for path, fact in callables.items()]
    failed = [(v.claim.text, v.word, v.reason) for v in words(texts, ask) if v.word not in ("exists", "deprecated")]
    assert failed == []


def test_a_misspelt_parameter_is_caught_with_the_right_one(callables, ask: Ask):  # noqa: F811
    texts, meant = [], []
    for path, fact in callables.items():
        names = named(fact)
        for place, name in enumerate(names):
            for slip in typed_wrong(name) if len(name) >= 5 and not _takes_anything(fact) else ():
                if slip not in names and slip != name:
                    texts.append(written(path, [*names[:place], slip, *names[place + 1 :]]))
                    meant.append(name)
    verdicts = words(texts, ask)
    caught = [v.word == "signature-differs" and v.suggestion == name for v, name in zip(verdicts, meant, strict=True)]
    missed = [(v.claim.text, v.word, v.suggestion) for v, ok in zip(verdicts, caught, strict=True) if not ok]
    print(f"misspelt parameters: {sum(caught)} of {len(caught)}; missed: {missed[:20]}")
    assert sum(caught) >= 0.99 * len(caught)


def _takes_anything(fact: dict[str, Any]) -> bool:
    return any(kind == "**" for one in fact["signatures"] for _, kind, _ in one["parameters"])


def test_a_misspelt_name_is_caught_with_the_right_one(callables, ask: Ask):  # noqa: F811
    pairs = [
        (f"{path.rpartition('.')[0]}.{slip}", path)
        for path in callables
        for slip in typed_wrong(path.rpartition(".")[2])
        if len(path.rpartition(".")[2]) >= 5
    ]
    verdicts = words([text for text, _ in pairs], ask)
    real = [v.word in ("exists", "deprecated", "missing") and v.qualified is not None for v in verdicts]
    right = [v.suggestion == path for v, (_, path) in zip(verdicts, pairs, strict=True)]
    judged = [ok for ok, is_real in zip(right, real, strict=True) if not is_real]
    missed = [
        (text, v.word, v.suggestion)
        for v, (text, _), ok, is_real in zip(verdicts, pairs, right, real, strict=True)
        if not ok and not is_real
    ]
    print(f"misspelt names: {sum(judged)} of {len(judged)} ({sum(real)} slips are other real names): {missed[:30]}")
    assert all(v.word in ("renamed", "missing") for v, is_real in zip(verdicts, real, strict=True) if not is_real)
    assert sum(judged) >= 0.97 * len(judged)
