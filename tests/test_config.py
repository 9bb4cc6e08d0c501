"""The configuration: `config/pbm.toml` is the code in full, and what is wrong is named."""

from __future__ import annotations

import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from pbm.config import SECTIONS, Config, ConfigError, adopt, load, parse

FILE = Path(__file__).parents[1] / "config" / "pbm.toml"


def test_the_file_has_every_key_with_its_default_and_no_other() -> None:
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert list(document) == list(SECTIONS)
    for name, section in SECTIONS.items():
        assert list(document[name]) == [key.name for key in fields(section)], name
    assert parse(FILE.read_text(encoding="utf-8")) == Config()


def test_every_part_of_the_configuration_is_a_section() -> None:
    parts = [key.name for key in fields(Config) if is_dataclass(getattr(Config(), key.name))]
    assert parts == list(SECTIONS)


def test_what_is_not_said_has_its_default() -> None:
    config = parse('[server]\naddress = "games@example.org"\n')
    assert config.server.address == "games@example.org"
    assert (config.server.local, config.server.host) == ("games", "example.org")
    assert config.limits == Config().limits
    assert parse("") == Config()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[sever]", "there is no section [sever]; there are server, database,"),
        ("server = 1", "server is a section: write [server]"),
        ('[server]\nadress = "a@b"', "[server] has no key adress; it has address"),
        ("[relay]\nsessions = '4'", "[relay] sessions is a whole number, not '4'"),
        ("[relay]\nsessions = true", "[relay] sessions is a whole number, not True"),
        ("[relay]\nsessions = -1", "[relay] sessions is a number from 0 up, not -1"),
        ("[relay]\nurl = 25", "[relay] url is a text in quotes, not 25"),
        ("[players]\nconfirm_addresses = 1", "confirm_addresses is true or false, not 1"),
        ("[server]\naddress = 'pbm'", "[server] address is a mail address, not 'pbm'"),
        ("[server]\naddress = '@x'", "[server] address is a mail address, not '@x'"),
        ("[retention]\nrows_days = 59", "[retention] rows_days is 0 or at least 60, not 59"),
        ("[retention]\nmails_days = 90\nrows_days = 80", "rows_days is 0 or at least 90, not 80"),
        ("[log]\nformat = 'xml'", "[log] format is lines or json, not 'xml'"),
        ("[http]\nlisten = '0.0.0.0:9'", "[http] listen is a port of this machine alone"),
        ("[http]\nlisten = '127.0.0.1'", "[http] listen is a port of this machine alone"),
        ("[server", "the configuration is not TOML:"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


# Where it comes from


def test_without_a_file_it_is_a_trial_server() -> None:
    """Loopback only, data under ./var, addresses count at once."""
    config = load(None, {})
    assert config.trial
    assert not config.players.confirm_addresses
    assert config.smtp.listen.startswith("127.0.0.1:")
    assert config.database.url == "sqlite:///var/pbm.db"
    assert config.relay.url == "maildir:var/mail"


def test_a_named_file_comes_before_the_one_of_the_environment(tmp_path: Path) -> None:
    for name in ("named", "other"):
        (tmp_path / name).write_text(f'[server]\naddress = "{name}@example.org"\n')
    environment = {"PBM_CONFIG": str(tmp_path / "other")}
    assert load(None, environment).server.local == "other"
    assert load(str(tmp_path / "named"), environment).server.local == "named"
    assert not load(None, environment).trial


def test_the_environment_names_the_database(tmp_path: Path) -> None:
    (tmp_path / "pbm.toml").write_text('[database]\nurl = "sqlite:///elsewhere.db"\n')
    url = "postgresql://pbm@db/pbm"
    environment = {"PBM_DATABASE_URL": url, "PBM_CONFIG": str(tmp_path / "pbm.toml")}
    assert load(None, environment).database.url == url
    assert load(None, {"PBM_DATABASE_URL": url}).trial


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"missing\.toml cannot be read"):
        load(str(tmp_path / "missing.toml"), {})
    (tmp_path / "latin").write_bytes(b"# \xe4\n")
    with pytest.raises(ConfigError, match="latin is not UTF-8 text"):
        load(str(tmp_path / "latin"), {})


def test_some_sections_change_without_a_restart() -> None:
    config = parse("[limits]\nsize = 10\n[relay]\nsessions = 2\n")
    limits = "[limits]\nsize = 20\n[players]\nvacation_days = 3\n[relay]\nsessions = 9\n"
    assert adopt(config, parse(limits)) == ["relay"]
    assert (config.limits.size, config.players.vacation_days, config.relay.sessions) == (20, 3, 2)
    assert adopt(config, parse("[relay]\nsessions = 2\n")) == []
    assert config == parse("[relay]\nsessions = 2\n")
