"""What `make test` takes of many alike cases, and what it leaves to `make check`."""

from tests.conftest import run_always


def test_one_case_in_ten_runs_and_at_least_one():
    counts = {n: len(run_always("a test", n)) for n in range(1, 200)}
    assert all(counts[n] in (n // 10, n // 10 + 1) for n in range(10, 200))
    assert min(counts.values()) == 1


def test_every_method_is_taken_by_some_tests():
    assert {place for test in range(100) for place in run_always(f"test {test}", 34)} == set(range(34))
