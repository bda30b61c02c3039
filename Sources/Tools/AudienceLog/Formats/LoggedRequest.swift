/// Request of a log: raw fields, which are slices of the line, and their interpretation.
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
    /// Address of the viewer, from proxies' fields if present.
    private(set) var address = LineBytes.nothing

    subscript(role: FieldRole) -> LineBytes { fields[role.rawValue] }

    /// Sets a field unless it is set already.
    @inline(__always)
    mutating func set(_ role: FieldRole, _ value: LineBytes) {
        if fields[role.rawValue].isEmpty, !value.isAbsent { fields[role.rawValue] = value }
    }

    /// Interprets the raw fields; false without an instant or a path.
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
