"""`pbm setup`: what it shows, what it writes, and what it leaves alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbm.cli import DONE, REFUSED, TRY_AGAIN, USAGE, cli
from pbm.cli.setup import plan as mail_servers
from pbm.cli.setup.plan import SetupAnswers, make_plan, write_lines
from pbm.config import parse
from tests.harness.mail_programs import require
from tests.harness.shell import Shell, Terminal

PASSWORD = "h/u:n%ter@2"
BEHIND = "--way behind --address games.example.org --host mail.example.org --mail-server postfix"
MX = "--way mx --address pbm@games.example.org --smtp smtp.example.net --user u@example.net"
MAILBOX = "--way mailbox --address pbm@example.net --imap imap.example.net --smtp smtp.example.net"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where everything goes; Postfix is asked about a configuration of its own."""
    if shutil.which("openssl") is None:
        pytest.skip("needs the package openssl")
    config = tmp_path / "postfix"
    config.mkdir()
    (config / "main.cf").write_text("compatibility_level = 3.6\nmyhostname = mx.example.org\n")
    (config / "master.cf").write_text("")
    monkeypatch.setenv("MAIL_CONFIG", str(config))
    monkeypatch.setenv("PBM_MAIL_PASSWORD", PASSWORD)
    mail_servers.ask_postfix.cache_clear()
    return tmp_path / "pbm"


def run(folder: Path, line: str) -> Result:
    words = ["setup", *shlex.split(line), "--folder", str(folder), "--units", str(folder / "units")]
    return CliRunner().invoke(cli, words)


def written(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("line", "files"),
    [
        (BEHIND, {"pbm.toml", "dkim.pem", "dns.txt", "postfix.cf", "units/pbm.service"}),
        (MX, {"pbm.toml", "dkim.pem", "dns.txt", "units/pbm.service", "units/pbm.socket"}),
        (MAILBOX, {"pbm.toml", "units/pbm.service"}),
    ],
)
def test_it_shows_first_and_writes_when_asked(folder: Path, line: str, files: set[str]) -> None:
    shown = run(folder, line)
    assert shown.exit_code == DONE
    assert "Nothing was written" in shown.stdout
    assert not folder.exists()
    done = run(folder, f"{line} --write")
    assert done.exit_code == DONE, done.output
    assert set(written(folder)) == files
    for name, text in written(folder).items():
        if name.endswith((".cf", ".service", ".socket")):
            assert all(one in done.stdout for one in text.splitlines()), name
    for path in (folder / "pbm.toml", folder / "dkim.pem"):
        assert not path.exists() or stat.S_IMODE(path.stat().st_mode) & stat.S_IRWXO == 0
    assert "Until then, pbm doctor finds:" in done.stdout
    assert "next database" in " ".join(done.stdout.split())
    assert not re.search("PRIVATE KEY|[^.]h/u:n|h%2Fu", shown.stdout + done.stdout)


def test_a_mailbox_is_reached_whatever_its_password(folder: Path) -> None:
    run(folder, f"{MAILBOX} --write")
    config = parse((folder / "pbm.toml").read_text())
    login = "pbm%40example.net:h%2Fu%3An%25ter%402"
    assert config.imap.url == f"imaps://{login}@imap.example.net/INBOX"
    assert config.relay.url == f"smtp+starttls://{login}@smtp.example.net:587"
    assert (config.smtp.listen, config.lmtp.listen, config.relay.sessions) == ("", "", 1)


def test_the_other_answers(folder: Path) -> None:
    done = run(folder, f"{MX} --signups invited --no-dkim --database postgresql --write")
    config = parse((folder / "pbm.toml").read_text())
    assert config.players.signups == "invited"
    assert config.dkim.key == ""
    assert config.database.url == "postgresql://pbm@/pbm?host=/var/run/postgresql"
    assert "runuser -l postgres -c 'createdb -O pbm pbm'" in done.stdout
    assert "_domainkey" not in (folder / "dns.txt").read_text()
    url = "postgresql://pbm:opensesame@db.example.org/pbm"
    shown = run(folder, f"{MX} --database {url}")
    assert "postgresql://pbm:...@db.example.org/pbm" in shown.stdout
    assert "opensesame" not in shown.stdout


def test_the_records_are_those_that_the_doctor_would_ask_for(folder: Path) -> None:
    run(folder, f"{MX} --spf include:spf.example.net --write")
    records = (folder / "dns.txt").read_text().splitlines()
    assert records[1:3] == [
        "games.example.org. MX 10 games.example.org.",
        'games.example.org. TXT "v=spf1 mx include:spf.example.net -all"',
    ]
    assert records[3].startswith('pbm._domainkey.games.example.org. TXT "v=DKIM1; k=rsa; p=')
    assert records[4:] == ['_dmarc.games.example.org. TXT "v=DMARC1; p=quarantine"']


def test_a_certificate_that_is_there_is_used(folder: Path) -> None:
    folder.mkdir()
    (folder / "fullchain.pem").write_text("a chain")
    run(folder, f"{MX} --write")
    smtp = parse((folder / "pbm.toml").read_text()).smtp
    assert smtp.certificate == str(folder / "fullchain.pem")
    assert smtp.key == str(folder / "privkey.pem")


@pytest.mark.long
def test_nothing_is_replaced_unless_asked_and_a_key_never(folder: Path) -> None:
    run(folder, f"{BEHIND} --write")
    before = written(folder)
    assert run(folder, f"{BEHIND} --write").exit_code == DONE
    assert written(folder) == before
    other = f"{BEHIND} --signups closed --write"
    refused = run(folder, other)
    assert refused.exit_code == REFUSED
    assert "pbm.toml is there already: --replace keeps it as" in refused.stderr
    assert written(folder) == before
    assert run(folder, f"{other} --replace").exit_code == DONE
    after = written(folder)
    assert after.pop("pbm.toml.old") == before["pbm.toml"]
    assert after["dkim.pem"] == before["dkim.pem"]
    assert parse(after["pbm.toml"]).players.signups == "closed"


def test_an_empty_file_is_none(folder: Path) -> None:
    folder.mkdir()
    (folder / "pbm.toml").touch()
    assert run(folder, f"{BEHIND} --write").exit_code == DONE
    assert set(folder.glob("*.old")) == set()


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("", USAGE, "name the way that mail takes: --way behind"),
        ("--way mx --address games.example.org", USAGE, "--way mx needs --smtp"),
        ("--way mx --smtp smtp.example.net", USAGE, "--way mx needs --address"),
        ("--way mailbox --address a@b --imap i", USAGE, "--way mailbox needs --smtp"),
        ("--way mx --address a@b --smtp h:x", USAGE, "h:x must be HOST or HOST:PORT"),
        ("--way mx --address 'a b@c' --smtp h", USAGE, "[server] address must be a mail address"),
        (f"{MX} --database mysql://x", USAGE, "[database] url must be sqlite:///PATH"),
        (f"{MX} --signups nobody", USAGE, "'nobody' is not one of"),
    ],
)
def test_it_says_what_is_wrong(folder: Path, line: str, code: int, says: str) -> None:
    done = run(folder, line)
    assert done.exit_code == code, done.output
    assert says in done.stderr
    assert not folder.exists()


def test_a_password_has_to_be_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBM_MAIL_PASSWORD")
    done = run(folder, MAILBOX)
    assert done.exit_code == USAGE
    assert "the password of pbm@example.net is missing: set PBM_MAIL_PASSWORD" in done.stderr


def test_a_key_that_is_none_is_refused_and_kept(folder: Path) -> None:
    folder.mkdir()
    (folder / "dkim.pem").write_text("no key\n")
    done = run(folder, f"{BEHIND} --write")
    assert done.exit_code == USAGE
    assert "dkim.pem is no RSA key" in done.stderr
    assert written(folder) == {"dkim.pem": "no key\n"}


def test_a_place_that_cannot_be_written(folder: Path) -> None:
    folder.write_text("a file")
    done = run(folder / "inner", f"{BEHIND} --no-dkim --write")
    assert done.exit_code == TRY_AGAIN
    assert "cannot be written: Not a directory" in done.stderr


@pytest.mark.long
def test_json(folder: Path) -> None:
    shown: dict[str, Any] = json.loads(run(folder, f"{MX} --json").stdout)
    assert (shown["ok"], shown["code"], shown["written"], shown["doctor"]) == (True, 0, False, [])
    assert [Path(file["path"]).name for file in shown["files"]][:2] == ["pbm.toml", "dkim.pem"]
    assert "PRIVATE KEY" not in json.dumps(shown)
    done: dict[str, Any] = json.loads(run(folder, f"{MX} --write --json").stdout)
    assert done["written"]
    assert {"what": "database", "grade": "next"}.items() <= next(
        one for one in done["doctor"] if one["what"] == "database"
    ).items()
    refused: dict[str, Any] = json.loads(run(folder, "--way mx --json").stdout)
    assert refused == {"ok": False, "code": USAGE, "error": "--way mx needs --address"}


def told_postfix(text: str) -> None:
    path = Path(os.environ["MAIL_CONFIG"]) / "main.cf"
    path.write_text(path.read_text() + text)
    mail_servers.ask_postfix.cache_clear()


def lines_for(address: str) -> dict[str, str]:
    answers = SetupAnswers("behind", address, mail_server="postfix", host="mx.example.org")
    return dict(re.findall(r"^(\w+) = (.*)$", write_lines(answers), re.MULTILINE))


def test_values_of_main_cf_are_kept(folder: Path) -> None:
    require("postfix")
    told_postfix(
        "recipient_delimiter = -\nrelay_domains = lists.example.org\n"
        "transport_maps = hash:/etc/postfix/transport\n"
    )
    lines = lines_for("pbm@games.example.org")
    assert lines["recipient_delimiter"] == "-+"
    assert lines["relay_domains"] == "games.example.org, lists.example.org"
    assert lines["transport_maps"].endswith("}, hash:/etc/postfix/transport")
    assert "relay_recipient_maps" not in lines  # would refuse everybody at the lists
    told_postfix("relay_recipient_maps = hash:/etc/postfix/lists\n")
    assert lines_for("pbm@games.example.org")["relay_recipient_maps"].endswith(
        ":/etc/postfix/lists"
    )


def test_lines_that_are_there_are_not_added_again(folder: Path) -> None:
    require("postfix")
    first = lines_for("pbm@games.example.org")
    told_postfix("".join(f"{name} = {value}\n" for name, value in first.items()))
    assert lines_for("pbm@games.example.org") == first


def test_a_domain_that_postfix_delivers_needs_less(folder: Path) -> None:
    require("postfix")
    told_postfix("mydestination = $myhostname, example.org\n")
    lines = lines_for("pbm@example.org")
    assert set(lines) == {"recipient_delimiter", "transport_maps", "header_checks"}
    plan = make_plan(
        SetupAnswers("behind", "pbm@example.org", mail_server="postfix", folder=folder)
    )
    assert not any(" MX " in record for record in plan.records)


def test_postfix_says_what_the_mail_server_is_called(folder: Path) -> None:
    require("postfix")
    done = run(folder, "--way behind --address games.example.org --mail-server postfix --write")
    assert done.exit_code == DONE, done.output
    assert "MX 10 mx.example.org." in (folder / "dns.txt").read_text()


@pytest.mark.long
@pytest.mark.parametrize("server", ["exim", "opensmtpd"])
def test_other_mail_servers(folder: Path, server: str) -> None:
    line = BEHIND.replace("postfix", server).replace("games.example.org", "play@club.example.org")
    assert run(folder, f"{line} --write").exit_code == DONE
    text = (folder / f"{server}.cf").read_text()
    assert "club.example.org" in text
    assert "games.example.org" not in text
    assert (server != "exim") or "local_parts = play\n" in text


def test_questions_at_a_terminal(folder: Path, shell: Shell) -> None:
    with_files = ("--folder", str(folder), "--units", str(folder / "units"))
    for consents in (False, True):
        terminal = Terminal(shell, "setup", *with_files)
        for question, answer in (
            ("Way", "mx"),
            ("or its domain", "games.example.org"),
            ("Send mail through", "smtp.example.net"),
            ("Login there", "u"),
            ("Password there", PASSWORD),
            ("Database, sqlite or postgresql", ""),
            ("Who may sign up", "approved"),
            ("Write these files?", "y" if consents else "n"),
        ):
            terminal.until(question)
            terminal.until(": ")
            terminal.type(f"{answer}\n")
        terminal.until("Until then, pbm doctor finds:" if consents else "nothing was written")
        assert terminal.ended() == (DONE if consents else REFUSED)
        assert PASSWORD not in terminal.screen
        terminal.close()
        assert folder.exists() == consents
    config = parse((folder / "pbm.toml").read_text())
    assert config.server.address == "pbm@games.example.org"
    assert config.players.signups == "approved"
