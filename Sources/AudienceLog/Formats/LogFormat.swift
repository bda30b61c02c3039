/// Format of a log.
package enum LogFormat: String, CaseIterable, Sendable {
    /// NCSA's combined or common log format.
    case combined
    /// Fields between tabs, named by a line of their own.
    case cloudfront
    /// A JSON object in each line: DataStream 2, Fastly, nginx and others, by the names of their fields.
    case json
    /// An HTTP archive, which is one viewer's.
    case har
}

/// Meaning of one line of a log.
enum LogLine {
    case request
    /// A line about the log itself.
    case head
    case meaningless
}

/// Reads lines of one format.
final class LineReader {
    let format: LogFormat
    private var delimited: DelimitedLine
    private let json: JSONLine

    init(_ format: LogFormat, _ names: FieldNames) {
        self.format = format
        delimited = DelimitedLine(names, columns: format == .har ? HTTPArchive.columns : [])
        json = JSONLine(names)
    }

    /// Reads a line; the texts of its request are valid until the next one is read.
    func read(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
        request = LoggedRequest()
        let kind =
            switch format {
            case .combined: DelimitedLine.readCombined(line, into: &request)
            case .json: json.read(line, into: &request)
            case .cloudfront, .har: delimited.readTabbed(line, into: &request)
            }
        guard case .request = kind else { return kind }
        return request.interpret() ? .request : .meaningless
    }
}

extension LogFormat {
    /// Lines at the beginning of a file that may be of no format.
    private static let patience = 16

    /// Recognises a log by its first bytes; nil for an unknown format.
    static func recognized(by beginning: LineBytes, _ names: FieldNames) -> LogFormat? {
        if HTTPArchive.begins(in: beginning) { return .har }
        let readers = [LogFormat.combined, .json, .cloudfront].map { LineReader($0, names) }
        let lines = beginning.parts(between: UInt8(ascii: "\n")).lazy.map(\.trimmed).filter { !$0.isEmpty }
        var request = LoggedRequest()
        for line in lines.prefix(patience) {
            if line.begins(with: "#Fields:") || line.begins(with: "#Version:") { return .cloudfront }
            for reader in readers where reader.read(line, into: &request) == .request { return reader.format }
        }
        return nil
    }
}
