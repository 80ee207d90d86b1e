"""Pictures for light and for dark pages, as authors declare them elsewhere: a fragment behind the file's name, or `<picture>`."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern

LIGHT, DARK = "only-light", "only-dark"
"""The classes that such pictures have on cards."""
_FRAGMENT = pattern(r"#(?:only-(light|dark)|gh-(light|dark)-mode-only)\Z")
_BY_NIGHT = pattern(r"(?<!\s)\s*!\[[^\]]{0,1000}\]\([^()\s]*#(?:only-dark|gh-dark-mode-only)\)")
_PICTURE = pattern(
    r"<picture\b(?:(?!<picture\b)[^>])*>((?:(?!</?picture\b).){0,4000}?)</picture\s*>", re.IGNORECASE | re.DOTALL
)
_SOURCE = pattern(r"<source\b(?:(?!<source\b)[^>])*>", re.IGNORECASE)
_IMAGE = pattern(r"<img\b(?:(?!<img\b)[^>])*>", re.IGNORECASE)
_ADDRESS = pattern(r"""(?<=\ssrc=)(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_FIRST = pattern(r"""\ssrcset=["']?\s*([^\s"',>]+)""", re.IGNORECASE)
_PREFERS = pattern(r"prefers-color-scheme\s*:\s*(light|dark)", re.IGNORECASE)


def divided(target: str) -> tuple[str, str]:
    """The address of a picture without what declares its scheme, and the class of the scheme, if there is one.

    >>> divided("loss.svg#only-dark"), divided("loss.svg#gh-light-mode-only"), divided("loss.svg#curve")
    (('loss.svg', 'only-dark'), ('loss.svg', 'only-light'), ('loss.svg#curve', ''))
    """
    found = _FRAGMENT.search(target)
    return (target[: found.start()], f"only-{found[1] or found[2]}") if found else (target, "")


def by_day(markdown: str) -> str:
    """Markdown without the pictures for dark pages, which say nothing that those for light ones do not.

    >>> by_day("Which?\\n![a](a.svg#only-light)\\n![a](b.svg#only-dark)")
    'Which?\\n![a](a.svg#only-light)'
    """
    return _BY_NIGHT.sub("", markdown) if "dark" in markdown else markdown


def spelt_out(markup: str) -> str:
    """HTML with each `<picture>` that has another file for one scheme as two `<img>` with fragments.

    >>> spelt_out('<picture><source media="(prefers-color-scheme: dark)" srcset="b.svg"><img src="a.svg"></picture>')
    '<img src="a.svg#only-light"><img src="b.svg#only-dark">'
    """
    return _PICTURE.sub(_images, markup)


def _images(picture: re.Match[str]) -> str:
    image = _IMAGE.search(picture[1])
    address = _ADDRESS.search(image[0]) if image else None
    if image is None or address is None:
        return picture[0]
    files = {"light": address[1] or address[2] or "", "dark": address[1] or address[2] or ""}
    for source in _SOURCE.findall(picture[1]):
        if (scheme := _PREFERS.search(source)) and (first := _FIRST.search(source)):
            files[scheme[1].lower()] = first[1]
    if files["light"] == files["dark"]:
        return image[0]
    start, end = address.span()  # a file's name is no pattern: `img\dark.svg`
    return "".join(f'{image[0][:start]}"{file}#only-{scheme}"{image[0][end:]}' for scheme, file in files.items())


def classed(markup: str) -> str:
    """HTML in which each `<img>` whose address declares a scheme has the class of it."""

    def of_image(image: re.Match[str]) -> str:
        address = _ADDRESS.search(image[0])
        scheme = divided(address[1] or address[2] or "")[1] if address else ""
        return f'<img class="{scheme}"{image[0][4:]}' if scheme else image[0]

    return _IMAGE.sub(of_image, markup)


def shown_always(markup: str) -> str:
    """HTML in which a picture for one scheme is for both where there is none for the other."""
    classes = [f'<img class="{scheme}"' for scheme in (LIGHT, DARK)]
    if all(one in markup for one in classes):
        return markup
    for one in classes:
        markup = markup.replace(one, "<img")
    return markup
