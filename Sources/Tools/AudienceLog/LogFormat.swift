import CTexts
import Values

package enum LogFormat: String, CaseIterable, Sendable {
    /// NCSA's combined or common log format.
    case combined
    /// Tab-separated fields, named by a line of the log.
    case cloudfront
    /// DataStream 2, Fastly, nginx and others, by field names.
    case json
}

/// Meaning of a field of a log.
package enum FieldRole: String, CaseIterable, Sendable {
    /// An instant, or with `date` a time of day.
    case time
    case date
    case address
    /// X-Forwarded-For, the viewer's address first.
    case forwarded
    case userAgent = "user-agent"
    /// Path and query, with or without a host.
    case url
    case query
    /// Method, path and version; in Fastly's logs only the method.
    case request
    case method
    case cookie
    case cmcd
    case session

    fileprivate static let documented: [(role: FieldRole, name: String)] =
        TextTemplate.rows(podswarm_log_fields()).flatMap { row in
            FieldRole(rawValue: row[0]).map { role in row.dropFirst().map { (role: role, name: $0) } } ?? []
        }
}

struct FieldNames {
    /// Keyed by last names; the enclosing ones, the outermost first, must be the last of those around a field.
    private var roles: [String: [(outer: [String], role: FieldRole)]] = [:]

    /// `own` names take precedence over documented ones.
    init(adding own: [(role: FieldRole, name: String)] = []) {
        for (role, name) in own + FieldRole.documented {
            let names = name.split(separator: ".").map(String.init)
            if let leaf = names.last { roles[leaf, default: []].append((names.dropLast(), role)) }
        }
    }

    func role(of name: String, in outer: [String] = []) -> FieldRole? {
        roles[name]?.first { outer.suffix($0.outer.count).elementsEqual($0.outer) }?.role
    }
}

enum LogLine {
    case request(LoggedRequest)
    /// A line about the log itself.
    case head
    case meaningless
}

/// Reads the lines of one log.
struct LineReader {
    /// CloudFront's fields in their documented order, for a log without its head.
    private static let cloudFront = TextTemplate.rows(podswarm_log_fields()).first { $0[0] == "cloudfront" } ?? []
    private static let head = "#Fields:"
    private static let mostColumns = 256
    private static let longestColumn = 256

    /// Nil until a line is recognised.
    private(set) var format: LogFormat?
    /// Lines before that.
    private(set) var unknownLines = 0
    private let names: FieldNames
    private var columns: [FieldRole?] = []

    init(_ format: LogFormat?, _ names: FieldNames) {
        (self.format, self.names) = (format, names)
        columns = columns(of: Self.cloudFront.dropFirst().map { $0[...] })
    }

    mutating func read(_ line: LogBytes) -> LogLine {
        guard !line.isEmpty else { return .head }
        if line.starts(with: Self.head.utf8), format != .combined, format != .json {
            columns = columns(of: line.dropFirst(Self.head.utf8.count).text.split(whereSeparator: \.isWhitespace))
            format = .cloudfront
        }
        if let format { return read(line, as: format) }
        unknownLines += 1
        let readings = LogFormat.allCases.map { (format: $0, line: read(line, as: $0)) }
        let recognised = readings.first { if case .request = $0.line { true } else { false } }
        format = recognised?.format
        return recognised?.line ?? readings.first { if case .head = $0.line { true } else { false } }?.line
            ?? .meaningless
    }

    private func read(_ line: LogBytes, as format: LogFormat) -> LogLine {
        var fields = LoggedFields()
        switch format {
        case .combined: Self.readCombined(line, into: &fields)
        case .cloudfront:
            if line.first == UInt8(ascii: "#") { return .head }
            let values = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            for (role, value) in zip(columns, values) { fields.set(role, value) }
        case .json:
            guard let start = line.firstIndex(of: UInt8(ascii: "{")) else {
                // Brackets and commas of a list may stand on lines of their own.
                return line.allSatisfy { "[], ".utf8.contains($0) } ? .head : .meaningless
            }
            readJSON(line[start...], into: &fields)
        }
        return LoggedRequest(fields).map { .request($0) } ?? .meaningless
    }

    private func columns(of list: [Substring]) -> [FieldRole?] {
        list.prefix(Self.mostColumns).map { name in
            name.utf8.count <= Self.longestColumn ? names.role(of: String(name)) : nil
        }
    }

    /// Ignores text after the object, such as the comma of a list.
    private func readJSON(_ line: LogBytes, into fields: inout LoggedFields) {
        var object = line[...(line.lastIndex(of: UInt8(ascii: "}")) ?? line.startIndex)]
        let parsed = { (text: LogBytes) in text.withUnsafeBytes { try? JSONValue(parsing: $0, within: .answer) } }
        var value = parsed(object)
        // As nginx escapes without `escape=json`, for one the quotes of CMCD, and as it writes a variable without a value that no
        // quotes surround ("ngx_http_log_module").
        for (flaw, mended) in [(#"\x"#, #"\u00"#), (":-,", ":0,"), (":,", ":0,")] where value == nil {
            object = object.replacing(flaw.utf8, with: mended.utf8)
            value = parsed(object)
        }
        read(value?.members ?? JSONObject(), [], into: &fields)
    }

    /// Lists are ignored.
    private func read(_ object: JSONObject, _ outer: [String], into fields: inout LoggedFields) {
        for member in object.all {
            if case .object(let inner) = member.value { read(inner, outer + [member.name], into: &fields) }
            guard let text = member.value.text ?? member.value.number.map({ "\($0)" }),
                let role = names.role(of: member.name, in: outer)
            else { continue }
            fields.set(role, Array(text.utf8)[...])
        }
    }

    /// NCSA's combined or common format, as nginx and Apache httpd write it.
    ///
    /// After the User-Agent may follow, in any order: an instant with milliseconds (`$msec`), addresses from proxies
    /// (`"$http_x_forwarded_for"`), CMCD (`"$http_cmcd_session"`) and cookies (`"$http_cookie"`).
    private static func readCombined(_ line: LogBytes, into fields: inout LoggedFields) {
        let words = words(of: line)
        guard let stamp = words.firstIndex(where: { $0.mark == UInt8(ascii: "[") && $0.text.count == 26 }) else {
            return
        }
        // A virtual host may stand before the address.
        let before = words[..<stamp].map(\.text)
        fields.set(.address, before.first(where: isAddresses) ?? before.first ?? [])
        var quoted: [FieldRole?] = [.userAgent, nil, .request]
        for word in words[(stamp + 1)...] {
            if word.mark == UInt8(ascii: "\"") {
                fields.set(quoted.popLast() ?? shape(of: word.text), word.text)
            } else if word.text.count == 14, word.text.dropFirst(10).first == UInt8(ascii: "."),
                word.text.prefix(10).allSatisfy(\.isDigit)
            {
                fields.set(.time, word.text)
            }
        }
        fields.set(.time, words[stamp].text)
    }

    /// Split at spaces, but not between quotes or brackets, which are the words' marks.
    private static func words(of line: LogBytes) -> [(mark: UInt8?, text: LogBytes)] {
        var (words, rest) = ([(mark: UInt8?, text: LogBytes)](), line)
        while let first = rest.first {
            switch first {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): rest = rest.dropFirst()
            case UInt8(ascii: "["), UInt8(ascii: "\""):
                var isEscaped = false
                let end = rest.dropFirst().firstIndex { byte in
                    defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
                    return !isEscaped && byte == (first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first)
                }
                guard let end else { return words }
                words.append((first, rest[..<end].dropFirst()))
                rest = rest[end...].dropFirst()
            default:
                words.append((nil, rest.prefix { $0 != UInt8(ascii: " ") }))
                rest = rest.drop { $0 != UInt8(ascii: " ") }
            }
        }
        return words
    }

    private static func isAddresses(_ list: LogBytes) -> Bool {
        list.parts(",").allSatisfy { IPAddress($0.trimmed.text) != nil }
    }

    private static func shape(of text: LogBytes) -> FieldRole? {
        if isAddresses(text) { return .forwarded }
        if MediaClientData.session(in: text) != nil { return .cmcd }
        return text.contains(UInt8(ascii: "=")) ? .cookie : nil
    }
}
