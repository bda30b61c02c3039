package import Console
package import Foundation
import Report
package import RunResult

/// The page of a result, in the file beside it.
package enum ResultPage {
    /// The page of a result: the same name, another ending.
    package static func place(beside result: URL, compared: Bool = false) -> URL {
        result.deletingPathExtension().appendingPathExtension(compared ? "compared.html" : "html")
    }

    /// Writes a page as a whole or not at all.
    package static func write(_ page: String, to place: URL) throws {
        do {
            try Data(page.utf8).write(to: place, options: .atomic)
        } catch {
            throw CommandFailure(
                .badInput,
                "\(place.path) cannot be written: \((error as NSError).localizedDescription)"
            )
        }
    }

    /// Writes the page beside a result that was just written; a result without one is still a result.
    package static func write(of document: ResultDocument, beside file: URL, _ output: RunOutput) {
        do {
            try write(HTMLReport(of: document).render(), to: place(beside: file))
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            output.note("the report beside the result could not be written: \(reason)")
        }
    }
}
