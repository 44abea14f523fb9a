"""What is known of methods and words: their cost, their papers, a glossary."""
