"""What stands around the output of check-rails.sh, or in its place: words of kubectl (its readers know
``command terminated with exit code``), the container runtime and the shell; unconfirmed at their sources."""

from __future__ import annotations

import re

from netplan.live.noise import is_noise

_CLIENT = (
    r"(?:error(?: from server.*)?: |unable to |the connection to the server |OCI runtime |FATA\["
    r"|no resources found)"
)
"""Of kubectl and the runtime: begin of a line that says that nothing runs in the pod."""
_KLOG = r"E[0-9]{4} "
_FAILED = re.compile(
    rf"\s*(?:(?:{_CLIENT}|error\b|{_KLOG}|command terminated ).*|killed|terminated"
    r"|(?:\S*/)?-?(?:ba|da|a|z|k)?sh: .*|(?:kubectl|oc|docker|podman|crictl|ctr|nerdctl|timeout|ip): .*"
    r"|[\w./-]{1,200}: (?:line )?[0-9]{1,5}: .*)\s*",
    re.IGNORECASE,
)
_CODE = r"command terminated with exit code "
_NOT_OPENED = re.compile(rf"\s*(?:{_CLIENT}|{_CODE}(?:12[67]|137|143)\b).*", re.IGNORECASE)
_ENDED = re.compile(rf"(?:{_CLIENT}|{_KLOG}[0-9:.]{{8,18}} |{_CODE}).*", re.IGNORECASE)
_HARMLESS = re.compile(
    r"[IW][0-9]{4} [0-9:.]{8,18} .*|E[0-9]{4} [0-9:.]{8,18} .*\bmemcache\.go:.*"
    r"|If you don't see a command prompt, .*|Default(?:ed container|ing container name to) .*"
    r"|Unable to use a TTY .*|Warning: .*"
    r"|Kubeconfig user entry is using deprecated API version .*|logout|exit"
    r"|mesg: ttyname failed: .*|stdin: is not a tty|tput: No value for \$TERM and no -T specified"
    r"|(?:real|user|sys)\s+(?:[0-9]+m ?)?[0-9]+[.,][0-9]+s?|(?:(?:rc|status|exit|exit code)[=: ] ?)?0"
    r"|.* [0-9.]+s user [0-9.]+s system [0-9]+% cpu [0-9:.]+ total"
)
"""What kubectl says of a check that runs all the same (klog's notes and warnings, and errors of discovery),
its login plugin of aws, and shells without a terminal; what ``time`` and ``echo $?`` print behind it."""
_BANNER = re.compile(r"<<K9s-Shell>> Pod: \S+ \| Container: \S+ *")
"""derailed/k9s internal/view/exec.go (unconfirmed at a commit): the prompt below it names the pod, too."""


def is_failure(line: str) -> bool:
    """Printed where the script did not run, or did not end."""
    return _FAILED.fullmatch(line) is not None and not is_harmless(line)


def is_unopened(line: str) -> bool:
    """Of an ``exec`` that failed, whatever it was to run."""
    return _NOT_OPENED.fullmatch(line) is not None and not is_harmless(line)


def is_ended(line: str) -> bool:
    """Of kubectl, below a shell in a pod: it is over."""
    return _ENDED.fullmatch(line) is not None and not is_harmless(line)


def is_harmless(line: str) -> bool:
    return _HARMLESS.fullmatch(line) is not None or is_noise(line)


def is_above(line: str) -> bool:
    """Of no pod, above the first prompt."""
    return _BANNER.fullmatch(line) is not None or is_noise(line)
