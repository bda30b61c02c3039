package import Foundation
import JSON

/// The bytes of a file that may be a result.
package enum ResultFile {
    /// Reads a file or a pipe, but never more than a result may have.
    ///
    /// - Throws: `ResultDocument.ReadingError` for a file that is too large, or what Foundation says of it.
    package static func contents(of path: String) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var contents = Data()
        while contents.count <= JSONLimits.result.bytes, let more = try handle.read(upToCount: 1 << 20), !more.isEmpty {
            contents += more
        }
        guard contents.count <= JSONLimits.result.bytes else { throw ResultDocument.ReadingError.unbounded(.tooLarge) }
        return contents
    }
}
