import Foundation
package import Results
import Rules
import Values

extension Exchange {
    package var text: String { "  EXCHANGE \(kind) " + lines.joined(separator: "\n           ") }

    var lines: [String] {
        let parts: [(String, Int64)] = [
            ("waited", times.waitedMicroseconds), ("connect", times.connectMicroseconds),
            ("TLS", times.tlsMicroseconds), ("first byte", times.firstByteMicroseconds),
            ("read", times.readMicroseconds), ("of this in the socket", times.handlingMicroseconds),
        ]
        let spent = parts.filter { $0.1 > 0 }.map { "\($0.0) \(MetricText.time(microseconds: Double($0.1)))" }
        let hops = redirects > 0 ? ", after \(TextLayout.counted(redirects, "redirect"))" : ""
        let server = address.isEmpty ? "" : " of \(address)"
        let hidden = body == nil && bodyBytes > 0 ? ", not shown" : ""
        var lines = ["\(method) \(url)"]
        lines += requestFields.map { "> \($0.name): \($0.value)" }
        lines.append("< \(outcome)\(server)\(hops): \(spent.joined(separator: ", "))")
        lines += fields.map { "< \($0.name): \($0.value)" }
        lines.append("< \(bodyBytes) bytes of body\(hidden)")
        lines += (body ?? "").split(whereSeparator: \.isNewline).map { "  \($0)" }
        return lines.map(TextLayout.printable)
    }

    /// Such as `viewer 44, pod_manifest at 2026-11-23T20:00:01Z`.
    var title: String { "viewer \(viewer), \(kind) at \(UTCText.iso8601(microseconds: wallMicroseconds))" }

    /// Without its port and brackets; nil without a connection.
    fileprivate var serverIP: String? {
        guard let colon = address.lastIndex(of: ":") else { return nil }
        return String(address[..<colon].filter { !"[]".contains($0) })
    }
}

/// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/); one hop of each exchange, the last.
package struct ExchangeArchive: Encodable {
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
    private typealias Pair = Exchange.Field

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

        init(_ times: Exchange.Times) {
            let milliseconds = { (microseconds: Int64) in Double(microseconds) / 1_000 }
            (blocked, ssl) = (milliseconds(times.waitedMicroseconds), milliseconds(times.tlsMicroseconds))
            connect = milliseconds(times.connectMicroseconds.addingClamped(times.tlsMicroseconds))
            (wait, receive) = (milliseconds(times.firstByteMicroseconds), milliseconds(times.readMicroseconds))
        }
    }
    private struct Entry: Encodable {
        var startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        var cache = Cache()
        var timings: Timings
        var serverIPAddress: String?
        var comment: String

        init(_ exchange: Exchange) {
            let query = exchange.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
            let pairs = query.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Pair(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
            }
            let type = exchange.fields.last { $0.name.lowercased() == "content-type" }?.value ?? ""
            startedDateTime = UTCText.iso8601(microseconds: exchange.wallMicroseconds)
            timings = Timings(exchange.times)
            time = Double(exchange.times.sum) / 1_000
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
            comment = (["\(exchange.kind), viewer \(exchange.viewer)"] + exchange.findings).joined(separator: ", ")
            serverIPAddress = exchange.serverIP
        }
    }

    private let log: Log

    package init(_ exchanges: [Exchange], notKept: UInt64) {
        let comment = notKept > 0 ? "\(notKept) exchanges are not kept" : nil
        log = Log(
            creator: Creator(version: PodswarmVersion.current),
            entries: exchanges.map(Entry.init),
            comment: comment
        )
    }

    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}
