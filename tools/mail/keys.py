"""What is pressed in each mail program of Debian 12, and what it is told before its first start."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """How somebody works with a mail program.

    command  starts it, in its home folder
    where    the file by which one knows that it is installed, where its name is no command
    files    what stands in that folder; @name@, @password@, @imap@ and @smtp@ (ports) are filled in
    reads    what is done after its start to see the newest board, and later to see the next one
    replies  what is done then to reply with {move}
    """

    command: str
    files: dict[str, str]
    reads: tuple[str, str]
    replies: str
    is_terminal: bool = False
    where: str = ""


_ACCOUNT = """
[Account: 1]
account_name=post
is_default=1
name=@name@
address=@name@@example.test
protocol=3
receive_server=127.0.0.1
smtp_server=127.0.0.1
user_id=@name@@example.test
password=@password@
set_imapport=1
imap_port=@imap@
set_smtpport=1
smtp_port=@smtp@
ssl_imap=0
ssl_smtp=0
use_smtp_auth=0
"""
_CLAWS = """
[Common]
enable_aspell=0
"""
_CLAWS_FOLDERS = """
<?xml version="1.0" encoding="UTF-8"?>
<folderlist>
    <folder type="mh" name="Mailbox" path="Mail">
        <folderitem type="queue" name="queue" path="queue" />
    </folder>
</folderlist>
"""
_SYLPHEED_FOLDERS = """
<?xml version="1.0" encoding="UTF-8"?>
<folderlist>
    <folder type="imap" name="post" account_id="1">
        <folderitem type="inbox" name="INBOX" path="INBOX" sort_key="date" sort_type="ascending"
            threaded="1" />
    </folder>
    <folder type="mh" name="Mailbox" path="Mail">
        <folderitem type="inbox" name="inbox" path="inbox" />
        <folderitem type="outbox" name="sent" path="sent" />
        <folderitem type="draft" name="draft" path="draft" />
        <folderitem type="queue" name="queue" path="queue" />
        <folderitem type="trash" name="trash" path="trash" />
    </folder>
</folderlist>
"""
_SYLPHEED_MAIL = {f"Mail/{name}/.keep": "" for name in ("inbox", "sent", "draft", "queue", "trash")}
_THUNDERBIRD = """
user_pref("mail.accountmanager.accounts", "account1,account2");
user_pref("mail.accountmanager.defaultaccount", "account1");
user_pref("mail.accountmanager.localfoldersserver", "server2");
user_pref("mail.account.account1.identities", "id1");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.account.account2.server", "server2");
user_pref("mail.server.server1.type", "imap");
user_pref("mail.server.server1.name", "post");
user_pref("mail.server.server1.hostname", "127.0.0.1");
user_pref("mail.server.server1.port", @imap@);
user_pref("mail.server.server1.userName", "@name@@example.test");
user_pref("mail.server.server1.socketType", 0);
user_pref("mail.server.server1.authMethod", 3);
user_pref("mail.server.server1.login_at_startup", true);
user_pref("mail.server.server1.check_new_mail", true);
user_pref("mail.server.server2.type", "none");
user_pref("mail.server.server2.hostname", "Local Folders");
user_pref("mail.server.server2.userName", "nobody");
user_pref("mail.identity.id1.fullName", "@name@");
user_pref("mail.identity.id1.useremail", "@name@@example.test");
user_pref("mail.identity.id1.smtpServer", "smtp1");
user_pref("mail.identity.id1.fcc", false);
user_pref("mail.identity.id1.valid", true);
user_pref("mail.identity.id1.reply_on_top", 1);
user_pref("mail.smtpservers", "smtp1");
user_pref("mail.smtp.defaultserver", "smtp1");
user_pref("mail.smtpserver.smtp1.hostname", "127.0.0.1");
user_pref("mail.smtpserver.smtp1.port", @smtp@);
user_pref("mail.smtpserver.smtp1.try_ssl", 0);
user_pref("mail.smtpserver.smtp1.authMethod", 1);
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mailnews.start_page.enabled", false);
user_pref("mail.rights.version", 1);
user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
user_pref("app.update.enabled", false);
user_pref("app.donation.eoy.version.viewed", 999);
"""
_EVOLUTION = """
[Data Source]
DisplayName=post
Enabled=true
Parent={more}
[{part}]
{rows}
"""
_EVOLUTION_SERVER = """
[Authentication]
Host=127.0.0.1
Method={method}
Port={port}
User={user}
RememberPassword=false
[Security]
Method=none
"""
_GEARY_SERVER = """
[{part}]
login=@name@@example.test
host=127.0.0.1
port={port}
transport_security=none
credentials={credentials}
"""
_GEARY = (
    """
[Metadata]
version=1
status=enabled
[Account]
label=post
prefetch_days=14
sender_mailboxes=@name@ <@name@@example.test>;
service_provider=other
"""
    + _GEARY_SERVER.format(part="Incoming", port="@imap@", credentials="custom")
    + _GEARY_SERVER.format(part="Outgoing", port="@smtp@", credentials="none")
)
_KEYRING = """
echo -n @password@ | gnome-keyring-daemon --unlock --components=secrets
sleep 1
echo -n @password@ | secret-tool store --label=post xdg:schema org.gnome.Geary \\
    proto IMAP host 127.0.0.1 login @name@@example.test
exec geary
"""
_AKONADI_AGENTS = """
[Instances]
akonadi_imap_resource_0\\AgentType=akonadi_imap_resource
"""
_KMAIL_MAILBOX = """
[network]
ImapServer=127.0.0.1
ImapPort=@imap@
UserName=@name@@example.test
Authentication=1
Safety=NONE
SubscriptionEnabled=false
[cache]
DisconnectedModeEnabled=true
[siever]
SieveSupport=false
"""
_KMAIL_TRANSPORT = """
[$Version]
update_info=mailtransports.upd:initial-kmail-migration,mailtransports.upd:initial-knode-migration
[General]
default-transport=1
[Transport 1]
id=1
name=post
identifier=SMTP
host=127.0.0.1
port=@smtp@
encryption=None
auth=false
"""
_KMAIL_IDENTITY = """
[General]
Default Identity=1
[Identity #0]
Identity=post
Name=@name@
Email Address=@name@@example.test
uoid=1
Transport=1
Disable Fcc=true
"""
_AKONADI_AND_KMAIL = """
export QTWEBENGINE_DISABLE_SANDBOX=1  # else it ends at once where root starts it
akonadictl start
sleep 20
exec kmail
"""
_ROUNDCUBE = """
<?php
$config['db_dsnw'] = 'sqlite:///' . getenv('HOME') . '/roundcube.db';
$config['imap_host'] = '127.0.0.1:@imap@';
$config['smtp_host'] = '127.0.0.1:@smtp@';
$config['smtp_user'] = '';
$config['smtp_pass'] = '';
$config['des_key'] = 'of-four-and-twenty-signs';
$config['log_dir'] = $config['temp_dir'] = getenv('HOME');
$config['skin'] = 'elastic';
"""
_ROUNDCUBE_AND_BROWSER = """
ln -s /etc/roundcube/defaults.inc.php /etc/roundcube/mimetypes.php .
export ROUNDCUBE_CONFIG_DIR=$HOME PHP_CLI_SERVER_WORKERS=4
php -S 127.0.0.1:7878 -t /var/lib/roundcube &
sleep 2
exec chromium --no-sandbox --test-type --no-first-run --incognito \\
    --user-data-dir=$HOME/chromium --app=http://127.0.0.1:7878/
"""
PROGRAMS = {
    "mutt": Program(
        "mutt -F muttrc",
        {
            "muttrc": """
set realname="Mutt"
set from="@name@@example.test"
set use_from=yes
set hostname="example.test"
set smtp_url="smtp://127.0.0.1:@smtp@"
set folder="imap://127.0.0.1:@imap@/"
set imap_user="@name@@example.test"
set imap_pass="@password@"
set spoolfile="imap://127.0.0.1:@imap@/INBOX"
set ssl_starttls=no
set ssl_force_tls=no
set editor="vim -u NONE -N"
set include=yes
set sort=threads
bind index Z imap-fetch-mail
set record=""
"""
        },
        (
            "await [chess; key *; show; key Enter; 3",
            "key q; 2; key Z; 4; key *; show; key Enter; 3",
        ),
        "key r; await Reply to; key y; key Enter Enter; await wrote:; key g g O; "
        "type {move}; key Escape; key Z Z; await y:Send; key y; 4",
        is_terminal=True,
    ),
    "alpine": Program(
        "alpine -p .pinerc -i",
        {
            ".pinerc": """
personal-name=Alpine
user-domain=example.test
customized-hdrs=From: Alpine <@name@@example.test>
inbox-path={127.0.0.1:@imap@/notls/user=@name@@example.test}INBOX
smtp-server=127.0.0.1:@smtp@/notls
default-fcc=""
feature-list=include-text-in-reply,disable-password-file-saving
last-version-used=6.26
"""
        },
        (
            "await ENTER PASSWORD; type {password}; key Enter; await welcome; key End Enter; "
            "await [chess; show; key A; 2",
            "key i C-l; 5; show; key End Enter; 3",
        ),
        "key r; key y; key n; 2; type {move}; key Enter Enter; key C-x; key y; 3",
        is_terminal=True,
    ),
    "sylpheed": Program(
        "sylpheed",
        {
            ".sylpheed-2.0/accountrc": _ACCOUNT,
            ".sylpheed-2.0/folderlist.xml": _SYLPHEED_FOLDERS,
            **_SYLPHEED_MAIL,
        },
        ("await Sylpheed; 2; click 95 292; 5; key End; 3", "key ctrl+i; 6; key End; 3"),
        "key ctrl+r; 4; type {move}; key Return Return; show; click 42 64; 4",
    ),
    "claws-mail": Program(
        "claws-mail",
        {
            ".claws-mail/accountrc": _ACCOUNT,
            ".claws-mail/clawsrc": _CLAWS,
            ".claws-mail/folderlist.xml": _CLAWS_FOLDERS,
            "Mail/queue/.keep": "",
        },
        (
            "await Claws Mail; 4; click 79 271; 4; click 430 152; key Return; 3",
            "click 47 75; 6; click 79 271; 3; click 430 152; key Return; 3",
        ),
        "key ctrl+r; 4; key ctrl+Home; type {move}; key Return; show; key ctrl+Return; 5",
    ),
    "thunderbird": Program(
        "thunderbird --profile profile",
        {"profile/user.js": _THUNDERBIRD},
        (
            "await Enter your password; type {password}; key Return; await Inbox; 8; "
            "click 430 220; 6",
            "key F5; 6; click 430 135; key Right; 2; key Down Down; 6",
        ),
        "key ctrl+r; await Write: Re; 4; type {move}; key Return; show; click 38 62; 6",
    ),
    "evolution": Program(
        "evolution",
        {
            ".config/evolution/sources/account.source": _EVOLUTION.format(
                more="", part="Mail Account", rows="BackendName=imapx\nIdentityUid=identity"
            )
            + _EVOLUTION_SERVER.format(port="@imap@", method="PLAIN", user="@name@@example.test"),
            ".config/evolution/sources/identity.source": _EVOLUTION.format(
                more="account",
                part="Mail Identity",
                rows="Address=@name@@example.test\nName=@name@\n[Mail Submission]\n"
                "TransportUid=transport\nUseSentFolder=false",
            ),
            ".config/evolution/sources/transport.source": _EVOLUTION.format(
                more="account", part="Mail Transport", rows="BackendName=smtp"
            )
            + _EVOLUTION_SERVER.format(port="@smtp@", method="none", user=""),
        },
        (
            "await authentication request; 3; type {password}; key Return; 12; click 75 395; "
            "6; click 650 215; key Return; await chess; 6",
            "key Escape; key F12; 8; click 650 215; key End; 3; show; key Return; await chess; 6",
        ),
        "key ctrl+r; 8; key Return; await Re: .chess; 4; type {move}; key Return; show; "
        "click 45 20; 6",
    ),
    "geary": Program(
        "sh start",
        {".config/geary/account_01/geary.ini": _GEARY, "start": _KEYRING},
        ("await Inbox; 8; click 700 90; 6", "click 23 21; 6; click 700 90; 6"),
        "key ctrl+r; 5; type {move}; key Return; show; key ctrl+Return; 6",
    ),
    "kmail": Program(
        "sh start",
        {
            ".config/akonadi/akonadiserverrc": "[%General]\nDriver=QSQLITE\n",
            ".config/akonadi/agentsrc": _AKONADI_AGENTS,
            ".config/akonadi/agent_config_akonadi_imap_resource_0": "[Agent]\nName=post\n",
            ".config/akonadi_imap_resource_0rc": _KMAIL_MAILBOX,
            ".config/mailtransports": _KMAIL_TRANSPORT,
            ".config/emailidentities": _KMAIL_IDENTITY,
            ".config/kmail2rc": "[General]\nfirst-start=false\n",
            ".config/kwalletrc": "[Wallet]\nEnabled=false\nFirst Use=false\n",
            "start": _AKONADI_AND_KMAIL,
        },
        (
            "await Password; type {password}; key Return; await Unified; key Escape; 4; "
            "click 11 225; 2; click 60 242; 6; key alt+q; type kim; 3; click 500 138; 6",
            "key ctrl+l; 8; show; click 500 138; 6",
        ),
        "key r; await Re: .chess; 4; type {move}; show; click 28 58; 8",
    ),
    "roundcube": Program(
        "sh start",
        {"config.inc.php": _ROUNDCUBE, "start": _ROUNDCUBE_AND_BROWSER},
        (
            "await Welcome; 3; type {name}@example.test; key Tab; type {password}; key Return; "
            "await Inbox; 4; show; click 250 150; 6",
            "click 384 47; await .3. Roundcube; 8; click 250 150; 6",
        ),
        "click 674 47; await Compose; 4; type {move}; show; click 130 873; 6",
        where="/usr/share/roundcube/index.php",
    ),
}
