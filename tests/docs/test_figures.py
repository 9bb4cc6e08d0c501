"""Pages quote the figures that the benchmarks have written, and no others."""

from __future__ import annotations

import re

from tests.docs.markdown import PAGES, name_of, read_page
from tools.bench import figures


def test_each_figure_that_a_page_quotes_is_the_one_in_the_file() -> None:
    known, quoted = figures.read(), set()
    for page in PAGES:
        text = read_page(page)
        for shown, _, name in figures.QUOTED.findall(text):
            assert shown == figures.format_as(shown, known[name]), (name_of(page), name)
            quoted.add(name)
        named = re.findall(r"<!-- \w+ -->", text)
        assert len(named) == len(figures.QUOTED.findall(text)), name_of(page)
    assert quoted == known.keys()


def test_what_the_harness_found_becomes_medians() -> None:
    def round_of(rate: float) -> dict[str, object]:
        return {
            "max": {"completed_per_s": rate, "server_cpu_ms_per_mail": {"total": 2.0}},
            "idle_memory": {"pss_mib": 80.0},
        }

    found = {"pbm": [round_of(700), round_of(800), round_of(900)], "ref-core": [round_of(1)]}
    assert dict(figures.list_rates(found)) == {
        "sqlite_moves_a_second": 800,
        "sqlite_cpu_ms": 2.0,
        "sqlite_idle_mib": 80,
    }
