"""Plays a channel with hls.js in headless Chromium until it is told to end, and prints what the page says.

  play_hls.py --prepare FOLDER                      # writes hls.js and a page that plays with it
  play_hls.py http://127.0.0.1:8080/player/hls.html?source=/live/main/multivariant.m3u8

hls.js is the one that the wheel of `Tests/players.txt` carries, or the ES module that PODSWARM_TEST_HLSJS names.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import signal
import sys


def module():
    """The text of hls.js as an ES module that exports its class as `Hls`."""
    named = os.environ.get("PODSWARM_TEST_HLSJS")
    if named:
        return pathlib.Path(named).read_text()
    wheel = pathlib.Path(importlib.util.find_spec("gradio").origin).parent
    file, = (wheel / "templates/frontend/assets").glob("hls-*.js")
    text = file.read_text()
    # Its bundler has given the class another name; it is the one that knows its version.
    name, = re.findall(r"[ ,;](\w+)=class(?: \w+)?\{static get version\(", text)
    return f"{text}\nexport {{{name} as Hls}};\n"


def prepare(folder):
    here = pathlib.Path(__file__).parent
    (folder / "hls.js").write_text(module())
    (folder / "hls.html").write_text((here / "hls.html").read_text())


def play(url, chromium):
    from playwright.sync_api import sync_playwright

    told = []
    signal.signal(signal.SIGTERM, lambda *_: told.append(True))
    with sync_playwright() as playwright:
        # Without a sandbox, because tests may run as root; every page is podswarm's own.
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"], timeout=180_000
        )
        try:
            page = browser.new_page()
            page.on("console", lambda message: print(message.text, flush=True))
            page.on("pageerror", lambda error: print(f"uncaught: {error}", flush=True))
            page.goto(url)
            while not told:
                page.wait_for_timeout(100)
        finally:
            browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", nargs="?")
    parser.add_argument("--prepare", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    if options.prepare:
        prepare(options.prepare)
    if options.url:
        play(options.url, options.chromium)
    return 0


sys.exit(main())
