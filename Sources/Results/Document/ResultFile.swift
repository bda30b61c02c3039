package import Foundation
import Values

package enum ResultFile {
    /// Reads a file or a pipe up to the size limit of a result.
    ///
    /// - Throws: `ResultDocument.ReadingError` for a file that is too large, or an error of Foundation.
    package static func contents(of path: String) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var status = stat()
        let size = fstat(handle.fileDescriptor, &status) == 0 ? Int(status.st_size) : 0
        // One byte more than the file has, so that its end is found at once; a pipe has no size, and a file may claim any.
        let step = size > 0 ? min(size, (1 << 20) - 1) + 1 : 1 << 20
        var contents = Data()
        while contents.count <= JSONLimits.result.bytes, let more = try handle.read(upToCount: step), !more.isEmpty {
            if contents.isEmpty { contents = more } else { contents.append(more) }
        }
        guard contents.count <= JSONLimits.result.bytes else { throw ResultDocument.ReadingError.unbounded(.tooLarge) }
        return contents
    }
}
