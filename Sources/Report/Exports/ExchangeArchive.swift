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
}

/// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/); one hop of each exchange, the last.
package enum ExchangeArchive {
    package static func json(_ exchanges: [Exchange], notKept: UInt64) throws -> String {
        var log: [String: Any] = [
            "version": "1.2", "creator": ["name": "podswarm", "version": PodswarmVersion.current],
            "entries": exchanges.map(\.entry),
        ]
        if notKept > 0 { log["comment"] = "\(notKept) exchanges are not kept" }
        return try JSONText.of(["log": log]) + "\n"
    }
}

extension Exchange {
    fileprivate var entry: [String: Any] {
        var entry: [String: Any] = [
            "startedDateTime": UTCText.iso8601(microseconds: wallMicroseconds), "time": Double(times.sum) / 1_000,
            "request": request, "response": response, "cache": [String: Any](), "timings": timings,
            "comment": (["\(kind), viewer \(viewer)"] + findings).joined(separator: ", "),
        ]
        // An address alone, as HAR 1.2 has it; a request that was never connected has none.
        entry["serverIPAddress"] = address.lastIndex(of: ":").map {
            String(address[..<$0].filter { !"[]".contains($0) })
        }
        return entry
    }

    private var request: [String: Any] {
        let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Field(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
        }
        return [
            "method": method, "url": url, "httpVersion": version, "cookies": [Any](),
            "headers": Self.listed(requestFields), "queryString": Self.listed(pairs), "headersSize": -1, "bodySize": -1,
        ]
    }

    private var response: [String: Any] {
        let last = { (name: String) in fields.last { $0.name.lowercased() == name }?.value ?? "" }
        var content: [String: Any] = ["size": contentBytes, "mimeType": last("content-type")]
        content["text"] = body
        return [
            // Reason phrases are not kept.
            "status": status, "statusText": outcome.hasPrefix("http_") ? "" : outcome, "httpVersion": version,
            "cookies": [Any](), "headers": Self.listed(fields), "content": content, "redirectURL": last("location"),
            "headersSize": -1, "bodySize": bodyBytes,
        ]
    }

    private static func listed(_ fields: [Field]) -> [[String: String]] {
        fields.map { ["name": $0.name, "value": $0.value] }
    }

    private var timings: [String: Any] {
        let milliseconds = { (microseconds: Int64) in Double(microseconds) / 1_000 }
        return [
            "blocked": milliseconds(times.waitedMicroseconds), "dns": -1,
            // With TLS.
            "connect": milliseconds(times.connectMicroseconds.addingClamped(times.tlsMicroseconds)),
            "ssl": milliseconds(times.tlsMicroseconds), "send": 0, "wait": milliseconds(times.firstByteMicroseconds),
            "receive": milliseconds(times.readMicroseconds),
        ]
    }
}
