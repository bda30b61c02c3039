/// What a field of a log means to an audience.
package enum FieldRole: String, CaseIterable, Sendable {
    /// An instant, or with `date` a time of day.
    case time
    case date
    case address
    /// Addresses that proxies hand on, the viewer's first.
    case forwarded
    case userAgent = "user-agent"
    /// Path and query, with or without a host.
    case url
    case query
    /// Method, path and version in one.
    case request
    case method
    case cookie
    /// Common Media Client Data.
    case cmcd
    /// A session's id.
    case session
}

/// The names of the fields of logs, and what each means.
///
/// A name with points is that of a field within others; it also stands for one that lies deeper.
package struct FieldNames: Sendable {
    private struct Entry: Sendable {
        /// The innermost first.
        var names: [[UInt8]]
        var role: FieldRole
    }

    private static let slots = 256

    private var entries: [Entry] = []
    /// Places in `entries` by the hash of the innermost name.
    private var table = [[Int]](repeating: [], count: slots)

    /// The names that vendors document, and those of nginx.
    ///
    /// - Parameter further: Names that a user's own log has; they come first.
    package init(adding further: [(role: FieldRole, name: String)] = []) {
        for (role, name) in further { add(name, role) }
        for (role, names) in Self.known {
            for name in names { add(name, role) }
        }
    }

    /// Whose they are is said beside each line.
    private static let known: [(FieldRole, [String])] = [
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

    private mutating func add(_ name: String, _ role: FieldRole) {
        let names = name.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }.reversed()
        guard let leaf = names.first else { return }
        let slot = leaf.withUnsafeBytes { Self.slot(of: $0) }
        table[slot].append(entries.count)
        entries.append(Entry(names: Array(names), role: role))
    }

    private static func slot(of name: LineBytes) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        return (Int(first) &* 31 &+ Int(last) &* 7 &+ name.count) & (slots - 1)
    }

    /// What a field means; nil where nobody said.
    ///
    /// - Parameters:
    ///   - name: Its own name.
    ///   - outer: Names of what it lies in, the innermost last.
    /// - Returns: The role of the first name that fits.
    func role(of name: LineBytes, in outer: [LineBytes] = []) -> FieldRole? {
        for place in table[Self.slot(of: name)] {
            let entry = entries[place]
            guard name.isEqual(to: entry.names[0]), entry.names.count - 1 <= outer.count else { continue }
            let fits = entry.names.indices.dropFirst().allSatisfy {
                outer[outer.count - $0].isEqual(to: entry.names[$0])
            }
            if fits { return entry.role }
        }
        return nil
    }
}

/// A request while its fields come one by one, in whatever order.
struct RequestFields {
    private var request = LoggedRequest()
    private var time = LineBytes.nothing
    private var date = LineBytes.nothing
    private var forwarded = LineBytes.nothing
    private var query = LineBytes.nothing
    private var isFlawed = false

    /// Takes a field; the first of each role counts.
    mutating func set(_ role: FieldRole, _ value: LineBytes) {
        guard !value.isAbsent else { return }
        switch role {
        case .time: if time.isEmpty { time = value }
        case .date: if date.isEmpty { date = value }
        case .address: if request.address.isEmpty { request.address = value }
        case .forwarded: if forwarded.isEmpty { forwarded = value }
        case .userAgent: if request.userAgent.isEmpty { request.userAgent = value }
        case .url: if request.path.isEmpty { request.setTarget(value) }
        case .query: if query.isEmpty { query = value }
        case .request:
            // Fastly calls the method so.
            if value.place(of: UInt8(ascii: " ")) == nil {
                request.method = LoggedRequest.method(value)
            } else if request.path.isEmpty {
                isFlawed = !request.setRequestLine(value) || isFlawed
            }
        case .method: request.method = LoggedRequest.method(value)
        case .cookie: if request.cookie.isEmpty { request.cookie = value }
        case .cmcd: if request.mediaClientData.isEmpty { request.mediaClientData = value }
        case .session: if request.session.isEmpty { request.session = value }
        }
    }

    /// The request; nil where what came says of no request when it was and what it asked for.
    mutating func finished() -> LoggedRequest? {
        let isTimeOfDay = time.count < 19 && time.place(of: UInt8(ascii: ":")) == 2
        let stamp =
            isTimeOfDay
            ? LogStamp.milliseconds(date: date, time: time) : LogStamp.milliseconds(time.isEmpty ? date : time)
        guard let stamp, !request.path.isEmpty, !isFlawed else { return nil }
        request.milliseconds = stamp
        if request.query.isEmpty { request.query = query }
        if !forwarded.isEmpty {
            request.address = forwarded.part(0, forwarded.place(of: UInt8(ascii: ",")) ?? forwarded.count).trimmed
        }
        return request
    }
}
