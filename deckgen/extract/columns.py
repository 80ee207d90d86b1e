"""The words in the headers of tables that say what a column holds, Chinese and English side by side."""

from __future__ import annotations

import re

from deckgen.text.pattern import any_of, pattern

SECTION = frozenset(
    "小节 章节 节 章 课 课程 阶段 周 天 步骤编号 关 关卡 站 单元 lesson chapter section week day module unit part stage session level round".split()
)
"""First column of an outline of lessons."""

SCORE = any_of(
    r"你的(?:回答|答案|选择)|得分|分数|评[语分]|自评|掌握程度|打分|正确性|^结果$|^正确[?？]?$|是否正确|积分|奖励|徽章|称号|经验值",
    r"\b(?:your (?:answer|reply|choice)|score|points|grade|marks|verdict|result\??|feedback|xp|badges?|loot|rewards?|hearts|lives|(?:self[- ])?ratings?)\b",
)

OWN_SCORE = pattern(
    r"\W*(?:你的|我的|本[轮次]|今日|最终|当前|总)?(?:得分|分数|成绩|正确率|答对(?:题数)?)\W*|\W*(?:(?:your|my|final|total) )?scores?\W*",
    re.IGNORECASE,
)
"""What stands before the figure in a row of a pupil's results."""

PUPIL = any_of(
    r"[你我]的?(?:回答|答案|选择|选项|作答|选|答)|学生(?:回答|答案)|^作答",
    r"\b(?:your|my) (?:answer|reply|choice|guess|pick)\b|\byou (?:said|chose|picked|answered)\b|\b(?:student|pupil)'?s? answer\b",
)

RIGHT = any_of(
    r"^(?:正确|参考|标准)(?:的)?(?:答案|选项|选择)|^正解$|^答案$",
    r"^(?:the )?(?:correct|right|expected) (?:answer|option|choice|letter)|^correct$|^answer$|^solution$|^key$",
)

PARAMETER = any_of(r"参数|形参|入参|关键字", r"^(?:param(?:eter)?|arg(?:ument)?|keyword|kwarg|option)s?(?: name)?$")

API = any_of(
    r"函数|方法|属性|接口|类名|^类$|模块|算子|组件|工具|操作|命令|层$",
    r"^(?:function|method|attribute|api|class|module|call|name|operator|op|layer|command|optimi[sz]er)s?\b"
    r"|api|\b(?:function|method|attribute|class|operator|call)s?$",
)

MEANING = any_of(
    r"说明|描述|含义|作用|用途|功能|解释|意义|效果|用法|特点|简介",
    r"\b(?:description|descr?|meaning|purpose|what it (?:does|is)|what|explanation|effect|function|use[ds]?(?: for)?|"
    r"usage|does|summary|definition)\b",
)
"""A column that tells what the thing in the row is or does."""

VALUE = any_of(
    r"^\W*(?:默认(?:值|参数)?|缺省值?|(?:数据|参数|返回)?类型|取值(?:范围)?|范围|值域|必[填选须需]|可选|是否.*|版本|形状|单位|起始版本)\W*$",
    r"^\W*(?:defaults?(?: values?)?|d?types?|(?:allowed |possible )?(?:values?|range)|required|optional|versions?|since|"
    r"shapes?|units?)\W*$",
)
"""A column that says how large or of what kind the thing in the row is, and not what it does."""

PROPERTY = any_of(
    r"^\W*(?:输入|输出|目标|状态|(?:触发|调用|更新|执行)?时机|(?:触发|调用|更新)频率)(?:要求|形状|格式)?\W*$",
    r"^\W*(?:(?:typical |expected )?(?:inputs?|outputs?|targets?)(?: shapes?)?|expects|states?(?: (?:per|kept|of)\b.*)?|when(?: to call)?\b.*|called|stepped)\W*$",
)
"""A column that tells what goes in and out, what is kept or when: not what the thing in the row is for."""

MEASURED = any_of(
    r"耗时|时间|显存|内存|吞吐|速度|加速比|延迟|损失|准确率|精度[（(]?%|得分|轮次|^轮$",
    r"(?:\b|[(（\[/])(?:ms|µs|us|sec(?:onds)?|s|min|hours?|[kmg]i?b|fps|it/s|img/s|images?/s(?:ec)?|samples?/s(?:ec)?|"
    r"tokens?/s(?:ec)?|tflops|flops|%)(?:\b|[)）\]]|$)|\b(?:time|latency|throughput|speed-?up|loss|acc(?:uracy)?|"
    r"perplexity|ppl|bleu|top-?[15]|epoch)\b",
)
"""A column of figures that somebody measured."""

DITTO = pattern(r"(?:同上(?:一行)?|同前|″|〃|\bditto\b|\bsame as above\b|^\s*\"\s*$)", re.IGNORECASE)

DECORATION = any_of(
    r"图标|表情|必须掌握|难度|星级|推荐度|重要性", r"^(?:icon|emoji|difficulty|must[- ]know|importance)\??$"
)
"""Columns that say nothing about the thing in the row."""
