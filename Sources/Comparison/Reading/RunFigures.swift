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
}

extension RunFigures {
    package struct ReadingError: Error, CustomStringConvertible {
        /// Whether the file is the result of a run, so that a comparison must not ignore it.
        package var isOfRun = true
        package var description: String

        static func notAResult(_ why: String) -> Self {
            Self(isOfRun: false, description: "not a podswarm result: \(why)")
        }
        static func damaged(_ what: String) -> Self { Self(description: "a damaged podswarm result: \(what)") }
    }

    /// Reads a result as written by `ResultDocument.json()`.
    package init(json: Data, path: String) throws(ReadingError) {
        if let excess = json.withUnsafeBytes({ JSONLimits.result.excess(of: $0) }) {
            throw ReadingError.notAResult("it is \(JSONLimits.result.words(for: excess))")
        }
        do {
            self = try DocumentDecoding().decode(from: json) { try RunFigures(from: $0, path: path) }
        } catch let error as ReadingError {
            throw error
        } catch let error as DecodingError {
            let problem = error.problem(in: json)
            throw ResultDocument.isNamed(in: json) ? ReadingError.damaged(problem) : .notAResult(problem)
        } catch {
            throw ReadingError.damaged("\(error)")
        }
    }

    private enum CodingKeys: CodingKey {
        case podswarmVersion, verdict, run, health, viewers, breaks, events, findings, requests, drift, shards
    }

    private init(from decoder: any Decoder, path: String) throws {
        let heading = try DocumentHeading(from: decoder)
        guard heading.schema == ResultDocument.schemaName else {
            throw ReadingError.notAResult("its schema is '\(heading.schema.prefix(64))'")
        }
        guard ResultDocument.readableVersions.contains(heading.schemaVersion) else {
            let versions = "its schema version is \(heading.schemaVersion); this podswarm compares "
            throw ReadingError(description: versions + ResultDocument.readableVersionsText)
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
}

/// Identity of a run or of a capacity search: profile, labels, machine, start.
package protocol ResultDescription {
    var profile: String { get }
    var profileDigest: String { get }
    var labels: [String: String] { get }
    var host: HostFacts { get }
    var startedAtMicroseconds: Int64 { get }
    var endedAtMicroseconds: Int64 { get }
}

extension RunDescription: ResultDescription {}
extension SearchDescription: ResultDescription {}

/// A result with a place in a history and on a side of a comparison.
package protocol DatedResult {
    associatedtype Description: ResultDescription

    var path: String { get }
    var about: Description { get }
    var outcomeName: String { get }
    /// Text that must be equal besides profile and machine.
    var rule: String { get }
    /// The reason why it gives no certain information on its target; nil if it does.
    var doubt: String? { get }
    /// Equal for copies of one result.
    var identity: String { get }
}

extension DatedResult {
    static func isEarlier(_ first: Self, _ second: Self) -> Bool {
        (first.about.startedAtMicroseconds, first.path) < (second.about.startedAtMicroseconds, second.path)
    }

    var startedAt: String { UTCText.iso8601(microseconds: about.startedAtMicroseconds) }
}

/// Inputs as the user wrote them, and the results in them.
package struct InputSide<Dated: DatedResult & Sendable>: Sendable {
    var inputs: [String]
    package var runs: [Dated]

    package init(inputs: [String], runs: [Dated]) { (self.inputs, self.runs) = (inputs, runs) }

    /// The labels that its results share and no other has; else the inputs.
    func title(apartFrom others: [Dated]) -> String {
        let shared = (runs.first?.about.labels ?? [:]).filter { label in
            runs.allSatisfy { $0.about.labels[label.key] == label.value }
                && !others.contains { $0.about.labels[label.key] == label.value }
        }
        // A repetition's side is meaningful only if nothing else distinguishes the sides.
        let given = shared.filter { !RepetitionLabels.names.contains($0.key) }
        let telling = given.isEmpty ? shared.filter { $0.key == RepetitionLabels.side } : given
        let words = telling.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return words.isEmpty ? inputs.joined(separator: ", ") : words.joined(separator: " ")
    }
}

extension HostFacts {
    /// Machines of one class give comparable figures.
    var hostClass: String {
        let place = sharedWithTarget ? "target on the same machine" : "target elsewhere"
        return "\(cpuCount) × \(cpuModel), \(memory), \(architecture), \(place)"
    }

    /// Kernels reserve a varying part.
    var memory: String { "\(Int((Double(memoryBytes) / 1_073_741_824).rounded())) GiB" }
}

extension RunFigures: DatedResult {
    package var about: RunDescription { run }
    package var outcomeName: String { verdict.outcome.rawValue }
    package var rule: String { "" }

    package var doubt: String? {
        if verdict.outcome == .defect { return "a defect of podswarm" }
        if let shard = run.shard, shard.count > 1 { return "shard \(shard.index) of \(shard.count), not the whole run" }
        if run.interrupted { return "interrupted before its end" }
        if let abortedBy = run.abortedBy { return "aborted: \(abortedBy)" }
        guard health.withinBudget else {
            return (["client-limited"] + health.reasons.prefix(1)).joined(separator: ": ")
        }
        return health.suspect ? "durations that no distribution could hold" : nil
    }

    package var identity: String {
        "\(run.profileDigest) \(run.startedAtMicroseconds) \(run.endedAtMicroseconds) \(run.target)"
    }
}

/// Labels by which a comparison finds the sides of a repetition.
package enum RepetitionLabels {
    /// One of two targets that take turns.
    package static let side = "side"
    package static let names: Set = [side, "series", "repeat"]
}
