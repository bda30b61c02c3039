/// What one line of a log says of a request, as far as an audience follows from it.
///
/// Its texts lie in the line.
struct LoggedRequest {
    enum Method {
        case get
        case post
        /// A browser's question before the request itself (CORS).
        case options
        case other
    }

    /// Since the Unix epoch.
    var milliseconds: Int64 = 0
    var method = Method.get
    /// Without its query.
    var path = LineBytes.nothing
    var query = LineBytes.nothing
    var address = LineBytes.nothing
    var userAgent = LineBytes.nothing
    /// The field of that name.
    var cookie = LineBytes.nothing
    /// Fields of Common Media Client Data, where the log has them.
    var mediaClientData = LineBytes.nothing
    /// A session's id that the log has in a field of its own.
    var session = LineBytes.nothing

    init() {}

    /// Takes what stands in a request line, or an address with or without its host.
    mutating func setTarget(_ target: LineBytes) {
        var target = target
        if !target.isEmpty, target[0] != UInt8(ascii: "/"), let scheme = target.place(of: "://") {
            target = target.place(of: UInt8(ascii: "/"), from: scheme + 3).map { target.part(from: $0) } ?? .nothing
        }
        if let fragment = target.place(of: UInt8(ascii: "#")) { target = target.part(0, fragment) }
        guard let mark = target.place(of: UInt8(ascii: "?")) else {
            path = target
            return
        }
        path = target.part(0, mark)
        query = target.part(from: mark + 1)
    }

    /// Takes `GET /live.m3u8 HTTP/1.1`; false for what is no request line.
    mutating func setRequestLine(_ line: LineBytes) -> Bool {
        guard let space = line.place(of: UInt8(ascii: " ")), space > 0 else { return false }
        let end = line.place(of: UInt8(ascii: " "), from: space + 1) ?? line.count
        method = Self.method(line.part(0, space))
        setTarget(line.part(space + 1, end))
        return !path.isEmpty
    }

    static func method(_ name: LineBytes) -> Method {
        if name.isEqual(to: "GET") { return .get }
        if name.isEqual(to: "POST") { return .post }
        return name.isEqual(to: "OPTIONS") ? .options : .other
    }
}
