"""A short run of mutated mails; `python -m tools.mail.mutate` does the long one."""

from tools.mail.mutate import run


def test_mutated_mails() -> None:
    slowest = max(spent for _, spent in run(1000, seed=20260105))
    assert slowest < 1
