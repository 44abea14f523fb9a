"""Measurements: ours beside what a user would pick instead, interleaved in one run. Never part of the tests."""
