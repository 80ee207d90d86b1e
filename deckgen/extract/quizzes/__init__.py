"""Quizzes: options, gaps and statements to judge, and the answers wherever the document gives them."""
