package import Foundation
import Results
import Rules
import Values

extension RunFigures {
    package enum ReadingError: Error, Equatable, CustomStringConvertible {
        /// JSON of another kind, or not JSON.
        case notAResult(String)
        case otherVersion(Int)
        case damaged(String)

        package var description: String {
            switch self {
            case .notAResult(let why): "not a podswarm result: \(why)"
            case .otherVersion(let version):
                "its schema version is \(version); this podswarm compares \(ResultDocument.readableVersionsText)"
            case .damaged(let what): "a damaged podswarm result: \(what)"
            }
        }
    }

    /// Reads the figures from a result as written by `ResultDocument.json()`.
    ///
    /// `distributions` are names of distributions to read whole, such as `pod_manifest.response`.
    ///
    /// - Throws: `ReadingError`.
    package init(json: Data, path: String, distributions: Set<String> = []) throws(ReadingError) {
        if let excess = json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) {
            throw .notAResult("it is \(JSONLimits.result.words(for: excess))")
        }
        let document: Document
        do {
            document = try DocumentDecoding().decode(from: json) {
                try Document(from: $0, distributions: distributions)
            }
        } catch let error as ReadingError {
            throw error
        } catch let error as DecodingError {
            let problem = error.problem(in: json)
            throw ResultDocument.isNamed(in: json) ? .damaged(problem) : .notAResult(problem)
        } catch {
            throw .damaged("\(error)")
        }
        self.init(
            path: path,
            schemaVersion: document.schemaVersion,
            podswarmVersion: document.podswarmVersion,
            verdict: document.verdict,
            run: document.run,
            health: document.health,
            joined: document.viewers[ViewerCounter.joined.name] ?? 0,
            breaks: document.breaks,
            events: document.events,
            findings: document.findings,
            requests: document.requests,
            distributions: document.distributions
        )
    }
}

private struct Document {
    var schemaVersion: Int
    var podswarmVersion: String
    var verdict: RunVerdict
    var run: RunDescription
    var health: RunFigures.Health
    /// Keyed by counter name.
    var viewers: [String: UInt64]
    var breaks: RunFigures.Breaks
    var events: RunFigures.Events?
    var findings: [RunFigures.Finding]
    var requests: [String: RunFigures.Requests]
    var distributions: [String: LatencyResult] = [:]

    private enum CodingKeys: String, CodingKey {
        case podswarmVersion = "podswarm_version"
        case verdict
        case run
        case health
        case viewers
        case breaks
        case events
        case findings
        case requests
    }

    init(from decoder: any Decoder, distributions: Set<String>) throws {
        let heading = try DocumentHeading(from: decoder)
        guard heading.schema == ResultDocument.schemaName else {
            throw RunFigures.ReadingError.notAResult("its schema is '\(heading.schema)'")
        }
        guard ResultDocument.readableVersions.contains(heading.schemaVersion) else {
            throw RunFigures.ReadingError.otherVersion(heading.schemaVersion)
        }
        schemaVersion = heading.schemaVersion
        let values = try decoder.container(keyedBy: CodingKeys.self)
        podswarmVersion = try values.decode(String.self, forKey: .podswarmVersion)
        verdict = try values.decode(RunVerdict.self, forKey: .verdict)
        run = try values.decode(RunDescription.self, forKey: .run)
        health = try values.decode(RunFigures.Health.self, forKey: .health)
        viewers = try values.decodeIfPresent([String: UInt64].self, forKey: .viewers) ?? [:]
        breaks = try values.decode(RunFigures.Breaks.self, forKey: .breaks)
        events = try values.decodeIfPresent(RunFigures.Events.self, forKey: .events)
        findings = try values.decode([RunFigures.Finding].self, forKey: .findings)
        requests = try values.decode([String: RunFigures.Requests].self, forKey: .requests)
        for name in distributions {
            self.distributions[name] = try Self.distribution(named: name, in: decoder)
        }
    }

    /// Nil if nothing was recorded.
    private static func distribution(named name: String, in decoder: any Decoder) throws -> LatencyResult? {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        let document = try decoder.container(keyedBy: Name.self)
        if name == "break_discovery" {
            return try document.nestedContainer(keyedBy: Name.self, forKey: Name("breaks"))
                .decodeIfPresent(LatencyResult.self, forKey: Name("discovery"))
        }
        guard parts.count == 2 else { return nil }
        if parts[0] == "breaks" {
            return try document.nestedContainer(keyedBy: Name.self, forKey: Name("breaks"))
                .decodeIfPresent(LatencyResult.self, forKey: Name(parts[1]))
        }
        let requests = try document.nestedContainer(keyedBy: Name.self, forKey: Name("requests"))
        guard requests.contains(Name(parts[0])) else { return nil }
        return try requests.nestedContainer(keyedBy: Name.self, forKey: Name(parts[0]))
            .nestedContainer(keyedBy: Name.self, forKey: Name("latencies"))
            .decodeIfPresent(LatencyResult.self, forKey: Name(parts[1]))
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
