"""Elements of the rendered text, with the addresses of all that leads or loads somewhere."""

import json, sys, cmarkgfm
from cmarkgfm.cmark import Options
from html.parser import HTMLParser
class Elements(HTMLParser):
    found, led = set(), []
    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        self.led += [value for name, value in attributes if name in ("href", "src") or name.startswith("on")]
with open(sys.argv[1]) as file: text = file.read()
page = Elements()
page.feed(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))
print(json.dumps({"names": sorted(page.found), "leads": page.led}))
