package enum LogFormat: String, CaseIterable, Sendable {
    /// NCSA's combined or common log format.
    case combined
    /// Tab-separated fields, named by a line of the log.
    case cloudfront
    /// DataStream 2, Fastly, nginx and others, by field names.
    case json

    /// Lines at the start of a file without a recognised format.
    private static let patience = 16

    static func recognized(by beginning: LineBytes, _ names: FieldNames) -> Self? {
        let readers = [Self.combined, .json, .cloudfront].map { LineReader($0, names) }
        let lines = beginning.parts(between: UInt8(ascii: "\n")).lazy.map(\.trimmed).filter { !$0.isEmpty }
        var request = LoggedRequest()
        for line in lines.prefix(patience) {
            if line.begins(with: "#Fields:") || line.begins(with: "#Version:") { return .cloudfront }
            for reader in readers where reader.read(line, into: &request) == .request { return reader.format }
        }
        return nil
    }
}

/// Raw fields, which are slices of the line, and their interpretation.
struct LoggedRequest {
    enum Method {
        case get
        case post
        case other
    }

    private var fields = InlineArray<12, LineBytes>(repeating: .nothing)
    /// Since the Unix epoch.
    private(set) var milliseconds: Int64 = 0
    private(set) var method = Method.get
    private(set) var path = LineBytes.nothing
    private(set) var query = LineBytes.nothing
    /// From proxies' fields if present.
    private(set) var address = LineBytes.nothing

    subscript(role: FieldRole) -> LineBytes { fields[role.rawValue] }

    /// The first value stays.
    @inline(__always)
    mutating func set(_ role: FieldRole, _ value: LineBytes) {
        if fields[role.rawValue].isEmpty, !value.isAbsent { fields[role.rawValue] = value }
    }

    /// False without an instant or a path.
    mutating func interpret() -> Bool {
        let (date, time) = (self[.date], self[.time])
        let isTimeOfDay = (3..<19).contains(time.count) && time[2] == UInt8(ascii: ":")
        guard
            let stamp = isTimeOfDay
                ? LogStamp.milliseconds(date: date, time: time) : LogStamp.milliseconds(time.isEmpty ? date : time)
        else { return false }
        milliseconds = stamp
        var (target, verb) = (self[.url], self[.method])
        var line = self[.request].parts(between: UInt8(ascii: " "))
        if let first = line.next(), verb.isEmpty { verb = first }
        if target.isEmpty { target = line.next() ?? .nothing }
        method = verb.isEmpty || verb.isEqual(to: "GET") ? .get : verb.isEqual(to: "POST") ? .post : .other
        setTarget(target)
        if query.isEmpty { query = self[.query] }
        let forwarded = self[.forwarded]
        address = forwarded.parts(between: UInt8(ascii: ",")).first { !$0.isEmpty }?.trimmed ?? self[.address]
        return !path.isEmpty
    }

    private mutating func setTarget(_ target: LineBytes) {
        var target = target
        if !target.isEmpty, target[0] != UInt8(ascii: "/"), let scheme = target.place(of: "://") {
            target = target.place(of: UInt8(ascii: "/"), from: scheme + 3).map { target.part(from: $0) } ?? .nothing
        }
        if let fragment = target.place(of: UInt8(ascii: "#")) { target = target.part(0, fragment) }
        let mark = target.place(of: UInt8(ascii: "?")) ?? target.count
        path = target.part(0, mark)
        query = target.part(from: mark + 1)
    }
}
