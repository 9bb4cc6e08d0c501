"""The types of the keys of the configuration: which values each takes, and how that is said."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

_PORT = r"(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_HOST = r"(?:\[[0-9A-Za-z:.%]+\]|[^\s:/@\[\]]+)"
_USER = r"(?:[^\s/@]+@)"
_MOST = 2**53

# The types of the keys. A description completes the sentence "[section] key must be …".

Flag = Annotated[bool, Meta(description="true or false")]
Text = Annotated[str, Meta(description="text in quotes")]
Count = Annotated[int, Meta(ge=0, le=_MOST, description="a whole number, 0 or more")]
Days = Annotated[int, Meta(ge=0, le=10**6, description="a whole number of days, 0 or more")]
Processes = Annotated[
    Annotated[int, Meta(ge=0, le=64)] | Literal["auto"],
    Meta(description='"auto", or a whole number from 0 to 64'),
]
WholeSeconds = Annotated[
    int, Meta(ge=0, le=10**9, description="a whole number of seconds, 0 or more")
]
Seconds = Annotated[float, Meta(ge=0, le=10**9, description="a number of seconds, 0 or more")]
Bytes = Annotated[int, Meta(ge=0, le=_MOST, description="a whole number of bytes, 0 or more")]
Signups = Annotated[
    Literal["open", "invited", "approved", "closed"],
    Meta(description='"open", "invited", "approved" or "closed"'),
]
Language = Annotated[
    str, Meta(pattern=r"\A[a-z]{2,3}\Z", description='the code of a language, such as "en" or "de"')
]
Domains = Annotated[
    tuple[Annotated[str, Meta(pattern=r"\A[^@\s]+\Z")], ...],
    Meta(description='a list of domains in quotes, ["example.org"]'),
]
DomainName = Annotated[
    str, Meta(pattern=r"\A[^@\s]+\Z", description='a domain in quotes, "example.org"')
]
LogFormat = Annotated[Literal["lines", "json"], Meta(description='"lines" or "json"')]
Makers = Annotated[
    str,
    Meta(
        pattern=r"\A[a-zA-Z0-9_ -]+\Z",
        description='"everybody", "operator", or userids separated by blanks',
    ),
]
MailAddress = Annotated[
    str, Meta(pattern=r"\A[^@\s]+@[^@\s]+\Z", description="a mail address, local@domain")
]
MailAddresses = Annotated[
    tuple[MailAddress, ...],
    Meta(description='a list of mail addresses in quotes, ["games@old.example.org"]'),
]
OptionalAddress = Annotated[
    str,
    Meta(
        pattern=r"\A(?:|[^@\s]+@[^@\s]+)\Z",
        description='a mail address, local@domain, or "" for none',
    ),
]
Selector = Annotated[
    str,
    Meta(
        pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\Z",
        description="a name of letters, digits, - and .",
    ),
]
ServerName = Annotated[
    str, Meta(pattern=r"\A\S*\Z", description='the name of one mail server, or "" for none')
]
Peers = Annotated[
    tuple[str, ...],
    Meta(description='a list of IP addresses or networks in quotes, ["127.0.0.1", "::1"]'),
]
Userids = Annotated[
    tuple[Annotated[str, Meta(pattern=r"\A[A-Za-z][A-Za-z0-9_-]{1,19}\Z")], ...],
    Meta(description='a list of userids in quotes, ["ann"]'),
]
VariantFiles = Annotated[
    tuple[str, ...],
    Meta(description='a list of paths in quotes, ["/etc/pbm/variants.ini"]'),
]
Listen = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|unix:.+|(?:{_HOST}|[0-9A-Fa-f:.]*):{_PORT})\Z",
        description='HOST:PORT, unix:PATH, or "" for off',
    ),
]
LoopbackPort = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|(?:localhost|127\.[0-9.]+|::1|\[::1\]):{_PORT})\Z",
        description='a port of this machine alone, 127.0.0.1:PORT, or "" for off',
    ),
]
DatabaseUrl = Annotated[
    str,
    Meta(
        pattern=r"\A(?:sqlite|postgres(?:ql)?)(?:\+\w+)?://",
        description="sqlite:///PATH or postgresql://USER@HOST/NAME",
    ),
]
ImapUrl = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|(?:imaps?|imap\+starttls)://{_USER}{_HOST}(?::{_PORT})?(?:/.*)?)\Z",
        description="imaps://USER:PASSWORD@HOST/INBOX, imap+starttls://… or imap://…, "
        'with %40 for an @ in USER, or "" for off',
    ),
]
WebUrl = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|https?://{_HOST}(?::{_PORT})?(?:/[\w./~-]*)?)\Z",
        description='https://HOST or https://HOST/PATH, or "" for no links',
    ),
]
TracingUrl = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:|https?://{_HOST}(?::{_PORT})?/\S*)\Z",
        description='http://HOST:PORT/v1/traces, or "" for off',
    ),
]
Rates = Annotated[
    dict[
        Annotated[str, Meta(pattern=r"\A[^@\s]+\Z")],
        Annotated[int, Meta(ge=1, le=_MOST)],
    ],
    Meta(description='mails a minute by domain, { "gmail.com" = 60 }'),
]
RelayUrl = Annotated[
    str,
    Meta(
        pattern=r"\A(?:(?:maildir|sendmail):.+"
        rf"|(?:smtps?|smtp\+starttls)://{_USER}?{_HOST}?(?::{_PORT})?/?)\Z",
        description="maildir:FOLDER, smtp://HOST:PORT, smtps://HOST:PORT, "
        "smtp+starttls://USER:PASSWORD@HOST:PORT or sendmail:PROGRAM",
    ),
]
