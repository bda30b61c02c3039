import Foundation
import TestSupport

/// A page as headless Chromium shows it, looked at by `Tests/Browser/inspect_page.py`.
enum Browser {
    struct Inspection: Codable {
        /// How many of the places that were to be walked were reached.
        struct Walk: Codable { var reached: Int }

        var complaints: [String]
        var walk: Walk?
        /// What the expression to evaluate came to, where it is text.
        var value: String?
    }

    /// Opens a page and looks at it; see the script's own help for the options.
    static func inspect(_ url: URL, _ options: [String] = []) async throws -> Inspection {
        try await inspection(of: start(url, options))
    }

    /// Opens a page, and says so where it is to wait for something of it afterwards.
    static func start(_ url: URL, _ options: [String]) throws -> ChildProcess {
        let script = PackageFolder.file("Tests/Browser/inspect_page.py").path
        let arguments = [script, url.absoluteString, "--chromium", try ExternalTool.chromium.path()]
        return try ChildProcess(try ExternalTool.python.path(), arguments + options)
    }

    /// Outcome of a look at a page; each of its steps has the time that patience gives one.
    static func inspection(of browser: ChildProcess) async throws -> Inspection {
        let end = try await browser.ended(within: Patience.limit * 3)
        guard end.status == 0 || end.status == 1, let data = end.output.data(using: .utf8) else {
            throw ChildProcess.Failure(end: end)
        }
        do {
            return try JSONDecoder().decode(Inspection.self, from: data)
        } catch {
            throw ChildProcess.Failure(end: end)
        }
    }
}
