"""API names against the live torch.

`readings` says what a written name may mean and the worker looks it up; `judging` compares what came back, with `parameters`
and `defaults` beside it, and `missing` and `near` say what was meant by a name that is not there.
"""
