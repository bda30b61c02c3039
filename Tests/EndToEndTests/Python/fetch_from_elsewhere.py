"""A page of one origin asks for something of another, which a browser hands it only where that one allows it.

usage: fetch_from_elsewhere.py CHROMIUM PAGE URL
"""
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox"])
    page = browser.new_page()
    page.goto(sys.argv[2])
    print(page.evaluate("url => fetch(url).then(answer => answer.text(), String)", sys.argv[3]))
    browser.close()
