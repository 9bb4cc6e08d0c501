"""Renders notices as text, whose first line is the subject: each type of content has a template of
its name, or a function in `board_texts`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from importlib.resources import files
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from pbm.config import Config
from pbm.core.feature import get_features
from pbm.core.notices import BoardShown, Content, Notice, Thread
from pbm.core.proofs import Proof, is_worth
from pbm.core.words import VERBS
from pbm.locale import ENGLISH, LANGUAGES, peek, say_in, translate
from pbm.locale.words import reply_word
from pbm.mail.outgoing import board_texts
from pbm.mail.outgoing.fitted_text import (
    COLUMNS,
    JOINERS,
    fill,
    format_sentence,
    format_sentences,
    quote,
    shorten,
)
from pbm.rules.phrases import Listing, combine, phrase, phrase_number

if TYPE_CHECKING:
    from jinja2 import Environment

_WORD = re.compile(r"(?<!^)(?=[A-Z])")
_OWN = "|".join(
    re.escape(verb.name)
    for verb in VERBS
    if verb.needs_password and is_worth(Proof.PLAYER_ADDRESS, verb.act)
)
_CLAIM = re.compile(rf"(\b(?:{_OWN})(?: [0-9#.]+)?) [A-Za-z][\w-]* PASSWORD\b")
_FILLED_IN = re.compile(r"{{.*?}}|{%.*?%}", re.DOTALL)
_MESSAGE = re.compile(r'(?<=")[^"]* [^"]*(?=")')
"""A sentence in a template, or anything else between quotation marks with a blank."""
_NUMBERED = re.compile(r'\bngettext\("([^"]+)", "([^"]+)"')
_MANY = 2
_SAID = re.compile(r'\b(?:_|ngettext)\("([^"]+)"')
"""What a template says in the reader's language."""
_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
_templates: dict[str, str] = {}


def load_templates() -> dict[str, str]:
    """Read all templates, by file name. They are kept: an upgrade may replace the files."""
    if not _templates:
        packages = [each.package for each in get_features() if each.templates]
        for package in ("pbm.mail.outgoing", *packages):
            folder = files(package).joinpath("templates")
            _templates.update((page.name, page.read_text("utf-8")) for page in folder.iterdir())
    return _templates


def list_sentences(names: Sequence[str]) -> Iterator[str]:
    """Yield what stands in the mails that these templates make whoever reads them, in all
    languages, with names in braces for what is filled in."""
    templates = [load_templates()[name] for name in names]
    for template in templates:
        yield _FILLED_IN.sub("", template)
        yield from _MESSAGE.findall(template)
    for language in LANGUAGES[1:]:
        catalogue = peek(language)
        for template in templates:
            yield from map(catalogue.gettext, _MESSAGE.findall(template))
            for one, several in _NUMBERED.findall(template):
                yield catalogue.ngettext(one, several, _MANY)


def list_whole_texts() -> Iterator[str]:
    """Yield what stands in mails whoever reads them, template by template in each language, without
    the sentences into which something is filled in."""
    for language in LANGUAGES:
        catalogue = peek(language)

        def say(filled_in: re.Match[str], catalogue: NullTranslations = catalogue) -> str:
            whole = (each for each in _SAID.findall(filled_in[0]) if "{" not in each)
            return " ".join(map(catalogue.gettext, whole))

        for template in load_templates().values():
            yield _FILLED_IN.sub(say, template)


@cache
def build_environment(language: str = ENGLISH) -> Environment:
    """Build the environment of Jinja for readers of a language. Jinja is imported with the first
    mail, so that the daemon listens sooner."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    say = partial(translate, language=language)
    environment = Environment(
        loader=DictLoader(load_templates()),
        autoescape=False,  # noqa: S701 (plain text; the HTML part escapes for itself)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=say,
    )
    environment.globals["_"] = partial(_say, language)
    environment.globals["ngettext"] = partial(_say_number, language)
    environment.globals["combine"] = combine
    environment.globals["reply_word"] = partial(reply_word, language=language)
    environment.filters["say"] = say
    environment.filters["listing"] = Listing
    environment.filters["quote"] = quote
    environment.filters["capital"] = lambda text: text[:1].upper() + text[1:]
    environment.filters["fill"] = lambda text, indent=0: fill(say(text), indent)
    environment.filters["sentence"] = lambda text, names="": format_sentence(say(text), names)
    environment.filters["sentences"] = lambda texts, names="": format_sentences(
        [say(text) for text in texts], names
    )
    environment.filters["board"] = partial(board_texts.write_board, say=say)
    environment.filters["next"] = partial(board_texts.write_next, say=say)
    environment.filters["facts"] = board_texts.write_facts
    return environment


def _say(language: str, message: str, **values: object) -> str:
    return say_in(language, message, values)


def _say_number(language: str, one: str, several: str, count: int, **values: object) -> str:
    return say_in(language, one, {"count": count, **values}, several)


@cache
def get_content_name(kind: type[Content]) -> str:
    """Return the name of a type of content, as it is stored: `board_update` for BoardUpdate."""
    return _WORD.sub("_", kind.__name__).lower()


@cache
def get_template_name(kind: type[Content]) -> str:
    """Return the template of a type of content, named after it."""
    return f"{get_content_name(kind)}.txt"


class Text(Struct, frozen=True):
    """A notice as text. Its body is in three parts where it shows a picture, which is the same in
    the mails to both players of most boards; otherwise all is `before`, and `after` the last end of
    a line."""

    subject: str
    before: str
    picture: str
    after: str

    @property
    def body(self) -> str:
        """All that it says."""
        return f"{self.before}{self.picture}{self.after}"


def render(
    notice: Notice,
    config: Config,
    *,
    subject: str = "names",
    link: str = "",
    is_proven: bool = False,
    language: str = ENGLISH,
) -> tuple[str, str]:
    """Return the subject and body of a notice."""
    text = render_parts(
        notice,
        config,
        "",
        subject=subject,
        link=link,
        is_proven=is_proven,
        language=language,
    )
    return text.subject, text.body


def render_parts(
    notice: Notice,
    config: Config,
    picture: str,
    *,
    subject: str = "names",
    link: str = "",
    has_password: bool = True,
    is_proven: bool = False,
    server: str = "",
    language: str = ENGLISH,
) -> Text:
    """Return a notice as text, in parts if it shows that picture. All mails of a board have one
    subject, its players' userids, unless the reader wants the news there. `link` is the URL of the
    reader's page of the board. To a reader without a password, lines to send have none; where a
    reply proves the reader (`is_proven`), lists have lines to reply with. `server` is the address
    to write to, if not the first."""
    content = notice.content
    if isinstance(content, BoardShown):
        text = board_texts.write_shown(content, partial(translate, language=language))
    else:
        server = server or config.server.address
        text = _fill_template(content, server, language, is_proven=is_proven)
    if not has_password:
        text = _drop_claims(text)
    text, shown, after = _split(text, "" if notice.left else picture)
    news, _, text = text.partition("\n")
    text, after = clean(text).lstrip("\n"), clean(after).rstrip("\n")
    if not shown:
        text = text.rstrip("\n")
    if notice.left:
        text = _add_left(text, notice.left, language)
    text, after = _fit(text), _fit(after)
    if notice.is_last and shown:
        after = _add_last(after, language)
    elif notice.is_last:
        text = _add_last(text, language)
    if link:
        label = translate(content.link_label, language)
        if shown:
            after = _add_link(after, label, link)
        else:
            text = _add_link(text, label, link)
    title = news if notice.thread is None or subject == "news" else _build_title(notice.thread)
    return Text(_join_lines(title), text, shown, f"{after}\n")


def _split(text: str, picture: str) -> tuple[str, str, str]:
    """Return the text before a picture, the picture, and the text after it; all as one text, and
    nothing else, unless it shows the picture, and that can be sent as it was drawn."""
    if picture and _is_plain(picture):
        before, shown, after = text.partition(f"\n{picture}\n")
        if shown:
            return f"{before}\n", picture, f"\n{after}"
    return text, "", ""


@lru_cache(maxsize=1)
def _is_plain(picture: str) -> bool:
    """Whether `clean` and `_fit` leave a picture alone, and it has no blank lines at its ends. The
    latest is remembered."""
    return picture.strip("\n") == picture == _fit(clean(picture))


def _drop_claims(text: str) -> str:
    """Return the text without userid and password in the lines to send, which a reply does not
    need; those that change the account stay."""
    return _CLAIM.sub(r"\1", text)


def _fill_template(content: Content, server: str, language: str, *, is_proven: bool) -> str:
    template = build_environment(language).get_template(get_template_name(type(content)))
    claim, send = ("", "reply with") if is_proven else (" USERID PASSWORD", "send")
    reader = {"claim": claim, "send": send, "is_proven": is_proven}
    return template.render(asdict(content), server=server, reader=reader)


def _add_link(body: str, label: str, link: str) -> str:
    """Return the body with the link on a line of its own, and in the block for programs. A URL is
    never broken into lines."""
    text, mark, block = body.partition("\n-- \n")
    text = f"{text.rstrip()}\n\n{label}: {link}"
    return f'{text}{mark}{block.rstrip()}\n[Link "{link}"]' if mark else text


def _build_title(thread: Thread) -> str:
    return f"[{thread.game} {thread.board}] {' - '.join(thread.names)}"


def _add_last(body: str, language: str) -> str:
    """Return the body, which says at its end that it is the last answer for today to mails that do
    not prove who wrote them."""
    text, mark, block = body.partition("\n-- \n")
    note = translate(
        phrase(
            "This is today's last answer to mails that do not show who wrote them. Replies to our "
            "mails, and commands with userid and password, are done and answered as always."
        ),
        language,
    )
    return f"{text.rstrip()}\n\n{fill(note)}{mark}{block}"


def _add_left(body: str, left: Sequence[str], language: str) -> str:
    """Return the body with the lines that were not executed, below its first paragraph."""
    first, _, rest = body.partition("\n\n")
    title = translate(
        phrase_number(
            "Neither done nor passed on; send it in a mail of its own:",
            "Neither done nor passed on; send each in a mail of its own:",
            len(left),
        ),
        language,
    )
    lines = "\n".join(f"    {clean(line)}" for line in left)
    return "\n\n".join(part for part in (first, f"{title}\n{lines}", rest) if part)


def clean(body: str) -> str:
    """Return the body with unprintable characters replaced by blanks."""
    if body.isascii() and not body.encode("ascii").translate(None, _PLAIN):
        return body
    if body.replace("\n", "").isprintable():
        return body
    return "".join(
        letter if letter == "\n" or letter.isprintable() or letter in JOINERS else " "
        for letter in body
    )


def _fit(body: str) -> str:
    """Return the body with lines broken that are too long, because of a long userid or address."""
    if len(body) <= COLUMNS:
        return body
    lines = body.split("\n")
    if max(map(len, lines)) <= COLUMNS:
        return body
    return "\n".join(piece for line in lines for piece in _wrap(line))


def _wrap(line: str) -> list[str]:
    """Return the line in pieces that fit; those of an indented line are indented by two more."""
    if len(line) <= COLUMNS:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line,
        COLUMNS,
        subsequent_indent=indent and indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _join_lines(text: str) -> str:
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    plain = " ".join(text.split())
    return shorten(plain)
