"""Names of the API against the live torch.

`written` says what a written name may mean and the worker looks it up; `judge` compares what came back, with `parameters`
beside it, and `near` says what was meant by a name that is not there.
"""
