package import Foundation
import Report
package import Results

package enum ResultPage {
    package static func place(beside result: URL, compared: Bool = false) -> URL {
        result.deletingPathExtension().appendingPathExtension(compared ? "compared.html" : "html")
    }

    /// Writes the page beside a result; nil where it could not be written, which leaves the result valid.
    @discardableResult
    package static func write(of document: ResultDocument, beside file: URL, _ output: RunOutput) -> URL? {
        write(document.html, beside: file, output)
    }

    @discardableResult
    package static func write(of document: CapacityDocument, beside file: URL, _ output: RunOutput) -> URL? {
        write(document.html, beside: file, output)
    }

    private static func write(_ page: () throws -> String, beside file: URL, _ output: RunOutput) -> URL? {
        let place = place(beside: file)
        do throws(CommandFailure) {
            try OutputPlace.write(page(), to: place.path)
            return place
        } catch {
            output.note("the report beside the result could not be written: \(error.message)")
            return nil
        }
    }
}
