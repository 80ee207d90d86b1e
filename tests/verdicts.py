"""Small results, made by hand, for tests of what comes after the verdicts."""

from deckgen.model.claim import Exists, Prints, Site, Snippet
from deckgen.model.document import Document, Extraction
from deckgen.model.note import Basic, Key, Note, Output, Place, Standing
from deckgen.model.observation import Environment
from deckgen.model.results import Results
from deckgen.model.source import Source, Span
from deckgen.model.verdict import ApiVerdict, CardVerdict, Checked, NameVerdict, Verdict, VerdictKind, Verification

HERE = Environment(torch="2.13.0", python="3.11.7", device="cpu", sandbox="landlock7", engine="fork")


def claim(line: int, text: str = "tensor(1)") -> Prints:
    return Prints(id=f"{line}.1", span=Span(line - 1, line), text=text, form="trailing", place="after", code_line=0)


def verdict(line: int, word: VerdictKind, **more) -> Verdict:
    return Verdict(claim=claim(line, more.pop("text", "tensor(1)")), word=word, **more)


def api(line: int, word: NameVerdict, **more) -> ApiVerdict:
    written = Exists(
        id=f"a{line}", span=Span(line - 1, line), text=more.pop("text", "torch.cat"), form="table", site=Site.TABLE
    )
    return ApiVerdict(claim=written, word=word, **more)


def note(line: int, *rests_on: str, body=None) -> Note:
    return Note(
        key=Key(("Shapes",), f"question {line}"),
        places=(Place("notes.md", Span(line - 1, line)),),
        headings=("Shapes",),
        body=body or Basic(prompt="What?", answer="That."),
        rests_on=rests_on,
        origin=Standing.SURE,
    )


def output_note(line: int, *rests_on: str) -> Note:
    return note(line, *rests_on, body=Output(code="print(1)", claims=rests_on, output="1"))


def results(*verdicts: Verdict | ApiVerdict, notes=(), **more) -> Results:
    source = Source("notes.md", "\n" * 100)
    claims = [one for one in verdicts if isinstance(one, Verdict)]
    apis = [one for one in verdicts if isinstance(one, ApiVerdict)]
    snippet = Snippet(
        id="1",
        span=Span(0, 100),
        code="print(1)",
        lines=(0,),
        language="python",
        headings=(),
        claims=tuple(one.claim for one in claims),
    )
    found = Extraction(
        document=Document(source, "markdown", ()),
        notes=tuple(notes),
        snippets=(snippet,),
        apis=tuple(one.claim for one in apis),
        skipped=(),
    )
    cards = {one.body.claims: CardVerdict() for one in notes if isinstance(one.body, Output)}
    checked = Checked(source="notes.md", runs={}, verdicts=tuple(claims), apis=tuple(apis), cards=cards)
    verification = Verification(environment=HERE, sources=(checked,))
    return Results(extractions=(found,), verification=verification, **more)
