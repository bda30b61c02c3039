import Foundation
import TestSupport
import Testing

/// Result files of one profile, night after night: a real document with other figures in it.
struct ResultHistory {
    typealias Fields = [String: Any]

    /// From 2026-03-01 on at two in the morning.
    private static let start: Int64 = 1_772_330_400_000_000
    private static let day: Int64 = 86_400_000_000

    private let document: Fields

    init() throws {
        let golden = GoldenFile.result
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: golden))
        document = try #require(json as? Fields)
    }

    /// The result of a night.
    ///
    /// - Parameters:
    ///   - night: From 0.
    ///   - release: Its label.
    ///   - factor: What the usual latencies are multiplied by.
    ///   - change: Anything else, on the document's top level.
    /// - Returns: UTF-8.
    /// - Throws: What Foundation says of a value that is no JSON.
    func json(_ night: Int, release: String, factor: Double, change: (inout Fields) -> Void = { _ in }) throws -> Data {
        var document = document
        document["verdict"] = ["exit_code": 0, "outcome": "passed", "reasons": [String]()] as Fields
        Self.edit(&document, "run") { run in
            let start = Self.start + Int64(night) * Self.day
            let date = Date(timeIntervalSince1970: Double(start) / 1e6)
            run["started_at_us"] = start
            run["started_at"] = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            run["ended_at_us"] = start + 60_000_000
            run["labels"] = ["release": release, "commit": "c\(night)"]
        }
        Self.edit(&document, "requests") { requests in
            for kind in ["playlist", "pod_manifest"] {
                Self.edit(&requests, kind) { request in
                    Self.edit(&request, "latencies") { latencies in
                        Self.edit(&latencies, "response") { latency in
                            for (name, typical) in [("p50_us", 40_000.0), ("p95_us", 80_000), ("p99_us", 90_000)] {
                                latency[name] = Int64(typical * (kind == "pod_manifest" ? factor : 1))
                            }
                        }
                    }
                }
            }
        }
        change(&document)
        return try JSONSerialization.data(withJSONObject: document)
    }

    static func edit(_ fields: inout Fields, _ key: String, _ change: (inout Fields) -> Void) {
        var inner = fields[key] as? Fields ?? [:]
        change(&inner)
        fields[key] = inner
    }
}
