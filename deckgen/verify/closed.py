"""Closed code: what leaves nothing behind in the process that ran it, so that another piece of such code may run there next.

A short list says what it may be made of: torch's plain operations, layers and losses on what it has made itself, loops, texts, `print`.
It defines nothing, sets no attribute, seeds no generator and never asks for a name that is not listed here. Reading source proves nothing
about what must be kept out: the sandbox stands around such code as around all other, and what comes out of it counts only
where it is just what the notes say. Else the code runs alone, as if this had never been.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from deckgen.text.syntax import nodes, parsed

_MODULES = frozenset(("torch", "torch.nn", "torch.nn.functional", "math"))
_OF_PYTHON = frozenset(
    "print range len list tuple sum min max sorted reversed zip enumerate int float bool str abs round isinstance dict set".split()
)
"""No `type`: it makes classes, whose `__del__` may run later."""
_OF_TORCH = frozenset(
    # made anew
    "tensor arange zeros ones full eye linspace zeros_like ones_like full_like as_tensor rand randn rand_like randn_like"
    # told of a tensor
    " shape size dim ndim numel dtype device requires_grad is_leaf grad data item tolist T mT is_contiguous stride element_size"
    # another view or order of it
    " reshape view flatten squeeze unsqueeze transpose permute t expand repeat chunk split unbind cat stack hstack vstack contiguous"
    " flip roll narrow movedim broadcast_to tile repeat_interleave clone detach float double long int half bool to float16 float32"
    " float64 bfloat16 int8 int16 int32 int64 uint8 Tensor Size unfold tril triu diag masked_fill where gather index_select take sort"
    # worked out of it
    " sum mean prod std var max min argmax argmin amax amin cumsum cumprod norm abs exp log log2 sqrt rsqrt pow square sin cos tanh"
    " sigmoid relu softmax log_softmax clamp round floor ceil sign neg add sub mul div matmul mm bmm mv dot einsum outer addmm allclose"
    " equal eq ne gt lt ge le isclose isnan isinf all any topk unique count_nonzero nonzero logsumexp"
    # layers, losses, gradients
    " nn functional Linear Conv1d Conv2d Sequential ReLU GELU Sigmoid Tanh Softmax Flatten Identity LayerNorm BatchNorm1d BatchNorm2d"
    " MaxPool2d AvgPool2d Embedding Dropout MSELoss L1Loss CrossEntropyLoss NLLLoss BCELoss mse_loss l1_loss cross_entropy nll_loss"
    " one_hot gelu pad linear conv2d max_pool2d parameters weight bias eval train backward zero_grad no_grad"
    # of numbers, texts and lists
    " pi e inf nan join append items keys values".split()
)
_SYNTAX = (
    ast.Module, ast.Expr, ast.Assign, ast.AugAssign, ast.For, ast.If, ast.Pass, ast.Import, ast.ImportFrom, ast.alias, ast.With,
    ast.withitem, ast.Call, ast.keyword, ast.Attribute, ast.Subscript, ast.Slice, ast.Name, ast.Constant, ast.Starred,
    ast.Tuple, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.comprehension, ast.JoinedStr,
    ast.FormattedValue, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator, ast.unaryop, ast.boolop,
    ast.cmpop, ast.expr_context,
)  # fmt: skip


@lru_cache(maxsize=256)
def leaves_nothing(code: str) -> bool:
    """True for code that is made of nothing but what is listed here."""
    tree = parsed(code)
    if tree is None:
        return False
    found = list(nodes(tree))
    imports = [node for node in found if isinstance(node, ast.Import | ast.ImportFrom)]
    given = {alias.asname or alias.name for node in imports for alias in node.names}
    bound = {node.id for node in found if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    if bound & (_OF_PYTHON | given):  # what a listed name stands for would be unknown
        return False
    known = _OF_PYTHON | given | bound
    return all(map(_is_listed, found)) and all(node.id in known for node in found if isinstance(node, ast.Name))


def _is_listed(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return all(one.name in _MODULES and (one.asname or "." not in one.name) for one in names)
        case ast.ImportFrom(module=module, names=names, level=0):
            return module in _MODULES and all(one.name in _OF_TORCH for one in names)
        case ast.Attribute(attr=name, ctx=context):
            return name in _OF_TORCH and isinstance(context, ast.Load)
        case ast.Subscript(value=value, ctx=context):
            return isinstance(context, ast.Load) or isinstance(value, ast.Name)
        case ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr="no_grad"), args=[], keywords=[])):
            return True
        case ast.withitem():
            return False
        case _:
            return isinstance(node, _SYNTAX) and not isinstance(node, ast.Del)
