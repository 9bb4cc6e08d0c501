"""Strips a subject of reply marks, tags and quotes."""

import re

from pbm.mail.incoming.message.text import normalize

# Reply marks of mail programs in many languages, without the colon; `_` is a blank.
_REPLY = """re ref réf rép aw antw antwort sv vs rv ynt yan odp pd atb vá res rif rsp reply réponse
 respuesta resposta risposta r odpoveď odpověď vast vastaus ats ret απ σχετ σχ отв ответ на
 відп bls trả_lời 回复 回覆 答复 答覆 返信 답장 회신 답 תגובה השב תשובה رد پاسخ ตอบ ตอบกลับ जवाब"""
_FORWARD = """fwd fw wg tr i enc vb vl doorst fs vid pres пересл пер переадр rvs ilt i̇lt trs prv
 trns továbbítás tov přep πρθ weitergeleitet transf rvd videresendt transféré transfert reenv нп
 chuyển_tiếp إعادة_توجيه 转发 轉寄 轉發 転送 전달 הועבר ส่งต่อ"""
_REPLIES = frozenset(word.replace("_", " ") for word in _REPLY.split())
_FORWARDS = frozenset(word.replace("_", " ") for word in _FORWARD.split())
_MARK = re.compile(
    r"("
    + "|".join(sorted(map(re.escape, _REPLIES | _FORWARDS), key=len, reverse=True))
    + r")(?: ?[\[(]\d{1,4}[\])]| ?[*^_]\d{1,4}|\d{1,2})? ?: ?",
    re.IGNORECASE,
)
_RELAY = (
    r"(?:possible |suspected |probable |likely )?(?:spam|junk|ham|bulk|phish(?:ing)?)\??"
    r"|external(?: e?-?mail| sender| message)?|extern(?:e|al|o|a)?|ext|caution|warning: external"
    r"|secure|encrypted|disarmed|outside|unverified(?: sender)?|newsletter|suspicious"
)
# Ours (see Subjects in the command language): it stays, so that it is never read as a command.
_OURS = re.compile(rf"\[(?:pbm\b|(?!(?:{_RELAY})\b)[a-z][a-z0-9_-]* \d+)[^\[\]]*\]", re.IGNORECASE)
_TAGS = re.compile(
    r"\[[^\[\]]{0,60}\]"
    r"|\*{2,}[^*]{1,40}\*{2,}|#{2,}[^#]{1,40}#{2,}|_{2,}[^_]{1,40}_{2,}"
    r"|\{[^{}]{1,40}\}|【[^】]{1,40}】"
    rf"|[(<](?:{_RELAY})[)>]|(?:{_RELAY}) ?:",
    re.IGNORECASE,
)
_TAIL = re.compile(
    rf"(?:[\[({{*]+ ?(?:{_RELAY}|fwd|was: [^()]{{0,200}}) ?[\])}}*]+)$", re.IGNORECASE
)
_WRAPPED = re.compile(r"\[((?:fwd?|wg|re|aw) ?:.*)\]$", re.IGNORECASE)
_QUOTES = {'"': '"', "'": "'", "`": "'`", "<": ">"}
_TAG_HEADS = frozenset("[*#_{\u3010(<")
_ROUNDS = 60


def _is_quoted(text: str) -> bool:
    """Whether one pair of quotes is around all of the text, rather than around each word."""
    closing = _QUOTES.get(text[:1], "")
    return bool(closing) and text[-1] in closing and text[0] not in text[1:-1]


def strip_marks(text: str) -> tuple[str, bool, bool]:
    """Return the subject without marks, and whether it was a reply's or a forward's.

    Removed are reply and forward marks, relays' tags, a leading `>` and surrounding quotes. The
    bracket of a subject of ours stays.
    """
    text = normalize(text)
    is_reply = is_forward = False
    for _ in range(_ROUNDS):
        before = text
        head = text[:1]
        if head == "[" and _OURS.match(text):
            return text, is_reply, is_forward
        if head == ">":
            text = text.lstrip("> ")
            continue
        has_colon = ":" in text
        mark = _MARK.match(text) if has_colon else None
        if mark is not None:
            if mark[1].lower() in _FORWARDS:
                is_forward = True
            else:
                is_reply = True
            text = text[mark.end() :]
            continue
        wrapped = _WRAPPED.match(text) if head == "[" else None
        tag = _TAGS.match(text) if has_colon or head in _TAG_HEADS else None
        if wrapped is not None:
            text = wrapped[1]
        elif tag is not None:
            text = text[tag.end() :].lstrip()
        elif _is_quoted(text):
            text = text[1:-1].strip()
        elif text[-1:] in "])}*":
            tail = _TAIL.search(text[-240:])
            if tail is not None:
                text = text[: len(text) - len(tail[0])].rstrip()
        if text == before:
            break
    return text, is_reply, is_forward
