"""Lines that stand around outputs and are of no machine in particular, or name the one that they are of."""

from __future__ import annotations

import re

from netplan.live.headings import TIME

_CTIME = r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8}(?: [A-Z]{2,5})? [0-9]{4}(?: [AP]M [A-Z]{2,5})?"
_NOISE = re.compile(
    rf"[\W_]*|\^C|Aborted!|{TIME}"
    r"|-{2,4} ?\(?[Mm]ore(?: [0-9]{1,3}%)?\)? ?-{2,4}|\(END\)|lines [0-9]{1,9}-[0-9]{1,9}(?: \(END\))?"
    r"|(?:[A-Z][a-z]{2} [ 0-9][0-9] [0-9:.]{8,15}(?: [A-Z]{2,4})?:? )?"
    r"%[A-Z][A-Z0-9_]{0,40}-[0-9]-[A-Z0-9_]{1,60}: .*"
    r"|-?(?:\S{0,40}/)?(?:ba)?sh: warning: setlocale: LC_[A-Z]+: cannot change locale \(\S+\)"
    r"|Pseudo-terminal will not be allocated because stdin is not a terminal\."
    r"|\[sudo\] password for \S+: *|Password: *|Permission denied, please try again\."
    r"|[IWE][0-9]{4} [0-9:.]{8,18} +[0-9]+ [a-z_]+\.go:[0-9]+\] .*"
    r"|If you don't see a command prompt, try pressing enter\.|Removing debug pod \.\.\."
    r"|--profile=\w{1,20} is deprecated .*|To use host binaries, run `chroot /host`.*"
    r"|(?:(?:[A-Z0-9]{2,9} )?key fingerprint is:? \S{1,100}|This key is not known by any other names)\.?"
    r"|Are you sure you want to continue connecting \(yes/no(?:/\[fingerprint\])?\)\? *(?:yes)?"
    r"|\*\* WARNING: connection is not using a post-quantum key exchange algorithm\."
    r"|\*\* This session may be vulnerable to \"store now, decrypt later\" attacks\."
    r"|\*\* The server may need to be upgraded\. See https://openssh\.com/pq\.html"
    r"|Warning: would violate PodSecurity \"[a-z:0-9.]{1,40}\": .*"
    r"|X11 forwarding request failed on channel [0-9]{1,9}|Enter passphrase for key '[^']{1,255}': *"
    r"|(?:\S{0,40}/)?(?:groups|id): cannot find name for (?:user|group) ID [0-9]{1,10}"
    r"|(?:[Dd]ate|[Tt]ime(?:stamp)?|[Cc]ollected(?: at| on)?):? +[0-9][0-9TZ :+.-]{7,34}"
    r"|[\w .-]{1,60}\*{10,80}|v{4} .{1,120} v+ INFO|\^{4} END .{1,120} \^+"
    r"|login as: \S{1,64}|=~[=~]*= PuTTY log [0-9.: ]{16,22} =~[=~]*=|Using username \"[^\"]{1,64}\"\."
    r"|Command exit status: [0-9]{1,3}"
    r"|User Access Verification|Debian GNU/Linux [0-9]{1,3} \\n \\l"
    rf"|Script (?:started|done) on {_CTIME}"
    r"|Script done on [0-9-]{10} [0-9:+-]{8,14}(?: \[COMMAND_EXIT_CODE=\"[0-9]{1,3}\"\])?"
    r"|Script started on [0-9-]{10} [0-9:+-]{8,14}"
    r"(?: \[(?:TERM|TTY|COLUMNS|LINES)=\"[^\"]*\"(?: (?:TTY|COLUMNS|LINES)=\"[^\"]*\")*\])?"
)
"""Rules and marks, what a terminal shows of Ctrl-C, date(1), pagers, messages of a switch without a host
name, bash, ssh, sudo, klog, script(1), Nornir's
print_result around an output, and login banners without a name (/etc/issue of Debian, NX-OS)."""
UNAME = r"Linux (?P<uname>\S{1,255}) [0-9]+\.[0-9]+\.\S{1,60} #[0-9].*"
"""What Debian says of the machine at a login."""
_OWN = re.compile(
    r"(?:\S{1,64}@)?(?P<asked>[^\s@']{1,255})'s password: *"
    r"|\((?:\S{1,64}@)?(?P<asks>[^\s@)]{1,255})\) Password: *"
    rf"|{UNAME}"
    r"|The authenticity of host '(?P<met>[^'\s]{1,255})(?: \(\S+\))?' can't be established\.|"
    r"Warning: Permanently added '(?P<key>[^']{1,255})' \(\S+\) to the list of known hosts\."
    r"|sudo: unable to resolve host (?P<host>\S{1,255}): .*"
    r"|Creating debugging pod \S{1,255} with container \S{1,63} on node (?P<node>\S{1,255}?)\."
    r"|(?:Starting|Removing) (?:pod/|debug pod )?(?P<pod>\S{1,240}?)-debug(?:-\w{1,9})? \.\.\."
)
"""Of ssh, sudo, kubectl debug and oc debug: they name a machine, which has to be the one that speaks."""


def is_noise(line: str) -> bool:
    """Of no machine in particular."""
    return _NOISE.fullmatch(line) is not None


def named_in(line: str) -> str | None:
    """The machine that it names; None of any other line."""
    said = _OWN.fullmatch(line)
    return None if said is None else next(filter(None, said.groups()), "").partition(",")[0]
