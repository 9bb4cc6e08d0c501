"""Patterns, each for one line, of the phrases that mail programs put around a reply."""

# ruff: noqa: RUF001 -- letters of many languages look alike

import re

# The patterns are matched against the beginning of a line; none nests a repetition.


def _join_phrases(phrases: str) -> str:
    """Joins phrases, separated by ` / ` or newlines, into a pattern; `…` matches a few words."""
    split = [phrase.strip() for line in phrases.splitlines() for phrase in line.split(" / ")]
    return "|".join(re.escape(phrase).replace("…", r".{0,60}?") for phrase in split if phrase)


# "pbm wrote:" needs a colon in all languages but these.
VERB_CJK = re.compile(r"写道|寫道|写到|작성|썼습니다|のメール|書きました|เขียนว่า|님이")
# What our mails are from, as an attribution names it.
NAME = re.compile(r"(?<!\w)pbm(?!\w)", re.IGNORECASE)
AUTHOR = re.compile(r"<[\w.+=-]{1,64}@[^<>\s]{1,200}>[^<>]{0,30}:$")
ADDRESS = re.compile(r"[\w.+=-]{1,64}@[\w-]")
DATE = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-3])[:.h時时]\s?[0-5]\d(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})(?!\d)|\d{1,2}月\s?\d{1,2}日|\d{1,2}월\s?\d{1,2}일"
    r"|(?<!\w)(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? \d{1,2}(?!\d)"
    r"|(?<!\d)\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?!\w)"
    r"|(?<!\w)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? [a-z]{3,9} \d{1,2}(?!\d)",
    re.IGNORECASE,
)
# Attribution with the quoted text behind it on the same line (Yahoo on Android).
INLINE = re.compile(
    r"\W*(?:on|am|le|el|il|em|op|den|w dniu|dnia|dne|pe) .{6,200}? (?:wrote|schrieb|a écrit"
    r"|escribió|ha scritto|escreveu|schreef|skrev|napisał(?:\(a\))?) ?: ",
    re.IGNORECASE,
)

# Words between two runs of dashes: "-----Original Message-----", in any language.
SEPARATOR = re.compile(r"[*_>\s]{0,4}-{3,} ?[^-\s][^-]{1,80}?(?:-[^-]{1,40}?)? ?-{3,}[*_\s]{0,4}$")
_FORWARDED = """begin forwarded message / anfang der weitergeleiteten nachricht
anfang der weitergeleiteten e-mail / début du message réexpédié / début du message transféré
inicio del mensaje reenviado / inicio de mensaje reenviado / inizio messaggio inoltrato
início da mensagem reencaminhada / início da mensagem encaminhada / begin doorgestuurd bericht
vidarebefordrat brev / videresendt besked / videresendt melding / välitetty viesti alkaa
początek przekazywanej wiadomości / начало переадресованного сообщения / 开始转发的邮件
開始轉寄郵件 / 以下は転送されたメッセージです / 転送されたメッセージ / 전달된 메시지 시작
ilettim iletinin başlangıcı / originalmeddelande / original message follows
weitergeleitete nachricht / ursprüngliche nachricht / message d'origine / message original
mensaje original / messaggio originale / mensagem original / oorspronkelijk bericht
original message / original-nachricht / forwarded message / oprindelig meddelelse
ursprungligt meddelande / opprinnelig melding / alkuperäinen viesti / wiadomość oryginalna
исходное сообщение / оригинальное сообщение / orijinal mesaj / původní zpráva / pôvodná správa
eredeti üzenet / mesajul original / αρχικό μήνυμα / 原始邮件 / 原始郵件 / 元のメッセージ
원본 메시지 / 原始信件 / 转发邮件信息 / 轉寄信件 / הודעה מקורית / الرسالة الأصلية
tin nhắn gốc / pesan asli"""
ORIGINAL = re.compile(
    rf"[*_>\-—\s]{{0,12}}(?:{_join_phrases(_FORWARDED)}) ?:?[*_\-—\s]{{0,12}}$", re.I
)

# A field of an unmarked quote's header, in any language: `From: Ann <ann@example.org>`.
FIELD = re.compile(
    r"\s{0,12}[*_]{0,2}(?P<name>[^\W\d_][^:<>@\[\]]{0,30}?)\s?[*_]{0,2}\s?:[*_]{0,2}\s*(?P<value>.*)$"
)
LOTUS_DATE = re.compile(
    r"\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?"
    r"(?: [A-Z]{2,5})?(?: To)?\s*$"
)

# What phones, webmail and virus scanners append to a mail.
_PHONES = """sent from my / sent from a / sent from mobile / sent from mail
sent from outlook / sent from windows mail / sent from yahoo / sent from mailbox
sent from proton / sent from gmail / sent from samsung / sent from the / sent from iphone
sent from ipad / sent from android / sent from blackberry / sent from nine / sent from spark
sent from aol / sent from xfinity / sent from [ / sent from < / sent via / sent with
sent using / sent by galaxy / sent on the go / sent with airmail / sent securely / sent by
typed on / written on my / from my iphone / from my ipad / from my android / from my phone
from my mobile / from my samsung / get outlook for / get [outlook / get bluemail / get k-9
envoyé depuis / envoyé de mon / envoyé à partir / envoyé avec / envoyé par / envoyé via
télécharger outlook / obtenir outlook / von meinem … gesendet / von meiner … gesendet
gesendet von / gesendet mit / gesendet über / gesendet aus / gesendet vom
diese nachricht wurde von meinem … gesendet / diese nachricht wurde mit … gesendet
holen sie sich outlook / outlook für / enviado desde / enviado do / enviado de
enviado a partir / enviado con / enviado com / enviado pelo / enviado via / enviado por
enviat des / enviat amb / obtener outlook / obtenga outlook / obter o outlook / inviato da
inviato dal / inviato con / inviato tramite / scarica outlook / ottieni outlook
verzonden vanaf / verzonden met / verzonden via / verzonden van / verstuurd vanaf
verstuurd met / outlook voor / skickat från / skickat med / skickades från / hämta outlook
sendt fra / sendt med / sendt via / få outlook / lähetetty / wysłane z / wysłano z
wysłano za / pobierz program outlook / отправлено с / отправлено из / отправлено от
отправлено через / отправлено со / послано с / скачать outlook / надіслано з / відправлено з
odesláno z / odesláno ze / odoslané z / küldve / az én … küldve / trimis de pe / trimis din
trimis de / στάλθηκε από / εστάλη από / أرسلت من / تم الإرسال من / أُرسلت من / נשלח מ
发自我的 / 发自 / 從我的 … 傳送 / 從我的 … 寄出 / 由我的 … 傳送 / 寄自 / iphoneから送信
ipadから送信 / 나의 iphone에서 보냄 / 내 iphone에서 보냄 / gửi từ / được gửi từ / dikirim dari
poslano z / poslano s / poslato sa / изпратено от / išsiųsta iš / nosūtīts no / saadetud minu
sendan úr / ส่งจาก / hantar dari"""
PHONE = re.compile(rf"[\W_]{{0,6}}(?:{_join_phrases(_PHONES)})", re.IGNORECASE)
PHONE_END = re.compile(
    r"(?:から送信|에서 보냄|傳送|寄出|tarafından gönderildi|[‘’'`]?(?:um|im)dan gönderildi"
    r"|cihazımdan gönderildi|gesendet|küldve|from mobile|from my mobile device)[\W_]{0,4}$",
    re.IGNORECASE,
)
EXCUSE = re.compile(r"excus|typo|brev|pardon|short|auto.?correct|spell|mistake", re.IGNORECASE)

_FOOTERS = """do you yahoo!? / get your free / virus-free.
this email has been checked for viruses / diese e-mail wurde von avast
diese e-mail wurde auf viren / virenfrei. / garanti sans virus / libre de virus
este correo electrónico ha sido … avast / l'absence de virus dans ce
cet e-mail a été vérifié / scanned by / no virus found in this / this message has been scanned
to unsubscribe from this / you received this message because you are subscribed
you received this email because / to stop receiving / mailing list / posting list
this e-mail and any / this email and any / this message and any / this e-mail is confidential
this email is confidential / this message is confidential / this email may contain
this e-mail may contain / this message may contain / this communication is confidential
this transmission / the information contained in this / the information in this e
the contents of this e / confidentiality notice / confidentiality / disclaimer / privileged
confidential: / important notice / legal notice / diese e-mail enthält
diese nachricht enthält / diese e-mail kann vertrauliche / der inhalt dieser e-mail
ce message et / ce courriel / ce message est confidentiel / ce message peut
les informations contenues dans ce / este mensaje y / este mensaje puede
este mensaje contiene / este correo electrónico y / este correo y / aviso legal
aviso de confidencialidad / esta mensagem / este e-mail / le informazioni contenute
questo messaggio / questa e-mail / il presente messaggio / dit bericht / deze e-mail
de informatie in dit / detta meddelande / detta e-postmeddelande / denne e-mail / denne e-post
tämä viesti / ta wiadomość / niniejsza wiadomość / treść tej / это сообщение
данное сообщение / bu e-posta / bu mesaj / 本邮件 / この電子メール
please consider the environment / please consider the impact / think before you print
avant d'imprimer / antes de imprimir / bitte denken sie an die umwelt / p please consider
visit us at our"""
FOOTER = re.compile(rf"[\W_]{{0,4}}(?:{_join_phrases(_FOOTERS)})", re.IGNORECASE)
LIST_FOOTER = re.compile(
    r"unsubscri|mailing list|mailman|list-?info|yahoo! groups|groups\.google|subscription|"
    r"to (?:reply|post|respond)|abmelden|désabonn|reply to this (?:e-?mail|message)",
    re.IGNORECASE,
)
