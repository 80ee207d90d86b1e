"""`python -m bench.pictures` writes `snippets/pictures/*.svg`, which the decks of both languages show."""

from bench.pictures import FOLDER, drawn

FOLDER.mkdir(exist_ok=True)
files = drawn()
for left in {path.name for path in FOLDER.iterdir()} - set(files):
    (FOLDER / left).unlink()
for name, text in files.items():
    (FOLDER / name).write_text(text, encoding="utf-8")
print(f"{len(files)} files in {FOLDER}")
