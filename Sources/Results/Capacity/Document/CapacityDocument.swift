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

    package var schema: String
    package var schemaVersion: Int
    package var podswarmVersion: String
    package var state: State
    package var answer: CapacityAnswer
    package var gaveFirst: Bottleneck?
    package var knee: KneeResult?
    package var law: LawResult?
    package var projection: ProjectionResult?
    package var peak: PeakResult?
    package var asked: CapacityQuestion
    package var search: SearchDescription
    package var runs: [CapacityRunResult]
    /// Remarks without a verdict.
    package var notes: [String]?

    package init(asked: CapacityQuestion, search: SearchDescription) {
        schema = Self.schemaName
        schemaVersion = Self.schemaVersion
        podswarmVersion = PodswarmVersion.current
        state = .running
        answer = .unknown
        self.asked = asked
        self.search = search
        runs = []
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

    package init(kind: String, viewers: Double, p99Microseconds: Double) {
        self.kind = kind
        self.viewers = viewers
        self.p99Microseconds = p99Microseconds
    }
}

/// Universal scalability law, fitted to the rate at which viewers get their pods.
package struct LawResult: Equatable, Codable, Sendable {
    /// Figure with its 90 % interval.
    package struct Figure: Equatable, Codable, Sendable {
        package var value: Double
        package var lower: Double
        /// nil if the points also fit a law without a peak, or with one far beyond them.
        package var upper: Double?

        package init(value: Double, lower: Double, upper: Double?) {
            self.value = value
            self.lower = lower
            self.upper = upper
        }
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

    package init(
        lambda: Double,
        sigma: Double,
        kappa: Double,
        peakViewers: Figure?,
        peakPerSecond: Figure?,
        points: Int
    ) {
        self.lambda = lambda
        self.sigma = sigma
        self.kappa = kappa
        self.peakViewers = peakViewers
        self.peakPerSecond = peakPerSecond
        self.points = points
    }
}

/// Law's prediction for at most twice the largest measured audience.
package struct ProjectionResult: Equatable, Codable, Sendable {
    package var viewers: Double
    package var measuredViewers: Double
    package var servedPerSecond: LawResult.Figure

    package init(viewers: Double, measuredViewers: Double, servedPerSecond: LawResult.Figure) {
        self.viewers = viewers
        self.measuredViewers = measuredViewers
        self.servedPerSecond = servedPerSecond
    }
}

/// Highest rates in one second at the largest audience that held; ad servers ask for them in advance.
package struct PeakResult: Equatable, Codable, Sendable {
    package var viewers: Int
    package var podRequestsPerSecond: Double
    package var requestsPerSecond: Double

    package init(viewers: Int, podRequestsPerSecond: Double, requestsPerSecond: Double) {
        self.viewers = viewers
        self.podRequestsPerSecond = podRequestsPerSecond
        self.requestsPerSecond = requestsPerSecond
    }
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
