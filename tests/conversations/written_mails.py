# ruff: noqa: E501, RUF001
"""Replies as programs write them, and what must become of each.

In the mails `@@Q@@` is our mail with marks, `@@TEXT@@` without, `@@HTML@@` its HTML; a digit behind
these names a third of it (`@@Q1@@`, `@@Q2@@`, `@@Q3@@`)."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Written:
    """A reply of ann, and what must become of it."""

    name: str
    mail: str
    setup: str = "turn"
    lang: str = "en"
    plays: str = ""  # what is played
    may: str = ""  # what may be played, or nothing
    has: tuple[str, ...] = ()  # words that reach the opponent
    own: tuple[str, ...] = ()  # words that are in some mail
    hidden: tuple[str, ...] = field(default=())  # words that never reach the opponent
    learned: tuple[str, ...] = ()  # words that may reach the opponent once
    silent: bool = False  # whether nobody need be answered


def plain(body: str, *headers: str, encoding: str = "8bit", kind: str = "text/plain") -> str:
    """A mail whose only part is a text."""
    lines = [*headers, f"Content-Type: {kind}; charset=utf-8"]
    return "\n".join([*_HEAD, *lines, f"Content-Transfer-Encoding: {encoding}", "", body, ""])


def rich(body: str, *headers: str) -> str:
    """A mail whose only part is HTML."""
    return plain(body, *headers, kind="text/html")


def parts(kind: str, *each: str, headers: tuple[str, ...] = ()) -> str:
    """A mail of several parts."""
    border = "----=_Part_4711"
    inside = "".join(f"--{border}\n{part}\n" for part in each)
    head = [*_HEAD, *headers, f'Content-Type: multipart/{kind}; boundary="{border}"', ""]
    return "\n".join([*head, f"{inside}--{border}--", ""])


def part(body: str, kind: str = "text/plain; charset=utf-8", *headers: str) -> str:
    """One of several parts."""
    return "\n".join([f"Content-Type: {kind}", *headers, "", body])


def both(text: str, html: str, *headers: str) -> str:
    """A mail with a text and the same as HTML."""
    return parts("alternative", part(text), part(html, "text/html; charset=utf-8"), headers=headers)


def encoded(text: str) -> str:
    """A text in base64, in lines as mail programs write them."""
    raw = base64.encodebytes(text.encode()).decode()
    return raw.rstrip("\n")


_HEAD = (
    "From: @@NAME@@ <@@FROM@@>",
    "To: @@TO@@",
    "Subject: Re: @@SUBJ@@",
    "Date: @@DATE@@",
    "Message-ID: <@@MID@@>",
    "In-Reply-To: @@ID@@",
    "References: @@ID@@",
    "MIME-Version: 1.0",
)
OUTLOOK = "From: pbm <@@TO@@>\nSent: Thursday, November 26, 2026 9:12 AM\nTo: Ann Keller <@@FROM@@>\nSubject: @@SUBJ@@\n\n"
GMAIL = "On Thu, Nov 26, 2026 at 9:12 AM pbm <@@TO@@> wrote:\n\n"
_THUNDERBIRD = "On 26/11/2026 09:12, pbm wrote:\n"
_BANNER = (
    "<table border=0 cellspacing=0 cellpadding=0 align='left' width='100%'><tr><td style='background:"
    "#fbd5d5;padding:5pt 2pt 5pt 2pt'></td><td width='100%' style='background:#fff;padding:5pt 4pt'>"
    "<div>You don't often get email from this address. <a href='https://aka.ms/LearnAboutSender"
    "Identification'>Learn why this is important</a></div></td></tr></table>"
)
_DISCLAIMER = (
    "This e-mail (including any attachments) is confidential and may be legally privileged. If you\n"
    "are not the intended recipient, please notify the sender and delete it."
)
_QUOTED = ("pbm+", "Original Message", "Your move in", "It is your move", "to move")

WRITTEN = [
    # Outlook and Exchange
    Written(
        "outlook-desktop",
        both(
            "e4\n\nI have been looking forward to this all week.\n\n" + OUTLOOK + "@@TEXT@@",
            '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal '
            "{margin:0cm}</style></head><body><div class=WordSection1><p class=MsoNormal>e4<o:p></o:p>"
            "</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>I have been looking forward"
            " to this all week.<o:p></o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt'>"
            "<p class=MsoNormal><b>From:</b> pbm</p></div>@@HTML@@</div></body></html>",
            "X-Mailer: Microsoft Outlook 16.0",
            "Thread-Index: AdpXh3Q2w1ZtQ0",
        ),
        plays="e4",
        has=("I have been looking forward to this all week.",),
        hidden=(*_QUOTED, "Sent:"),
    ),
    Written(
        "outlook-block-of-address",
        plain(
            "Dear Bob,\n\nd4\n\nThe train was late again.\n\nKind regards\n\nAnn Keller\nSenior Buyer |"
            " Northwind Ltd\nT: +44 20 7946 0000 | M: +44 7700 900000\nwww.northwind.example\n\n"
            + OUTLOOK
            + "@@TEXT@@"
        ),
        plays="d4",
        has=("The train was late again.",),
        hidden=_QUOTED,
        learned=("Senior Buyer", "+44 20"),
    ),
    Written(
        "outlook-inline-colour",
        rich(
            "<html><body><div class=WordSection1><p class=MsoNormal>e4</p><p class=MsoNormal>See my "
            "answer in blue below.</p><div><p class=MsoNormal><b>From:</b> pbm<br><b>Sent:</b> Thursday"
            "</p></div>@@HTML1@@<p class=MsoNormal><span style='color:#1F497D'>Have you been to the "
            "tournament in Riga?</span></p>@@HTML23@@</div></body></html>"
        ),
        plays="e4",
        has=("See my answer in blue below.",),
        own=("Have you been to the tournament in Riga?",),
        hidden=_QUOTED,
    ),
    Written(
        "outlook-inline-text",
        plain(
            "e4\n\nMy answer stands below.\n\n"
            + OUTLOOK
            + "@@TEXT1@@\nWe saw eleven herons today.\n@@TEXT23@@"
        ),
        plays="e4",
        has=("My answer stands below.",),
        own=("We saw eleven herons today.",),
        hidden=_QUOTED,
    ),
    Written(
        "outlook-german-inline-marked",
        plain(
            "e4\n\nAntworten unten, gekennzeichnet mit [AK].\n\n-----Ursprüngliche Nachricht-----\nVon: "
            "pbm <@@TO@@>\nGesendet: Donnerstag, 26. November 2026 09:12\nAn: Ann Keller <@@FROM@@>\n"
            "Betreff: @@SUBJ@@\n\n@@TEXT1@@\n[AK] Das ist ja ein schönes Brett.\n@@TEXT23@@"
        ),
        lang="de",
        plays="e4",
        has=("Antworten unten, gekennzeichnet mit [AK].",),
        own=("[AK] Das ist ja ein schönes Brett.",),
        hidden=("pbm+", "Ursprüngliche"),
    ),
    Written(
        "outlook-ios",
        plain(
            "c4\nSorry for the delay, the harvest keeps us busy\n\nGet Outlook for iOS<https://aka.ms/"
            "o0ukef>\n________________________________\n" + OUTLOOK + "@@TEXT@@"
        ),
        plays="c4",
        has=("Sorry for the delay, the harvest keeps us busy",),
        hidden=(*_QUOTED, "________"),
        learned=("Get Outlook for iOS",),
    ),
    Written(
        "outlook-android-fr",
        both(
            "Cf3\n\nJe suis dans le train pour Lyon.\n\nTélécharger Outlook pour Android<https://aka.ms/"
            "AAb9ysg>\n________________________________\nDe : pbm <@@TO@@>\nEnvoyé : jeudi 26 novembre "
            "2026 09:12\nÀ : Ann Keller <@@FROM@@>\nObjet : @@SUBJ@@\n\n@@TEXT@@",
            '<html><body><div dir="auto">Cf3</div><div dir="auto"><br></div><div dir="auto">Je suis dans '
            'le train pour Lyon.</div><div id="ms-outlook-mobile-signature" dir="auto">Télécharger <a '
            'href="https://aka.ms/AAb9ysg">Outlook pour Android</a></div><hr><div id="divRplyFwdMsg"><b>'
            "De :</b> pbm</div>@@HTML@@</body></html>",
        ),
        lang="fr",
        plays="Nf3",
        has=("Je suis dans le train pour Lyon.",),
        hidden=("pbm+", "Envoyé"),
        learned=("Télécharger",),
    ),
    Written(
        "exchange-disclaimer-below-quote",
        plain("e4\n\nHow is the weather up there?\n\n" + OUTLOOK + "@@TEXT@@\n\n" + _DISCLAIMER),
        plays="e4",
        has=("How is the weather up there?",),
        hidden=_QUOTED,
        learned=("legally privileged",),
    ),
    Written(
        "exchange-safelinks",
        plain(
            "e4\n\nShall we play a second board as well?\n\n"
            + OUTLOOK
            + "@@TEXT1@@\nhttps://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fgames.example"
            "%2F1&data=05%7C02%7Cann&sdata=abc%3D&reserved=0\n@@TEXT23@@"
        ),
        plays="e4",
        has=("Shall we play a second board as well?",),
        hidden=("safelinks", "pbm+"),
    ),
    Written(
        "outlook-read-receipt",
        parts(
            'report; report-type="disposition-notification"',
            part(
                "Your message \n\n   To: Ann Keller\n   Subject: @@SUBJ@@\n   Sent: Thursday, November "
                "26, 2026 9:12:00 AM\n\n was read on Thursday, November 26, 2026 9:30:00 AM."
            ),
            part(
                "Final-Recipient: rfc822; @@FROM@@\nOriginal-Message-ID: @@ID@@\nDisposition: "
                "manual-action/MDN-sent-manually; displayed",
                "message/disposition-notification",
            ),
        ).replace("Re: @@SUBJ@@", "Read: @@SUBJ@@"),
        hidden=("was read on",),
        silent=True,
    ),
    Written(
        "outlook-recall",
        plain('Ann Keller would like to recall the message, "@@SUBJ@@".').replace(
            "Re: ", "Recall: "
        ),
        silent=True,
    ),
    Written(
        "exchange-automatic-reply",
        plain(
            "I am out of the office until 7 December with limited access to e-mail.",
            "X-Auto-Response-Suppress: All",
            "Auto-Submitted: auto-generated",
        ).replace("Re: ", "Automatic reply: "),
        silent=True,
    ),
    Written(
        "outlook-meeting-answer",
        parts(
            "alternative",
            part("e4 is what I would say at noon."),
            part(
                "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1\nSUMMARY:Accepted: Chess\nATTENDEE;"
                "PARTSTAT=ACCEPTED:mailto:@@FROM@@\nEND:VEVENT\nEND:VCALENDAR",
                "text/calendar; charset=utf-8; method=REPLY",
            ),
        ).replace("Re: ", "Accepted: "),
        silent=True,
    ),
    Written(
        "exchange-banner-html",
        both(
            "You don't often get email from this address. Learn why this is important<https://aka.ms/"
            "LearnAboutSenderIdentification>\n\ne4\n\nThe cat has had kittens.\n\n"
            + OUTLOOK
            + "@@TEXT@@",
            f"<html><body>{_BANNER}<div><div>e4</div><div><br></div><div>The cat has had kittens.</div>"
            '<hr><div id="divRplyFwdMsg"><b>From:</b> pbm</div>@@HTML@@</div></body></html>',
        ),
        plays="e4",
        has=("The cat has had kittens.",),
        hidden=_QUOTED,
        learned=("often get email",),
    ),
    Written(
        "exchange-rtf-beside",
        parts(
            "mixed",
            part("e4\n\nMy printer prints only in green.\n\n" + OUTLOOK + "@@TEXT@@"),
            part(
                encoded("not a real TNEF d4"),
                'application/ms-tnef; name="winmail.dat"',
                'Content-Disposition: attachment; filename="winmail.dat"',
                "Content-Transfer-Encoding: base64",
            ),
        ),
        plays="e4",
        has=("My printer prints only in green.",),
        hidden=_QUOTED,
    ),
    # Gmail
    Written(
        "gmail-web-wrapped-head",
        both(
            "e4\n\nThat reminds me of our game in Ghent.\n\nOn Thu, Nov 26, 2026 at 9:12 AM pbm <\n@@TO@@>"
            " wrote:\n\n@@Q@@\n>",
            '<div dir="ltr"><div>e4</div><div><br></div>That reminds me of our game in Ghent.</div><br>'
            '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Thu, Nov '
            '26, 2026 at 9:12 AM pbm wrote:<br></div><blockquote class="gmail_quote">@@HTML@@'
            "</blockquote></div>",
        ),
        plays="e4",
        has=("That reminds me of our game in Ghent.",),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "gmail-below-quote",
        plain(GMAIL + "@@Q@@\n\nd4\n\nI answer below, as one should."),
        plays="d4",
        has=("I answer below, as one should.",),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "gmail-move-between-quote",
        plain(GMAIL + "@@Q1@@\n\nd4\n\nA quiet start.\n\n@@Q23@@"),
        plays="d4",
        has=("A quiet start.",),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "gmail-words-between-quote",
        plain(
            "e4\n\n"
            + GMAIL
            + "@@Q1@@\n\nWhat a pretty board.\n\n@@Q2@@\n\nUntil the 23rd? That suits.\n\n@@Q3@@\n\nBest, Ann"
        ),
        plays="e4",
        has=("What a pretty board.", "Until the 23rd? That suits."),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "gmail-html-only-between",
        rich(
            '<div dir="ltr">e4</div><br><div class="gmail_quote"><div class="gmail_attr">On Thu, Nov 26, '
            '2026 at 9:12 AM pbm wrote:<br></div><blockquote class="gmail_quote">@@HTML1@@</blockquote>'
            "<div><br></div><div>Does the clock stop at Christmas?</div><div><br></div><blockquote "
            'class="gmail_quote">@@HTML23@@</blockquote></div>'
        ),
        plays="e4",
        own=("Does the clock stop at Christmas?",),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "gmail-html-inside-the-quote",
        rich(
            '<div dir="ltr">e4</div><br><div class="gmail_quote"><div class="gmail_attr">On Thu, Nov 26, '
            '2026 at 9:12 AM pbm wrote:<br></div><blockquote class="gmail_quote">@@HTML1@@'
            "<div>Does the clock stop at Easter?</div>@@HTML23@@</blockquote></div>"
        ),
        plays="e4",
        own=("Does the clock stop at Easter?",),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "gmail-android-es",
        both(
            "Cf3\n¿Qué tal las vacaciones en Cádiz?\n\nEl jue, 26 nov 2026, 9:12, pbm <@@TO@@>\nescribió:\n\n"
            "@@Q@@\n>",
            '<div dir="auto">Cf3<div dir="auto">¿Qué tal las vacaciones en Cádiz?</div></div><br><div '
            'class="gmail_quote"><div class="gmail_attr">El jue, 26 nov 2026, 9:12, pbm escribió:<br></div>'
            '<blockquote class="gmail_quote">@@HTML@@</blockquote></div>',
        ),
        lang="es",
        plays="Nf3",
        has=("¿Qué tal las vacaciones en Cádiz?",),
        hidden=("pbm+", "escribió"),
    ),
    Written(
        "gmail-smart-reply",
        plain("Sounds good!\n\n" + GMAIL + "@@Q@@"),
        setup="wait",
        has=("Sounds good!",),
        hidden=_QUOTED,
    ),
    Written(
        "gmail-logo-in-signature",
        plain(
            "e4\n\nYou will not believe what happened at the club.\n\n-- \n\n[image: logo]\nAnn Keller\n"
            "Verein der Schachfreunde\n\n" + GMAIL + "@@Q@@"
        ),
        plays="e4",
        has=("You will not believe what happened at the club.",),
        hidden=(*_QUOTED, "[image: logo]", "Schachfreunde"),
    ),
    Written(
        "gmail-reaction",
        parts(
            "alternative",
            part("👍\n\nAnn Keller reacted via Gmail\n\n" + GMAIL + "@@Q@@"),
            part(
                '{"emoji":"👍","version":1}', "text/vnd.google.email-reaction+json; charset=utf-8"
            ),
            part("<p>👍</p><p>Ann Keller reacted via Gmail</p>", "text/html; charset=utf-8"),
        ),
        setup="offer",
        hidden=("reacted",),
        silent=True,
    ),
    Written(
        "gmail-translated-page",
        rich(
            '<div dir="ltr"><font style="vertical-align: inherit;"><font style="vertical-align: inherit;">'
            'e4</font></font><div><font style="vertical-align: inherit;">My grandson translates this for '
            'me.</font></div></div><div class="gmail_quote"><blockquote class="gmail_quote">@@HTML@@'
            "</blockquote></div>"
        ),
        plays="e4",
        has=("My grandson translates this for me.",),
        hidden=_QUOTED,
    ),
    # Apple
    Written(
        "apple-mail",
        plain(
            "e4\n\nGreetings from the lighthouse.\n\n> On 26 Nov 2026, at 09:12, pbm <@@TO@@> wrote:\n> \n@@Q@@\n",
            "X-Mailer: Apple Mail (2.3826.200.121)",
        ),
        plays="e4",
        has=("Greetings from the lighthouse.",),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "iphone-praise-first",
        plain(
            "Nice one! e4\n\nSent from my iPhone\n\n> On Nov 26, 2026, at 9:12 AM, pbm <@@TO@@> wrote:\n> \n@@Q@@"
        ),
        may="e4",
        own=("Sent from my",),
        hidden=_QUOTED,
    ),
    Written(
        "iphone-nl",
        plain(
            "Pf3\nIk zit nog in de trein naar Zwolle\n\nVerstuurd vanaf mijn iPhone\n\n> Op 26 nov 2026 om "
            "09:12 heeft pbm <@@TO@@> het volgende geschreven:\n> \n> ﻿\n@@Q@@"
        ),
        lang="nl",
        may="Nf3",
        own=("Ik zit nog in de trein naar Zwolle",),
        hidden=("pbm+", "geschreven"),
    ),
    Written(
        "iphone-html-nested",
        rich(
            '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body '
            'dir="auto">e4<div><br></div><div>Our daughter was born on Tuesday.<br id="lineBreakAtBeginning'
            'OfSignature"><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote '
            'type="cite">On Nov 26, 2026, at 9:12 AM, pbm wrote:<br><br></blockquote></div><blockquote '
            'type="cite"><div dir="ltr">﻿@@HTML@@</div></blockquote></div></body></html>'
        ),
        plays="e4",
        has=("Our daughter was born on Tuesday.",),
        hidden=_QUOTED,
        learned=("Sent from my iPhone",),
    ),
    Written(
        "iphone-dictated",
        plain(
            "Pawn to E4 period good luck comma my friend\n\nSent from my iPhone\n\n> On Nov 26, 2026, at 9:12 AM, pbm <@@TO@@> wrote:\n> \n@@Q@@"
        ),
        may="e4",
        own=("Sent from my",),
        hidden=_QUOTED,
    ),
    Written(
        "iphone-dictated-de",
        plain("Springer auf f3 Punkt Viel Glück Ausrufezeichen\n\nVon meinem iPhone gesendet"),
        lang="de",
        may="Nf3",
        own=("Von meinem",),
    ),
    Written(
        "iphone-homophone",
        plain("night F3\n\nSent from my iPhone"),
        may="Nf3",
        own=("Sent from my",),
    ),
    Written("watch-ok", plain("OK\n\nSent from my Apple Watch"), setup="wait", own=("OK",)),
    Written(
        "iphone-sticker",
        parts(
            "mixed",
            part("e4 🎉"),
            part(
                encoded("x"), 'image/heic; name="IMG_1.heic"', "Content-Transfer-Encoding: base64"
            ),
            part("\nThe garden this morning!\n\nSent from my iPad"),
        ),
        plays="e4",
        has=("The garden this morning!",),
        learned=("Sent from my iPad",),
    ),
    # Thunderbird
    Written(
        "thunderbird-flowed",
        plain(
            "e4\n\nI found an old book about openings in the attic of my \ngrandfather, who played for \n"
            "the railway workers.\n\n" + _THUNDERBIRD + "@@Q@@",
            "User-Agent: Mozilla Thunderbird",
            kind="text/plain; format=flowed",
        ),
        plays="e4",
        has=(
            "I found an old book about openings in the attic of my grandfather, who played for the railway workers.",
        ),
        hidden=_QUOTED,
    ),
    Written(
        "thunderbird-below",
        plain(
            _THUNDERBIRD
            + "@@Q@@\n\nd4\n\nThe ice on the lake holds.\n\n-- \nAnn Keller\nhttps://ann.example"
        ),
        plays="d4",
        has=("The ice on the lake holds.",),
        hidden=(*_QUOTED, "https://ann.example"),
    ),
    Written(
        "thunderbird-html-between",
        rich(
            '<html><body><div class="moz-cite-prefix">On 26/11/2026 09:12, pbm wrote:<br></div><blockquote '
            'type="cite" cite="mid:1@x">@@HTML1@@</blockquote><p>e4</p><p>The move of my childhood.</p>'
            '<blockquote type="cite" cite="mid:1@x">@@HTML23@@</blockquote><pre class="moz-signature" '
            'cols="72">-- \nAnn Keller</pre></body></html>'
        ),
        plays="e4",
        has=("The move of my childhood.",),
        hidden=_QUOTED,
    ),
    Written(
        "pgp-inline",
        plain(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\ne4\n\nTrust no one but the queen.\n\n- -- \n"
            "Ann\n\n"
            + _THUNDERBIRD
            + "@@Q@@\n-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAdFiEEabcdef\n=abcd\n"
            "-----END PGP SIGNATURE-----"
        ),
        plays="e4",
        has=("Trust no one but the queen.",),
        hidden=(*_QUOTED, "BEGIN PGP", "iQIzBAEBC", "SHA512"),
    ),
    Written(
        "pgp-mime",
        parts(
            'signed; micalg=pgp-sha256; protocol="application/pgp-signature"',
            part("e4\n\nThe key is under the mat.\n\n" + _THUNDERBIRD + "@@Q@@"),
            part(
                "-----BEGIN PGP SIGNATURE-----\niQIz\n-----END PGP SIGNATURE-----",
                'application/pgp-signature; name="OpenPGP_signature.asc"',
            ),
            headers=("Autocrypt: addr=@@FROM@@; keydata= mQINBF",),
        ),
        plays="e4",
        has=("The key is under the mat.",),
        hidden=(*_QUOTED, "PGP"),
    ),
    Written(
        "smime-with-footer",
        parts(
            "mixed",
            part(
                "------s\nContent-Type: text/plain; charset=utf-8\n\ne4\n\nThe bishop sends his regards.\n\n"
                "------s\nContent-Type: application/pkcs7-signature; name=smime.p7s\n\nMIAG\n------s--",
                'multipart/signed; protocol="application/pkcs7-signature"; boundary="----s"',
            ),
            part(_DISCLAIMER),
        ),
        plays="e4",
        has=("The bishop sends his regards.",),
        learned=("legally privileged",),
    ),
    Written(
        "smime-opaque",
        plain("MIIGsAYJKoZIhvcNAQcCoIIGoTCCBp0CAQExDzANBg==", encoding="base64").replace(
            "text/plain; charset=utf-8",
            'application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
        ),
    ),
    # mutt and its kin
    Written(
        "mutt-inline",
        plain(
            "Hi Bob,\n\non Thu, Nov 26, 2026 at 09:12:03AM +0100, pbm wrote:\n@@Q1@@\n\nNicely drawn.\n\n@@Q2@@\n\n"
            "e4\n\n@@Q3@@\n\nSee you at the Hackspace,\n\nAnn\n\n-- \nfortune: out of memory",
            "User-Agent: Mutt/2.2.12 (2023-09-09)",
        ),
        plays="e4",
        has=("Nicely drawn.", "See you at the Hackspace,"),
        hidden=(*_QUOTED, "out of memory"),
    ),
    Written(
        "mutt-star-head",
        plain("* pbm <@@TO@@> [2026-11-26 09:12]:\n@@Q1@@\n> [...]\n\nc4\n\nSchöne Grüße aus Kiel"),
        plays="c4",
        has=("Schöne Grüße aus Kiel",),
        hidden=(*_QUOTED, "[2026"),
    ),
    Written(
        "neomutt-fr",
        plain(
            "Le jeudi 26 nov. 2026 à 09:12:03 (+0100), pbm a écrit :\n@@Q@@\n\nCf3\n\nÀ toi de jouer, l'ami"
        ),
        lang="fr",
        plays="Nf3",
        has=("À toi de jouer, l'ami",),
        hidden=("pbm+", "a écrit"),
    ),
    Written(
        "gnus-supercite",
        plain('>>>>> "pbm" == pbm  <@@TO@@> writes:\n\n@@Q1@@\n\ne4\n\nEmacs salutes you.'),
        plays="e4",
        has=("Emacs salutes you.",),
        hidden=(*_QUOTED, ">>>>>"),
    ),
    Written(
        "pine-pipe",
        plain(
            "On Thu, 26 Nov 2026, pbm wrote:\n\n@@Q1@@\n\nd4.\n\nIt is snowing in Bergen.\n\n\t\t-ann"
        ),
        plays="d4",
        has=("It is snowing in Bergen.",),
        hidden=(*_QUOTED, "wrote"),
    ),
    # Android
    Written(
        "k9",
        plain(
            "e4\n\nMum says hello.\n-- \nSent from my Android device with K-9 Mail. Please excuse my "
            "brevity.\n\nAm 26. November 2026 09:12:03 MEZ schrieb pbm <@@TO@@>:\n@@Q@@"
        ),
        plays="e4",
        has=("Mum says hello.",),
        hidden=(*_QUOTED, "brevity", "schrieb"),
    ),
    Written(
        "k9-below",
        plain(
            "-------- Original Message --------\nFrom: pbm <@@TO@@>\nSent: 26 November 2026 09:12:03 GMT\nSubject: @@SUBJ@@\n\n@@TEXT@@\n\nd4\n\nThe tram was empty today."
        ),
        may="d4",
        own=("The tram was empty today.",),
        hidden=_QUOTED,
    ),
    Written(
        "fairemail",
        plain("e4\n\nI have moved to Utrecht.\n\n\nNov 26, 2026 9:12:33 AM pbm <@@TO@@>:\n\n@@Q@@"),
        plays="e4",
        has=("I have moved to Utrecht.",),
        hidden=(*_QUOTED, "9:12:33"),
    ),
    Written(
        "samsung-unmarked",
        both(
            "e4\nThe bus is full of football fans.\n\nSent from my Galaxy\n\n-------- Original message --------\n"
            "From: pbm <@@TO@@> \nDate: 26/11/2026  09:12  (GMT+01:00) \nTo: @@FROM@@ \nSubject: @@SUBJ@@ \n\n@@TEXT@@",
            '<html><body dir="auto"><div dir="auto">e4</div><div dir="auto">The bus is full of football fans.'
            '</div><div id="composer_signature" dir="auto">Sent from my Galaxy</div><div dir="auto"><!-- '
            "originalMessage --><div>-------- Original message --------</div><div>From: pbm</div></div>"
            "@@HTML@@</body></html>",
        ),
        plays="e4",
        has=("The bus is full of football fans.",),
        hidden=_QUOTED,
        learned=("Galaxy",),
    ),
    Written(
        "deltachat",
        plain(
            "@@Q1@@\n\ne4\n\nWritten in the messenger.\n\n-- \nSent with my Delta Chat Messenger: https://delta.chat",
            "Chat-Version: 1.0",
        ),
        plays="e4",
        has=("Written in the messenger.",),
        hidden=(*_QUOTED, "delta.chat"),
    ),
    # Yahoo, AOL
    Written(
        "yahoo-android",
        plain(
            "e4\nThe apples are ripe now\n\nSent from Yahoo Mail on Android \n \n  On Thu, Nov 26, 2026 at 9:12, "
            "pbm<@@TO@@> wrote:   @@TEXT@@  "
        ),
        plays="e4",
        has=("The apples are ripe now",),
        hidden=(*_QUOTED, "wrote"),
        learned=("Yahoo Mail",),
    ),
    Written(
        "yahoo-web",
        both(
            " e4\nWe have repainted the boat.\n    On Thursday, November 26, 2026 at 09:12:03 AM GMT+1, pbm <@@TO@@> "
            "wrote:  \n \n @@TEXT@@  ",
            '<html><head></head><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">e4</div><div dir="ltr">'
            'We have repainted the boat.</div></div><div id="ydp2yahoo_quoted_1" class="yahoo_quoted"><div>'
            "On Thursday, November 26, 2026 at 09:12:03 AM GMT+1, pbm wrote:</div>@@HTML@@</div></body></html>",
        ),
        plays="e4",
        has=("We have repainted the boat.",),
        hidden=(*_QUOTED, "wrote"),
    ),
    Written(
        "aol-dashes",
        plain(
            "d4\n\n Have you read the column in the paper?\n\n\n-----Original Message-----\nFrom: pbm <@@TO@@>\nTo: "
            "@@FROM@@\nSent: Thu, Nov 26, 2026 9:12 am\nSubject: @@SUBJ@@\n\n@@TEXT@@"
        ),
        plays="d4",
        has=("Have you read the column in the paper?",),
        hidden=_QUOTED,
    ),
    # GMX, web.de, T-Online
    Written(
        "gmx-web",
        plain(
            "e4\n\nDie Kraniche ziehen schon.\n\n  \n\nGesendet: Donnerstag, 26. November 2026 um 09:12\nVon: pbm "
            "<@@TO@@>\nAn: @@FROM@@\nBetreff: @@SUBJ@@\n\n@@TEXT@@"
        ),
        lang="de",
        plays="e4",
        has=("Die Kraniche ziehen schon.",),
        hidden=("pbm+", "Gesendet"),
    ),
    Written(
        "gmx-html",
        rich(
            '<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>Sf3</div><div>'
            '&nbsp;</div><div>Bei uns liegt der erste Schnee.</div><div>&nbsp;</div><div name="quote" '
            'style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;"><div><b>Gesendet:</b>&nbsp;'
            'Donnerstag<br/><b>Von:</b>&nbsp;pbm</div><div name="quoted-content">@@HTML@@</div></div></div>'
            "</body></html>"
        ),
        lang="de",
        plays="Nf3",
        has=("Bei uns liegt der erste Schnee.",),
        hidden=("pbm+", "Gesendet"),
    ),
    Written(
        "webde-advertised",
        plain(
            "e4\n\nDie Katze sitzt auf dem Brett.\n\n--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit "
            "WEB.DE Mail gesendet.\nAm 26.11.26, 09:12 schrieb pbm <@@TO@@>:\n@@Q@@"
        ),
        lang="de",
        plays="e4",
        has=("Die Katze sitzt auf dem Brett.",),
        hidden=("pbm+", "schrieb"),
        learned=("Mobiltelefon",),
    ),
    Written(
        "tonline-latin",
        plain(
            "e4\n\nSch=F6ne Gr=FC=DFe vom Bodensee, das Wasser ist noch warm genug, um dar=\nin zu schwimmen.",
            encoding="quoted-printable",
        ).replace("charset=utf-8", "charset=iso-8859-1"),
        plays="e4",
        has=("Schöne Grüße vom Bodensee, das Wasser ist noch warm genug, um darin zu schwimmen.",),
    ),
    # Proton, Tuta
    Written(
        "proton",
        plain(
            "e4\n\nThe mountain was covered in fog.\n\n\nSent with [Proton Mail](https://proton.me/mail/home) secure "
            "email.\n\nOn Thursday, November 26th, 2026 at 9:12 AM, pbm <@@TO@@> wrote:\n\n@@Q@@"
        ),
        plays="e4",
        has=("The mountain was covered in fog.",),
        hidden=(*_QUOTED, "wrote"),
        learned=("Proton",),
    ),
    Written(
        "proton-base64-html",
        plain(
            encoded(
                '<div style="font-family: Arial;">e4</div><div><br></div><div>Zürich is lovely – “really”.</div>'
                '<div class="protonmail_signature_block">Sent with Proton Mail secure email.</div>'
            ),
            encoding="base64",
            kind="text/html",
        ),
        plays="e4",
        has=("Zürich is lovely",),
    ),
    # Notes
    Written(
        "notes-table",
        plain(
            "e4\n\nUnser Chor singt am Samstag.\n\n\n\nVon:\tpbm <@@TO@@>\nAn:\t@@FROM@@\nDatum:\t26.11.2026 09:12\n"
            "Betreff:\t@@SUBJ@@\n\n\n\n@@TEXT@@",
            "X-Mailer: HCL Notes Release 12.0",
        ),
        lang="de",
        plays="e4",
        has=("Unser Chor singt am Samstag.",),
        hidden=("pbm+", "Datum"),
    ),
    Written(
        "notes-old",
        plain(
            "d4\n\nThe auditors have left the building.\n\n\n\npbm <@@TO@@> \n26/11/2026 09:12\n\nTo\n@@FROM@@\ncc\n\n"
            "Subject\n@@SUBJ@@\n\n\n\n\n\n\n@@TEXT@@\n\n"
        ),
        plays="d4",
        has=("The auditors have left the building.",),
        hidden=(*_QUOTED, "26/11/2026"),
    ),
    Written(
        "notes-inactive",
        plain(
            "c4\n\nThe canteen has fish today.\n\nInactive hide details for pbm ---26/11/2026 09:12:11---pbm "
            "---26/11/2026 09:12:11---Your move\n\nFrom: pbm <@@TO@@>\nTo: @@FROM@@\nDate: 26/11/2026 09:12\n"
            "Subject: @@SUBJ@@\n\n@@TEXT@@"
        ),
        plays="c4",
        has=("The canteen has fish today.",),
        hidden=("pbm+", "It is your move"),
    ),
    Written(
        "notes-with-greeting",
        plain(
            "Hallo Bob,\n\nSf3\n\nMit freundlichen Grüßen / Best regards\n\nAnn Keller\nEinkauf\n\nFirma Muster GmbH, "
            "Sitz: Köln, HRB 12345\nGeschäftsführer: Max Muster"
        ),
        lang="de",
        plays="Nf3",
        learned=("HRB 12345", "Einkauf"),
    ),
    # Gateways
    Written(
        "banner-with-rule",
        plain(
            "[EXTERNAL EMAIL - be careful with links]\n________________________________\n\ne4\n\nThe harbour was full "
            "of sails.\n\n" + OUTLOOK + "@@TEXT@@"
        ),
        plays="e4",
        has=("The harbour was full of sails.",),
        hidden=(*_QUOTED, "EXTERNAL"),
    ),
    Written(
        "banner-html-nl",
        rich(
            '<div style="background-color:#FFEB9C; width:100%; border-style: solid;"><span style="font-weight:bold;">'
            "Let op:</span> deze e-mail komt van buiten de organisatie. Klik niet zomaar op koppelingen.</div><br><div>"
            "<p>e4</p><p>De kinderen zijn ziek.</p></div>"
        ),
        lang="nl",
        plays="e4",
        has=("De kinderen zijn ziek.",),
        learned=("buiten de organisatie",),
    ),
    Written(
        "scanned-by",
        plain(
            "e4\n\nI bought new skates.\n\n-- \nThis message has been scanned for viruses and\ndangerous content by "
            "MailScanner, and is\nbelieved to be clean.\n\n" + GMAIL + "@@Q@@"
        ),
        plays="e4",
        has=("I bought new skates.",),
        hidden=(*_QUOTED, "MailScanner"),
    ),
    Written(
        "urldefense",
        plain(
            "e4\n\nRead this: https://urldefense.com/v3/__https://chess.example/riga__;!!Ab1!xyz$ \n\n"
            + OUTLOOK
            + "@@TEXT12@@\nhttps://urldefense.com/v3/__https://games.example/b/1__;!!Ab1!abc$ \n@@TEXT3@@"
        ),
        plays="e4",
        has=("Read this:",),
        hidden=(*_QUOTED, "games.example"),
    ),
    Written(
        "marked-as-spam",
        plain(
            "e4\n\nThe filter at work is strict.\n\n" + GMAIL + "@@Q@@", "X-Spam-Flag: YES"
        ).replace("Re: ", "[SPAM?] Re: "),
        plays="e4",
        has=("The filter at work is strict.",),
        hidden=_QUOTED,
    ),
    # Lists and forwarding
    Written(
        "mailman-footer",
        plain(
            "e4\n\nOur whole family is watching.\n\n"
            + GMAIL
            + "@@Q@@\n_______________________________________________\n"
            "family mailing list -- family@lists.example\nTo unsubscribe send an email to family-leave@lists.example",
            "List-Id: <family.lists.example>",
        ),
        plays="e4",
        has=("Our whole family is watching.",),
        hidden=_QUOTED,
        learned=("unsubscribe",),
    ),
    Written(
        "google-groups-footer",
        plain(
            "e4\n\nThe group votes for it.\n\n-- \nYou received this message because you are subscribed to the Google "
            'Groups "chess" group.\nTo unsubscribe, visit https://groups.example/d.',
            "Precedence: list",
        ),
        plays="e4",
        has=("The group votes for it.",),
        hidden=("unsubscribe",),
    ),
    Written(
        "forwarded-with-words",
        plain(
            "Could you look at this position?\n\n---------- Forwarded message ---------\nFrom: pbm <@@TO@@>\nDate: Thu, Nov "
            "26, 2026 at 9:12 AM\nSubject: @@SUBJ@@\nTo: <@@FROM@@>\n\n\n@@TEXT@@"
        ).replace("Re: ", "Fwd: "),
        hidden=("pbm+",),
    ),
    # Encodings and forms of text
    Written(
        "quotes-of-word",
        plain("\u201ce4\u201d\n\nI\u2019m writing this in Word\u2026"),
        may="e4",
        own=("writing this in Word",),
    ),
    Written(
        "html-nonbreaking",
        rich("<div>e4&nbsp;</div><div>&nbsp;</div><div>It&nbsp;rains&nbsp;and&nbsp;rains.</div>"),
        plays="e4",
        has=("It rains and rains.",),
    ),
    Written(
        "html-soft-hyphens",
        rich("<p>e4</p><p>The Donau&shy;dampf&shy;schiff sails<wbr> at noon.</p>"),
        plays="e4",
        own=("sails at noon.",),
    ),
    Written(
        "html-br-soup",
        rich(
            "<font face=arial>e4<br><br>One line<br>another line<br>Kind regards<br>Ann</font><br><br><hr>@@HTML@@"
        ),
        plays="e4",
        has=("One line", "another line"),
        hidden=_QUOTED,
    ),
    Written(
        "enriched",
        plain("<bold>e4</bold>\n\n\n\nA mail of <italic>1998</italic>.", kind="text/enriched"),
        may="e4",
    ),
    Written(
        "utf16",
        plain(encoded("x"), encoding="base64")
        .replace(encoded("x"), base64.b64encode("e4\n\nWide letters.".encode("utf-16")).decode())
        .replace("charset=utf-8", "charset=utf-16"),
        plays="e4",
        has=("Wide letters.",),
    ),
    # The program speaks another language than its user
    Written(
        "japanese-program",
        plain("e4\n\nIk woon nu in Osaka.\n\n2026年11月26日(木) 9:12 pbm <@@TO@@>:\n\n@@Q@@"),
        lang="nl",
        plays="e4",
        has=("Ik woon nu in Osaka.",),
        hidden=("pbm+", "2026年"),
    ),
    Written(
        "mailru",
        plain(
            "e4\n\nGreetings from Tbilisi.\n\n--\nAnn Keller\nОтправлено из Почты Mail.ru\n\nЧетверг, 26 ноября 2026, 9:12 "
            "+03:00 от pbm <@@TO@@>:\n@@Q@@"
        ),
        plays="e4",
        has=("Greetings from Tbilisi.",),
        hidden=(*_QUOTED, "от pbm"),
        learned=("Отправлено",),
    ),
    Written(
        "arabic-program",
        plain(
            "e4\n\nI teach in Amman now.\n\n\u200f\u202bفي الخميس، 26 نوفمبر 2026 في 9:12 ص تمت كتابة ما يلي بواسطة \u202apbm\u202c‏ <\u202a"
            "@@TO@@\u202c‏>:\u202c\n\n@@Q@@"
        ),
        plays="e4",
        has=("I teach in Amman now.",),
        hidden=(*_QUOTED, "نوفمبر"),
    ),
    Written(
        "polish-outlook",
        plain(
            "Sf3\n\nGrüße aus Breslau!\n\nOd: pbm <@@TO@@>\nWysłano: czwartek, 26 listopada 2026 09:12\nDo: Ann <@@FROM@@>\nTemat: @@SUBJ@@\n\n@@TEXT@@"
        ),
        lang="de",
        plays="Nf3",
        has=("Grüße aus Breslau!",),
        hidden=("pbm+", "Wysłano"),
    ),
    Written(
        "translated-quote",
        plain(
            "e4\n\nMy phone translates everything.\n\n"
            + GMAIL
            + "> Ihr Zug in 21 Tagen. Neue Schachpartie: ann (weiß) gegen "
            "bob (schwarz).\n> Sie sind am Zug (1).\n>\n> Antworten Sie mit Ihrem Zug, zum Beispiel e4.\n> Bitte ziehen "
            "Sie bis Montag."
        ),
        plays="e4",
        has=("My phone translates everything.",),
        hidden=("Antworten Sie",),
    ),
    # Ways of writing
    Written("two-moves", plain("e4\nd4\n\n" + GMAIL + "@@Q@@"), plays="e4", own=("d4",)),
    Written("two-thoughts", plain("e4 (or is d4 better?)\n\n" + GMAIL + "@@Q@@"), own=()),
    Written(
        "signature-alone",
        plain("\n\nKind regards\nAnn Keller\nSenior Buyer\n\n" + OUTLOOK + "@@TEXT@@"),
        hidden=_QUOTED,
    ),
    Written(
        "words-at-three-places",
        plain(
            "Hello from Malta!\n\n" + GMAIL + "@@Q1@@\nWhat a start.\n@@Q23@@\n\nMore on Sunday."
        ),
        setup="wait",
        has=("Hello from Malta!", "What a start.", "More on Sunday."),
        hidden=_QUOTED,
    ),
    Written(
        "words-between-unmarked-waiting",
        plain(
            "Answers below.\n\n"
            + OUTLOOK
            + "@@TEXT1@@\nThe owl is back in our barn.\n@@TEXT23@@\n\nThat is all for today."
        ),
        setup="wait",
        own=("Answers below.", "The owl is back in our barn.", "That is all for today."),
        hidden=("pbm+",),
    ),
    Written(
        "answer-to-chat",
        plain("@@Q@@\n\nYes, they were. And yours?\n\ne4"),
        setup="chat",
        may="e4",
        own=("Yes, they were. And yours?",),
    ),
    Written(
        "no-to-draw-with-reason",
        plain("No, I still have ideas.\n\nNext time perhaps.\n\n" + GMAIL + "@@Q@@"),
        setup="offer",
        own=("I still have ideas", "Next time perhaps."),
        hidden=("pbm+",),
    ),
    Written(
        "no-break-before-quote",
        plain("e4\nWe start!\n" + GMAIL.rstrip() + "\n@@Q@@"),
        plays="e4",
        has=("We start!",),
        hidden=(*_QUOTED, "wrote"),
    ),
]
