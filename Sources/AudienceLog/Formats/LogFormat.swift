/// How a log is written.
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

extension LogFormat {
    /// How many lines may be none of any format, at the beginning of a file.
    private static let patience = 16

    /// Recognises a log by its first lines.
    ///
    /// - Parameters:
    ///   - beginning: The first bytes of a file.
    ///   - names: What fields mean.
    /// - Returns: Nil where its beginning is that of no log that is known.
    static func recognized(by beginning: LineBytes, _ names: FieldNames) -> LogFormat? {
        if isArchive(beginning) { return .har }
        var combined = CombinedLine()
        var tabbed = TabbedLine(names)
        let json = JSONLine(names, longestLine: beginning.count)
        var (start, lines) = (0, 0)
        while start < beginning.count, lines < patience {
            let end = beginning.place(of: UInt8(ascii: "\n"), from: start) ?? beginning.count
            let line = beginning.part(start, end).trimmed
            start = end + 1
            guard !line.isEmpty else { continue }
            lines += 1
            if line.begins(with: "#Fields:") || line.begins(with: "#Version:") { return .cloudfront }
            if combined.read(line) != nil { return .combined }
            if json.read(line) != nil { return .json }
            if case .request = tabbed.read(line) { return .cloudfront }
        }
        return nil
    }

    /// Whether an object begins here whose first name is `log`.
    private static func isArchive(_ beginning: LineBytes) -> Bool {
        var rest = beginning
        if rest.matches("\u{FEFF}", at: 0) { rest = rest.part(from: 3) }
        var marks = 0
        let expected = Array("{\"log\":{".utf8)
        for byte in rest.prefix(4096) {
            if byte <= 0x20 { continue }
            guard byte == expected[marks] else { return false }
            marks += 1
            if marks == expected.count { return true }
        }
        return false
    }
}
