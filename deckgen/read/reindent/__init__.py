"""Lost indentation, restored.

`logical` reads the lines, `grammar` says where each can stand, `features` and `weights` what is likelier, and `search`
looks for the readings: code is sure if the grammar leaves one.
"""
