/// Meaning of a field of a log.
package enum FieldRole: Int, CaseIterable, Sendable {
    /// An instant, or with `date` a time of day.
    case time
    case date
    case address
    /// X-Forwarded-For, the viewer's address first.
    case forwarded
    case userAgent
    /// Path and query, with or without a host.
    case url
    case query
    /// Method, path and version; in Fastly's logs only the method.
    case request
    case method
    case cookie
    case cmcd
    case session

    package var name: String { self == .userAgent ? "user-agent" : "\(self)" }

    package init?(name: String) {
        guard let role = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }

    /// Points separate the names of nested objects.
    fileprivate static let documented: [(FieldRole, [String])] = [
        // Akamai, "DataStream 2: Data set parameters"; the last is podswarm's assumption.
        (.time, ["reqTimeSec"]), (.address, ["cliIP"]), (.userAgent, ["UA"]), (.url, ["reqPath"]),
        (.query, ["queryStr"]), (.method, ["reqMethod"]), (.cookie, ["cookie"]), (.cmcd, ["cmcd"]),
        // Fastly, the default formats of its endpoints ("Useful log formats", "New Relic Logs", "Datadog").
        (.time, ["timestamp", "time_start", "start_time"]), (.address, ["client_ip", "client.ip"]), (.url, ["url"]),
        (.userAgent, ["request_user_agent", "user_agent", "useragent"]), (.method, ["request_method"]),
        // AWS, "CloudFront: Standard logging reference" and "Real-time access logs".
        (.time, ["time", "timestamp(ms)"]), (.date, ["date"]), (.address, ["c-ip"]), (.userAgent, ["cs(User-Agent)"]),
        (.url, ["cs-uri-stem"]), (.query, ["cs-uri-query"]), (.method, ["cs-method"]), (.cookie, ["cs(Cookie)"]),
        (.forwarded, ["x-forwarded-for"]), (.userAgent, ["cs-user-agent"]), (.cookie, ["cs-cookie"]),
        (.session, ["cmcd-session-id"]),
        // nginx, names of its variables ("ngx_http_log_module", "ngx_http_core_module").
        (.time, ["msec", "time_iso8601", "time_local"]), (.address, ["remote_addr"]), (.url, ["request_uri"]),
        (.userAgent, ["http_user_agent"]), (.request, ["request"]), (.method, ["method"]),
        (.cookie, ["http_cookie"]), (.forwarded, ["http_x_forwarded_for"]), (.cmcd, ["http_cmcd_session"]),
    ]
}

struct OuterNames {
    private static let most = 8

    private var names = InlineArray<8, LineBytes>(repeating: .nothing)
    private var count = 0

    mutating func push(_ name: LineBytes) {
        if count < Self.most { names[count] = name }
        count += 1
    }

    mutating func pop() -> Bool {
        count -= 1
        return count >= 0
    }

    /// False below the depth up to which names are kept.
    func end(with names: [[UInt8]]) -> Bool {
        guard !names.isEmpty else { return true }
        guard names.count <= count, count <= Self.most else { return false }
        return names.indices.allSatisfy { self.names[count - 1 - $0].isEqual(to: names[$0]) }
    }
}

package struct FieldNames: Sendable {
    private struct Entry: Sendable {
        var name: [UInt8]
        /// Enclosing fields, the innermost first.
        var outer: [[UInt8]]
        var role: FieldRole
    }

    private var entries = [[Entry]](repeating: [], count: 256)

    /// `own` names take precedence over documented ones.
    package init(adding own: [(role: FieldRole, name: String)] = []) {
        let documented = FieldRole.documented.flatMap { role, names in names.map { (role, $0) } }
        for (role, name) in own + documented {
            let names = name.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
            guard let leaf = names.last else { continue }
            let entry = Entry(name: leaf, outer: names.dropLast().reversed(), role: role)
            entries[leaf.withUnsafeBytes(Self.slot)].append(entry)
        }
    }

    private static func slot(of name: LineBytes) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        return (Int(first) &* 31 &+ Int(last) &* 7 &+ name.count) & 255
    }

    func role(of name: LineBytes, in outer: OuterNames = OuterNames()) -> FieldRole? {
        let slot = Self.slot(of: name)
        for place in entries[slot].indices where name.isEqual(to: entries[slot][place].name) {
            if outer.end(with: entries[slot][place].outer) { return entries[slot][place].role }
        }
        return nil
    }
}
