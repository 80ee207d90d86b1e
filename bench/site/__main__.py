"""`python -m bench.site` writes the pages that the code says."""

from bench.site import pages

for path, text in pages().items():
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
