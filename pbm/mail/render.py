"""Renders notices as text, whose first line is the subject: each type of content has a template of
its name, or a function in `board_texts`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from importlib.resources import files

from jinja2 import DictLoader, Environment, StrictUndefined
from msgspec import Struct
from msgspec.structs import asdict

from pbm.config import Config
from pbm.core.feature import get_features, list_verbs
from pbm.core.notices import (
    BoardContent,
    BoardShown,
    BoardUpdate,
    BoardView,
    Content,
    LogLine,
    Notice,
    Refused,
    Thread,
)
from pbm.core.options import put_options_in_words
from pbm.core.proofs import CAPABILITIES, Act, Proof
from pbm.core.refusal import Offer
from pbm.core.view import drop_number
from pbm.core.words import find_game_name, list_two_words, map_words_to_verbs, say_verb
from pbm.features.finding.notices import HelpPage
from pbm.games import get_game
from pbm.locale import ENGLISH, LANGUAGES, peek, say_in, translate
from pbm.locale.words import command_word, name_game, name_verb, reply_word, say_command_word
from pbm.rules.phrases import Listing, Phrase, combine, phrase, phrase_number, punctuate, wrap

_WORD = re.compile(r"(?<!^)(?=[A-Z])")
_FILLED_IN = re.compile(r"{{.*?}}|{%.*?%}", re.DOTALL)
_SAID = re.compile(r'\b(?:_|ngettext)\("([^"]+)"')
"""What a template says in the reader's language."""
_QUOTED = re.compile(r'"([^"]*)"')
_WORD_TO_SEND = re.compile(r'{{ \(?(?:"    " ~ )?reply_word\("(\w+)"\)\)? }}')
_TAG = "[pbm]"
"""What begins the subject of a mail about no board, unless the club has a name."""
_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
_AS_WRITTEN = (Refused, HelpPage)
"""What has lines as they are to be sent, whoever replies: a refusal knows what its writer needs."""
_OF_BOARD = re.compile(r" {4}\w+ (\w+) \d+(#[\d.]+)?( .+)?")
"""A command about one board: what is done, a place in its log, and the words behind."""
_templates: dict[str, str] = {}


@cache
def _match_claim(proof: Proof, language: str) -> re.Pattern[str]:
    """The pattern of a userid and PASSWORD in a line to send to which that is proof enough: to all
    of its kind, which those of moderators are not."""
    worth = CAPABILITIES[proof].worth - {Act.MODERATE}
    verbs = [verb for verb in list_verbs() if verb.needs_password and verb.act in worth]
    names = {name for verb in verbs for name in (verb.name, say_verb(verb, language))}
    own = "|".join(map(re.escape, sorted(names)))
    return re.compile(rf"(\b(?:{own})(?: (?:[0-9#.]+|[A-Z]+))*?) [A-Za-z][\w-]* PASSWORD\b")


def load_templates() -> dict[str, str]:
    """Read all templates, by file name. They are kept: an upgrade may replace the files."""
    if not _templates:
        for package in ("pbm.mail", *(each.package for each in get_features())):
            folder = files(package).joinpath("templates")
            if folder.is_dir():
                _templates.update((page.name, page.read_text("utf-8")) for page in folder.iterdir())
    return _templates


def list_whole_texts() -> Iterator[str]:
    """Yield what stands in mails whoever reads them, template by template in each language, without
    the sentences into which something is filled in."""
    for language in LANGUAGES:
        catalogue = peek(language)

        def say(
            filled_in: re.Match[str],
            language: str = language,
            catalogue: NullTranslations = catalogue,
        ) -> str:
            if word := _WORD_TO_SEND.fullmatch(filled_in[0]):
                return reply_word(word[1], language=language)
            if filled_in[0].endswith("| command }}"):
                return say_command("".join(_QUOTED.findall(filled_in[0])), language)
            whole = (each for each in _SAID.findall(filled_in[0]) if "{" not in each)
            return " ".join(map(catalogue.gettext, whole))

        for template in load_templates().values():
            yield _FILLED_IN.sub(say, template)


def list_sentences() -> Iterator[str]:
    """Yield the sentences of all templates in each language, whatever is filled in."""
    for language in LANGUAGES:
        for template in load_templates().values():
            yield from map(peek(language).gettext, _SAID.findall(template))


@cache
def build_environment(language: str = ENGLISH) -> Environment:
    """Build the environment of Jinja for readers of a language."""
    say = partial(_say_text, language=language)
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
    environment.globals["command_word"] = say_command_word
    environment.globals["reply_word"] = partial(reply_word, language=language)
    environment.filters["say"] = say
    environment.filters["command"] = partial(say_command, language=language)
    environment.filters["listing"] = Listing
    environment.filters["row"] = lambda texts, gap: gap.join(map(say, texts))
    environment.filters["quote"] = quote
    environment.filters["capital"] = lambda text: text[:1].upper() + text[1:]
    environment.filters["fill"] = lambda text, indent=0: fill(say(text), indent)
    environment.filters["sentence"] = lambda text, names="": format_sentence(say(text), names)
    environment.filters["sentences"] = lambda texts, names="": format_sentences(
        [say(text) for text in texts], names
    )
    environment.filters["option_words"] = lambda typed, game: put_options_in_words(game, typed, say)
    environment.filters["board"] = partial(write_board, say=say)
    environment.filters["lead"] = partial(write_lead, say=say)
    environment.filters["next"] = partial(write_next, say=say)
    environment.filters["request"] = lambda view: write_request(view, say, view.example)
    environment.filters["facts"] = write_facts
    environment.filters["offered"] = partial(write_offer, language=language)
    environment.tests["pages"] = are_pages
    return environment


def _say(language: str, message: str, **values: object) -> str:
    """Return a sentence with what is filled in."""
    return say_in(language, message, _name_commands(values, language))


def _say_text(text: str, language: str) -> str:
    if isinstance(text, Phrase) and "line" in text.values:
        values = _name_commands(text.values, language)
        text = type(text)(text.message, values, text.plural)
    return translate(text, language)


def _name_commands(values: Mapping[str, object], language: str) -> Mapping[str, object]:
    """Return what is filled into a sentence, with a `line` to send as its reader writes it."""
    if not isinstance(line := values.get("line"), str):
        return values
    several = translate(line, language).split(", ")
    return {**values, "line": ", ".join([say_command(each, language) for each in several])}


def _say_number(language: str, one: str, several: str, count: int, **values: object) -> str:
    return say_in(language, one, {"count": count, **values}, several)


@cache
def get_content_name(kind: type[Content]) -> str:
    """Return the stored name of a type of content: `board_update` for BoardUpdate."""
    return _WORD.sub("_", kind.__name__).lower()


@cache
def get_template_name(kind: type[Content]) -> str:
    """Return the template of a type of content, named after it."""
    return f"{get_content_name(kind)}.txt"


_LONGEST_WITHHELD = 1000


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
    proof: Proof = Proof.NOTHING,
    language: str = ENGLISH,
) -> tuple[str, str]:
    """Return the subject and body of a notice."""
    text = render_parts(
        notice,
        config,
        "",
        subject=subject,
        link=link,
        proof=proof,
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
    proof: Proof = Proof.NOTHING,
    has_password: bool = True,
    server: str = "",
    language: str = ENGLISH,
) -> Text:
    """Return a notice as text, in parts if it shows that picture. All mails of a board have one
    subject, its players' userids, unless the reader wants the news there. `link` is the URL of the
    reader's page of the board. Lines to send are as short as what a reply proves allows; none has a
    password for a reader without. `server` is the address to write to, if not the first."""
    content = notice.content
    if isinstance(content, BoardShown):
        text = write_shown(content, partial(translate, language=language))
    else:
        server = server or config.server.address
        text = _fill_template(content, server, language, proof)
    if isinstance(content, _AS_WRITTEN):
        proof = Proof.NOTHING if has_password else Proof.PLAYER_ADDRESS
    text = shorten_lines(text, proof, language)
    text, shown, after = _split(text, "" if notice.left else picture)
    news, _, text = text.partition("\n")
    text, after = clean(text).lstrip("\n"), clean(after).rstrip("\n")
    if not shown:
        text = text.rstrip("\n")
    if notice.left:
        text = _add_left(text, notice.left, language)
    text, after = _fit(text), _fit(after)
    for paragraph in _list_additions(notice, language):
        if shown:
            after = _add_paragraph(after, paragraph)
        else:
            text = _add_paragraph(text, paragraph)
    if link:
        label = translate(content.link_label, language)
        if shown:
            after = _add_link(after, label, link, language)
        else:
            text = _add_link(text, label, link, language)
    if config.server.name:
        if news.startswith(_TAG):
            news = f"[{config.server.name}]{news[len(_TAG) :]}"
        if not content.passed_on:
            text = text.replace(f"{_TAG} ", f"[{config.server.name}] ")
    title = news if notice.thread is None or subject == "news" else build_title(notice.thread)
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


def shorten_lines(text: str, proof: Proof, language: str) -> str:
    """Return the text with the lines to send as a reply needs them: without userid and password,
    for which a column behind them stays where it is, and to the mail of a board as its reader says
    it. Those that change the account stay, and what somebody wrote."""
    if proof is Proof.NOTHING or " PASSWORD" not in text:
        return text
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if " PASSWORD" not in line or line.startswith(">"):
            continue
        lines[at] = _match_claim(proof, language).sub(_leave_out_claim, line)
        if proof is Proof.BOARD_ADDRESS and (match := _OF_BOARD.fullmatch(lines[at])):
            rest = f" {match[2] or ''}{match[3] or ''}".replace("  ", " ").rstrip()
            lines[at] = f"    {reply_word(match[1], language)}{rest}"
    return "\n".join(lines)


def _leave_out_claim(claim: re.Match[str]) -> str:
    is_column = claim.string.startswith("  ", claim.end())
    return claim[1] + (len(claim[0]) - len(claim[1])) * " " * is_column


def _fill_template(content: Content, server: str, language: str, proof: Proof) -> str:
    template = build_environment(language).get_template(get_template_name(type(content)))
    return template.render(asdict(content), server=server, is_proven=proof is not Proof.NOTHING)


def _add_link(body: str, label: str, link: str, language: str) -> str:
    """Return the body with the link on a line of its own, and in the block for programs. A URL is
    never broken into lines."""
    text, mark, block = body.partition("\n-- \n")
    text = f"{text.rstrip()}\n\n{write_link(label, link, language)}"
    return f'{text}{mark}{block.rstrip()}\n[Link "{link}"]' if mark else text


def write_link(label: str, link: str, language: str) -> str:
    """Return a link behind what stands before it, below that where both have no room in a line."""
    head = translate(combine("{label}:", label=label), language)
    return f"{head} {link}" if len(head) + 1 + len(link) <= COLUMNS else f"{head}\n{link}"


def build_title(thread: Thread) -> str:
    """Return the subject that all mails of a board have."""
    return f"[{thread.game} {thread.board}] {' - '.join(thread.names)}"


def _add_paragraph(body: str, paragraph: str) -> str:
    """Return the body with a paragraph at its end, above the block for programs."""
    text, mark, block = body.partition("\n-- \n")
    end = text.rstrip()
    return f"{end}\n\n{paragraph}{text[len(end) :]}{mark}{block}"


def _list_additions(notice: Notice, language: str) -> list[str]:
    """Return what stands at the end of a mail: what was not passed on of the mail that it answers,
    as a quote, so that it is not the writer's again in a reply below it; and what features add."""
    added = [fill(clean(translate(sentence, language))) for sentence in notice.added]
    if not notice.withheld:
        return added
    text = clean(" / ".join(notice.withheld))
    shown = text if len(text) <= _LONGEST_WITHHELD else f"{text[:_LONGEST_WITHHELD]}..."
    told = [quote(translate(phrase("Not passed on: {text}", text=shown), language))]
    thread = notice.thread
    if thread is not None and "orders" not in get_game(thread.game).info.features:
        how = phrase("To send it, reply with the word chat before it.")
        told.append(fill(translate(how, language)))
    return [*told, *added]


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


# The texts of a board that many mails have. They are written in Python, so that a board can be
# shown without a template engine, whose import takes longer than the rest of an answer.

Say = Callable[[str], str]
"""Translates a text into the reader's language."""
_MOST_OFFERED = 5
"""Lines of the text of an offer that are shown."""
_FITS = 72
_LONGEST_EXAMPLE = 60
"""Longer turns stand on a line of their own."""
_TIME_COLUMN = 42
"""The column before which the time of a move ends, unless the move is longer: a phone shows it."""


def write_lead(lead: Sequence[str], view: BoardView, *, say: Say, is_open: bool) -> str:
    """Return the first paragraph of the news, of which a list of mails shows the first words: to
    whoever is to move that it is so, and for how long. The last of the sentences says how the board
    stands, with the number of the turn: programs read it there."""
    if not _asks_first(lead, view, is_open=is_open):
        return format_sentences([say(text) for text in lead], view.names)
    asked = phrase("your orders") if view.takes_orders else phrase("your move")
    if view.span:
        asked = (
            phrase("your orders {within}", within=view.span)
            if view.takes_orders
            else phrase("your move {within}", within=view.span)
        )
    news, *others = map(say, lead)
    opening = [say(asked), news]
    if ": " not in news:
        opening = [say(combine("{asked}: {news}", asked=asked, news=news))]
    return format_sentences([*opening, *others], view.names)


def _asks_first(lead: Sequence[str], view: BoardView, *, is_open: bool) -> bool:
    """Whether the news begin with what is asked of the reader."""
    return view.state == "running" and view.on_move and not is_open and len(lead) > 1


def write_standing(content: Content, say: Say) -> tuple[str, str]:
    """Return the sentence that says how a board stands, the last of the first paragraph of news,
    and what of it is no number for programs: nothing, where the first sentence has said it."""
    if isinstance(content, BoardUpdate):
        said = punctuate(say(content.lead[-1]), content.view.names)
        asks_first = _asks_first(content.lead, content.view, is_open=content.is_open)
        return said, "" if asks_first else drop_number(said)
    if not isinstance(content, BoardContent | Refused) or content.view is None:
        return "", ""
    said = punctuate(say(content.view.status), content.view.names)
    return said, drop_number(said)


def write_board(view: BoardView, say: Say) -> str:
    """Return the board, what it is, who plays, and the last moves."""
    typed = " ".join(filter(None, [view.options, view.terms]))
    about = [say(view.summary.heading), put_options_in_words(view.game, typed, say)]
    parts = [
        say(view.appearance.words() if view.in_words else view.picture.text),
        "\n".join([fill("; ".join(filter(None, about))), *_write_people(view, say)]),
        "\n".join(_write_log(view, say)),
        *("\n".join(map(say, lines)) for lines in view.own.values()),
    ]
    return "\n\n".join(filter(None, parts))


def _write_people(view: BoardView, say: Say) -> Iterator[str]:
    """Yield a line a seat and official: sentences for those who want words, else columns."""
    rows = [(each.player, say(each.name), say(each.notes)) for each in view.people]
    if all(each.player == each.name for each in view.people):
        rows = [(player, "", notes) for player, _, notes in rows]
    width, name_width = (max(len(row[at]) for row in rows) for at in (0, 1))
    for seat, (player, name, notes) in zip(view.people, rows, strict=True):
        if view.in_words:
            yield f"{say(seat.sentence)}."
        else:
            named = f"{name:<{name_width}}  " if name_width else ""
            yield f"  {player:<{width}}  {named}{notes}".rstrip()
    for userid, what in view.officials:
        yield f"  {userid}: {say(what)}."


def _write_log(view: BoardView, say: Say) -> Iterator[str]:
    """Yield the lines of a log, with people's texts unchanged."""
    for line in view.log:
        if not isinstance(line, LogLine):
            yield line
            continue
        text = say(line.text)
        if line.is_quoted:
            yield from _quote(text, line.indent)
            continue
        if line.is_sentence:
            yield punctuate(text, view.names)
            continue
        if line.has_capital:
            text = text[:1].upper() + text[1:]
        lines = wrap_line(f"{line.before}{text}", line.indent)
        yield from _add_time(lines, line.time, line.indent) if line.time else lines


def _quote(text: str, indent: int) -> Iterator[str]:
    """Yield the lines of a text, quoted as mail programs do."""
    before = " " * indent + "> "
    for line in text.splitlines():
        for piece in wrap(line, COLUMNS - len(before)) or [""]:
            yield before + piece


def _add_time(lines: Sequence[str], time: str, indent: int) -> Sequence[str]:
    """Return the lines of a move with its time (UTC) at the right, or below where it does not
    fit."""
    if len(lines[-1]) + 2 + len(time) > COLUMNS:
        lines = [*lines, " " * indent]
    return [*lines[:-1], f"{lines[-1]:<{_TIME_COLUMN - len(time)}}  {time}"]


def write_next(view: BoardView, say: Say) -> str:
    """Return how to move, behind the board, for a viewer on the move."""
    if not view.on_move:
        return ""
    asked, slot = phrase("Your move? Send"), "MOVE"
    if view.takes_orders:
        asked, slot = phrase("Your orders? Send"), "ORDER"
    command = f"{view.game} move {view.board} {view.userid} PASSWORD {slot}"
    return f"\n\n{say(asked)}\n    {command}"


def write_request(view: BoardView, say: Say, example: str) -> str:
    """Return what to reply to a board that waits for its reader."""
    if len(example) > _LONGEST_EXAMPLE:
        asked = phrase("Reply with a whole turn, for instance, on one line:")
        return f"{fill(say(asked))}\n    {say(example)}"
    if view.takes_orders:
        asked = (
            phrase("Reply with your orders, one a line, for instance {example}.", example=example)
            if example
            else phrase("Reply with your orders, one a line.")
        )
    elif example:
        asked = phrase("Reply with your move, for instance {example}.", example=example)
    else:
        asked = phrase("Reply with your move.")
    return fill(say(asked))


def write_facts(view: BoardView) -> str:
    """Return the block for programs at the end of a mail, and what the dice follow from."""
    to_move = view.to_move.replace(",", "").replace(" and ", " ")
    of_programs: dict[str, object] = {
        "Game": view.game,
        "Board": view.board,
        "Event": view.event,
        "Options": view.options,
        "Players": view.players,
        "Ply": str(view.ply),
        "ToMove": to_move or "-",
        "Result": view.ranks,
        "Ratings": view.rated_as,
    }
    of_dice: dict[str, object] = {"Hash": view.commitment, "Secret": view.secret}
    facts = of_dice if view.in_words else of_programs | of_dice
    optional = {"Event", "Options", "Ratings", "Hash", "Secret"}
    lines = [f'[{name} "{fact}"]' for name, fact in facts.items() if fact or name not in optional]
    has_mark = not view.in_words or view.commitment
    return "\n".join(["-- ", *lines] if has_mark else lines)


def say_command(line: str, language: str) -> str:
    """Return a line to send as a reader of a language writes it: a word that stands alone or before
    a text, a question for help, with the game or the page by its name there, and a command."""
    first, blank, rest = line.partition(" ")
    if rest == "help":
        first, rest = rest, first
    if first == "help":
        is_game = find_game_name(rest) == rest
        named = name_game(rest, rest, language).lower() if is_game else command_word(rest, language)
        rest = named if named != rest else name_verb(rest, language)
    verbs = [each for each in map_words_to_verbs().get(first, ()) if each.has_board]
    takes_text = any(each.has_moves or each.has_message or each.text == "text" for each in verbs)
    if first == "help" or rest in ("", "TEXT") or takes_text:
        said = reply_word(first, language)
        return f"{said if said != first else name_verb(first, language)}{blank}{rest}"
    words = line.split(" ")
    at = 1 if first == "GAME" or find_game_name(first) else 0
    size = 2 if tuple(words[at : at + 2]) in list_two_words() else 1
    behind = [
        _say_setting(word, language) if first == "set" or word == "until" else word
        for word in words[at + size :]
    ]
    name = " ".join(words[at : at + size])
    verbs = [each for each in map_words_to_verbs().get(name, ()) if at and each.game == "yes"]
    own = say_verb(verbs[0], language) if verbs else name_verb(name, language)
    return " ".join([*words[:at], own, *behind])


def _say_setting(word: str, language: str) -> str:
    """Return a key and its value, or any other word, as a reader of a language writes them."""
    return "=".join([command_word(each, language) for each in word.split("=")])


def are_pages(lines: Sequence[str]) -> bool:
    """Whether lines to send only bring pages to read: they mend nothing."""
    return bool(lines) and all("help" in line.split() for line in lines)


def write_offer(offer: Offer, language: str = ENGLISH) -> str:
    """Return the lines of an offer, indented, as far as its text is short."""
    lines = [line for line in offer.text.splitlines() if line.strip()]
    first = say_command(offer.line, language)
    shown = [part for line in (first, *lines[:_MOST_OFFERED]) for part in wrap(line, _FITS)]
    more = ["..."] if len(lines) > _MOST_OFFERED else []
    return "\n".join(f"    {line}" for line in [*shown, *more])


def write_shown(shown: BoardShown, say: Say) -> str:
    """Return the whole text of an answer that shows one board, the subject first."""
    view, asked = shown.view, write_next(shown.view, say)
    if shown.example:
        asked = f"\n\n{write_request(view, say, shown.example)}"
    subject, status = shown.headline, view.status
    if shown.at is not None:
        subject = phrase("after move {move}", move=shown.at)
        status = combine("{past}: {status}", past=subject, status=status)
    return (
        f"[{view.game} {view.board}] {say(subject)}\n"
        f"{format_sentence(say(status), view.names)}\n\n"
        f"{write_board(view, say)}{asked}\n\n{write_facts(view)}"
    )


# Sentences and what people wrote, as lines of a mail that fit.

COLUMNS = 78
JOINERS = "\u200c\u200d"
"""Zero-width joiners, which some scripts and emoji need."""
_SHORTEST_SUBJECT = 48
_CUT = " ..."


def shorten(text: str) -> str:
    """Return a subject that fits into a line: up to the last colon or comma that fits, or the last
    word."""
    if len(text) <= COLUMNS:
        return text
    part = text[: COLUMNS - len(_CUT) + 1]
    ends = [at for at in map(part.rfind, (": ", "; ", ", ")) if at > _SHORTEST_SUBJECT]
    end = max(ends, default=part.rfind(" "))
    return f"{part[: end if end > 0 else -1].rstrip(' -')}{_CUT}"


def quote(text: str) -> str:
    """Return what a person wrote, as quoted lines that fit."""
    lines = []
    for line in text.splitlines():
        plain = "".join(
            letter if letter.isprintable() or letter in JOINERS else " " for letter in line
        ).rstrip()
        lines += textwrap.wrap(plain, COLUMNS - 2) or [""]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def format_sentence(text: str, names: str = "") -> str:
    """Return the text as a sentence: a full stop, and a capital unless a userid begins it."""
    return fill(punctuate(text, names))


def format_sentences(texts: Sequence[str], names: str = "") -> str:
    """Return the texts as sentences of one paragraph."""
    return fill(" ".join([punctuate(text, names) for text in texts]))


def wrap_line(line: str, indent: int) -> list[str]:
    """Break a line into pieces that fit, at blanks and commas, the later ones indented."""
    pieces = []
    while len(line) > COLUMNS:
        at = max(line.rfind(" ", indent, COLUMNS), line.rfind(",", indent, COLUMNS - 1) + 1)
        at = at if at > indent else COLUMNS
        pieces.append(line[:at].rstrip())
        line = " " * indent + line[at:].lstrip()
    return [*pieces, line]


def fill(text: str, indent: int = 0) -> str:
    """Return a sentence as lines that fit, the later ones indented."""
    if len(text) <= COLUMNS and "\n" not in text:
        return text
    return "\n".join(wrap(text, COLUMNS, later=" " * indent))
