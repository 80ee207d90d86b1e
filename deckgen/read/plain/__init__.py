"""Text whose fences, and mostly its indentation, are gone: pages copied as text, and replies copied out of a chat.

`lines` says how much each line is code, `outputs` what code has printed, `titles` reads the text between, and `page` puts
all of it together.
"""
