"""Lost indentation, restored."""
