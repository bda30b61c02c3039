import Foundation
import Values

/// Needs no network and runs only its own script.
struct PageFrame: Sendable {
    struct MissingResource: Error, CustomStringConvertible {
        let name: String
        var description: String { "'\(name)' is not installed beside the executable" }
    }

    /// Title of the window.
    var title: String
    /// Heading of the page.
    var name: String
    var facts: [String]
    var links: [Page.Link]
    /// For keyboard users.
    var skip = Page.Link(anchor: "verdict", title: "Skip to the verdict")
    var version: String
    /// Base name of additional styles and scripts.
    var own: String?
    /// Directives of the content security policy, each ended by `; `.
    var allowing = ""
    var status = Markup.none

    func html(_ content: String) throws -> String {
        let style = try Self.resource("style.css") + (own.map { try Self.resource("\($0).css") } ?? "")
        let script = try Self.resource("script.js") + (own.map { try Self.resource("\($0).js") } ?? "")
        // Digests of the page's own style and script keep injected markup inert.
        let policy =
            "default-src 'none'; style-src '\(Self.digest(of: style))'; script-src '\(Self.digest(of: script))';"
            + " \(allowing)base-uri 'none'; form-action 'none'"
        let text = HTMLText.escaped
        let facts = facts.map { "<li>\(text($0))</li>" }.joined()
        let links = links.map { "<li><a href=\"#\($0.anchor)\">\(text($0.title))</a></li>" }.joined()
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(text(policy))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(text(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <a class="skip" href="#\(skip.anchor)">\(text(skip.title))</a>
            <header class="masthead">
            <div class="line"><span class="brand">podswarm</span> <button type="button" id="theme" hidden>Dark</button></div>
            <h1>\(text(name))</h1>
            <ul class="facts">\(facts)</ul>\(status.renderText)
            </header>
            <nav aria-label="Sections"><ul>\(links)</ul></nav>
            <main>
            \(content)
            </main>
            <footer>podswarm \(text(version))</footer>
            <div id="tip" hidden></div>
            <script>\(script)</script>
            </body>
            </html>

            """
    }

    static func resource(_ name: String) throws -> String {
        let file = Bundle.module.bundleURL.appending(path: "Templates/\(name)")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { throw MissingResource(name: name) }
        return text
    }

    private static func digest(of text: String) -> String {
        "sha256-" + Data(Digest.sha256(of: Array(text.utf8))).base64EncodedString()
    }
}

extension Page {
    func html(own: String? = nil, allowing: String = "", status: Markup = .none) throws -> String {
        try PageFrame(
            title: title,
            name: name,
            facts: facts,
            links: links,
            version: version,
            own: own,
            allowing: allowing,
            status: status
        ).html(HTMLRendering.content(self))
    }
}
