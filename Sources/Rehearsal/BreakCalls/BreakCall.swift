import AdServing
import Values

/// Omitted facts come from the profile.
package struct BreakCall: Equatable, Sendable {
    /// From the call to the start of the break.
    package var lead: Duration?
    package var duration: Duration?
    /// A splice_info_section in base64 or hexadecimal, for `scte35` of the pod requests.
    package var scte35: String?
    /// A second call with the same id is refused.
    package var id: String?

    /// Bytes.
    package static let longestText = 4_096
    package static let longestID = 64
    private static let longestSplice = 2_048
    static let lengths: ClosedRange<Duration> = .seconds(1) ... .seconds(3_600)
    private static let leads: ClosedRange<Duration> = .zero ... .seconds(86_400)
    private static let limits = JSONLimits(bytes: longestText, depth: 4, values: 32)
    private static let spliceMarks = "+/="
    private static let idMarks = "-_.:"
    private static let fields = ["in_ms", "duration_ms", "scte35", "id"]

    /// Parses a line or a request's body: a duration such as `15s`, or a JSON object; nil for white space.
    ///
    /// Problems do not quote text that would need escaping.
    package static func reading(_ text: some Collection<UInt8>) throws(CallRefusal) -> BreakCall? {
        guard text.count <= longestText else { throw .malformed("is longer than \(longestText) bytes") }
        let bytes = Array(text)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        guard bytes[first] != UInt8(ascii: "{") else { return try object(bytes) }
        guard let word = String(validating: bytes[first...last], as: UTF8.self), word.utf8.count <= 32,
            let duration = Duration(text: word)
        else { throw .malformed("is neither a duration such as 15s nor a JSON object") }
        return BreakCall(duration: try checked(duration, in: lengths, "the duration"))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func object(_ bytes: [UInt8]) throws(CallRefusal) -> BreakCall {
        let object: Result<JSONValue, JSONError> = bytes.withUnsafeBytes { text in
            do throws(JSONError) {
                return .success(try JSONValue(parsing: text, within: limits))
            } catch {
                return .failure(error)
            }
        }
        var call = BreakCall()
        var seen: Set<String> = []
        let members: JSONObject
        switch object {
        case .success(let value): members = value.members
        case .failure(let error): throw .malformed("is \(limits.words(for: error))")
        }
        for member in members.all {
            guard fields.contains(member.name) else {
                throw .malformed("holds an unknown field; allowed: \(fields.joined(separator: ", "))")
            }
            guard seen.insert(member.name).inserted else { throw .malformed("holds \(member.name) twice") }
            try call.take(member.value, as: member.name)
        }
        return call
    }

    private mutating func take(_ value: JSONValue, as field: String) throws(CallRefusal) {
        switch field {
        case "in_ms":
            lead = try Self.checked(try Self.milliseconds(value, field), in: Self.leads, field)
        case "duration_ms":
            duration = try Self.checked(try Self.milliseconds(value, field), in: Self.lengths, field)
        case "scte35": scte35 = try Self.word(value, field, atMost: Self.longestSplice, besides: Self.spliceMarks)
        default: id = try Self.word(value, field, atMost: Self.longestID, besides: Self.idMarks)
        }
    }

    private static func milliseconds(_ value: JSONValue, _ field: String) throws(CallRefusal) -> Duration {
        guard case .number(let number) = value, let whole = Int64(exactly: number), abs(whole) < 1 << 40 else {
            throw .malformed("has a \(field) that is not a whole number of milliseconds")
        }
        return .milliseconds(whole)
    }

    private static func checked(
        _ duration: Duration,
        in range: ClosedRange<Duration>,
        _ name: String
    ) throws(CallRefusal) -> Duration {
        guard range.contains(duration) else {
            throw .outOfBounds("\(name) is not from \(range.lowerBound.text) to \(range.upperBound.text)")
        }
        return duration
    }

    private static func word(
        _ value: JSONValue,
        _ field: String,
        atMost longest: Int,
        besides marks: String
    ) throws(CallRefusal) -> String {
        guard case .string(let text) = value, !text.isEmpty, text.utf8.count <= longest else {
            throw .malformed("has a \(field) that is not a text of 1 to \(longest) bytes")
        }
        guard isWord(text, besides: marks) else {
            throw .malformed("has a \(field) with a character other than letters, digits and \(marks)")
        }
        return text
    }

    private static func isWord(_ text: String, besides marks: String) -> Bool {
        text.utf8.allSatisfy { $0.isAlphanumeric || marks.utf8.contains($0) }
    }

    static func isID(_ text: String) -> Bool {
        (1...longestID).contains(text.utf8.count) && isWord(text, besides: idMarks)
    }

    static func isSplice(_ text: String) -> Bool {
        (1...longestSplice).contains(text.utf8.count) && isWord(text, besides: spliceMarks)
    }
}

package enum CallRefusal: Error, Equatable, Sendable {
    case malformed(String)
    case outOfBounds(String)
    /// Overlaps another break, or repeats a call.
    case conflict(String)
    case tooMany(String)
    /// The run has not begun, or is over.
    case closed(String)

    package var text: String {
        switch self {
        case .malformed(let predicate): "the call \(predicate)"
        case .outOfBounds(let text), .conflict(let text), .tooMany(let text), .closed(let text): text
        }
    }
}
