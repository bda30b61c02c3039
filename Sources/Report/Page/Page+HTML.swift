import Foundation
import Values

extension Page {
    func html(own: String? = nil, allowing: String = "", status: Markup = .none) throws -> String {
        try html(HTMLRendering.content(self), links: links, own: own, allowing: allowing, status: status)
    }

    /// Needs no network and runs only its own script.
    ///
    /// `skip` is for keyboard users, `own` the base name of additional styles and scripts; `allowing` has directives of the
    /// content security policy, each ended by `; `.
    func html(
        _ content: String,
        links: [Link],
        skip: Link = Link(anchor: "verdict", title: "Skip to the verdict"),
        own: String?,
        allowing: String = "",
        status: Markup = .none
    ) throws -> String {
        let style = try PageFiles.text(of: "style.css") + (own.map { try PageFiles.text(of: "\($0).css") } ?? "")
        let script = try PageFiles.text(of: "script.js") + (own.map { try PageFiles.text(of: "\($0).js") } ?? "")
        // Digests of the page's own style and script keep injected markup inert.
        let policy =
            "default-src 'none'; style-src '\(PageFiles.digest(of: style))'; script-src '\(PageFiles.digest(of: script))';"
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
}

/// Installed beside the executable.
private enum PageFiles {
    struct MissingResource: Error, CustomStringConvertible {
        let name: String
        var description: String { "'\(name)' is not installed beside the executable" }
    }

    static func text(of name: String) throws -> String {
        let file = Bundle.module.bundleURL.appending(path: "Templates/\(name)")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { throw MissingResource(name: name) }
        return text
    }

    static func digest(of text: String) -> String {
        "sha256-" + Data(Digest.sha256(of: Array(text.utf8))).base64EncodedString()
    }
}
