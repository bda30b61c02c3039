import Foundation
package import Results
import Rules
import Values

/// Result of a search for capacity.
///
/// Written after each run, so that an interrupted search can continue; the shipped JSON Schema describes every field.
package struct CapacityDocument: Equatable, StoredDocument, Sendable {
    package static let schemaName = "podswarm.capacity"
    package static let schemaVersion = 1
    package static let title = "capacity result"

    package enum State: String, Codable, Sendable {
        /// Still going on, or killed.
        case running
        case ended
        case interrupted
    }

    package var schema = Self.schemaName
    package var schemaVersion = Self.schemaVersion
    package var podswarmVersion = PodswarmVersion.current
    package var state = State.running
    package var answer = CapacityAnswer.unknown
    package var gaveFirst: Bottleneck?
    package var knee: KneeResult?
    package var law: LawResult?
    package var projection: ProjectionResult?
    package var peak: PeakResult?
    package var asked: CapacityQuestion
    package var search: SearchDescription
    package var runs: [CapacityRunResult] = []

    package init(asked: CapacityQuestion, search: SearchDescription) {
        (self.asked, self.search) = (asked, search)
    }

    package var breaks: [JudgedBreak] { runs.flatMap(\.breaks) }
}

package struct CapacityQuestion: Equatable, Codable, Sendable {
    package enum Quantity: String, Codable, Sendable, CaseIterable {
        case viewers
        /// Least spread of requests at which the break holds.
        case jitter = "breaks.jitter"
        /// Least time before the break at which viewers can ask for their pods and the break holds.
        case lead = "breaks.lead"

        package var isHarderWithMore: Bool { self == .viewers }

        package var unit: String { self == .viewers ? "viewers" : "ms" }
    }

    package var quantity: Quantity
    /// Conditions of each break, spelled as thresholds.
    package var hold: [String] = []
    package var sharePercent = 0.0
    /// Largest distance of the interval's ends from the answer.
    package var withinPercent = 0.0
    /// Viewers or milliseconds.
    package var from = 0.0
    package var floor = 0.0
    package var ceiling = 0.0
    /// Set unless the user gave the ceiling.
    package var ceilingReason: String?
    package var breaksPerRun = 0
    package var runsMaximum = 0
    package var timeMaximumSeconds = 0.0
    /// 0 if the channel schedules the breaks.
    package var spacingMilliseconds: Int64 = 0
    package var restMilliseconds: Int64 = 0
    /// Longest wait for breaks of the channel; nil for the viewers' own breaks.
    package var watchMaximumSeconds: Double?
    /// Audience, if the quantity is a time.
    package var viewers: Int?
    package var atLeast: Double?
}

extension CapacityQuestion {
    package init(_ quantity: Quantity) { self.quantity = quantity }
}

/// Identity of a search: profile, target, host and times.
package struct SearchDescription: Equatable, Codable, Sendable {
    package var id = ""
    package var profile = ""
    /// Digest of the given profile, without changes of the search.
    package var profileDigest = ""
    package var seed: UInt64 = 0
    package var labels: [String: String] = [:]
    package var target = ""
    package var host = HostFacts()
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// Over all parts of an interrupted search.
    package var spentSeconds = 0.0
    /// Processes of each run; nil for one.
    package var shards: Int?
}

extension SearchDescription {
    package init(startedAtMicroseconds: Int64) {
        (self.startedAtMicroseconds, endedAtMicroseconds) = (startedAtMicroseconds, startedAtMicroseconds)
    }
}

package struct CapacityAnswer: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case found
        /// The interval is wider than asked for.
        case wide
        /// All breaks held; larger ones could not be tried.
        case atLeast = "at_least"
        case below
        case unknown
    }

    package static let unknown = CapacityAnswer(kind: .unknown, text: "Nothing is known yet.")

    package var kind: Kind
    /// Viewers or milliseconds, as `lower` and `upper`.
    package var value: Double?
    package var lower: Double?
    package var upper: Double?
    /// Probability of the interval from `lower` to `upper`.
    package var intervalPercent: Double = 90
    package var halfHeld: Double?
    /// Standard deviation between runs, and between breaks.
    package var runNoisePercent: Double?
    package var breakNoisePercent: Double?
    package var reason: String?
    package var text: String
}

extension CapacityAnswer {
    package init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }
}

/// Size at which the latency of a break's first requests bends upwards.
package struct KneeResult: Equatable, Codable, Sendable {
    package var kind: String
    package var viewers: Double
    package var p99Microseconds: Double
}

/// Universal scalability law, fitted to the rate at which viewers get their pods.
package struct LawResult: Equatable, Codable, Sendable {
    /// Figure with its 90 % interval.
    package struct Figure: Equatable, Codable, Sendable {
        package var value: Double
        package var lower: Double
        /// nil if the points also fit a law without a peak, or with one far beyond them.
        package var upper: Double?
    }

    /// Rate of a single viewer, in viewers a second.
    package var lambda: Double
    /// Contention: viewers wait for one another.
    package var sigma: Double
    /// Coherence: cost of each viewer to all others.
    package var kappa: Double
    /// Audience beyond which the rate falls; nil without a peak in reach.
    package var peakViewers: Figure?
    package var peakPerSecond: Figure?
    package var points: Int
}

/// Law's prediction for at most twice the largest measured audience.
package struct ProjectionResult: Equatable, Codable, Sendable {
    package var viewers: Double
    package var measuredViewers: Double
    package var servedPerSecond: LawResult.Figure
}

/// Highest rates in one second at the largest audience that held; ad servers ask for them in advance.
package struct PeakResult: Equatable, Codable, Sendable {
    package var viewers: Int
    package var podRequestsPerSecond: Double
    package var requestsPerSecond: Double
}

package struct CapacityRunResult: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// Each break harder than the one before, until two in a row are missed.
        case escalation
        /// Breaks around the estimate.
        case search
        /// Every break at the answer.
        case confirmation
    }

    package var kind: Kind
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// Viewers or milliseconds, one for each planned break.
    package var sizes: [Double] = []
    /// Path of the run's result, relative to this document's folder; nil if it could not be written.
    package var result: String?
    /// Reason for an early end.
    package var endedBy: String?
    package var breaks: [JudgedBreak] = []
}

extension CapacityRunResult {
    package init(_ kind: Kind, startedAtMicroseconds: Int64, endedAtMicroseconds: Int64) {
        self.kind = kind
        (self.startedAtMicroseconds, self.endedAtMicroseconds) = (startedAtMicroseconds, endedAtMicroseconds)
    }
}

/// First resource to fail: features of missed breaks that smaller breaks lack.
package struct Bottleneck: Equatable, Codable, Sendable {
    package enum Form: String, Codable, Sendable {
        case errors
        case latency
        /// Viewers were missing or had no session.
        case joining
    }

    package var form: Form
    /// nil if viewers were lost before any request.
    package var kind: String?
    /// Most common error, and its share of requests.
    package var code: String?
    package var sharePercent: Double?
    /// Address with the worst answers; nil for a single one.
    package var edge: String?
    /// p99 in the smallest audience that missed, and in the largest that held.
    package var p99Microseconds: Int64?
    package var heldP99Microseconds: Int64?
    package var text: String
}

extension Bottleneck {
    /// Examines the missed breaks of the smallest audiences; nil without any.
    package init?(_ breaks: [JudgedBreak]) {
        // Breaks right after a missed one may still suffer from it.
        let missed = breaks.filter { $0.outcome == .missed }.sorted { $0.planned < $1.planned }.prefix(3)
        guard let first = missed.first else { return nil }
        let held = breaks.filter { $0.outcome == .held }.max { $0.planned < $1.planned }
        self = Self.ofErrors(Array(missed)) ?? Self.ofJoining(first) ?? Self.ofLatency(first, held)
        edge = Self.worstEdge(first)
        if let edge { text += " \(edge) answered worst." }
    }

    /// Kind with the highest share of errors, if it is at least 1 %.
    private static func ofErrors(_ missed: [JudgedBreak]) -> Bottleneck? {
        var sums: [String: (count: UInt64, errors: [String: UInt64])] = [:]
        for requests in missed.flatMap(\.requests) {
            sums[requests.kind, default: (0, [:])].count &+= requests.count
            sums[requests.kind]?.errors.merge(requests.errors, uniquingKeysWith: &+)
        }
        let shares = sums.map { kind, sum in
            (kind: kind, sum: sum, share: Double(sum.errors.values.reduce(0, &+)) / Double(max(1, sum.count)))
        }
        guard let worst = shares.max(by: { ($0.share, $1.kind) < ($1.share, $0.kind) }), worst.share >= 0.01,
            let code = worst.sum.errors.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
        else { return nil }
        let share = Double(code.value) * 100 / Double(max(1, worst.sum.count))
        return Bottleneck(
            form: .errors,
            kind: worst.kind,
            code: code.key,
            sharePercent: share,
            text: "\(worst.kind) failed first: \(code.key) for \(MetricText.percent(share)) of its requests."
        )
    }

    private static func ofJoining(_ missed: JudgedBreak) -> Bottleneck? {
        let lost = missed.planned - missed.watching
        guard Double(lost) > Double(missed.planned) * 0.05 else { return nil }
        return Bottleneck(
            form: .joining,
            text: "Viewers were lost before the break: \(missed.watching) of \(missed.planned) were there."
        )
    }

    /// Needed kind whose p99 grew most since the largest held break.
    private static func ofLatency(_ missed: JudgedBreak, _ held: JudgedBreak?) -> Bottleneck {
        let asked = missed.requests.filter { neededKinds.contains($0.kind) }
            .max { growth(of: $0, since: held) < growth(of: $1, since: held) }
        let slow = asked.flatMap { growth(of: $0, since: held) > 0 ? $0 : nil } ?? missed.beginning
        let before = held?.requests.first { $0.kind == slow?.kind }?.p99Microseconds
        let name = slow?.kind ?? "what begins the break"
        let times = [slow?.p99Microseconds, before].compactMap(\.self).map { Double($0) }
        let figures =
            times.count == 2
            ? " (p99 \(MetricText.time(microseconds: times[0])) where it was missed, "
                + "\(MetricText.time(microseconds: times[1])) in the largest break that held)"
            : ""
        return Bottleneck(
            form: .latency,
            kind: slow?.kind,
            p99Microseconds: slow?.p99Microseconds,
            heldP99Microseconds: before,
            text: "\(name) was answered, and too late\(figures)."
        )
    }

    /// A viewer has its pod once these are answered.
    private static let neededKinds = [RequestKind.podManifest, .podPlaylist, .assetList, .assetManifest].map(\.name)

    /// Increase of p99 in microseconds; 0 if unknown.
    private static func growth(of requests: JudgedBreak.Requests, since held: JudgedBreak?) -> Int64 {
        let before = held?.requests.first { $0.kind == requests.kind }?.p99Microseconds
        guard let before, let now = requests.p99Microseconds else { return 0 }
        return now &- before
    }

    private static func worstEdge(_ missed: JudgedBreak) -> String? {
        let edges = missed.edges.filter { !$0.address.isEmpty && $0.count > 0 }
        guard edges.count > 1 else { return nil }
        let worst = edges.max { one, other in
            let shares = [one, other].map { Double($0.errors) / Double($0.count) }
            return (shares[0], one.p99Microseconds ?? 0) < (shares[1], other.p99Microseconds ?? 0)
        }
        return worst.map { $0.pop.isEmpty ? $0.address : "\($0.address) (\($0.pop))" }
    }
}

extension CapacityDocument {
    /// The first number that the search's own document cannot hold, in words: it would mislead all further runs.
    package var absurdity: String? {
        guard let json = try? json(), let members = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            var search = members["search"] as? [String: Any]
        else { return nil }
        // They need not be of this machine, and of any seed there is.
        search["host"] = nil
        search["seed"] = nil
        let largest = asked.quantity == .viewers ? 1e6 : 3.6e6
        return Self.absurdity(search, "search", largest) ?? Self.absurdity(members["runs"] ?? [], "runs", largest)
    }

    private static func absurdity(_ value: Any, _ path: String, _ largest: Double) -> String? {
        if let members = value as? [String: Any] {
            let named = members.sorted { $0.key < $1.key }.lazy
            return named.compactMap { absurdity($0.value, "\(path).\($0.key)", largest) }.first
        }
        if let elements = value as? [Any] {
            return elements.enumerated().lazy.compactMap { absurdity($0.element, "\(path)[\($0.offset)]", largest) }
                .first
        }
        guard let number = (value as? NSNumber)?.doubleValue else { return nil }
        let limits = limits(of: path, largest)
        guard !limits.contains(number) else { return nil }
        let ends = "\(MetricText.number(limits.lowerBound)) to \(MetricText.number(limits.upperBound))"
        return "\(path) is \(MetricText.number(number)), which is not within \(ends)"
    }

    /// The unit that the name of a field ends with decides.
    private static func limits(of path: String, _ largest: Double) -> ClosedRange<Double> {
        if path.contains(".sizes[") { return 1...largest }
        // Instants until the year 9999.
        if path.hasSuffix("_at_us") || path.hasSuffix(".start_us") { return 0...253_402_300_799_000_000 }
        if path.hasSuffix("_us") || path.contains(".requests[") || path.contains(".edges[") { return 0...1e12 }
        return path.hasSuffix("_s") ? 0...1e9 : 0...1e6
    }
}
