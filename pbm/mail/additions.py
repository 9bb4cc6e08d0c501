"""Leaves out what programs add around a writer's words: the banner of a gateway above them, the
signature of an app and a disclaimer below them, and tells reactions and notices of absence.

Where the shape of a text does not tell, a list does. Names of products are the same in every
language. Disclaimers, banners and notices of absence name few things, in whatever words: each
stem below is what they have in common in one family of languages, and one stem alone never tells.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

# ruff: noqa: RUF001 -- letters of many languages look alike


# Devices, and the mail programs that sign: their makers' own spelling, so that `HEY` is not `hey`.
# From the programs that public collections of signatures and of clients name.
_PRODUCT = re.compile(
    r"i(?:Phon|Pad|Pod|Cloud|OS(?![a-z]))|Android|BlackBerry|Galaxy|Samsung|Huawei|HUAWEI|Xiaomi"
    r"|Redmi|OnePlus|Xperia|Nokia|Motorola|Pixel \d|Windows (?:Mail|Phone|\d)|Apple (?:Mail|Watch)"
    r"|Outlook|Hotmail|Yahoo|Gmail|Google Mail|AOL|Proton|Tuta|Posteo|GMX|WEB\.DE|T-Online|Yandex"
    r"|Яндекс|Mail\.[Rr]u|Почт[аы] |QQ邮箱|网易|Foxmail|Naver|Thunderbird|K-9|FairEmail|BlueMail"
    r"|myMail|Mailbird|eM Client|Airmail|Spark|Superhuman|HEY(?![a-z])|Edison|Canary Mail"
    r"|Newton Mail|Polymail|Spike|Boomerang|Nine Mail|Aqua Mail|AquaMail|MailDroid|Fastmail|Zoho"
    r"|Zimbra|Orange|Xfinity|Comcast|Vodafone|Telekom|Libero|LaPoste|La Poste|Seznam|Onet"
    r"|Infomaniak|Mimestream|Mimecast|[Aa]vast|AVG|Avira|Norton|McAfee|Kaspersky|Bitdefender|ESET"
)
# Signatures that name no product: "sent" and "from", a phone or device. Beyond the name of a thing
# there is no mark of them but the words.
_SENT = re.compile(
    r"sent (?:from|with|via|using|by|on the go|securely)|typed on|written on|from my |gesendet"
    r"|envoyé|envia[dt]|inviat|verzonden|verstuurd|skicka|sendt|lähet|wysła|отправлен|послан"
    r"|надіслан|відправлен|odeslán|odoslan|küldve|trimis|στάλθηκε|poslan|изпратен|gönderildi"
    r"|נשלח|أرسل|送信|发自|發自|傳送|보냄|gửi từ|dikirim",
    re.IGNORECASE,
)
_DEVICE = re.compile(
    r"mobil|móvil|phone|telefon|telefoon|teléfono|téléphone|puhelim|celular|cellulare|handy|tablet"
    r"|device|gerät|appareil|мобильн|телефон|τηλέφων|κινητό|手机|手機|携帯|휴대|điện thoại|ponsel",
    re.IGNORECASE,
)
_LINK = re.compile(r"[<(\[]?(?:https?://|www\.|mailto:)[^\s<>]*[>)\]]?")
_REACTED = re.compile(r"google\.com/gmail/about")
_SPEAKS = re.compile(r"[?!？！]")
_MOST_WORDS, _MOST_WORDS_BELOW, _MOST_LINES = 14, 8, 3
_LONGEST = 160

# What disclaimers and banners are about. A strong stem counts twice.
_STRONG = re.compile(
    r"confiden|vertraulich|vertrouwelijk|fortrolig|konfiden|poufn|důvěrn|dôvern|bizalmas|luottamu"
    r"|riservat|reservad|gizli|конфиденц|конфіден|поверителн|povjerlj|zaup|εμπιστευτικ|保密|机密"
    r"|機密|기밀|privileged|disclaimer|malware|virus|вирус|ウイルス|病毒|바이러스|addressee"
    r"|destinat[aá]ri|destinataire|empfänger|adressat|geadresseerde|получател|adresát|címzett"
    r"|adresat|mottagare|mottaker|modtager|vastaanottaja|alıcı|παραλήπτη|收件人|受信者|수신인"
    r"|unsubscri|registered (?:in|office)|company (?:number|reg)|handelsregister|amtsgericht"
    r"|siège social|sede legale|vat (?:no|reg|id)|regolamento ue|rgpd|gdpr|dsgvo|\bextern(?!ally)"
    r"|outside (?:of )?(?:the|your|our)|außerhalb|extérieur|esterno|zewnątrz|zewnętrzn|внешн"
    r"|зовнішн|ulkopuol|udefra|utifrån|külső|kívülről"
    r"|mimo organiz|外部|외부|dışından|εξωτερικ",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"e-?mail|message|nachricht|mensaje|messag|bericht|meddelan|meddelelse|melding|viesti|wiadomoś"
    r"|сообщени|повідомл|zpráv|správ|üzenet|mesaj|μήνυμα|邮件|郵件|メール|메일|courriel|correo"
    r"|posta|communication|comunica|information|informa[cz]i|attach|anlage|anhang|anhäng"
    r"|pièces? jointe|adjunt|allegat|bijlage|bilag|bilaga|liite|załączn|вложени|příloh|intended"
    r"|bestimmt|destin|addressed|entity|transmi|recipient|sender|absender|expéditeur|remitente"
    r"|mittente|afzender|nadawc|отправител|odesílatel|scanned|checked|geprüft|organi[sz]ation"
    r"|company|firma|société|empresa|office|registered|ltd|gmbh|limited|liabil|haftung|responsab"
    r"|unauthori[sz]ed|unbefugt|prohibit|forbidden|delete|löschen|supprim|elimin|notify|print"
    r"|drucken|imprim|environment|umwelt|environnement|legal|rechtlich|notice|contents|inhalt"
    r"|click|klick|cliqu|links?\b|liens|enlaces|ссылк|trust|caution|achtung|attention|warning"
    r"|waarschuwing|varning|advarsel|uwaga|внимание|注意|주의"
    r"|subscribe|mailing list|archive|No\. ?\d{5}",
    re.IGNORECASE,
)
_ENOUGH = 4
_MOST_TEXT = 2000
_SHORTEST = 32
# A gateway shouts before it speaks: "CAUTION:", "[EXTERNAL]", "*** EXTERNAL EMAIL ***".
_SHOUT = re.compile(
    r"[\W_]*[^\W\d_a-zà-ÿа-яё]{5,}(?:[ -][^\W\d_a-zà-ÿа-яё]{3,}){0,4}\s*[:\]*!】）)]"
)
_BRACKETED = re.compile(
    r"[\[【<(*#=]{1,3}(?:.*[\]】>)*#=]{1,3}$|[^\[\]【】<>()*#=]{2,40}[\]】>)*#=])", re.DOTALL
)

# Being away, in what notices of absence say, and a day on which it ends.
_AWAY = re.compile(
    r"vacation|holidays?\b|annual leave|on leave|parental leave|out of (?:the )?office|\booo\b"
    r"|away from (?:my|the)|not in the office|limited access|urlaub|ferien|im büro|im haus|abwesen"
    r"|vacances|congés?\b|absen[tc]|vacaciones|fuera de (?:la )?oficina|ausente|ferie\b|férias"
    r"|assente|ufficio|escritório|vakantie|afwezig|semester|frånvar|fravær|bortrest|kontoret"
    r"|lomalla|poissa|urlop|nieobecn|dovolen|nepřítom|mimo kancelář|отпуск|отсутств|відпуст"
    r"|відсутн|szabadság|concedi|távol|άδεια|διακοπές|απουσι|tatil|izin|izn|odsot|dopust|odmor"
    r"|godišnj|ledig|puhkus|atvaļināj"
    r"|atostog|休暇|休假|不在|출장|휴가|부재|إجازة|بحופש|בחופש|חופשה|مرخصی|ลาพัก|nghỉ phép|cuti",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\d|monday|tuesday|wednesday|thursday|friday|montag|dienstag|mittwoch|donnerstag|freitag"
    r"|lundi|lunes|lunedì|segunda|maandag|måndag|mandag|maanantai|poniedział|понедельник|return"
    r"|back on|月",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"out of (?:the )?office|im büro|du bureau|de (?:la )?oficina|ufficio|escritório|kontoret",
    re.IGNORECASE,
)
_LONGEST_NOTICE = 12
_WRAPPED = 40


def find_written(lines: Sequence[str], above: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that their writer typed: those below a gateway's banner and
    above what programs add. `above` holds for each line the marked quote directly above it, below
    which lines count again."""
    starts = [0, *(at for at in range(1, len(lines)) if above[at])]
    kept = list[int]()
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        kept += _find_written(lines, start, end)
    return kept


def _find_written(lines: Sequence[str], start: int, end: int) -> Sequence[int]:
    if not start:
        start += _measure_banner(lines[:end])
    kept, is_first = list[int](), True
    for paragraph in _split(lines, start, end):
        texts = [lines[at] for at in paragraph]
        own = [text for text in texts if text.strip()]
        if is_first and own and all(map(_is_short_signature, own)):
            continue
        is_last = paragraph.stop == end
        most = _MOST_WORDS if is_last else _MOST_WORDS_BELOW
        if not is_first and (_is_app_signature(texts, most) or is_disclaimer(texts)):
            break
        kept += paragraph
        is_first = is_first and not own
    written = [at for at in kept if lines[at].strip()]  # directly below the text, too
    for count in range(min(_MOST_LINES, len(written) - 1), 0, -1):
        below = [lines[at] for at in written[-count:]]
        is_whole = _SENT.search(below[0]) or not _LINK.sub("", "".join(below[1:])).strip()
        if is_whole and _is_app_signature(below, _MOST_WORDS_BELOW):
            return [at for at in kept if at < written[-count]]
    return kept


def _split(lines: Sequence[str], start: int, end: int) -> Iterator[range]:
    """Yield the paragraphs between those lines, each with the blank lines below it."""
    at = start
    while at < end:
        top = at
        while at < end and lines[at].strip():
            at += 1
        while at < end and not lines[at].strip():
            at += 1
        yield range(top, at)


def _measure_banner(lines: Sequence[str]) -> int:
    """Return how many of the first lines are a gateway's banner; 0 for none."""
    size = 0
    for paragraph in _split(lines, 0, len(lines)):
        texts = [lines[at] for at in paragraph]
        if (
            any(map(str.strip, texts[1:]))
            and _BRACKETED.fullmatch(texts[0])
            and is_banner(texts[:1])
        ):
            return paragraph.start + 1
        if paragraph.stop == len(lines):
            break
        if is_banner(texts):
            size = paragraph.stop
        elif any(map(str.strip, texts)):
            break
    return size


def is_banner(paragraph: Sequence[str]) -> bool:
    """Whether a paragraph above a text is a gateway's: it shouts or stands in brackets, and is
    about mail."""
    text = " ".join(paragraph)[:_MOST_TEXT].strip()
    if len(text) < _SHORTEST:
        return False
    is_marked = _SHOUT.match(text) is not None or _BRACKETED.match(text) is not None
    return count_terms(text) >= (_ENOUGH - 2 if is_marked else _ENOUGH + 1)


def is_disclaimer(paragraph: Sequence[str]) -> bool:
    """Whether a paragraph below a text is what organizations add to every mail."""
    text = " ".join(paragraph)[:_MOST_TEXT]
    if len(text) < _SHORTEST:
        return False
    return count_terms(text) >= _ENOUGH


def count_terms(text: str) -> int:
    """Count the words of disclaimers in a text, each once, strong ones twice."""
    strong = {found.lower() for found in _STRONG.findall(text)}
    return 2 * len(strong) + len({found.lower() for found in _WEAK.findall(text)})


def _is_short_signature(line: str) -> bool:
    return _is_app_signature([line], _MOST_WORDS_BELOW)


def _is_app_signature(paragraph: Sequence[str], most: int) -> bool:
    """Whether a short paragraph names a device or an app, first of all, and neither asks nor
    exclaims."""
    written = [line for line in paragraph if line.strip()]
    whole = " ".join(written)
    if not written or len(written) > _MOST_LINES or len(whole) > _LONGEST:
        return False
    if not (_PRODUCT.search(written[0]) or _SENT.search(written[0])):
        return False
    text = _LINK.sub(" ", whole).strip()
    if len(text.split()) > most or _SPEAKS.search(text):
        return False
    is_sent = _SENT.search(text) is not None
    if most <= _MOST_WORDS_BELOW and text[-1:] in (".", "。") and not is_sent:
        return False
    return _PRODUCT.search(whole) is not None or (is_sent and _DEVICE.search(text) is not None)


def is_reaction(lines: Sequence[str], name: str) -> bool:
    """Whether lines are a sign alone, with a line by which a mail program tells who reacted: it has
    the writer's name, or leads to Gmail's page."""
    written = [line for line in lines if any(map(str.isalnum, _LINK.sub("", line)))]
    signs = [line for line in lines if any(map(_is_sign, line))]
    if len(written) != 1 or not signs or signs == written:
        return False
    first = name.split(" ")[0]
    return (bool(first) and first in written[0]) or any(map(_REACTED.search, lines))


def _is_sign(char: str) -> bool:
    return not char.isascii() and unicodedata.category(char) == "So"


def is_absence(lines: Sequence[str], *, quotes: bool) -> bool:
    """Whether a text says in one breath that its writer is away, and until when. People's replies
    quote, and may say so too: among these only one that says nothing but that nobody is in the
    office."""
    written = [line for line in lines if line.strip()]
    if quotes and (len(written) > 1 or not any(map(_OFFICE.search, written))):
        return False
    if not written or len(written) > _LONGEST_NOTICE:
        return False
    pairs = zip(written, [*written[1:], ""], strict=True)
    texts = (f"{line} {below}" if len(line) > _WRAPPED else line for line, below in pairs)
    return any(_AWAY.search(text) and _DAY.search(text) for text in texts)
