"""The words by which idioms recognise what they read, Chinese and English side by side.

What more than one idiom asks of a heading or a line stands here, in `columns` (headers of tables) or in `talk` (conversation),
so that a new wording is one more word in one place. What one idiom alone looks for stands in that idiom's own pattern, beside
the structure of which it is a part (`answer_sheets`: the names of a test's parts; `hedges`: doubts), and in both languages there too.
"""

from __future__ import annotations

import re

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

INTERROGATIVE = any_of(
    r"^什么是",
    r"^(?:为什么|为何|如何|怎么|怎样|何时|何谓|啥是|谁|哪)",
    r"(?:是什么|是啥|是干嘛的|干什么用|有什么|有哪些|有啥|怎么(?:用|办|做|写|选)|的区别|的异同|的不同|的关系)$",
    r"^(?:what|why|how|when|where|who|which|can|does|do|is|are|should)\b.*",
)
"""Headings that ask without a question mark (the English ones need one, see `questions`)."""

ASPECT = pattern(
    r"(?P<subject>.*?)(?:\s*的\s*|\s*[-:：]\s*|\s+)?"
    r"(?P<aspect>(?:基本|常规|主要|核心|一般|常见|典型|整体|完整)?"
    r"(?:作用|做法|原理|原因|流程|步骤|特点|特性|特征|优点|缺点|优势|劣势|优缺点|本质|区别|异同|意义|限制|局限|条件|"
    r"要求|适用场景|应用场景|使用场景|储存形式|存储形式|功能和特点|功能|注意事项|工作方式|工作流程|组成|用途|问题|好处|坏处|定义))$"
)
"""A Chinese heading that names an aspect of a subject: `checkpoint 的做法`, `特点`."""

ASPECT_EN = pattern(
    r"^(?:(?P<aspect>advantages?|disadvantages?|benefits?|drawbacks?|pros(?: and cons)?|cons|steps?|purpose|"
    r"limitations?|properties|features|characteristics|requirements?|use cases?|differences?|"
    r"workflow|caveats?|"
    r"definition|key (?:points|ideas|features))(?:\s+(?:of|for|between|to)\s+(?P<subject>.+))?"
    r"|(?P<subject2>.+?)(?:'s)?\s*[-:–—]\s*(?P<aspect2>advantages?|disadvantages?|pros|cons|steps|"
    r"purpose|limitations?|"
    r"properties|features|use cases?|requirements?|caveats?|definition))$",
    re.IGNORECASE,
)

BARE_ASPECT = frozenset({
    "特点", "特性", "特征", "功能", "问题", "定义", "用途", "要求", "条件", "限制", "概述", "作用", "优点", "缺点",
    "优势", "劣势", "原理", "兼容性", "适用场景", "应用场景", "使用场景", "频率", "性能",
    "features", "properties", "characteristics", "steps", "purpose", "pros", "cons", "advantages", "disadvantages",
    "limitations", "overview", "compatibility", "use cases",
})  # fmt: skip
"""Aspects that ask too little on their own: they need their parent heading as subject."""

ADVICE = any_of(
    r"必须|务必|不要|不能|不应|切勿|别忘|总是|一定要|记得|避免",
    r"\b(?:must|never|always|don't|do not|avoid|remember to|should|cannot|can't)\b",
)
"""A heading that states a rule."""

RHYME = any_of(
    r"口诀|顺口溜|速记|记忆|闪卡|要诀|一句话", r"\b(?:mnemonic|rhyme|cheat ?sheet|in one line|remember|flash ?cards?)\b"
)
"""A heading over lines to learn by heart."""

TO_EXPLAIN = any_of(
    r"^(?:请?(?:简单|简要|大致|详细)?(?:地)?(?:介绍|说说|说一?下|说明|谈谈|谈一?下|讲讲|讲一?下|聊聊|简述|解释|阐述|描述|列举|比较|对比))",
    r"^(?:explain|describe|compare|contrast|discuss|differentiate|tell me (?:about|how|why|what))\b",
)
"""What an interviewer asks without a question mark."""

ASKED_ALOUD = any_of(
    r"^(?:请(?:你)?(?:简单|简要|大致|详细)?(?:地)?(?:介绍|说明|解释|阐述|描述|比较|对比)|(?:请?你?(?:简单|简要|大致|详细)?(?:地)?"
    r"(?:说说|谈谈|讲讲|聊聊|[说谈讲聊]一?下|介绍一?下|解释一?下|比较一?下)))(?=.{4})",
    r"^(?:explain|describe|discuss|tell me|compare) (?:\w+ ){0,2}(?:how|why|what|when|the differences?|about)\b",
)
"""The same as a heading, which may also begin with the name of what it is about: only words that somebody would say."""

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

RIGHT = any_of(r"[✔✅√]|正确|答对", r"\b(?:correct|right)\b")
WRONG = any_of(r"[✘❌✗×]|错|不正确", r"\b(?:incorrect|wrong)\b|not (?:correct|right)")
"""What a test says of an answer, on a line of its own."""

ANSWER_LABEL = (
    r"(?:正确|参考|标准|理想|最佳|最优)?(?:答案|解答|正解|应为|应填)|正确的?选项"
    r"|(?:the\s+)?(?:correct\s+|right\s+|model\s+)?(?:answers?|solution|ans)"
)
"""As part of larger patterns: the word before an answer."""

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

PLAN = any_of(
    r"(?<!率)(?:计划|安排)(?:如下|是这样(?:的)?)?\W*$|我们会?(?:按|分)[^。]{0,16}(?:来|走|学|讲|进行)\W*$",
    r"\b(?:the|our|my|your|today's|a|this) (?:\w+ ){0,2}(?:plan|agenda|roadmap|outline)\W*$",
)
"""A line in a chat above a list of what is to come."""

SCORES = any_of(
    r"战绩|排行榜|积分榜|计分板|得分榜|成绩单|(?:得分|总分|分数)\s*[:：]\s*\d|[你我]的(?:成绩|得分|测[试验]结果|答题情况)|自评|自我评估",
    r"\bscores?\s*[:：]\s*\d|\b(?:score ?board|leader ?board|score ?card)\b|\b(?:your|my) (?:\w+ )?(?:results?|scores?)\b|\bself[- ]assessment\b",
)
"""A heading over a table of scores."""

MEASURED = any_of(
    r"性能(?:测试|对比|数据)|基准|跑分|实验结果|训练(?:日志|记录|结果)|测试结果",
    r"\b(?:benchmarks?|timings?|measurements?|results|training log|performance|experiments?)\b",
)
"""A heading over such figures."""

PARAMETERS = any_of(
    r"^(?:常用|主要|关键|输入)?参数(?:说明|列表|解释|含义)?$",
    r"^(?:main |key |common )?(?:parameters?|arguments?|args)$",
)
"""A heading (or label) over a list of parameters."""

CONTENTS = any_of(r"^目录$|目录导航", r"^(?:table of )?contents$|^toc$")

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

NOTE_WORD = any_of(
    r"^(?:注意|注|例如|比如|如|即|因此|所以|但|说明|提示|参考|来源|例|示例|举例|例子|代码|备注|其中|另外|此外|重要|输出|结果|优点是|步骤|(?:用)?一句话(?:总结|概括|解释|理解)?"
    r"|小结|总结|结论|要点|重点|关键点|口诀|记忆口诀|记住|记得|牢记|切记|建议|补充|推荐|难点|易错点|考点|追问|标签|上一?[篇章节]|下一?[篇章节]|返回|日期|创建(?:时间|日期)?|更新(?:时间|日期)?|链接|作者|原文)$",
    r"^(?:判断|选择|单选|多选|填空|简答|问答|思考|对错|是非)题?\s*\d*$",
    r"^(?:note|nb|e\.g\.?|i\.e\.?|example|see|see also|tip|warning|source|reference|important|todo|summary|in short"
    r"|in one (?:sentence|line)|tl;?dr|(?:key )?take-?aways?|key (?:point|idea)s?|mnemonic|remember|bottom line|(?:pro )?tips?|hints?|recap|conclusion"
    r"|follow[- ]?up|created|updated|exported|date|links?|authors?|url|model|tags"
    r"|(?:worked )?examples? [\d.]+|interview(?: tip)?|traps?|pitfalls?|gotchas?|caveats?|use|prev(?:ious)?|next|up|back|home)$"
    r"|^(?:true or false|t\s*/\s*f|fill in(?: the (?:blanks?|gaps?))?|multiple choice|short answer|open question)\s*\d*$",
)
"""Words before a colon that are no term."""

QUIZ = any_of(
    r"【(?:单选|多选|判断|填空|简答|选择|问答|思考)题?】",
    r"小?测试|选择题|判断题|填空|测验|练习题|挑战|热身|暖身|考考你|(?:问题|题目)\s*\d|第\s*\w{1,3}\s*题|你来判断",
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

WHICH = any_of(
    r"哪些|哪几|有什么[^区不异]", r"\b(?:which|what)\b.*\b(?:are there|exist|kinds|types|tools|ways|options)\b"
)
"""A question that a list of names answers."""

CHAPTER = any_of(
    r"学习$|介绍|详解|讲解|入门|教程|其他|小众|异同|速查|小抄|笔记$",
    r"\b(?:tutorial|introduction|overview|guide|basics|and more|others?|cheat ?sheets?|quick reference)\b"
    r"|^(?:common |main |useful |key |other )?(?:methods|functions|attributes|operations|notes)$"
    r"|^(?:的?(?:常用|主要|核心|基本|全部)?(?:方法|函数|属性|操作|接口|api|用法)(?:一览|汇总|总结|大全|速查|小抄)?)$",
)
"""A heading over a chapter about an API, and not over its entry."""

ANNOUNCES = any_of(
    r"如下|以下(?:几|步骤|方式|情况)|按.{0,8}顺序|(?:分为|包括|包含|有)(?:以下|如下)?(?:[两二三四五六七]|几)(?:种|个|类|步|部分)[^，。]{0,12}$",
    r"\b(?:as follows|the following|in (?:this|these) (?:order|steps)|(?:two|three|four|five|"
    r"several) (?:kinds|ways|types|steps|parts|modes))\b",
)
"""A line whose children are one list."""

MAKES_UP = any_of(
    r"(?:包括|包含|分为|组成|需要保存|应当?(?:保存|包含)|由以下|有以下|满足以下)[^，。]{0,16}$",
    r"\b(?:contains?|includes?|consists? of|is made (?:up )?of|comes in)(?: the following| these)?(?: \w+){0,2}$",
)
"""A line above a list that says what its items make up."""

UNFINISHED = any_of(
    r"(?:用于|包括|包含|如下|分为|例如|比如|有|是|为|即)\s*$",
    r"\b(?:is|are|for|to|of|with|including|such as|namely)\s*$",
)
"""Text that goes on in the items below it."""

LEADS_ON = any_of(
    r"^(?:举个|举例|例如|比如|下面|接下来|首先|我们先|来看)[^。]{0,40}[。:：]?$",
    r"^(?:for example|here is|here are|let's|consider|below|see)\b[^.]{0,80}[.:]?$",
)
"""A line that only leads on to what follows."""

REVEAL = pattern(
    r"^\W*(?:点击|展开|查看|显示|参考|正确|我的|示例)*\s*(?:答案|解答|解析|详情|提示|回答)?\W*$|^\W*(?:click|show|see|reveal|view|"
    r"open)?\W*(?:to|the|for)?\W*"
    r"(?:show|see|reveal|expand)?\W*(?:the|my|model|sample)?\W*(?:answers?|solutions?|details|spoiler)\W*$",
    re.IGNORECASE,
)
"""What stands on the lid of a hidden answer."""

THIS_CODE = any_of(
    r"(?:这|下面|以下|下列|上面|上述|该)\s*(?:一?段|个|些|几行)?的?\s*(?:python\s*)?(?:代码|程序|片段)|(?:输出|打印)(?:的?结果|的?内容)?(?:会?是)?(?:什么|啥|多少|哪)",
    r"\b(?:this|these|the following|the above|the below)\s+(?:\w+\s+)?(?:code|snippet|program|lines?|script|cell)\b"
    r"|\bwhat\b.{0,40}\b(?:prints?|printed|outputs?)\b",
)
"""A question that cannot be understood without the code beside it."""

FIGURE = any_of(
    r"(?:这|下|上|该|此)[张幅个]?(?:面的?|述)?(?:图|曲线)|图中|图[里上]|如图|这里(?:看到|画)",
    r"\b(?:this|these|the|above|below|following)\s+(?:\w+\s+)?(?:figures?|pictures?|plots?|images?|diagrams?|graphs?|charts?|curves?)\b"
    r"|\b(?:seen|shown|drawn|pictured) here\b",
)
"""A question that cannot be understood without the picture beside it."""
