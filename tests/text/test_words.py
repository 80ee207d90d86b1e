"""Words of people stand in the lexicon alone: expressions hold structure, and names of roles."""

import ast
import keyword
import re
from collections.abc import Iterator

from deckgen.lexicon import words
from deckgen.text.pattern import CHINESE, Words, _Waiting
from tests.test_layers import PACKAGE, modules
from tests.text.test_pattern import standing

MADE_OF_ROLES = {"deckgen.identity.likeness._WORD"}
"""Its alternatives are words that it takes from roles of the lexicon, the longest first."""
RANGE = re.compile(r"[\u2e80-\U0001ffff]-[\u2e80-\U0001ffff]")
COMPILES = {
    "pattern",
    "Words",
    "compile",
    "sub",
    "subn",
    "search",
    "match",
    "fullmatch",
    "findall",
    "finditer",
    "split",
}

NO_WORDS_OF_PEOPLE = {
    "HTML": """
        abbr article aside audio big blockquote br bubble button caption center chat checked cite code col colgroup
        controls data dd details dfn disabled div dl download dt em embed emsp ensp figcaption figure font footer
        header hidden highlight hr href html iframe img input ins javascript kbd label lang language li main map mark
        math message msg nav nbsp nobr noscript object ol open picture pre require reversed rp rt ruby samp script
        section small source span strike strong style sub summary sup svg table tbody td template tfoot th thead tr
        track tt turn ul var vbscript video wbr
    """,
    "fields of files and of their formats": """
        abstract aliases anki attention author bug categor caution columns content cover danger date deck description
        draft error example failure faq ftp guid hint id important info keywords latex layout mailto name note
        notetype parts permalink question quote role seealso sender separator slug sound speaker subtitle success tags
        text tip title type updated value warning
    """,
    "endings of files": """
        bat bin cfg cn com css csv gif htm ipynb jpeg jpg js json log md onnx org pkl png pt pth py safetensors sh
        toml txt webp whl yaml yml zip
    """,
    "torch and other libraries": """
        accelerator append apply array autograd autoreload backward bernoulli bfloat binomial bool capture cauchy
        cdouble cfloat clear complex config cpu cuda detach device double dropout dtype enable env eq eval expand
        exponential extend float forward function functions ge geometric get getsizeof gpu grad gt gumbel half hook
        hpu init insert int isnan le load loader long loss lt matplotlib meta method methods model mps multinomial
        narrow ne next nn normal np numpy op optim optimizer parameters perm permute platform poisson pop pylab python
        pytorch qint quint rand register remove reverse rrelu sample save scale scheduler seed short shuffle size sort
        squeeze step tensor time torch torchaudio torchvision train transforms transpose uint uniform unsqueeze update
        use view xpu
    """,
    "Python, its messages and its modules": """
        abspath arg argument asctime ctime default deque dict distributed environ executable getcwd getenv gethostname
        getpid getrlimit gettempdir gmtime hexversion isatty items keys list localhost localtime machine monotonic now
        optional parameter plt print processor range self set show socket socketserver str strftime today tuple uname
        utcnow values version
    """,
    "what draws random numbers, and what they may choose": """
        argwhere bincount choice choices eval exec item masked multinomial nonzero np numpy poisson randint random randperm
        randrange sample select shuffle tolist unique consecutive
    """,
    "comments for tools": "fixme fmt noqa pragma pylint todo",
    "what a computer says of itself": "nvidia os smi stat",
    "commands": """
        activate add apt bash brew cd checkout clone conda create curl docker export git install ls mamba mkdir pip
        pull tensorboard torchrun uninstall uv wget
    """,
    "names of models": "flash haiku mini opus plus pro sonnet thinking turbo",
    "units": "fps hours it min ms ns sec us",
    "ends of words, since what is looked for behind them has a width": "nd on so",
    "what torch itself says in messages and docstrings, which are English": """
        are attr attribute been behaviour cannot does exist found has keyword kwarg mode no option param passing
        unexpected usage was
    """,
}
"""Words in lists that expressions may hold, by what says them."""
ALLOWED = {word for said in NO_WORDS_OF_PEOPLE.values() for word in said.split()} | {*keyword.kwlist}


def expressions() -> Iterator[tuple[str, str]]:
    """(where it stands, its text) of each expression with what is spliced into it, before roles become words."""
    for where, one in standing(_Waiting).items():
        yield where, one.pattern
    for where, said in standing(Words).items():
        yield from ((where, alternative) for alternative in said.alternatives)
    for path in modules():
        within = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and called(node.func) in COMPILES:
                yield from ((f"{within}:{node.lineno}", text) for argument in node.args for text in literals(argument))


def called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def literals(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def test_no_chinese_character_stands_in_an_expression():
    for where, text in expressions():
        if where not in MADE_OF_ROLES:
            assert not CHINESE.search(RANGE.sub("", text)), (where, text)


def lists(expression: str) -> Iterator[list[str]]:
    """The words of each group of alternatives in an expression."""
    text = re.sub(r"\(\?(?:[:=!]|<[=!]|P<\w+>|-?[aimsx]+:)", "(", re.sub(r"«[\w.]+»|\\.", "0", expression))
    open_groups, closed = [[""]], []
    for character in text:
        if character == "(":
            open_groups.append([""])
        elif character == ")" and len(open_groups) > 1:
            closed.append(open_groups.pop())
        elif character == "|":
            open_groups[-1].append("")
        else:
            open_groups[-1][-1] += character
    for group in closed + open_groups:
        small = [one for one in group if not re.search(r"[A-Z_\[]", one)]
        yield [found[0].replace("?", "") for one in small if (found := re.search(r"[a-z][a-z?' -]*[a-z]", one))]


def test_no_list_of_words_of_people_stands_in_an_expression():
    for where, text in expressions():
        for listed in lists(text):
            unknown = [one for one in listed if not {*re.findall("[a-z]+", one)} <= ALLOWED]
            assert len(unknown) < 3, (where, unknown)


def test_lists_of_words_are_seen():
    assert [one for one in lists(r"^(?:the |a\b|my own)?\s*(?:cat|dog|mouse)s?$") if len(one) > 2] == [
        ["cat", "dog", "mouse"]
    ]


def test_every_role_that_an_expression_names_is_in_the_lexicon():
    for _, text in expressions():
        for role in re.findall(r"«([\w.]+)»", text):
            assert words(role)
