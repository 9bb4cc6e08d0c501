"""Preferences of players, and the command `set`."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from difflib import get_close_matches
from zoneinfo import available_timezones

from msgspec import Struct
from msgspec.structs import replace

from pbm.core import clock
from pbm.core.board import format_time
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.feature import OptionField
from pbm.core.intents import read_weekday, say_weekday
from pbm.core.links import find_candidates, remove_own_links
from pbm.core.notices import Notice
from pbm.core.player import (
    ALL,
    Player,
    find_next_digest,
    find_player,
    get_player,
    has_stopped,
    replace_password,
    resume,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode, refuse_password
from pbm.core.storing import check_clocks_soon
from pbm.core.trust import HeldWords, take_reset, take_unlock
from pbm.core.words import SHORTEST_PASSWORD
from pbm.features.accounts.codes import CODE_DAYS, issue_code, void_codes
from pbm.features.accounts.notices import (
    CodeSent,
    PasswordChanged,
    PreferenceList,
    ResetCode,
    UnlockCode,
)
from pbm.features.accounts.stopping import stop_kind
from pbm.locale import LANGUAGES
from pbm.locale.formats import name_language
from pbm.locale.words import fold, map_command_words, read_command_word, say_command_word
from pbm.rules.phrases import Listing, combine, join_phrases, phrase
from pbm.rules.piece_letters import ENGLISH, FIGURINES, LOCAL
from pbm.store import reads

_LONGEST_NAME = 40
_IS_NAME = re.compile(r"(?=.*[^\W\d_])[^\W_][\w .'\u2019-]*")
_TIME_OF_DAY = re.compile(r"(?:at )?(\d{1,2}?)(?:[:.h]?(\d\d))?\s?(am|pm|h|uhr|o'clock)?")


class Preference(Struct, frozen=True):
    """A preference: key, allowed values (as people read them), default and help. `accepts` reads a
    value and returns None for an invalid one; `suggests` returns the value most likely meant.
    `title` and `choices` are its label and values in a form, each choice with its effect."""

    key: str
    allowed: str
    default: str
    help: str
    accepts: Callable[[str], str | None]
    suggests: Callable[[str], str]
    title: str = ""
    choices: Sequence[tuple[str, str]] = ()


def _offer(*values: str) -> str:
    """Return the values of a preference as its reader types them."""
    return Listing(map(say_command_word, values), "or")


def _accept_one_of(*values: str) -> Callable[[str], str | None]:
    return lambda text: text.lower() if text.lower() in values else None


def _read_mail(text: str) -> str | None:
    """Read also the words of earlier versions for a page beside the text."""
    word = text.lower()
    if word in ("picture", "html", "both"):
        return "picture"
    return word if word in ("text", "none") else None


def _read_clock(text: str) -> str | None:
    if text.lower() == "no":
        return "no"
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text)
    return f"{int(match[1]):02}:{match[2]}" if match else None


def _read_days_off(text: str) -> str | None:
    words = [read_weekday(word) for word in text.split(",")]
    days = clock.read_off(text)
    if days is None and None not in words:
        days = clock.read_off(",".join(clock.WEEKDAYS[day] for day in words if day is not None))
    return None if days is None else ",".join(clock.WEEKDAYS[day] for day in sorted(days)) or "no"


def _read_zone(text: str) -> str | None:
    zones = {zone.lower(): zone for zone in available_timezones()}
    return zones.get(text.lower())


def _read_name(text: str) -> str | None:
    plain = " ".join(text.replace("_", " ").split())
    if plain.lower() in ("", "no", "none"):
        return ""
    return plain if len(plain) <= _LONGEST_NAME and _IS_NAME.fullmatch(plain) else None


def _read_language(text: str) -> str | None:
    """Read a language by its code, or by its name as its speakers or the English write it."""
    word = text.strip().lower()
    named = ((code, " ".join((code, *name_language(code))).lower()) for code in LANGUAGES)
    return next((code for code, names in named if word in names.split()), None)


def _suggest_language(text: str) -> str:
    near = [code for code in LANGUAGES[1:] if code[:1] == text[:1].lower()]
    return near[0] if near else "de"


def _suggest_yes_or_no(text: str) -> str:
    return "no" if text.lower() in ("off", "false", "never", "0", "n", "nope", "none") else "yes"


def _suggest_clock(text: str) -> str:
    """Read a time of day from `7pm`, `19`, `7.30 h` or `0730`; else return a common one."""
    match = _TIME_OF_DAY.fullmatch(text.lower())
    if match is None:
        return "07:00"
    hour = int(match[1]) % 12 + 12 if match[3] == "pm" else int(match[1])
    return (
        _read_clock(f"{0 if hour == 12 and match[3] == 'am' else hour}:{match[2] or '00'}")
        or "07:00"
    )


def _suggest_days_off(text: str) -> str:
    words = [read_weekday(word) for word in re.findall(r"[^\W\d_]+", text)]
    days = [clock.WEEKDAYS[day] for day in words if day is not None][: clock.MOST_OFF]
    return ",".join(dict.fromkeys(days)) or "sat,sun"


def _suggest_zone(text: str) -> str:
    """Return the zone of the city named, or of one with a similar name."""
    cities = {
        zone.rpartition("/")[2].lower(): zone
        for zone in sorted(available_timezones())
        if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/"))
    }
    city = re.sub(r"[ -]+", "_", text.strip().rpartition("/")[2].lower())
    near = get_close_matches(city, cities, n=1, cutoff=0.75)
    return cities[near[0]] if near else "Europe/Berlin"


def _suggest_name(text: str) -> str:
    return "Ann"


PREFERENCES = (
    Preference(
        "ask",
        _offer("yes", "no"),
        "no",
        phrase("yes: nobody can start a board with you without asking"),
        _accept_one_of("yes", "no"),
        _suggest_yes_or_no,
        phrase("New boards with me"),
        [
            ("no", phrase("begin at once; I can decline until my first move")),
            ("yes", phrase("begin when I have accepted")),
        ],
    ),
    Preference(
        "mail",
        _offer("picture", "text", "none"),
        "picture",
        phrase(
            "picture: text, and a page with the board as a picture; text: text alone; none: no "
            "mails at all"
        ),
        _read_mail,
        lambda text: "text" if text.lower().startswith(("t", "plain")) else "picture",
        phrase("Mails show a board"),
        [
            ("picture", phrase("as a picture and as text")),
            ("text", phrase("as text alone")),
            ("none", phrase("not at all: no mails come")),
        ],
    ),
    Preference(
        "board",
        _offer("text", "words"),
        "text",
        phrase("words: what stands where in sentences, for screen readers; see help words"),
        _accept_one_of("text", "words"),
        lambda text: "words" if "w" in text.lower() else "text",
        phrase("In text, a board is"),
        [
            ("text", phrase("drawn with letters")),
            ("words", phrase("told in sentences, for screen readers")),
        ],
    ),
    Preference(
        "words",
        _offer("short", "long"),
        "long",
        phrase("of a board in words; short: what has changed and whose turn it is"),
        _accept_one_of("short", "long"),
        lambda text: "short" if text.lower().startswith("s") else "long",
        phrase("A board in words says"),
        [
            ("long", phrase("what stands where")),
            ("short", phrase("what has changed and whose turn it is")),
        ],
    ),
    Preference(
        "pieces",
        _offer(LOCAL, FIGURINES, ENGLISH),
        LOCAL,
        phrase("local: in moves and boards, the letters of your language, such as S for Springer"),
        _accept_one_of(LOCAL, FIGURINES, ENGLISH),
        lambda text: FIGURINES if text.lower().startswith("f") else LOCAL,
        phrase("Pieces of chess are written"),
        [
            (LOCAL, phrase("by the letters of my language")),
            (FIGURINES, phrase("by figurines")),
            (ENGLISH, phrase("by English letters")),
        ],
    ),
    Preference(
        "language",
        phrase("one of {languages}", languages=", ".join(LANGUAGES)),
        "",
        phrase("of your mails and pages; what you reply is understood in all of them"),
        _read_language,
        _suggest_language,
        phrase("Language of mails and pages"),
    ),
    Preference(
        "subject",
        _offer("names", "news"),
        "names",
        phrase("names: one subject for all mails of a board; news: what has happened"),
        _accept_one_of("names", "news"),
        lambda text: "names" if "name" in text.lower() else "news",
        phrase("The subject of a mail"),
        [
            ("names", phrase("is the same for all mails of a board")),
            ("news", phrase("says what has happened")),
        ],
    ),
    Preference(
        "web",
        _offer("yes", "no"),
        "yes",
        phrase("no: no link to the board in a browser"),
        _accept_one_of("yes", "no"),
        _suggest_yes_or_no,
        phrase("Mails about boards"),
        [("yes", phrase("have a link to the board's page")), ("no", phrase("have no link"))],
    ),
    Preference(
        "links",
        _offer("new"),
        "",
        phrase("new: all older links and reply addresses of yours end"),
        _accept_one_of("new"),
        lambda text: "new",
        phrase("Links and reply addresses that I have"),
        [
            ("", phrase("go on being good")),
            ("new", phrase("end now: new ones come with the next mails")),
        ],
    ),
    Preference(
        "own",
        _offer("yes", "no"),
        "yes",
        phrase("no: no mail about your own moves"),
        _accept_one_of("yes", "no"),
        _suggest_yes_or_no,
        phrase("Mails about my own moves"),
        [("yes", phrase("come")), ("no", phrase("do not come"))],
    ),
    Preference(
        "news",
        _offer("all", "mine"),
        "all",
        phrase("mine: a mail only when you are to move, with all that happened since"),
        _accept_one_of("all", "mine"),
        lambda text: "mine" if text.lower().startswith("m") else "all",
        phrase("News of my boards"),
        [
            ("all", phrase("come with every move")),
            ("mine", phrase("come when I am to move, with all that happened since")),
        ],
    ),
    Preference(
        "confirm",
        _offer("yes", "no"),
        "no",
        phrase("yes: a move by mail is shown to you first, and a yes plays it"),
        _accept_one_of("yes", "no"),
        _suggest_yes_or_no,
        phrase("A move that I mail"),
        [
            ("no", phrase("is played at once")),
            ("yes", phrase("is shown to me first, and played when I say yes")),
        ],
    ),
    Preference(
        "forced",
        _offer("yes", "no"),
        "no",
        phrase("yes: your only legal move is played for you, where nothing is hidden"),
        _accept_one_of("yes", "no"),
        _suggest_yes_or_no,
        phrase("My only legal move"),
        [
            ("no", phrase("waits for me")),
            ("yes", phrase("is played for me, where nothing is hidden")),
        ],
    ),
    Preference(
        "digest",
        phrase("{no} or a time such as 07:00", no=say_command_word("no")),
        "no",
        phrase("one mail a day instead of single reminders"),
        _read_clock,
        _suggest_clock,
        phrase("One mail a day with all boards that wait, at (no, or a time such as 07:00)"),
    ),
    Preference(
        "off",
        phrase(
            "{no} or up to {most} days such as sat,sun",
            no=say_command_word("no"),
            most=clock.MOST_OFF,
        ),
        "no",
        phrase("days of the week on which your clocks stop"),
        _read_days_off,
        _suggest_days_off,
        phrase("Days of the week on which my clocks stop (no, or such as sat,sun)"),
    ),
    Preference(
        "broadcasts",
        _offer("yes", "no"),
        "yes",
        phrase("no: you get no broadcasts"),
        _accept_one_of("yes", "no"),
        _suggest_yes_or_no,
        phrase("What players write to everybody"),
        [("yes", phrase("comes by mail")), ("no", phrase("does not come"))],
    ),
    Preference(
        "events",
        _offer("yes", "no"),
        "no",
        phrase("yes: a mail about each new tournament, league and ladder"),
        _accept_one_of("yes", "no"),
        _suggest_yes_or_no,
        phrase("A mail about each new event"),
        [("no", phrase("does not come")), ("yes", phrase("comes"))],
    ),
    Preference(
        "zone",
        phrase("a city such as Europe/Berlin"),
        "UTC",
        phrase("your time zone"),
        _read_zone,
        _suggest_zone,
        phrase("Time zone: a city such as Europe/Berlin"),
    ),
    Preference(
        "name",
        phrase(
            "up to {most} letters, or {none}",
            most=_LONGEST_NAME,
            none=say_command_word("none"),
        ),
        "",
        phrase("shown beside your userid"),
        _read_name,
        _suggest_name,
        phrase("Name shown beside my userid (none: no name)"),
    ),
)


def pass_on_name(context: Context, words: HeldWords) -> list[Notice]:
    """Show a player's name that was held, unless somebody has taken it since."""
    player = get_player(context.session, words.player)
    if player is not None and not _is_taken(context, player, words.text):
        preferences = {**player.preferences, "name": words.text}
        save_player(context.session, replace(player, preferences=preferences))
    return []


def set_preferences(call: Call) -> list[Notice]:
    """Change preferences, or show them. Refuse at the first that is invalid."""
    player = call.me
    chosen = dict(player.preferences)
    by_key = {preference.key: preference for preference in PREFERENCES}
    pairs = _read_pairs(call.command.words, by_key)
    stops = False
    for key, text in pairs:
        preference = by_key.get(key)
        if preference is None:
            raise Refusal(
                RefusalCode.BAD_PREFERENCE,
                phrase(
                    "a preference is one of {keys}, written key=value",
                    keys=join_phrases(", ", [*map(say_command_word, by_key)]),
                ),
                f"set {player.userid} PASSWORD mail=text",
                f"set {player.userid} PASSWORD",
            )
        value = _read_value(preference, text)
        if value is None:
            raise Refusal(
                RefusalCode.BAD_PREFERENCE,
                phrase(
                    "{key} must be {allowed}",
                    key=say_command_word(preference.key),
                    allowed=preference.allowed,
                ),
                f"set {player.userid} PASSWORD {key}={preference.suggests(text)}",
                field=key,
            )
        if key == "name" and value:
            call.require_voice()
        if key == "name":
            _require_free_name(call, value)
        if key == "name" and value and call.hold("name", value):
            continue
        if key == "mail":
            chosen, stops = resume(chosen, ALL), value == "none"
        if (key, value) != ("mail", "none"):
            chosen[preference.key] = value
    generations = 1 if chosen.pop("links", "") else 0
    if pairs:
        digest_at = find_next_digest(chosen, call.now)
        links = player.links + generations
        call.player = save_player(
            call.session, replace(player, preferences=chosen, digest_at=digest_at, links=links)
        )
        check_clocks_soon(call.session, player.id, call.now)
    told = stop_kind(call, ALL) if stops else []
    if has_stopped(call.me.preferences, ALL):
        chosen["mail"] = "none"
    shown = {**chosen, "links": "new"}
    keys = dict.fromkeys(key for key, _ in pairs if not (key == "name" and call.waiting))
    changed = [
        combine(
            "{key}={value}", key=say_command_word(key), value=_say_value(key, shown[key] or "none")
        )
        for key in keys
    ]
    rows = [
        (
            say_command_word(each.key),
            _say_value(each.key, _show(each, chosen.get(each.key, each.default))),
            each.allowed,
            each.help,
        )
        for each in PREFERENCES
        if not keys or each.key in keys
    ]
    content = PreferenceList(userid=player.userid, rows=rows, changed=join_phrases(", ", changed))
    return [call.answer(content), *told]


def list_fields(call: Call, _game: str) -> list[OptionField]:
    """Return the preferences as fields of a form, with their present values."""
    chosen = call.me.preferences
    chosen = {**chosen, "mail": "none"} if has_stopped(chosen, ALL) else chosen
    usual = {"language": call.config.server.language}
    languages = [(code, name_language(code)[0]) for code in LANGUAGES]
    return [
        OptionField(
            each.key,
            f"{each.key}=",
            each.title or combine("{key}: {help}", key=each.key, help=each.help),
            "choice" if each.choices or each.key == "language" else "text",
            _show(each, chosen.get(each.key) or usual.get(each.key, each.default)),
            languages if each.key == "language" else each.choices,
        )
        for each in PREFERENCES
    ]


def _show(preference: Preference, value: str) -> str:
    """Return a stored value as this version writes it."""
    return preference.accepts(value) or value


def _say_value(key: str, value: str) -> str:
    """Return a value as its reader types it; a name stays unchanged."""
    if key == "off" and value != "no":
        days = [say_weekday(clock.WEEKDAYS.index(day)) for day in value.split(",")]
        return join_phrases(",", days)
    return say_command_word(value) if value and (key != "name" or value == "none") else value


def _read_value(preference: Preference, text: str) -> str | None:
    """Return the value of a text in English or another language; None for an invalid one."""
    value = preference.accepts(text)
    if value is not None or preference.key == "name":
        return value
    read = map(preference.accepts, sorted(map_command_words().get(fold(text), ())))
    return next((each for each in read if each is not None), None)


def _is_taken(context: Context, player: Player, name: str) -> bool:
    """Whether a name is somebody else's userid."""
    other = find_player(context.session, name.replace(" ", "_"))
    other = other or find_player(context.session, name)
    return other is not None and other.id != player.id


def _require_free_name(call: Call, name: str) -> None:
    """Refuse a name that is somebody else's userid, the password of the command, or a link."""
    if _is_taken(call, call.me, name):
        raise Refusal(
            RefusalCode.BAD_PREFERENCE,
            phrase("that name is another player's userid"),
            "set {user} PASSWORD name=none",
        )
    password = call.command.password
    joined = "".join(name.split())
    tells = remove_own_links(name, call.config) != name
    tells = tells or remove_own_links(joined, call.config) != joined
    words = find_candidates(name.split())
    if tells or (password and password.casefold() in map(str.casefold, words)):
        raise Refusal(
            RefusalCode.BAD_PREFERENCE,
            phrase("choose another name: everybody sees it"),
            "set {user} PASSWORD name=none",
        )


def _read_pairs(words: Sequence[str], keys: Container[str]) -> list[tuple[str, str]]:
    """Read keys and values, spaced in any way: `own=no`, `own = no`, `own no`, `name=Ann Lee`."""
    pairs: list[tuple[str, str]] = []
    is_value = False
    for word in " ".join(words).replace("=", " = ").split():
        if word == "=" and pairs:
            is_value = True
            continue
        key = read_command_word(word, keys)
        is_key, is_value = key in keys and not is_value, False
        if is_key or not pairs:
            pairs.append((key, ""))
        else:
            key, text = pairs[-1]
            pairs[-1] = (key, f"{text} {word}".strip())
    return pairs


# Passwords: what may be one, changing it, and the codes that help when it is lost or locked.


def change_password(call: Call) -> list[Notice]:
    """Set a new password; the old one may be a code from `forgot`. Refuse an unfit one."""
    player = call.me
    require_password(call, f"change password {player.userid} PASSWORD NEWPASSWORD")
    require_hash(call)
    # Another daemon may have taken the same password, or the same code, in the meantime.
    if not replace_password(call.session, player, call.command.new_hash):
        raise refuse_password(call.command.form)
    void_codes(call, player)
    call.secrets.remember(player.id, call.command.new_hash, call.command.words[0])
    return [call.answer(PasswordChanged(userid=player.userid))]


def require_password(call: Call, form: str) -> None:
    """Refuse an unfit new password. Also refused is the placeholder for a password in the server's
    mails, which comes back when a mail program quotes it."""
    word = call.command.words[0] if call.command.words else ""
    is_placeholder = word.upper() in ("PASSWORD", "NEWPASSWORD")
    if is_placeholder or not (SHORTEST_PASSWORD <= len(word) <= 64 and word.isprintable()):
        raise Refusal(
            RefusalCode.BAD_PASSWORD,
            phrase("choose a password of 4 to 64 characters without blanks"),
            form,
        )


def require_hash(call: Call) -> None:
    """Refuse a new password that was not hashed because the mail contains too many."""
    if not call.command.new_hash:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "one mail can set {most} passwords at most: send this line in another mail",
                most=call.config.limits.passwords_a_mail,
            ),
            call.command.form,
        )


def forgot(call: Call) -> list[Notice]:
    """Send a code to the confirmed addresses. A mail from one of these gets it as its answer; any
    other mail gets the same answer whether or not the userid exists."""
    player = find_player(call.session, call.command.user)
    answer = call.answer(CodeSent())
    if player is None or not player.is_active:
        return [answer]
    addresses = reads.find_addresses(call.session, player.id)
    is_own = any(sender.id == player.id for sender in call.senders)
    if not addresses or not (is_own or take_reset(call.session, player.id, call.now, call.config)):
        return [answer]
    code = issue_code(call, player, "reset")
    content = ResetCode(
        userid=player.userid,
        code=code,
        days=CODE_DAYS,
        asked=format_time(call.now, player.preferences),
    )
    sent = Notice(content, addresses=addresses, player=player.id, is_answer=is_own)
    return [sent] if is_own else [answer, sent]


def send_unlock_code(call: Call) -> list[Notice]:
    """Send a code that unlocks an account after too many wrong passwords, within the limit. The
    mail is the same whether or not the last password was right."""
    player = find_player(call.session, call.command.user)
    if player is None:
        return []
    if not take_unlock(call.session, player.id, call.now, call.config):
        return []
    content = UnlockCode(
        userid=player.userid, code=issue_code(call, player, "unlock"), days=CODE_DAYS
    )
    addresses = reads.find_addresses(call.session, player.id)
    return [Notice(content, addresses=addresses, player=player.id)]
