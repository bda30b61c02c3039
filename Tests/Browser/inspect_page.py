"""Opens a page in headless Chromium as people would, and says what is wrong with it.

Prints one JSON object; the exit status is 0 where `complaints` is empty, 1 where it is not.

  inspect_page.py file:///tmp/report.html --screenshot /tmp/report.png --theme dark --axe
  inspect_page.py http://127.0.0.1:8080/ --wait-for '#requests[data-seen]' --screenshot /tmp/live.png

Every request but those to the page's own origin is refused and complained about; a page from a file may ask for
nothing but itself. Console errors and warnings and uncaught exceptions are complaints too.
"""
import argparse
import json
import sys
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError, sync_playwright

TAB_LIMIT = 2_000

# A promise that is never kept, as of a picture that no page has to load yet, would wait for ever.
BOUNDED = """Promise.race([(%s), new Promise((_, refuse) =>
    setTimeout(() => refuse(new Error('no value within 30 s')), 30_000))])"""

NODES = "document.querySelectorAll('*').length"

TIMING = """() => {
    const entry = performance.getEntriesByType('navigation')[0];
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return {dom_interactive_ms: entry.domInteractive, load_ms: entry.loadEventEnd,
            first_paint_ms: paint ? paint.startTime : null};
}"""

# One screenful after another, each as soon as the one before was drawn.
SCROLL = """() => new Promise(done => {
    const frames = [];
    let last = performance.now();
    const step = now => {
        frames.push(now - last);
        last = now;
        const before = scrollY;
        scrollBy({top: innerHeight / 4, behavior: 'instant'});
        if (scrollY === before || frames.length > 4000) {
            scrollTo({top: 0, behavior: 'instant'});
            frames.shift();
            frames.sort((a, b) => a - b);
            done({frames: frames.length, median_ms: frames[frames.length >> 1],
                  p95_ms: frames[Math.floor(frames.length * 0.95)], max_ms: frames[frames.length - 1]});
        } else {
            requestAnimationFrame(step);
        }
    };
    requestAnimationFrame(step);
})"""

OVERFLOW = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
        .filter(e => e.getBoundingClientRect().right > width + 1).slice(0, 5)
        .map(e => e.tagName.toLowerCase() + '.' + (e.getAttribute('class') || ''));
}"""

# axe does not look at the fill of SVG text, and leaves open what it cannot decide: WCAG 2.1, 1.4.3, at 4.5 to 1.
FAINT = """selectors => {
    const parse = text => {
        const [r, g, b, a] = (text.match(/[0-9.]+/g) || []).map(Number);
        return b === undefined ? null : [r, g, b, a === undefined ? 1 : a];
    };
    const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const luminance = color => {
        const [r, g, b] = color.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = element => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) {
            const color = parse(getComputedStyle(e).backgroundColor);
            if (color && color[3] > 0) layers.push(color);
            if (color && color[3] === 1) break;
        }
        return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };
    const texts = new Set(document.querySelectorAll('svg text'));
    for (const selector of selectors) document.querySelectorAll(selector).forEach(e => texts.add(e));
    const seen = [...texts].filter(e => e.textContent.trim() && e.getClientRects().length
                                        && getComputedStyle(e).visibility === 'visible');
    const faint = [];
    for (const element of seen) {
        const style = getComputedStyle(element);
        const color = parse(element instanceof SVGElement ? style.fill : style.color);
        if (!color) continue;
        const below = paper(element);
        const pair = [luminance(over(color, below)), luminance(below)].sort((a, b) => b - a);
        const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
        if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} to 1: ${element.outerHTML.slice(0, 120)}`);
    }
    return {seen: seen.length, faint};
}"""

# Which element of those to be walked has the focus, and what it says to somebody who does not see the page.
FOCUS = """() => {
    const e = document.activeElement;
    return {at: walked.indexOf(e), isNone: e === document.body, isOutdated: walked.some(e => !e.isConnected),
            reading: [e.getAttribute('aria-valuetext'), e.getAttribute('aria-valuenow'),
                      e.getAttribute('aria-activedescendant'), e.textContent].join('|')};
}"""


def origin(url):
    parts = urlsplit(url)
    return (parts.scheme, parts.netloc)


class Inspection:
    def __init__(self, page, url):
        self.page = page
        self.url = url
        self.complaints = []
        self.requests = 0
        page.on("console", self.on_console)
        page.on("pageerror", lambda error: self.complain(f"uncaught: {error}"))
        page.route("**/*", self.on_request)

    def complain(self, text):
        self.complaints.append(text)

    def on_console(self, message):
        if message.type in ("error", "warning"):
            self.complain(f"console {message.type}: {message.text}")

    def on_request(self, route):
        asked = route.request.url
        own = asked == self.url.split("#")[0] if asked.startswith("file:") else origin(asked) == origin(self.url)
        if own or asked.startswith(("data:", "blob:")):
            self.requests += 1
            route.continue_()
        else:
            self.complain(f"request to {asked}")
            route.abort()

    def check_accessibility(self):
        results = Axe().run(self.page).response
        for violation in results["violations"]:
            for node in violation["nodes"][:3]:
                self.complain(
                    f"axe {violation['impact']} {violation['id']}: {violation['help']}: {node['html'][:200]}"
                    f" {node.get('failureSummary', '')[:300]}"
                )
        undecided = [
            node["target"][0]
            for rule in results.get("incomplete", [])
            if rule["id"] == "color-contrast"
            for node in rule["nodes"]
            if len(node["target"]) == 1 and isinstance(node["target"][0], str)
        ]
        contrast = self.page.evaluate(FAINT, undecided)
        for text in contrast["faint"][:5]:
            self.complain(f"too little contrast, {text}")
        return {
            "violations": len(results["violations"]),
            "passes": len(results.get("passes", [])),
            "contrast_seen": contrast["seen"],
        }

    def type(self, selector, keys):
        """Presses Tab until the element has the focus, then keys: of one character as text, others by their names."""
        for _ in range(TAB_LIMIT):
            if self.page.evaluate("s => document.activeElement && document.activeElement.matches(s)", selector):
                break
            self.page.keyboard.press("Tab")
        else:
            self.complain(f"{selector} cannot be reached with Tab")
            return
        for key in keys:
            self.page.keyboard.press(key)

    def walk(self, selector, key):
        """Presses Tab until every element of the selector was reached, and a key on each of them."""
        # The elements themselves: a page that is brought up to date gets more of them meanwhile.
        visible = self.page.evaluate("""selector => {
            document.activeElement && document.activeElement.blur();
            window.walked = [...document.querySelectorAll(selector)];
            return walked.map(e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0);
        }""", selector)
        if not visible:
            self.complain(f"nothing matches {selector}")
        visible = [i for i, is_seen in enumerate(visible) if is_seen]
        missing = set(visible)
        for _ in range(TAB_LIMIT):
            if not missing:
                break
            self.page.keyboard.press("Tab")
            focus = self.page.evaluate(FOCUS)
            if focus["isNone"]:
                # An update of a live page may have put others in their place.
                if focus["isOutdated"]:
                    return self.walk(selector, key)
                break
            if focus["at"] not in missing:
                continue
            missing.discard(focus["at"])
            if key:
                self.page.keyboard.press(key)
                if self.page.evaluate(FOCUS)["reading"] == focus["reading"]:
                    self.complain(f"{key} on element {focus['at']} of {selector} says nothing new")
        for element in sorted(missing):
            self.complain(f"element {element} of {selector} cannot be reached with Tab")
        return {"wanted": len(visible), "reached": len(visible) - len(missing)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--no-script", action="store_true", help="the page's own scripts do not run")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--wait-for", metavar="SELECTOR", help="inspect once an element matches")
    parser.add_argument("--timeout", type=float, default=180, metavar="SECONDS")
    parser.add_argument("--settle", type=float, default=0, metavar="SECONDS", help="watch this long before looking")
    parser.add_argument("--open-details", action="store_true", help="open every <details> first")
    parser.add_argument("--screenshot", metavar="FILE")
    parser.add_argument("--window-only", action="store_true", help="no full-page screenshot")
    parser.add_argument("--pdf", metavar="FILE", help="print to PDF")
    parser.add_argument("--axe", action="store_true", help="check accessibility")
    parser.add_argument("--walk", metavar="SELECTOR", help="every visible match must be reached with Tab")
    parser.add_argument("--press", metavar="KEY", help="and must answer to this key")
    parser.add_argument(
        "--type", metavar="SELECTOR KEY", nargs="+", action="append", default=[], help="go there with Tab, press keys"
    )
    parser.add_argument("--wait-after", metavar="SELECTOR", help="and look on once an element matches")
    parser.add_argument("--expect", metavar="TEXT", action="append", default=[], help="text that must be visible")
    parser.add_argument("--evaluate", metavar="JS", help="an expression whose value goes into the answer")
    parser.add_argument("--scroll", action="store_true", help="measure frames while scrolling through the page")
    parser.add_argument("--fits", action="store_true", help="complain where the page is wider than the window")
    return parser.parse_args()


def scroll(page):
    """Frames, and the processor time of the page's thread for each: what others do meanwhile does not count."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    before = busy()
    frames = page.evaluate(SCROLL)
    frames["cpu_ms"] = (busy() - before) * 1000 / max(frames["frames"], 1)
    return frames


def inspect(browser, options):
    context = browser.new_context(
        viewport={"width": options.width, "height": options.height},
        color_scheme=options.theme,
        device_scale_factor=2 if options.width < 600 else 1,
        java_script_enabled=not options.no_script,
    )
    page = context.new_page()
    inspection = Inspection(page, options.url)
    answer = {}
    page.goto(options.url, wait_until="load", timeout=options.timeout * 1000)
    if options.wait_for:
        page.wait_for_selector(options.wait_for, state="attached", timeout=options.timeout * 1000)
    if options.settle:
        page.wait_for_timeout(options.settle * 1000)
    answer["timing"] = page.evaluate(TIMING)
    answer["nodes"] = page.evaluate(NODES)
    if options.scroll:
        answer["scroll"] = scroll(page)
    if options.open_details:
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for selector, *keys in options.type:
        inspection.type(selector, keys)
    if options.wait_after:
        print("the page is open", file=sys.stderr, flush=True)
        page.wait_for_selector(options.wait_after, state="attached", timeout=options.timeout * 1000)
    for text in options.expect:
        try:
            page.wait_for_function("text => document.body.innerText.includes(text)", arg=text, timeout=options.timeout * 1000)
        except TimeoutError:
            inspection.complain(f"the page does not say {text!r}")
    if options.fits:
        for element in page.evaluate(OVERFLOW):
            inspection.complain(f"wider than the window: {element}")
    if options.axe:
        answer["axe"] = inspection.check_accessibility()
    if options.walk:
        answer["walk"] = inspection.walk(options.walk, options.press)
        page.evaluate("document.activeElement && document.activeElement.blur()")
    if options.evaluate:
        answer["value"] = page.evaluate(BOUNDED % options.evaluate)
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    if options.screenshot:
        page.screenshot(path=options.screenshot, full_page=not options.window_only)
    if options.pdf:
        page.pdf(path=options.pdf, format="A4", print_background=True)
    answer["requests"] = inspection.requests
    answer["complaints"] = inspection.complaints
    return answer


def main():
    options = arguments()
    with sync_playwright() as playwright:
        # Without a sandbox, because tests may run as root; every page is podswarm's own.
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"], timeout=options.timeout * 1000
        )
        try:
            answer = inspect(browser, options)
        finally:
            browser.close()
    json.dump(answer, sys.stdout, indent=1)
    print()
    sys.exit(1 if answer["complaints"] else 0)


main()
