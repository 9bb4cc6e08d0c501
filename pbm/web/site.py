"""What all pages share: the database, the one way in, and the templates."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape

from pbm.config import Config
from pbm.core.call import Call, MustWrite
from pbm.core.command import Command, Sender
from pbm.core.notices import Content
from pbm.core.secrets import Secrets
from pbm.core.storing import find_title
from pbm.core.submit import CommandService
from pbm.core.words import get_verb
from pbm.locale import ENGLISH, choose_form, translate
from pbm.store.engine import Store
from pbm.store.group_commit import Writer
from pbm.store.transaction import Session
from pbm.web.drawing_cache import DrawingCache

VISITOR = Sender(via="web")
STYLE = "style.css"
_ELEMENTS = {
    "code": Markup("<code>%s</code>"),
    "b": Markup("<b>%s</b>"),
    "small": Markup("<small>%s</small>"),
    "strong": Markup("<strong>%s</strong>"),
}
"""What a value of a sentence can stand in, by the name that templates have for it."""
_CONSTANT = re.compile(r'{{ _\("([^"{]+)"\) }}')


@dataclass(frozen=True, slots=True)
class Site:
    """One server's pages. `done` is called when a click has changed something."""

    config: Config
    store: Store
    writer: Writer
    secrets: Secrets
    service: CommandService
    clock: Callable[[], float]
    done: Callable[[], object]
    drawings: DrawingCache = field(default_factory=DrawingCache)

    def read(
        self,
        session: Session,
        verb: str,
        game: str = "",
        words: Sequence[str] = (),
        *,
        board: int = 0,
    ) -> Content | None:
        """Return what a command that only reads shows to a visitor; None when it is refused. Of two
        verbs of that name, `game` or `board` decide which is meant."""
        row = get_verb(verb, takes_game=bool(game or board))
        command = Command(row, VISITOR, game=game, board=board, words=tuple(words))
        try:
            notices = self.service.show(session, command, self.clock())
        except MustWrite:
            return None
        return next((notice.content for notice in notices if not notice.is_failure), None)

    def call(self, session: Session, command: Command) -> Call:
        """Return a call that only reads, for the views."""
        return Call(
            session, self.clock(), self.secrets, self.config, command=command, reads_only=True
        )


@cache
def load_templates() -> dict[str, str]:
    """Read the templates and the style sheet, by file name. They are kept: an upgrade may replace
    the files. The style sheet has the font in it that pictures of boards are measured with."""
    folder = files("pbm.web").joinpath("templates")
    pages = {page.name: page.read_text(encoding="utf-8") for page in folder.iterdir()}
    font = b64encode(files("pbm.pictures").joinpath("board.woff2").read_bytes()).decode()
    pages[STYLE] = pages[STYLE].replace("\n", "").replace("%FONT%", font)
    return pages


@cache
def _environment(language: str) -> Environment:
    """Build the environment of Jinja for readers of a language. Phrases are said in it wherever a
    template shows them; values that are markup stay so in a sentence."""
    say = partial(translate, language=language)
    pages = {name: _say_constants(page, language) for name, page in load_templates().items()}
    environment = Environment(
        loader=DictLoader(pages),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=None if language == ENGLISH else say,
    )
    environment.globals["_"] = _build_sayer(language)
    environment.globals["ngettext"] = partial(_say_number, language)
    environment.globals["anchor"] = partial(_write_anchor, say)
    for name, element in _ELEMENTS.items():
        environment.globals[name] = partial(_wrap, element, say)
    environment.filters["capitalize_first"] = lambda text: _capitalize_first(say(text))
    environment.filters["say"] = say
    environment.filters["game_title"] = find_title
    environment.filters["say_each"] = lambda texts: [say(text) for text in texts]
    environment.filters["plus_minus"] = _write_plus_minus
    return environment


def _say_constants(page: str, language: str) -> str:
    """Return a template with its sentences without values in a language, once for all pages."""
    return _CONSTANT.sub(lambda found: str(escape(choose_form(language, found[1], {}))), page)


def _build_sayer(language: str) -> Callable[..., Markup]:
    """Return what says a message of a template in a language, with its values filled in."""
    forms = dict[str, Markup]()

    def say(message: str, **values: object) -> Markup:
        if (form := forms.get(message)) is None:
            form = forms[message] = escape(choose_form(language, message, values))
        return _fill_in(form, language, values.items()) if values else form

    return say


def _say_number(language: str, one: str, several: str, count: int, **values: object) -> Markup:
    values["count"] = count
    return _fill_in(escape(choose_form(language, one, values, several)), language, values.items())


def _fill_in(form: Markup, language: str, values: Iterable[tuple[str, object]]) -> Markup:
    """Return a form of a sentence with these values, which are escaped unless they are markup."""
    said = {
        name: escape(translate(value, language) if isinstance(value, str) else value)
        for name, value in values
    }
    return Markup(str(form).format_map(said))  # noqa: S704 (all of it is escaped)


def _write_anchor(say: Callable[[str], str], address: str, text: str) -> Markup:
    return Markup('<a href="%s">%s</a>') % (address, say(text))


def _wrap(element: Markup, say: Callable[[str], str], text: object) -> Markup:
    return element % (say(text) if isinstance(text, str) else text)


def _capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _write_plus_minus(rating: str) -> str:
    """Return a rating, which mails write in ASCII, with the sign that it means."""
    return rating.replace("+-", "\u00b1")


def render(name: str, values: Mapping[str, Any], language: str = ENGLISH) -> str:
    """Return the page that a template makes of the values, in that language."""
    return _environment(language).get_template(name).render(values)
