"""Lessons: plain files that put the app into state after state, ask before they tell, and claim what is tested."""
