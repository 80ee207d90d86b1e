"""The words by which rules recognise what they read, Chinese and English side by side, and the few that deckgen puts on a card.

What more than one rule asks of a heading, a line or a tutor's talk stands here, or in `columns` (headers of tables), so that a
new wording is one more word in one place. What one rule alone looks for stands in that rule's own pattern, beside the structure
of which it is a part.
"""

from __future__ import annotations

import re
from typing import Literal

from deckgen.lexicon import roles
from deckgen.text.pattern import any_of, pattern

QUESTION = pattern(
    r"[?？]\s*$"
    r"|[?？][”\"'）)】*]*\s*$"
    r"|[?？][\s*]*[（(][^()（）?？]{1,40}[）)][\s*]*$",
)
"""Text that ends by asking."""

ASKS = any_of(
    r"以下|下列|哪(?:个|些|种|一|项)|什么|多少|是否|选出|判断|正确的是|错误的是",
    r"[?？]|(?<![A-Za-z0-9_])_{2,}(?![A-Za-z0-9_])|[\w.]_{3,}|\._{2,}|[（(]\s*[）)]"
    r"|\b(?:which|what|how many|how|why|when|where|choose|select|(?:pick|tick|mark) (?:the|all|one|every|each)|true or false|complete)\b",
)
"""Text that may be the stem of a question."""

RHYME = any_of(
    r"口诀|顺口溜|速记|记忆|闪卡|要诀|一句话", r"\b(?:mnemonic|rhyme|cheat ?sheet|in one line|remember|flash ?cards?)\b"
)
"""A heading over lines to learn by heart."""

EXAMPLE = any_of(
    r"^(?:使用|用法|小|简单|代码|完整)?(?:示例|例子|样例|案例|实例|举例|举个)|示例$|例子$|演示|实战|练习|作业|提示模板",
    r"^(?:usage |code |full )?(?:example|demo|sample|exercise|usage)s?\b|\bexamples?$",
)
"""A heading over an example, which asks nothing."""

TASKS = any_of(
    r"待办|要做|做完|完成|进度|计划|还剩|剩下|没(?:看|读|学|做)|(?:看|读|学)(?:过|了|完)",
    r"\b(?:to[- ]?do|(?:is|are|have|has|still|what's) left|left to|remain(?:s|ing)?|done|finish(?:ed)?|tasks?|check ?list|"
    r"(?:study|reading|learning|weekly|my) (?:plan|list|log))\b",
)
"""A question about work, above a list of tasks."""

WRONG = any_of(r"[✘❌✗×]|错|不正确", r"\b(?:incorrect|wrong)\b|not (?:correct|right)")
"""What a test says of an answer, on a line of its own."""

EXPLANATION = any_of(
    r"^(?:正确)?(?:解析|分析|解释|说明|详解|原因|理由)|为什么选|答案解析",
    r"^(?:explanation|why\b|reason|rationale|analysis|because)",
)

ANSWER_KEY = pattern(
    r"^(?:参考|正确|标准|本章|试题|试卷|习题|练习题?|测[试验]题?|自测题?|课后题?)*(?:答案|解答)(?:[与及和]\w{1,6}|核对|回顾|汇总|一览|解析|详解|部分|页|区|如下)?$"
    r"|^(?:the\s+)?(?:correct\s+|model\s+|suggested\s+|sample\s+)?(?:answers?|solutions?)(?:\s*key|\s*sheet|\s+(?:and|&)\s+\w+(?:\s\w+)?)?$"
    r"|^answer key\b.*|^key(?:\s*[（(][^()（）]*[)）])?$|^mark(?:ing)? scheme$",
    re.IGNORECASE,
)
"""A heading or a line alone over the answers of the questions above it."""

ROADMAP = any_of(
    r"路线图|航线|学习(?:地图|大纲|计划|路径|目标|总览)|(?:复习|知识|总览)地图|总览.*地图|地图$|课程(?:大纲|安排|表)|大纲$|^目录$|本节(?:内容|目标)|日程|"
    r"(?:学习|课程|复习|教学|当前|我的)进度|^\W*进度(?!条)",
    r"\b(?:roadmap|outline|syllabus|agenda|table of contents|course plan|(?:course|class|lesson|lecture|study|reading|"
    r"weekly|daily) schedule|curriculum|learning (?:path|goals|objectives))\b|^\W*(?:contents|(?:the |our |my )?schedule)\W*$",
)
"""A schedule of learning rates, of a profiler or of a bar of progress is no roadmap."""

SCORES = any_of(
    r"战绩|排行榜|积分榜|计分板|得分榜|成绩单|(?:得分|总分|分数)\s*[:：]\s*\d|[你我]的(?:成绩|得分|测[试验]结果|答题情况)|自评|自我评估",
    r"\bscores?\s*[:：]\s*\d|\b(?:score ?board|leader ?board|score ?card)\b"
    r"|\b(?:your|my) (?:\w+ )?(?:results?|scores?)\b|\bself[- ]assessment\b",
)
"""A heading over a table of scores."""

CHORES = any_of(
    r"版本(?:对应|要求|历史)?(?:与安装|表)?$|^(?:(?:环境)?(?:安装|搭建|配置)(?:步骤|说明|方法|教程|环境)?$|更新(?:日志|记录|历史)$|(?:致谢|许可证?|作者|联系方式)$"
    r"|(?:课后)?(?:练习|习题|作业|思考题)(?:题)?$|待办|(?:延伸|扩展|推荐)阅读$|参考(?:资料|文献|链接)$|(?:如何|怎么)运行$"
    r"|(?:installation|install(?:ing)?(?: \S+)?|set-?up|requirements|prerequisites|getting started|how to run|running)$"
    r"|(?:change ?log|release notes|history|versions?|licen[sc]e|credits|acknowledge?ments|authors?|contact)$"
    r"|(?:exercises?|homework|assignments?|to-?do(?: list)?|next steps|check ?list|further reading|references|resources|"
    r"see also|links)$"
    r"|(?:\w+ (?:and|&) )?(?:further|recommended|additional|suggested) (?:reading|resources|materials?)(?: (?:and|&) \w+)?$)",
)
"""A heading over what is to be done or kept, and not learnt: installing, versions, exercises without answers."""

SUMMARY = any_of(r"总结|小结|结论|汇总", r"\b(?:summary|conclusion|recap|take-?aways?|tl;?dr)\b")

QUIZ = any_of(
    r"【(?:单选|多选|判断|填空|简答|选择|问答|思考)题?】",
    r"小?测试(?!集|数据|样本|误差|精度|损失)|选择题|判断题|填空|测验|练习题|挑战|热身|暖身|考考你|(?:问题|题目)\s*\d|第\s*\w{1,3}\s*题|你来判断",
    r"\b(?:quiz|(?:quick|knowledge) checks?|fill in|warm-?up (?:quiz|question|exercise)|test yourself|check (?:yourself|"
    r"your understanding)|question \d+|"
    r"exercises?|challenge|self[- ]test)\b",
)
"""A heading over a quiz, which says nothing about its subject."""

TASK = pattern(r"\s*\[[ xX]\]\s")
"""`[ ]` and `[x]` before an item: something to do, or done."""
ONLY_JUDGE = pattern(
    r"\W*(?:true or false|t\s*/\s*f|判断题?|判断(?:对错|正误)|对还是错|是非题?|对错题?)\W*", re.IGNORECASE
)
"""A heading that only says how the statements below it are asked."""

PASSING = (QUIZ, SUMMARY, RHYME, EXAMPLE, ROADMAP)
"""A heading in a chat that is about its own turn and no later one."""

ABOUT_CODE = any_of(
    r"输出|打印|代码|运行|结果|形状|报错", r"\b(?:print|output|code|snippet|run|result|shape|value|raise)s?\b"
)
"""A question about the code above it."""

REVEAL = pattern(
    r"^\W*(?:点击|展开|查看|显示|参考|正确|我的|示例)*\s*(?:答案|解答|解析|详情|提示|回答)?\W*$|^\W*(?:click|show|see|reveal|view|"
    r"open)?\W*(?:to|the|for)?\W*"
    r"(?:show|see|reveal|expand)?\W*(?:the|my|model|sample)?\W*(?:answers?|solutions?|details|spoiler)\W*$",
    re.IGNORECASE,
)
"""What stands on the lid of a hidden answer."""

INTERROGATIVE = pattern(r"^«question.opens»|«question.closes»$")
"""A Chinese heading that asks without a question mark."""

_OF_IT = r"(?P<of>(?P<subject>.+?)\s*(?:的|[-–—:：])\s*)?«question.kind»?«question.aspect»"
ASPECT = pattern(
    rf"{_OF_IT}|(?P<subject1>.{{3,}}?)\s*«question.kind»?«question.always_of»"
    r"|(?P<subject2>.*[A-Za-z_)`].*?)\s*«question.kind»?(?![A-Za-z])«question.aspect»"
    r"|«question.aspect»\s+«question.of»\s+(?P<subject3>.+)"
)
"""A heading that names an aspect of a subject: `checkpoint 的做法`, `特点`, `Advantages of eager mode`."""

BARE_ASPECT = pattern(r"«definition.bare_aspect»")
"""Aspects that ask too little on their own: they need their parent heading as subject."""

ADVICE = pattern(r"«question.advice»")
"""A heading that states a rule."""

ASKED_ALOUD = pattern(r"^\W*«question.politely»*«question.tell»(?=.{4})")
"""What an interviewer asks without a question mark, also as a heading."""

WHICH = pattern(r"«question.which»")
"""A question that a list of names answers."""

CARD = pattern(r"«question.card»")
"""Before a colon and the question of a card."""

EXERCISES = pattern(r"«definition.exercises»")
"""A heading over tasks for the reader."""

STEPS = pattern(r"«definition.steps»[^,，.。]{0,120}[:：]\W*$")
"""A line over what is to be done, one step an item."""

CONTENTS = pattern(r"^«definition.contents»$")

CHAPTER = pattern(
    r"«definition.chapter_end»$|«definition.chapter_end»\b|^的?«definition.common»?\s*«definition.members»$"
)
"""A heading over a chapter about an API, and not over its entry."""

ANNOUNCES = pattern(
    r"«definition.announces»|«definition.several»|按.{0,8}顺序|有[两二三四五六七几][种个类步][^，。]{0,12}$"
)
"""A line whose children are one list."""

UNFINISHED = pattern(r"«definition.unfinished»\s*$")
"""Text that goes on in the items below it."""

LEADS_ON = pattern(r"^«definition.leads_on»[^。.]{0,60}[。.:：]?$")
"""A line that only leads on to what follows."""

NOTE_WORD = pattern(r"^«definition.no_term»\s*[\d.]*$")
"""Words before a colon that are no term."""


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
    r"\b(?:correct|right|exactly|perfect|spot on|bingo|nailed it|yes|yep|indeed|absolutely)\b|✅|✔|💯"
    r"|\b(?:that'?s it|(?:you'?ve|you) got it|^\W*got it)\b",
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

Prompt = Literal[
    "what",
    "why",
    "prints",
    "shape",
    "value",
    "raises",
    "warns",
    "judge",
    "true",
    "false",
    "indentation",
    "fill",
    "meaning",
    "code",
    "also",
    "does",
    "aspect",
]


def prompt(language: str, name: Prompt, *values: str) -> str:
    """What deckgen itself puts on a card, in `zh` or `en`; `values` fill its places."""
    return roles("zh" if language == "zh" else "en")[f"prompt.{name}"][0].format(*values)
