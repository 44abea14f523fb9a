"""What the pages one learns from need: methods, terms, references."""
