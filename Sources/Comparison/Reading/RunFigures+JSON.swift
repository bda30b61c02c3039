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
        case podswarmVersion, verdict, run, health, viewers, breaks, events, findings, requests
    }

    private init(from decoder: any Decoder, path: String, distributions: Set<String>) throws {
        let heading = try DocumentHeading(from: decoder)
        guard heading.schema == ResultDocument.schemaName else {
            throw ReadingError.notAResult("its schema is '\(heading.schema)'")
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
            requests: try values.decode([String: Requests].self, forKey: .requests)
        )
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
