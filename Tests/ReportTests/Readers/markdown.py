import cmarkgfm, json, sys
from cmarkgfm.cmark import Options
from html.parser import HTMLParser
with open(sys.argv[1]) as file: text = file.read()
html = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
class Outline(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.tables, self.open, self.cell, self.words = [], [], [], None, []
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in ("br", "hr"): self.open.append(tag)
        if tag == "table": self.tables.append([])
        if tag == "tr": self.tables[-1].append([])
        if tag in ("td", "th"): self.cell = ""
    def handle_endtag(self, tag):
        if self.open.pop() != tag: raise ValueError("wrongly nested " + tag)
        if tag in ("td", "th"):
            self.tables[-1][-1].append(self.cell)
            self.cell = None
    def handle_data(self, data):
        self.words.append(data)
        if self.cell is not None: self.cell += data
outline = Outline()
outline.feed(html)
if outline.open: raise ValueError("left open: " + str(outline.open))
print(json.dumps({"tags": sorted(set(outline.tags)), "tables": outline.tables, "text": "".join(outline.words)}))
