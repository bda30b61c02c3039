import RunResult

/// The page of a run under way: one file with its style and its script, which asks its own server for events.
package struct DashboardPage: Sendable {
    package var profile: String
    package var target: String
    package var labels: [String: String]
    /// What the page's content security policy knows its script and style by.
    package var nonce: String

    package init(profile: String, target: String, labels: [String: String], nonce: String) {
        self.profile = profile
        self.target = target
        self.labels = labels
        self.nonce = nonce
    }

    /// The whole page.
    ///
    /// - Returns: HTML.
    /// - Throws: An error of the file system where a template is missing.
    package func render() throws -> String {
        let part = PageFrame.resource
        let text = HTMLText.escaped
        let labels = labels.sorted { $0.key < $1.key }.map { "<li>\(text($0.key)) \(text($0.value))</li>" }.joined()
        // The report takes the place of this page: they look alike.
        let style = try part("style.css") + part("dashboard.css")
        let values = try [
            ("nonce", nonce), ("version", text(PodswarmVersion.current)), ("style", style),
            ("script", part("dashboard.js")), ("profile", text(profile)), ("target", text(target)), ("labels", labels),
        ]
        return try values.reduce(part("dashboard.html")) { $0.replacing("{{\($1.0)}}", with: $1.1) }
    }
}
