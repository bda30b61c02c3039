import AdServing
import Foundation
import Report
import Rules
import Transport
import Values

/// One request and its answer, without secrets.
struct CheckExchange {
    struct Field: Encodable {
        var name: String
        var value: String
    }

    let kind: RequestKind
    let began: WallTime
    let method: String
    let url: String
    let requestFields: [Field]
    let status: Int
    /// Such as `http_503` or `connect_refused`.
    let outcome: String
    let fields: [Field]
    /// Nil if it may hold a session; at most ``bodyLimit`` characters.
    let body: String?
    let bodyBytes: Int
    /// Decoded, if it was kept.
    let contentBytes: Int
    let version: String
    let address: String
    let redirects: Int
    /// In microseconds.
    let times: Times

    struct Times {
        /// From the planned time, without connecting.
        var waited: Int64
        var connect: Int64
        var tls: Int64
        /// From the request's first byte to the answer's.
        var firstByte: Int64
        var read: Int64
    }

    private static let bodyLimit = 2_048

    /// Names of headers whose values identify no viewer; the values of all others are hidden.
    private static let harmless: Set = [
        "accept", "accept-encoding", "accept-language", "accept-ranges", "access-control-allow-credentials",
        "access-control-allow-origin", "age", "allow", "cache-control", "cache-status", "cf-cache-status", "connection",
        "content-encoding", "content-length", "content-range", "content-type", "date", "expires", "host", "keep-alive",
        "last-modified", "location", "origin", "range", "referer", "retry-after", "server", "traceparent",
        "transfer-encoding", "user-agent", "vary", "via", "x-ad-manager-dai-warning", "x-cache",
    ]

    init(_ kind: RequestKind, _ outcome: Outcome, _ result: borrowing TransferResult, own: StreamID?, began: WallTime) {
        (self.kind, self.outcome, self.began) = (kind, outcome.code, began)
        let request = result.request
        method = request?.method.rawValue ?? "GET"
        url = Redaction.url(result.url.isEmpty ? request?.url ?? "" : result.url, own: own)
        requestFields = Self.fields(request?.head ?? "", own)
        status = result.status
        let head = result.copyHead().text
        fields = Self.fields(head, own, isAnswer: true)
        let isHTTP1 = head.hasPrefix("HTTP/1")
        version = isHTTP1 ? String(head.prefix(8)) : status > 0 && url.hasPrefix("https") ? "HTTP/2" : "unknown"
        (bodyBytes, contentBytes) = (result.bodyBytes, max(result.bodyBytes, result.body.count))
        address = result.remoteAddress
        redirects = result.redirects
        // Bodies of other kinds hold ids of sessions in any shape.
        let isShown = result.body.starts(with: "#EXTM3U".utf8)
        let isCut = result.body.count > Self.bodyLimit
        let shown = result.body.prefix(Self.bodyLimit)
        // A part of a line may hold a part of a secret.
        let end = isCut ? shown.lastIndex(of: UInt8(ascii: "\n")) ?? shown.startIndex : shown.endIndex
        let start = String(decoding: shown[..<end], as: UTF8.self)
        let rest = isCut ? "\n…" : ""
        body = isShown ? Redaction.text(Self.withoutRemarks(start), own: own) + rest : nil
        let connecting = result.history.connectMicroseconds &+ result.history.tlsMicroseconds
        let isSent = result.sentAt != .zero
        let isAnswered = result.firstByteAt != .zero
        let sent = isSent ? result.sentAt : result.doneAt
        let first = isAnswered ? result.firstByteAt : result.doneAt
        times = Times(
            waited: max(0, (sent &- result.plannedAt) / 1_000 &- connecting),
            connect: result.history.connectMicroseconds,
            tls: result.history.tlsMicroseconds,
            firstByte: max(0, (first &- sent) / 1_000),
            read: max(0, (result.doneAt &- first) / 1_000)
        )
    }

    /// Hides comments (bis-22 section 4.1): they name sessions in any form.
    private static func withoutRemarks(_ playlist: String) -> String {
        playlist.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.hasPrefix("#") && !$0.hasPrefix("#EXT") ? "#…" : String($0) }.joined(separator: "\n")
    }

    /// Hides words of free text that look like a session or token; those of `Via` name machines.
    private static func withoutIDs(_ value: String, of name: String) -> String {
        var (shown, rest) = ("", value[...])
        while let first = rest.first {
            let isWord = !" ,;()\"".contains(first)
            let run = rest.prefix { !" ,;()\"".contains($0) == isWord }
            let hides = name == "via" ? Redaction.holdsUUID(run) : !run.contains("=") && Redaction.looksSecret(run)
            shown += hides ? Redaction.hash(of: String(run)) : String(run)
            rest = rest[run.endIndex...]
        }
        return shown
    }

    private static func fields(_ head: String, _ own: StreamID?, isAnswer: Bool = false) -> [Field] {
        head.split(whereSeparator: \.isNewline).compactMap { line -> Field? in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line[..<colon].contains(" ") else {
                return nil
            }
            let name = String(line[..<colon])
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            let lowered = name.lowercased()
            let isHarmless = harmless.contains(lowered) || value.isEmpty
            let isAddress = lowered == "location" || lowered == "referer"
            let shown = isAddress ? Redaction.url(value, own: own) : Redaction.text(value, own: own)
            let safe = isAnswer && !isAddress ? withoutIDs(shown, of: lowered) : shown
            return Field(name: name, value: isHarmless ? safe : "…")
        }
    }

    var text: String {
        let parts: [(String, Int64)] = [
            ("waited", times.waited), ("connect", times.connect), ("TLS", times.tls), ("first byte", times.firstByte),
            ("read", times.read),
        ]
        let spent = parts.filter { $0.1 > 0 }.map { "\($0.0) \(MetricText.time(microseconds: Double($0.1)))" }
        let hops = redirects > 0 ? ", after \(TextLayout.counted(redirects, "redirect"))" : ""
        let server = address.isEmpty ? "" : " of \(address)"
        let hidden = body == nil && bodyBytes > 0 ? ", not shown: they may name a session" : ""
        var lines = ["\(method) \(url)"]
        lines += requestFields.map { "> \($0.name): \($0.value)" }
        lines.append("< \(outcome)\(server)\(hops): \(spent.joined(separator: ", "))")
        lines += fields.map { "< \($0.name): \($0.value)" }
        lines.append("< \(bodyBytes) bytes of body\(hidden)")
        lines += (body ?? "").split(whereSeparator: \.isNewline).map { "  \($0)" }
        return "  EXCHANGE \(kind.name) " + lines.joined(separator: "\n           ")
    }
}

/// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/); one hop of each exchange, the last.
struct ExchangeArchive: Encodable {
    private struct Log: Encodable {
        var version = "1.2"
        var creator: Creator
        var entries: [Entry]
        var comment: String?
    }
    private struct Creator: Encodable {
        var name = "podswarm"
        var version: String
    }
    private typealias Pair = CheckExchange.Field

    private struct Request: Encodable {
        var method: String
        var url: String
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var queryString: [Pair]
        var headersSize = -1
        var bodySize = -1
    }
    private struct Response: Encodable {
        var status: Int
        var statusText: String
        var httpVersion: String
        var cookies: [Pair] = []
        var headers: [Pair]
        var content: Content
        var redirectURL: String
        var headersSize = -1
        var bodySize: Int
    }
    private struct Content: Encodable {
        var size: Int
        var mimeType: String
        var text: String?
    }
    private struct Cache: Encodable {}
    private struct Timings: Encodable {
        var blocked: Double
        var dns = -1
        /// With TLS.
        var connect: Double
        var ssl: Double
        var send = 0
        var wait: Double
        var receive: Double

        init(_ times: CheckExchange.Times) {
            let milliseconds = { (microseconds: Int64) in Double(microseconds) / 1_000 }
            (blocked, ssl) = (milliseconds(times.waited), milliseconds(times.tls))
            connect = milliseconds(times.connect &+ times.tls)
            (wait, receive) = (milliseconds(times.firstByte), milliseconds(times.read))
        }

        var sum: Double { blocked + connect + wait + receive }
    }
    private struct Entry: Encodable {
        var startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        var cache = Cache()
        var timings: Timings
        var comment: String

        init(_ exchange: CheckExchange) {
            let query = exchange.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
            let pairs = query.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Pair(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
            }
            let type = exchange.fields.last { $0.name.lowercased() == "content-type" }?.value ?? ""
            (startedDateTime, timings) = (exchange.began.iso8601, Timings(exchange.times))
            time = timings.sum
            request = Request(
                method: exchange.method,
                url: exchange.url,
                httpVersion: exchange.version,
                headers: exchange.requestFields,
                queryString: pairs
            )
            response = Response(
                status: exchange.status,
                statusText: exchange.outcome,
                httpVersion: exchange.version,
                headers: exchange.fields,
                content: Content(size: exchange.contentBytes, mimeType: type, text: exchange.body),
                redirectURL: exchange.fields.last { $0.name.lowercased() == "location" }?.value ?? "",
                bodySize: exchange.bodyBytes
            )
            comment = exchange.kind.name
        }
    }

    private let log: Log

    init(_ exchanges: [CheckExchange], notKept: Int, version: String) {
        let comment = notKept > 0 ? "\(notKept) later exchanges are not kept" : nil
        log = Log(creator: Creator(version: version), entries: exchanges.map(Entry.init), comment: comment)
    }
}
