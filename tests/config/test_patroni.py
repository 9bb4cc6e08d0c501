"""config/patroni fits together; `python -m tools.faults.patroni` runs it."""

from __future__ import annotations

import re
from pathlib import Path

from pbm.config import parse
from pbm.store.engine import Store

FOLDER = Path(__file__).parents[2] / "config" / "patroni"
PATRONI = (FOLDER / "patroni.yml").read_text()
ETCD = (FOLDER / "etcd").read_text()
PROXY = (FOLDER / "haproxy.cfg").read_text()


def read_number(name: str) -> int:
    found = re.search(rf"^    {name}: (\d+)$", PATRONI, re.M)
    assert found is not None, name
    return int(found[1])


def test_the_same_three_hosts_are_everywhere() -> None:
    hosts = {f"10.0.0.{number}" for number in (1, 2, 3)}
    [members] = re.findall(r"^  hosts: (.*)$", PATRONI, re.M)
    assert {each.removesuffix(":2379") for each in members.split(",")} == hosts
    [cluster] = re.findall(r'^ETCD_INITIAL_CLUSTER="(.*)"$', ETCD, re.M)
    named = dict(re.findall(r"(\w+)=http://([\d.]+):2380", cluster))
    servers = dict(re.findall(r"^    server (\w+) ([\d.]+):5432$", PROXY, re.M))
    assert {*named.values()} == hosts
    assert named == servers


def test_a_primary_gives_up_before_another_one_begins() -> None:
    """Patroni's rule for its times; synchronous, or what was accepted could be lost."""
    assert read_number("ttl") >= read_number("loop_wait") + 2 * read_number("retry_timeout")
    assert "    synchronous_mode: true\n" in PATRONI
    assert "on-marked-down shutdown-sessions" in PROXY


def test_the_server_connects_to_the_proxy() -> None:
    config = parse((FOLDER / "pbm.toml").read_text())
    url = Store(config.database.url).url
    assert f"bind {url.host}:{url.port}\n" in PROXY
    assert f"- host {url.database} {url.username} " in PATRONI
