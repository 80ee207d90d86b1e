"""Lost indentation, restored.

`pylines` reads the lines, `grammar` says where each can stand, `features` and `weights` what is likelier, and `reindent`
searches: code is sure if the grammar leaves one reading.
"""
