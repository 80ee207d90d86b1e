"""The sandbox: what a session may reach, use and leave behind. Runs in the worker: standard library only, Python 3.8 or newer."""
