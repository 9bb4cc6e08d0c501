"""The lines for mail servers: all files speak of the same address, port and program. The servers
themselves run in tests/e2e."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CONFIG = Path(__file__).parents[2] / "config"
FILES = {"postfix/main.cf", "exim/pbm.conf", "opensmtpd/smtpd.conf"}


def told(name: str) -> list[str]:
    """The lines of a file that are no comments."""
    lines = (CONFIG / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def exim() -> dict[str, dict[str, dict[str, str]]]:
    """Section, name of the driver, its options; a flag is true."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for line in told("exim/pbm.conf"):
        if line.startswith("begin "):
            section = found[line.removeprefix("begin ")] = {}
        elif not line.startswith(" "):
            assert re.fullmatch(r"[a-z_]+:", line), line
            options = section[line.rstrip(":")] = {}
        else:
            name, _, value = line.strip().partition(" = ")
            assert re.fullmatch(r"[a-z_]+", name), line
            options[name] = value or "true"
    return found


def test_exim_keeps_the_subaddress_and_speaks_lmtp() -> None:
    sections = exim()
    assert set(sections) == {"routers", "transports"}
    (router,) = sections["routers"].values()
    transport = sections["transports"][router["transport"]]
    assert (router["local_parts"], router["local_part_suffix"]) == ("pbm", "+*")
    assert router["local_part_suffix_optional"] == transport["rcpt_include_affixes"] == "true"
    assert (transport["driver"], transport["protocol"]) == ("smtp", "lmtp")


def test_opensmtpd_hands_over_the_whole_recipient() -> None:
    *_, action, match = told("opensmtpd/smtpd.conf")
    assert re.fullmatch(r'action "(\w+)" lmtp "[\d.]+:\d+" rcpt-to', action)
    found = re.fullmatch(r'match from any for domain "[\w.]+" action "(\w+)"', match)
    assert found
    assert f'action "{found[1]}" ' in action


@pytest.mark.parametrize("name", sorted(FILES))
def test_all_speak_of_the_same_address_and_port(name: str) -> None:
    text = "\n".join(told(name))
    assert "games.example.org" in text
    assert "pbm" in text
    ports = set(re.findall(r"127\.0\.0\.1:(\d+)|^  port = (\d+)$", text, re.MULTILINE))
    assert {"".join(port) for port in ports} == {"2424"}


def test_logrotate_and_the_container_name_what_is_there() -> None:
    rotated = "\n".join(told("logrotate/pbm"))
    assert re.fullmatch(r"/var/log/pbm/\*\.log \{\n(    [a-z]+( \w+)*\n)+\}", rotated)
    assert "copytruncate" in rotated
    steps = [line.split(maxsplit=1) for line in told("Containerfile")]
    words = {step[0] for step in steps if not step[0].startswith(("-", "&"))}
    known = "ARG FROM COPY RUN USER WORKDIR VOLUME ENV HEALTHCHECK CMD"
    assert words == set(known.split())
    assert steps[-2][1].endswith('CMD ["pbm", "doctor"]')
    assert steps[-1] == ["CMD", '["pbm", "serve"]']
