import Values

/// Converts an HTTP archive (HAR 1.2) to tab-separated lines, one for each request.
enum HTTPArchive {
    /// Limit in bytes; the archive may include bodies of answers, at worst escaped twice.
    static let largest = 64 << 20
    static let columns: [FieldRole?] = [.time, .method, .url, .userAgent, .cookie, .cmcd]
    private static let limits = JSONLimits(bytes: largest, depth: 64, values: 4_000_000)

    /// Lines of ``columns`` for the entries of a whole archive.
    static func lines(of text: LineBytes) throws(AudienceLogError) -> [UInt8] {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: text, within: limits)
        } catch {
            throw .notAnArchive(limits.words(for: error))
        }
        guard case .array(let entries)? = document.members["log"]?.members["entries"] else {
            throw .notAnArchive("JSON without log.entries")
        }
        return entries.flatMap { entry in
            let request = entry.members["request"]?.members ?? JSONObject()
            let texts = [
                entry.members["startedDateTime"]?.text, request["method"]?.text, request["url"]?.text,
                header("user-agent", of: request), header("cookie", of: request), header("cmcd-session", of: request),
            ]
            let fields = texts.map { text in (text ?? "").utf8.map { max($0, 0x20) } }
            return fields.joined(separator: [UInt8(ascii: "\t")]) + [UInt8(ascii: "\n")]
        }
    }

    private static func header(_ name: String, of request: JSONObject) -> String? {
        guard case .array(let fields)? = request["headers"] else { return nil }
        return fields.last { $0.members["name"]?.text?.lowercased() == name && $0.members["value"]?.text != nil }?
            .members["value"]?.text
    }

    /// Whether the text begins with an object whose first member is `log`.
    static func begins(in beginning: LineBytes) -> Bool {
        let text = beginning.matches("\u{FEFF}", at: 0) ? beginning.part(from: 3) : beginning
        return text.prefix(4096).lazy.filter { $0 > 0x20 }.starts(with: "{\"log\":{".utf8)
    }
}
