"""What pages set around their text: bylines, counters, buttons, tags of site generators, links to other notes."""

from __future__ import annotations

import re

from deckgen.text.pattern import pattern

_LONGEST = 100
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_BYLINE = pattern(
    rf"(?:asked|modified|answered|edited|viewed|posted|published|updated|created)\s*(?:on\s|:)?\s*"
    rf"(?:{_MONTH}\s\d{{1,2}}|\d|today|yesterday|an?\s).{{0,60}}"
    r"|share\s+(?:improve|cite|edit|follow).{0,60}|add a comment|sorted by:.{0,60}|hot network questions"
    r"|\*\*\d{1,5}\*\*|[\d,.]+k?(?:\s\d+ (?:gold|silver|bronze) badges?)+|\d+ (?:claps?|likes?|comments?|min(?:ute)? read)"
    r"|(?:最新推荐文章)?(?:首次)?(?:于|发布于|编辑于|发表于|更新于|修改于|创建于)\s*\d{4}[-年/. ].{0,60}"
    r"|(?:阅读量?|浏览量?|点赞数?|收藏数?|评论数?|赞同|喜欢|关注)\s*[\d.]+[\dwk万]*(?:\s*(?:条评论|人赞同.{0,20}))?"
    r"|(?:分类专栏|文章标签|原文链接|本文链接|发布时间|更新时间|阅读时间)\s*[:：].{0,90}"
    r"|(?:作者|编辑|来源)\s*[:：]\s*\S{1,20}|版权声明\s*[:：].{0,90}",
)
"""In small letters."""
_FIRST = re.compile(r"[*AaMmEeVvPpUuCcSsHh\d最首于发编更修创阅浏点收评赞喜关分文原本作来版]")
"""The letters that a byline begins with: cheap to look at."""
_TAG = pattern(r"(?:\{\{[<%](?:[^{}]|\{[^{}]*\})*[>%]\}\}|\{%[^{}]*%\})(?:\s*\{\{[<%][^{}]*[>%]\}\})*")
_LINKS = pattern(
    r"(?:[^\W\d_]{1,12}[:：]?\s*)?\[\[[^\[\]]*\]\](?:[\s|、,，·/]*(?:[^\W\d_]{1,12}[:：]\s*)?\[\[[^\[\]]*\]\])*"
)


def is_furniture(line: str) -> bool:
    """True for a line that says nothing of what the page is about."""
    text = line.strip()
    if not text or len(text) > _LONGEST:
        return False
    if text[0] == "{":
        return _TAG.fullmatch(text) is not None
    if "[[" in text:
        return _LINKS.fullmatch(text) is not None
    return _FIRST.match(text) is not None and _BYLINE.fullmatch(text.lower()) is not None
