"""The configuration: `config/pbm.toml` is the code in full, and what is wrong is named."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import fields

from pbm.config import SECTIONS, Config, ConfigError, Dkim, adopt, load, parse

FILE = Path(__file__).parents[1] / "config" / "pbm.toml"


def test_the_file_has_every_key_with_its_default_and_no_other() -> None:
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert list(document) == list(SECTIONS)
    for name, section in SECTIONS.items():
        assert list(document[name]) == [key.name for key in fields(section)], name
    assert parse(FILE.read_text(encoding="utf-8")) == Config()


def test_every_part_of_the_configuration_is_a_section() -> None:
    parts = [key.name for key in fields(Config) if isinstance(getattr(Config(), key.name), Struct)]
    assert parts == list(SECTIONS)


def test_every_key_has_a_type_that_says_what_is_expected() -> None:
    for section in SECTIONS.values():
        for name, kind in get_type_hints(section, include_extras=True).items():
            assert kind.__metadata__[0].description, (section, name)


def test_workers_follow_the_processors_and_the_database() -> None:
    automatic, chosen = Config().workers, parse("[workers]\nprocesses = 3").workers
    for processors, on_postgresql in ((1, 1), (2, 1), (3, 2), (4, 3), (16, 4)):
        assert automatic.count(processors, is_sqlite=True) == 1
        assert automatic.count(processors, is_sqlite=False) == on_postgresql
        assert chosen.count(processors, is_sqlite=True) == 3


def test_what_is_not_said_has_its_default() -> None:
    config = parse('[server]\naddress = "games@example.org"\n')
    assert config.server.address == "games@example.org"
    assert (config.server.local, config.server.host) == ("games", "example.org")
    assert config.limits == Config().limits
    assert parse("") == Config()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[sever]", ":1: there is no section [sever]; did you mean server?"),
        ("[x]", ":1: there is no section [x]; there are server, database,"),
        ("server = 1", ":1: server is a section, write [server]"),
        ('[server]\nadress = "a@b"', ":2: [server] has no key adress; did you mean address?"),
        (
            '[server]\nx = "a@b"',
            ":2: [server] has no key x; there are address, aliases, name, motto",
        ),
        (
            "[relay]\nsessions = '4'",
            ':2: [relay] sessions must be a whole number, 0 or more, not "4"',
        ),
        ("[relay]\nsessions = true", "sessions must be a whole number, 0 or more, not true"),
        ("[relay]\nsessions = -1", "sessions must be a whole number, 0 or more, not -1"),
        ("[relay]\nsessions = 1.0", "sessions must be a whole number, 0 or more, not 1.0"),
        ("[limits]\nretry_days = '1'", "retry_days must be a whole number of days, 0 or more"),
        (
            "[limits]\nsize = 2026-01-01",
            'size must be a whole number of bytes, 0 or more, not "2026',
        ),
        ("[limits]\nsize = 9223372036854775808", "size must be a whole number of bytes"),
        (
            "[workers]\nprocesses = 'many'",
            'processes must be "auto", or a whole number from 0 to 64, not "many"',
        ),
        ("[workers]\nprocesses = -1", 'processes must be "auto", or a whole number'),
        ("[bots]\nseconds = nan", "seconds must be a number of seconds, 0 or more, not NaN"),
        ("[bots]\nseconds = inf", "seconds must be a number of seconds, 0 or more"),
        ("[relay]\nurl = 25", "[relay] url must be maildir:FOLDER, smtp://HOST:PORT,"),
        ("[players]\nconfirm_addresses = 1", "confirm_addresses must be true or false, not 1"),
        ("[server]\naddress = 'pbm'", "[server] address must be a mail address, local@domain, not"),
        ("[server]\naddress = '@x'", 'address must be a mail address, local@domain, not "@x"'),
        ("[server]\naddress = 'a@b@c'", "address must be a mail address"),
        ("[server]\ntrusts = 'two words'", "trusts must be the name of one mail server"),
        (
            "[server]\ntrusted_peers = ['localhost']",
            ":1: [server] trusted_peers must be a list of IP addresses or networks in quotes, "
            '["127.0.0.1", "::1"], not "localhost"',
        ),
        ("[server]\ntrusted_peers = ['192.0.2.7/24']", "trusted_peers must be a list of IP add"),
        ("[server]\ntrusted_peers = '::1'", "trusted_peers must be a list of IP addresses"),
        (
            "[retention]\nrows_days = 59",
            ":1: [retention] rows_days must be 0 or at least 60,",
        ),
        ("[retention]\nmails_days = 90\nrows_days = 80", "must be 0 or at least 90, not 80"),
        ("[log]\nformat = 'xml'", '[log] format must be "lines" or "json", not "xml"'),
        ("[http]\nlisten = '0.0.0.0:9'", "[http] listen must be a port of this machine alone"),
        ("[http]\nlisten = '127.0.0.1'", "[http] listen must be a port of this machine alone"),
        (
            "[smtp]\nlisten = 'nonsense'",
            'listen must be HOST:PORT, unix:PATH, or "" for off, not',
        ),
        ("[server", "the file is not TOML:"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_what_is_expected(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(text, "the file")
    assert said in str(refused.value)
    assert str(refused.value).startswith("the file")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("section", "right", "wrong"),
    [
        (
            "smtp",
            ["", ":25", "127.0.0.1:0", "[::1]:65535", "::1:25", "mail.example.org:25", "unix:/a b"],
            ["25", "localhost", "localhost:", "h:65536", "h:99999", "h:-1", "a b:25", "h:25\n"],
        ),
        ("lmtp", ["", "unix:/run/pbm/lmtp", "127.0.0.1:2424"], ["unix:", "unix", "lmtp"]),
        ("http", ["", "127.0.0.1:0", "localhost:80", "[::1]:80", "127.1:80"], ["h:1", "unix:/x"]),
    ],
)
def test_a_listener_is_an_address(section: str, right: list[str], wrong: list[str]) -> None:
    _try_values(section, "listen", right, wrong)


@pytest.mark.parametrize(
    ("section", "right", "wrong"),
    [
        (
            "relay",
            [
                "maildir:var/mail",
                "sendmail:/usr/sbin/sendmail",
                "smtp://127.0.0.1:25",
                "smtp://relay/",
                "smtps://relay.example:465",
                "smtp+starttls://pbm%40provider.example:pa%2Fss@smtp.provider.example:587",
                "smtp://[::1]:25",
            ],
            ["", "maildir:", "pigeon:roof", "smtp:relay", "smtp://u:p/w@relay:25", "smtp://h:x"],
        ),
        (
            "imap",
            [
                "",
                "imaps://user:word@host/INBOX",
                "imap+starttls://pbm%40provider.example:word@host:143",
                "imap://user@127.0.0.1:1/Folder/Sub",
            ],
            ["imaps://host/INBOX", "imaps://user:word@", "pop3://u:p@h", "imaps://a@b:c@host/"],
        ),
        (
            "database",
            [
                "sqlite:///var/pbm.db",
                "sqlite:////var/lib/pbm/pbm.db?timeout=1",
                "postgresql://pbm@/pbm?host=/var/run/postgresql",
                "postgresql+psycopg://u:p@h/n",
                "postgresql://pbm:word@a:5432,b:5432/pbm?target_session_attrs=read-write",
            ],
            ["", "var/pbm.db", "sqlite:var/pbm.db", "mysql://u@h/n"],
        ),
    ],
)
def test_a_url_has_one_of_the_forms(section: str, right: list[str], wrong: list[str]) -> None:
    _try_values(section, "url", right, wrong)


def _try_values(section: str, key: str, right: list[str], wrong: list[str]) -> None:
    for value in right:
        read = parse(f"[{section}]\n{key} = {json.dumps(value)}\n")
        assert getattr(getattr(read, section), key) == value
    for value in wrong:
        with pytest.raises(ConfigError, match=rf":2: \[{section}\] {key} must be "):
            parse(f"[{section}]\n{key} = {json.dumps(value)}\n")


_VALUES = st.one_of(
    st.sampled_from(["true", "false", "[]", "{}", "{a = 1}", "2026-01-01", "12:00:00", "1e400"]),
    st.integers().map(str),
    st.floats().map(repr),
    st.text(max_size=40).map(json.dumps),
)


@given(
    st.sampled_from([(name, key.name) for name, kind in SECTIONS.items() for key in fields(kind)]),
    _VALUES,
)
@settings(max_examples=300, deadline=None)
def test_whatever_a_value_is_it_is_read_or_refused(key: tuple[str, str], value: str) -> None:
    section, name = key
    text = f"[{section}]\n{name} = {value}\n"
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assume(False)
    refusal, config = "", Config()
    try:
        config = parse(text)
    except ConfigError as error:
        refusal = str(error)
    if refusal:
        assert re.match(rf"configuration:[12]: \[{section}\] ({name}|rows_days) must be ", refusal)
        assert "\n" not in refusal
    else:
        expected = document[section][name]
        expected = tuple(expected) if isinstance(expected, list) else expected
        assert getattr(getattr(config, section), name) == expected


ENGINE = """\
[[bots.engine]]
userid = "fish"
protocol = "uci"
command = "stockfish --quiet"
games = ["chess", "chess960"]
levels = [{skill = 1, nodes = 500}, {seconds = 2.0}]
"""


def test_an_engine_is_a_player_for_each_level() -> None:
    players = parse(ENGINE).bots.list_engine_players()
    assert [player.name for player in players] == ["fish1", "fish2"]
    assert [player.level.nodes for player in players] == [500, 0]
    only = parse(ENGINE.replace("levels", "#")).bots.list_engine_players()
    assert [player.name for player in only] == ["fish"]


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("uci", "fics", ':3: [bots.engine] protocol must be "uci", '),
        ("skill =", "skil =", ":6: [bots.engine.levels] has no key skil; did you mean skill?"),
        ('userid = "fish"', "", ":1: [bots.engine] needs the key userid"),
        ('["chess", "chess960"]', "[]", ":5: [bots.engine] games must be names of games"),
        ("nodes = 500", "nodes = -1", ":6: [bots.engine.levels] nodes must be a whole number"),
        ("[[bots", ENGINE + "[[bots", "[bots] engine: two computer players would be called fish1"),
    ],
)
def test_what_is_wrong_with_an_engine_is_named(right: str, wrong: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(ENGINE.replace(right, wrong))
    assert said in str(refused.value)


def test_a_url_that_is_refused_is_not_quoted() -> None:
    """It may hold a password, and the refusal is printed and logged."""
    for section in ("relay", "imap", "database"):
        with pytest.raises(ConfigError) as refused:
            parse(f'[{section}]\nurl = "ftp://user:secret99@host"')
        assert "secret99" not in str(refused.value)
    with pytest.raises(ConfigError, match="PBM_DATABASE_URL must be sqlite:///PATH or ") as refused:
        load(None, {"PBM_DATABASE_URL": "ftp://user:secret99@host"})
    assert "secret99" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n\n[smtp]\n# listen = 1\n\nlisten = 2\n", 6),
        ('[server]\ntrusts = """\nlisten = 3\n"""\n[smtp]\nlisten = 4\n', 4),
        ("smtp.key = ''\nsmtp.listen = 5\n", 2),
        ("[log]\nmails = true\n[smtp]\nlisten = [\n'a',\n'b',\n]\n", 7),
        ("[log]\nmails = true\r\nsmtp = {listen = 7}\r\n", 3),
    ],
)
def test_the_line_is_the_one_on_which_the_value_ends(text: str, line: int) -> None:
    with pytest.raises(ConfigError, match=f"^configuration:{line}: "):
        parse(text)


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


def test_mails_come_from_the_domains_of_aliases_that_are_named() -> None:
    config = parse(
        '[server]\naddress = "pbm@a.example"\naliases = ["Old@b.example", "x@c.example"]\n'
        '[[dkim.domain]]\nname = "C.example"\nselector = "s"\nkey = "k"\n'
        '[[dkim.domain]]\nname = "d.example"\n'
    )
    own, other = config.list_senders()
    assert own is config
    assert (other.server.address, other.dkim) == ("x@c.example", Dkim("s", "k"))
    for recipient, sender in (
        ("<X+b1-0-0-abc@c.Example>", "x@c.example"),
        ("pbm+c1@a.example", "pbm@a.example"),
        ("old@b.example", ""),
        ("postmaster@c.example", ""),
        ("x@d.example", ""),
        ("", ""),
    ):
        assert config.find_sender(recipient) == sender
    assert parse('[server]\naddress = "pbm@a.example"').find_sender("pbm@a.example") == ""
