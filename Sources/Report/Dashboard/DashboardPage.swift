import Foundation
import Mustache
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
        let folder = Bundle.module.bundleURL.appending(path: "Templates")
        let part = { (name: String) in try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
        return try PageTemplates.template(part("dashboard.mustache")).render(
            [
                "profile": profile,
                "target": target,
                "labels": labels.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] },
                "nonce": nonce,
                "version": PodswarmVersion.current,
                // The report takes the place of this page: they look alike.
                "style": part("style.css") + part("dashboard.css"),
                "script": part("dashboard.js"),
            ] as [String: any Sendable]
        )
    }
}
