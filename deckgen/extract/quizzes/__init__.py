"""Quizzes: options, gaps and statements to judge, and the answers wherever the document gives them.

| kind | asked | answered |
|---|---|---|
| choice | `options` (`dressed`, `numbered`, `inline_options`) under a stem (`stems`) | below (`stated`), told in a chat (`told`), in a key |
| gap | `gaps` in `exercises`, `code_blanks` | `blanks`: behind it, below, in a key, or the pupil's own once it is confirmed |
| statement | `put_up`, `judged_lists`, `judged_options` | `true_or_false`, `judgements`; how right is written: `verdicts` |
| test | `exams`, part by part (`exam_parts`) | `answer_sheets` |

Keys of answers are read by `answer_keys`, replies of tutors by `replies` (letters), `recaps` (words) and `reply_parts` (numbers).
"""
