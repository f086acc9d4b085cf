"""A report page opened in Chromium, with what the browser tests read from it and do on it."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

NETWORK = "Network.requestWillBeSent"


class Page:
    """One page in the browser."""

    def __init__(self, browser: Any, path: Path) -> None:
        self.browser, self.path = browser, path
        self.open()

    def open(
        self, place: str = "", *, width: int = 1100, height: int = 900, dark: bool = False, print_: bool = False
    ) -> None:
        for kind in ("browser", "performance"):
            self.browser.get_log(kind)  # what came before is not this page's
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        media = {"media": "print" if print_ else "", "features": [scheme]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.browser.get("about:blank")  # a change of the place alone would not open the page anew
        self.browser.get(self.path.as_uri() + place)
        self.wait(lambda: self.js("return document.documentElement.dataset.ready") == "true")

    def js(self, code: str, *arguments: object) -> Any:
        return self.browser.execute_script(code, *arguments)

    def wait(self, ready: Callable[[], object], seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not ready():
            assert time.monotonic() < end, "the page did not get there"
            time.sleep(0.05)

    def drawn(self) -> list[int]:
        """How many rows each figure shows, once all are drawn; figures are drawn when they come into sight."""
        self.js("for (const one of document.querySelectorAll('details.more')) one.open = true")
        code = """
            const waiting = document.querySelectorAll(".drawing:not([data-rows])");
            if (waiting.length) waiting[0].scrollIntoView();
            return waiting.length;"""
        self.wait(lambda: self.js(code) == 0)
        return [
            int(one) for one in self.js('return [...document.querySelectorAll(".drawing")].map(d => d.dataset.rows)')
        ]

    def items(self, figure: int) -> dict[str, int]:
        """How many things of each kind the marks of a live figure are."""
        return self.js(  # type: ignore[no-any-return]
            """
            const counts = {};
            const figure = document.querySelectorAll("figure")[arguments[0]];
            for (const group of figure.querySelectorAll(".vega-embed .role-mark")) {
              const kind = [...group.classList].find(name => name.startsWith("mark-")).slice(5);
              if (kind !== "group") counts[kind] = (counts[kind] || 0) + group.children.length;
            }
            return counts;""",
            figure,
        )

    def column(self, table: str, number: int) -> list[str]:
        return self.js(  # type: ignore[no-any-return]
            """
            const rows = [...document.querySelectorAll(`#${arguments[0]} tbody tr`)];
            return rows.map(row => row.children[arguments[1]].textContent);""",
            table,
            number,
        )

    def type(self, selector: str, text: str) -> None:
        self.js(
            """
            const field = document.querySelector(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event("input", {bubbles: true}));""",
            selector,
            text,
        )

    def click(self, selector: str) -> None:
        self.js("document.querySelector(arguments[0]).click()", selector)

    def text(self, selector: str) -> str:
        """What a person sees of an element."""
        return self.js("return document.querySelector(arguments[0]).innerText", selector)  # type: ignore[no-any-return]

    def seen(self, selector: str, height: int) -> list[str]:
        """The text of elements that lie wholly in the first `height` pixels of the page."""
        return self.js(  # type: ignore[no-any-return]
            """
            const inside = element => {
              const box = element.getBoundingClientRect();
              return box.height > 0 && box.top + scrollY >= 0 && box.bottom + scrollY <= arguments[1];
            };
            return [...document.querySelectorAll(arguments[0])].filter(inside).map(element => element.innerText);""",
            selector,
            height,
        )

    def press(self, *keys: str) -> None:
        """Keys, as a keyboard sends them to what has the focus."""
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)

    def quiet(self) -> None:
        """No error, no warning, and no request but for the page itself."""
        assert self.browser.get_log("browser") == []
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        urls = [message["params"]["request"]["url"] for message in messages if message["method"] == NETWORK]
        others = ("data:", "about:", "blob:")  # a file that the page makes has an address that begins with blob:
        assert {url for url in urls if not url.startswith(others)} == {self.path.as_uri()}

    def picture(self, path: Path) -> None:
        shot = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        path.write_bytes(b64decode(shot["data"]))
