"""Accessibility rules of axe-core, run on a page that a browser shows."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def violations(browser: Any, *ignored: str) -> list[str]:
    """Every rule that the page breaks, of any impact, with the elements that do; but for those ignored."""
    # typed into the page by the driver, so that the page's own policy need not allow it
    browser.execute_script(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    browser.set_script_timeout(120)
    # axe takes every link to a place in the page for a link that skips what comes before
    options = {"rules": {rule: {"enabled": False} for rule in ("skip-link", *ignored)}}
    run = "axe.run(arguments[0]).then(arguments[1], problem => arguments[1](String(problem)))"
    result = browser.execute_async_script(run, options)
    assert isinstance(result, dict), result
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html'][:200]}"
        for rule in result["violations"]
        for node in rule["nodes"]
    ]
