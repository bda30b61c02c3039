import JSON

/// Reads an HTTP archive (HAR 1.2): the requests of one viewer.
struct HTTPArchive {
    /// The answers' bodies stand in it, in the worst case as text in text.
    static let largest = 64 << 20
    private static let limits = JSONLimits(bytes: largest, depth: 64, values: 4_000_000)

    private let entries: [JSONValue]

    /// - Parameter text: The whole file.
    /// - Throws: Why it is none.
    init(_ text: LineBytes) throws(AudienceLogError) {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: text, within: Self.limits)
        } catch {
            throw .notAnArchive(Self.limits.words(for: error))
        }
        guard case .array(let entries)? = document.members["log"]?.members["entries"] else {
            throw .notAnArchive("JSON without log.entries")
        }
        self.entries = entries
    }

    /// Hands on each entry's request, and says of each other by its number that it is none.
    func handOn(to take: (_ request: LoggedRequest?, _ number: Int) -> Void) {
        for (index, entry) in entries.enumerated() {
            let members = entry.members
            let request = members["request"]?.members ?? JSONObject()
            let headers = Self.headers(request)
            let texts: [(FieldRole, String?)] = [
                (.time, members["startedDateTime"]?.text), (.method, request["method"]?.text),
                (.url, request["url"]?.text), (.userAgent, headers["user-agent"]), (.cookie, headers["cookie"]),
                (.cmcd, headers["cmcd-session"]),
            ]
            var bytes: [UInt8] = []
            var parts: [(role: FieldRole, start: Int, end: Int)] = []
            for case (let role, let text?) in texts {
                let start = bytes.count
                bytes += Array(text.utf8)
                parts.append((role, start, bytes.count))
            }
            bytes.withUnsafeBytes { all in
                var fields = RequestFields()
                for part in parts { fields.set(part.role, all.part(part.start, part.end)) }
                take(fields.finished(), index + 1)
            }
        }
    }

    private static func headers(_ request: JSONObject) -> [String: String] {
        guard case .array(let fields)? = request["headers"] else { return [:] }
        var headers: [String: String] = [:]
        // Only these are asked for: whoever made the file chooses no table's keys.
        for field in fields {
            guard let name = field.members["name"]?.text?.lowercased(), let value = field.members["value"]?.text,
                ["user-agent", "cookie", "cmcd-session"].contains(name)
            else { continue }
            headers[name] = value
        }
        return headers
    }
}
