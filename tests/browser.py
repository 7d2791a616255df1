"""Headless Chromium, driven over the W3C WebDriver protocol: chromedriver is an HTTP server."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--force-device-scale-factor=1", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip


def missing() -> str | None:
    absent = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"not on the PATH: {', '.join(absent)} (Debian: chromium, chromium-driver)" if absent else None


class Browser:
    """One window."""

    def __init__(self, server: str, profile: Path) -> None:
        options = {
            "binary": shutil.which("chromium"),
            "args": [*_FLAGS, f"--user-data-dir={profile}", "--window-size=1500,1000"],
        }
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            "unhandledPromptBehavior": "ignore",
        }
        self._server = server
        made = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{made['sessionId']}"

    def open(self, path: Path) -> None:
        self._send("POST", f"{self._session}/url", {"url": path.resolve().as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        """The return value of a function body."""
        return self._send(
            "POST", f"{self._session}/execute/sync", {"script": script, "args": list(arguments)}
        )

    def wait(self, script: str, *arguments: Any) -> Any:
        """The same for a function body that calls its last argument when it is done."""
        return self._send(
            "POST", f"{self._session}/execute/async", {"script": script, "args": list(arguments)}
        )

    def text(self, selector: str = "main") -> str:
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def click(self, selector: str) -> None:
        """Click as a person does, after scrolling the element to the middle: the top of the page is
        covered."""
        centred = "{block: 'center', behavior: 'instant'}"
        self.run(f"document.querySelector(arguments[0]).scrollIntoView({centred})", selector)
        self._of(selector, "click", {})

    def type(self, selector: str, text: str) -> None:
        """Keys: U+E007 is Enter, U+E015 arrow down (WebDriver, keyboard actions)."""
        self._of(selector, "value", {"text": text})

    def log(self) -> list[str]:
        """Console messages since the last call."""
        rows = self._send("POST", f"{self._session}/se/log", {"type": "browser"})
        return [f"{row['level']}: {row['message']}" for row in rows]

    def size(self, width: int, height: int) -> None:
        self._send("POST", f"{self._session}/window/rect", {"width": width, "height": height})

    def dark(self, on: bool) -> None:
        """Set the preferred colour scheme."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self.devtools("Emulation.setEmulatedMedia", {"features": features})

    def devtools(self, command: str, parameters: dict[str, Any]) -> Any:
        body = {"cmd": command, "params": parameters}
        return self._send("POST", f"{self._session}/goog/cdp/execute", body)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._send("GET", f"{self._session}/screenshot")))

    def close(self) -> None:
        self._send("DELETE", self._session)

    def _of(self, selector: str, action: str, body: dict[str, Any]) -> None:
        wanted = {"using": "css selector", "value": selector}
        found = self._send("POST", f"{self._session}/element", wanted)[_ELEMENT]
        self._send("POST", f"{self._session}/element/{found}/{action}", body)

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._server}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"].split("\n")[0]) from None


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A window with an empty profile; chromedriver picks a free port and prints it."""
    with subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        try:
            said = next(
                m for line in driver.stdout if (m := re.search(r"started successfully on port (\d+)", line))
            )
            window = Browser(f"http://127.0.0.1:{said[1]}", profile)
            try:
                yield window
            finally:
                window.close()
        finally:
            driver.terminate()
