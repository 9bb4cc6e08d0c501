"""Pages quote the figures that the benchmarks have written, and no others."""

from __future__ import annotations

import re

from tests.docs.markdown import PAGES, ROOT, name_of, read_page
from tools.bench import figures, growth
from tools.bench.growth import Growth


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
            "max": {
                "completed_per_s": rate,
                "server_cpu_ms_per_mail": {"total": 2.0},
                "ms_send_to_last": {"p50": 5.0, "p95": 6.0, "p99": rate / 100},
            },
            "calm": {"ms_send_to_last": {"p99": 4.0}},
            "idle_memory": {"pss_mib": 80.0},
        }

    found = {"pbm": [round_of(700), round_of(800), round_of(900)], "pbm-0": [round_of(1)]}
    assert dict(figures.list_rates(found)) == {
        "sqlite_moves_a_second": 800,
        "sqlite_cpu_ms": 2.0,
        "sqlite_p50_ms": 5.0,
        "sqlite_p95_ms": 6.0,
        "sqlite_p99_ms": 8.0,
        "sqlite_calm_p99_ms": 4.0,
        "sqlite_idle_mib": 80,
    }


def test_each_number_in_the_tables_of_a_whole_run_is_a_figure() -> None:
    """A program writes those tables: a number that nobody names would stay when it is run again."""
    text = read_page(ROOT / "docs" / "benchmarks.md").partition("\n## Several daemons")[0]
    rows = [line.split("|")[2:] for line in text.splitlines() if line.startswith("| ")]
    plain = [figures.QUOTED.sub("", cell) for row in rows for cell in row]
    assert [cell for cell in plain if re.search(r"^[ *]*\d", cell) and "mill" not in cell] == []
    grown = Growth(1.0, 2.0, 3.0, {page: (1.0, 2.0) for page in growth.PAGES})
    assert figures.list_growth(grown).keys() <= figures.read().keys()
