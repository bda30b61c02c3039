import Rules

package struct JudgedBreak: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        case held
        case missed
        /// Not held, possibly because of podswarm or its machine: no information on the target.
        case censored
    }

    /// Requests of one kind around the break.
    package struct Requests: Equatable, Codable, Sendable {
        package var kind: String
        package var count: UInt64
        /// Keyed by stable code.
        package var errors: [String: UInt64] = [:]
        package var p50Microseconds: Int64?
        package var p99Microseconds: Int64?

        package var errorCount: UInt64 { errors.values.reduce(0, &+) }
    }

    package struct Edge: Equatable, Codable, Sendable {
        package var address: String
        package var pop: String
        package var count: UInt64
        package var errors: UInt64
        package var p99Microseconds: Int64?
    }

    package var key: String
    package var startMicroseconds: Int64
    package var planned: Int
    package var watching: Int = 0
    package var due: UInt64 = 0
    package var onTime: UInt64 = 0
    package var late: UInt64 = 0
    /// Viewers without their pod, by reason.
    package var failed: [String: UInt64] = [:]
    package var skipped: [String: UInt64] = [:]
    package var unresolved: UInt64 = 0
    package var outcome: Outcome
    /// Violated conditions.
    package var broken: [String]
    /// Limits of podswarm or its machine; a held break can have some.
    package var limits: [String] = []
    package var slowestResponseMicroseconds: Int64 = 0
    /// Highest rate in one second: of requests that begin the break, and of all.
    package var peakPodRequestsPerSecond: Double = 0
    package var peakRequestsPerSecond: Double = 0
    /// From the first request until 95 % of the served viewers had their pod; nil if none got it.
    package var servedPerSecond: Double?
    package var requests: [Requests] = []
    package var edges: [Edge] = []

    package var onTimePercent: Double? { due == 0 ? nil : Double(onTime) * 100 / Double(due) }
}

extension JudgedBreak {
    /// Missed break whose audience was lost before it; the start is since the Unix epoch.
    package static func lost(startMicroseconds: Int64, planned: Int, reason: String) -> JudgedBreak {
        JudgedBreak(
            key: "",
            startMicroseconds: startMicroseconds,
            planned: planned,
            outcome: .missed,
            broken: [reason]
        )
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

extension JudgedBreak {
    package var beginning: Requests? {
        requests.filter { RequestKind(name: $0.kind)?.beginsBreak == true }.max { $0.count < $1.count }
            ?? requests.max { $0.count < $1.count }
    }
}
