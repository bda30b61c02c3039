package enum LogFormat: String, CaseIterable, Sendable {
    /// NCSA's combined or common log format.
    case combined
    /// Tab-separated fields, named by a line of the log.
    case cloudfront
    /// A JSON object on each line: DataStream 2, Fastly, nginx and others, by field names.
    case json
    /// HTTP archive of one viewer.
    case har
}

enum LogLine {
    case request
    /// A line about the log itself.
    case head
    case meaningless
}

final class LineReader {
    let format: LogFormat
    private var delimited: DelimitedLine
    private let json: JSONLine

    init(_ format: LogFormat, _ names: FieldNames) {
        self.format = format
        delimited = DelimitedLine(names, columns: format == .har ? HTTPArchive.columns : [])
        json = JSONLine(names)
    }

    /// Parses a line; `request` is valid until the next call.
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
    /// Maximum number of lines at the start of a file without a recognised format.
    private static let patience = 16

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
