"""What tutors say in a conversation around what they teach, Chinese and English side by side."""

from __future__ import annotations

from deckgen.text.pattern import any_of, pattern

CHATTER = any_of(
    r"回复|请(?:选|答|回答|作答|告诉)|你(?:想|要|选|来|可以(?:使用|再))|要不要|接下来|下一(?:站|节|步|题|章|关)|我们(?:来|继续|进入|就|会|要|将|从|可以继续)",
    r"继续|准备好|出发|解锁|开启|打分|作答|来试试|试试看|热身|揭开|告诉我|欢迎|恭喜|你已经|太棒|加油|彩蛋|👉",
    r"\b(?:quick (?:check|quiz|question)|let's|shall we|would you|do you want|want (?:me )?to|"
    r"ready (?:to|for)|next up|reply|your turn|type |pick one|let me know)\b",
)
"""What a tutor says to keep a conversation going."""

MENU = any_of(
    r"回复(?:一个|任意|对应|数字|`)|想(?:从|先|继续|进入|学|看|玩)|哪(?:一)?(?:部分|章|节|块|模块|个方向)(?:开始|继续)|要不要|还?需要我|接下来|请选：|选项：|"
    r"下一(?:步|站|节)",
    r"\b(?:would you like|do you want|want to|where (?:do|shall|should) we|which (?:topic|part|"
    r"chapter|section)s? (?:do|shall|should|would|next|first)"
    r"|what (?:do you want|would you like|next)|what's next|choose (?:a|your) (?:path|topic|next)|"
    r"pick (?:a|your|one) (?:topic|path)?|reply with|how (?:would you like|do you want)|shall we|"
    r"ready (?:to|for))\b",
)
"""A choice of what to do next, which has no right answer."""

PRAISE = any_of(
    r"完全正确|回答正确|答对|正确|没错|对的|对了|全对|满分|完美|太棒|很棒|真棒|命中|准确|优秀|精彩|厉害|答得|好样",
    r"\b(?:correct|right|exactly|perfect|well done|great|excellent|spot on|bingo|nailed|yes|yep|"
    r"indeed|nice|bravo|absolutely)\b|✅|✔|💯|🎯",
)

CONFIRMS = any_of(
    r"完全正确|回答正确|答对|正确|没错|对的|对[了啦]|[说答]得对|就是(?:它|他|这个)|全对|满分|完美|命中|准确|都可以|都行|都对|(?<![\u4e00-\u9fff])对(?=[，,！!。~～])",
    r"\b(?:correct|right|exactly|perfect|spot on|bingo|nailed it|yes|yep|indeed|absolutely|that'?s it|(?:you'?ve|you) got it|^\W*got it)\b|✅|✔|💯",
)
"""The tutor says that the pupil is right."""

DENIES = any_of(
    r"不正确|不对|不是|错误|错[了啦]|答错|可惜|失误|误伤|翻车|偏差|差一点|不完全|其实|但(?:是)?正确|❌|❎|✗|✘|⭕",
    r"\b(?:not (?:quite|correct|right|exactly)|incorrect|wrong|close|almost|oops|unfortunately|"
    r"actually|sorry|nope|isn't|however|but)\b|^no\b",
)
"""The tutor says that the pupil is wrong."""

ALL_RIGHT = any_of(
    r"全(?:部|都)?(?:答|回答)?(?:正确|命中|对)|(?:\d|[一二三四五六七八九十])\s*连击|都(?:答)?对|满分|无误",
    r"\b(?:all (?:\w+ )?(?:correct|right)|everything (?:is )?(?:correct|right)|perfect score|"
    r"full marks|(?P<score>\d+)\s*(?:/|out of)\s*(?P=score))\b",
)
WRONG_MARK = pattern("[❌❎✗✘⭕]")
