"""HTML-only mail: what a person wrote in it, and what programs put round it."""

import pytest

from pbm.mail.body import html_to_text
from pbm.mail.own_words import extract_own_lines

QUOTES = {
    "gmail": '<div dir="ltr">@@</div><br><div class="gmail_quote gmail_quote_container">'
    '<div class="gmail_attr">On Mon X wrote:<br></div><blockquote>resign</blockquote></div>',
    "apple": '<body>@@<div><br><blockquote type="cite"><div>resign</div></blockquote></div></body>',
    "thunderbird": '<p>@@</p><div class="moz-cite-prefix">On 5.1.26 pbm wrote:<br></div>'
    '<blockquote type="cite" cite="mid:x"><pre>resign</pre></blockquote>',
    "outlook web": '<div>@@</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">'
    "<b>From:</b> pbm<br></div><div>resign</div>",
    "outlook heads": "<p>@@</p><div style='border-top:solid #E1E1E1 1.0pt'><p><b>From:</b> pbm"
    "<br><b>Sent:</b> Monday, 5 January 2026<br><b>To:</b> ann<br><b>Subject:</b> x</p></div>"
    "<p>resign</p>",
    "aol": "<font>@@<br><br><div>-----Original Message-----<br>From: pbm<br>resign</div></font>",
    "proton": '<div>@@</div><div class="protonmail_quote">On X wrote:<blockquote class='
    '"protonmail_quote">resign</blockquote></div>',
    "hidden": '@@<div style="display: none; max-height: 0">resign</div>',
    "comment": "@@<!-- resign -->",
    "style and title": "<head><title>resign</title><style>resign</style></head><body>@@</body>",
    "script": "@@<script>if (a<b) resign</script>",
    "unclosed comment": "@@<!-- resign",
    "unclosed tag": "@@<a title='resign",
    "nested quotes": "@@<blockquote><blockquote>x</blockquote>resign</blockquote>",
    "upper case": "<P>@@</P><BLOCKQUOTE>resign</BLOCKQUOTE>",
}


@pytest.mark.parametrize("source", QUOTES.values(), ids=QUOTES)
def test_quotes_and_hidden_parts_are_left_out(source: str) -> None:
    assert extract_own_lines(html_to_text(source.replace("@@", "b1,c1"))).lines == ("b1,c1",)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<blockquote>resign</blockquote><p>b1,c1</p>", ("b1,c1",)),
        ("<div>b1,c1</div><div>and more</div>", ("b1,c1", "and more")),
        ('<div class="gmail_quote_container"><p>b1,c1</p></div>', ("b1,c1",)),
        ("b1,c1<div>On Thursday, pbm wrote:<blockquote>x</blockquote></div>", ("b1,c1",)),
        ("b1,c1<hr><b>From:</b> pbm<br>x", ("b1,c1",)),
        ("b1,c1<br>and<br/>more", ("b1,c1", "and", "more")),
        ("<p>a\n b</p>", ("a b",)),
        ("<pre>a\n  b</pre>", ("a", "  b")),
        ("&nbsp;b1&#44;c1&amp;&lt;&#x3e;", ("b1,c1&<>",)),
        ("&#99999999999999999999;b1", ("b1",)),
        ("1 < 2 and 3 > 2", ("1 < 2 and 3 > 2",)),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", ("a b", "c")),
        ('<a href="x>y">b1</a>', ("b1",)),
        ("", ()),
    ],
)
def test_text(source: str, expected: tuple[str, ...]) -> None:
    assert extract_own_lines(html_to_text(source)).lines == expected


def test_a_quotation_is_marked_as_often_as_it_is_nested() -> None:
    source = "a<blockquote>b<blockquote><p>c</p></blockquote><i>d</i></blockquote></blockquote>e"
    lines = [line for line in html_to_text(source).split("\n") if line.strip("> ")]
    assert lines == ["a", "> b", ">> c", "> d", "e"]
