package import Foundation
package import Results
import Rules
import Values

/// The figures that a comparison needs; skipping the rest makes hundreds of files quick to read.
package struct RunFigures: Equatable, Sendable {
    package struct Latency: Equatable, Sendable, Decodable {
        package var count: UInt64
        package var minimumMicroseconds: Int64
        package var maximumMicroseconds: Int64
        package var meanMicroseconds: Double
        package var p50Microseconds: Int64
        package var p90Microseconds: Int64
        package var p95Microseconds: Int64
        package var p99Microseconds: Int64
        package var p999Microseconds: Int64
    }

    package struct Requests: Equatable, Sendable, Decodable {
        package var count: UInt64
        package var errors: UInt64
        package var latencies: [String: Latency]
    }

    package struct Breaks: Equatable, Sendable, Decodable {
        package var count = 0
        package var due: UInt64
        package var onTime: UInt64
        package var lateness: Latency?
        package var discovery: Latency?
    }

    /// Ends of breaks that viewers scheduled.
    package struct Events: Equatable, Sendable, Decodable {
        package var scheduled: UInt64
        package var failed: UInt64
    }

    package struct Finding: Equatable, Sendable, Decodable {
        package var code: String
        package var severity: String
        package var meaning: String
        package var count: UInt64
        /// Nil in results without the count.
        package var viewers: UInt64?
        package var viewersPercent: Double
        package var allowed: Bool

        var isAdvice: Bool { severity == Severity.advice.rawValue }
    }

    package struct Health: Equatable, Sendable, Decodable {
        package var withinBudget: Bool
        package var suspect: Bool
        package var reasons: [String]
    }

    package var path: String
    /// Decides the meaning of the figures.
    package var schemaVersion: Int = ResultDocument.schemaVersion
    package var podswarmVersion: String
    package var verdict: RunVerdict
    package var run: RunDescription
    package var health: Health
    package var joined: UInt64
    package var breaks: Breaks
    /// Nil if no viewer scheduled a break.
    package var events: Events?
    package var findings: [Finding]
    package var requests: [String: Requests]
    /// Judged for drift.
    var isSoak = false
    /// The whole of several shards.
    var isMerged = false
    /// Keyed by names such as `pod_manifest.response`; only requested ones.
    package var distributions: [String: LatencyResult] = [:]
}

extension RunFigures {
    package enum ReadingError: Error, Equatable, CustomStringConvertible {
        case notAResult(String)
        case otherVersion(Int)
        case damaged(String)
        case unusableCapacity(String)

        package var description: String {
            switch self {
            case .notAResult(let why): "not a podswarm result: \(why)"
            case .otherVersion(let version):
                "its schema version is \(version); this podswarm compares \(ResultDocument.readableVersionsText)"
            case .damaged(let what): "a damaged podswarm result: \(what)"
            case .unusableCapacity(let why): why
            }
        }
    }

    /// Reads a result as written by `ResultDocument.json()`; `distributions` names those to read whole.
    package init(json: Data, path: String, distributions: Set<String> = []) throws(ReadingError) {
        if let excess = json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) {
            throw .notAResult("it is \(JSONLimits.result.words(for: excess))")
        }
        do {
            self = try DocumentDecoding().decode(from: json) {
                try RunFigures(from: $0, path: path, distributions: distributions)
            }
        } catch let error as ReadingError {
            throw error
        } catch let error as DecodingError {
            let problem = error.problem(in: json)
            throw ResultDocument.isNamed(in: json) ? .damaged(problem) : .notAResult(problem)
        } catch {
            throw .damaged("\(error)")
        }
    }

    private enum CodingKeys: CodingKey {
        case podswarmVersion, verdict, run, health, viewers, breaks, events, findings, requests, drift, shards
    }

    private init(from decoder: any Decoder, path: String, distributions: Set<String>) throws {
        let heading = try DocumentHeading(from: decoder)
        guard heading.schema == ResultDocument.schemaName else {
            throw ReadingError.notAResult("its schema is '\(heading.schema.prefix(64))'")
        }
        guard ResultDocument.readableVersions.contains(heading.schemaVersion) else {
            throw ReadingError.otherVersion(heading.schemaVersion)
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        // Keyed by counter name.
        let viewers = try values.decodeIfPresent([String: UInt64].self, forKey: .viewers)
        self.init(
            path: path,
            schemaVersion: heading.schemaVersion,
            podswarmVersion: try values.decode(String.self, forKey: .podswarmVersion),
            verdict: try values.decode(RunVerdict.self, forKey: .verdict),
            run: try values.decode(RunDescription.self, forKey: .run),
            health: try values.decode(Health.self, forKey: .health),
            joined: viewers?[ViewerCounter.joined.name] ?? 0,
            breaks: try values.decode(Breaks.self, forKey: .breaks),
            events: try values.decodeIfPresent(Events.self, forKey: .events),
            findings: try values.decode([Finding].self, forKey: .findings),
            requests: try values.decode([String: Requests].self, forKey: .requests),
            isSoak: try values.contains(.drift) && values.nestedUnkeyedContainer(forKey: .drift).count ?? 0 > 0,
            isMerged: values.contains(.shards)
        )
        for name in distributions {
            self.distributions[name] = try Self.distribution(named: name, in: decoder)
        }
    }

    /// Nil if nothing was recorded.
    func latency(of distribution: String) -> Latency? {
        switch distribution {
        case "breaks.lateness": breaks.lateness
        case "break_discovery": breaks.discovery
        default:
            distribution.firstIndex(of: ".").flatMap { dot in
                requests[String(distribution[..<dot])]?.latencies[String(distribution[dot...].dropFirst())]
            }
        }
    }

    private static func distribution(named name: String, in decoder: any Decoder) throws -> LatencyResult? {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        let path =
            switch name {
            case "breaks.lateness": parts
            case "break_discovery": ["breaks", "discovery"]
            default: ["requests"] + parts.prefix(1) + ["latencies"] + parts.dropFirst()
            }
        var object = try decoder.container(keyedBy: Name.self)
        for member in path.dropLast() {
            guard object.contains(Name(member)) else { return nil }
            object = try object.nestedContainer(keyedBy: Name.self, forKey: Name(member))
        }
        return try object.decodeIfPresent(LatencyResult.self, forKey: Name(path[path.count - 1]))
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
