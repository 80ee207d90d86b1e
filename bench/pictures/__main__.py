"""`python -m bench.pictures` writes `snippets/pictures/*.svg`, which the decks of both languages show."""

from bench.pictures import FOLDER, PICTURES

FOLDER.mkdir(exist_ok=True)
for name, draw in PICTURES.items():
    (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
print(f"{len(PICTURES)} pictures in {FOLDER}")
