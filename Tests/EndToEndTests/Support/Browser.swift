import Foundation
import TestSupport

/// A page as headless Chromium shows it, looked at by `Tests/Browser/inspect_page.py`.
enum Browser {
    /// Complaints of the inspection about the page.
    struct Inspection: Codable {
        /// How many of the places that were to be walked were reached.
        struct Walk: Codable { var reached: Int }

        var complaints: [String]
        var walk: Walk?
        /// What the expression to evaluate came to, where it is text.
        var value: String?
    }

    /// Opens a page and looks at it; see the script's own help for the options.
    static func inspect(_ url: URL, _ options: [String] = [], limit: Duration = .seconds(400)) async throws
        -> Inspection
    {
        let script = PackageFolder.file("Tests/Browser/inspect_page.py").path
        let chromium = try ExternalTool.chromium.path()
        let end = try await ExternalTool.python.run(
            [script, url.absoluteString, "--chromium", chromium] + options,
            limit: limit
        )
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
