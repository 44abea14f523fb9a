"""The closed vocabulary of lessons: numbers that can be measured in a scene. Texts show them, claims compare them.

A new one is a function in a file here, with its line `@fact(form, words)`: how it is written, what its brackets take.
"""

from ui.lessons.facts import mechanisms, scores
from ui.lessons.facts.vocabulary import Fact, facts

__all__ = ["Fact", "facts", "mechanisms", "scores"]
