package import Foundation
import Values

package enum ResultFile {
    /// Reads a file or a pipe; throws `ResultDocument.ReadingError` above the size limit of a result, or an error of
    /// Foundation.
    package static func contents(of path: String) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var status = stat()
        let size = fstat(handle.fileDescriptor, &status) == 0 ? Int(status.st_size) : 0
        // One byte more than the file has, so that its end is found at once; a file may claim any size, a pipe has none.
        let step = size > 0 ? min(size, (1 << 20) - 1) + 1 : 1 << 20
        var contents = Data()
        while contents.count <= JSONLimits.result.bytes, let more = try handle.read(upToCount: step), !more.isEmpty {
            if contents.isEmpty { contents = more } else { contents.append(more) }
        }
        guard contents.count <= JSONLimits.result.bytes else { throw ResultDocument.ReadingError.unbounded(.tooLarge) }
        return contents
    }
}

extension DecodingError {
    /// Message with the position of the first error.
    ///
    /// Control characters in names from the file become spaces: they could control a terminal.
    package func problem(in json: Data) -> String {
        switch self {
        case .keyNotFound(let key, let context): Self.path(context.codingPath + [key]) + " is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? Self.mistake(in: json) : Self.path(context.codingPath) + " has an unexpected form"
        @unknown default: "it cannot be decoded"
        }
    }

    private static func mistake(in json: Data) -> String {
        let mistake = json.withUnsafeBytes { JSONMistake(in: $0, limits: .result) }
        guard let mistake else { return "it is not JSON of the expected form" }
        return "it is not JSON from line \(mistake.line), column \(mistake.column) on"
    }

    private static let shownKeys = 16
    private static let shownCharacters = 64

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.prefix(shownKeys).map { key in
            let name = key.stringValue.unicodeScalars.prefix(shownCharacters).map { scalar in
                scalar.properties.generalCategory == .control ? " " : scalar
            }
            return String(String.UnicodeScalarView(name))
        }.joined(separator: ".")
    }
}
