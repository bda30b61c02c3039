package import Foundation
import Report
package import Results

package enum ResultPage {
    package static func place(beside result: URL, compared: Bool = false) -> URL {
        result.deletingPathExtension().appendingPathExtension(compared ? "compared.html" : "html")
    }

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

    /// Writes the page beside a result; a failure leaves the result valid.
    package static func write(of document: ResultDocument, beside file: URL, _ output: RunOutput) {
        _ = write(HTMLReport(of: document).render, beside: file, output)
    }

    /// Writes the page of a capacity search beside its result; nil where it could not be written.
    package static func write(of document: CapacityDocument, beside file: URL, _ output: RunOutput) -> URL? {
        write({ try HTMLReport.capacity(document) }, beside: file, output)
    }

    private static func write(_ page: () throws -> String, beside file: URL, _ output: RunOutput) -> URL? {
        do {
            let place = place(beside: file)
            try write(page(), to: place)
            return place
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            output.note("the report beside the result could not be written: \(reason)")
            return nil
        }
    }
}
