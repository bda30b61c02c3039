package struct CapacityAnswer: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case found
        /// The capacity lies in the interval, which is wider than asked for.
        case wide
        /// All breaks held; larger ones could not be tried.
        case atLeast = "at_least"
        case below
        case unknown
    }

    package static let unknown = CapacityAnswer(kind: .unknown, text: "Nothing is known yet.")

    package var kind: Kind
    /// Viewers or milliseconds.
    package var value: Double?
    package var lower: Double?
    package var upper: Double?
    /// Probability that the capacity lies between `lower` and `upper`.
    package var intervalPercent: Double = 90
    package var halfHeld: Double?
    /// Standard deviation of the capacity between runs and between breaks.
    package var runNoisePercent: Double?
    package var breakNoisePercent: Double?
    /// The reason for the end of the search, or for the missing precision.
    package var reason: String?
    package var text: String
}

extension CapacityAnswer {
    package init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }
}

/// The size at which the latency of the break's first requests bends upwards.
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

/// The universal scalability law, fitted to the rate at which viewers get their pods.
package struct LawResult: Equatable, Codable, Sendable {
    /// A figure with its 90 % interval.
    package struct Figure: Equatable, Codable, Sendable {
        package var value: Double
        package var lower: Double
        /// Nil where the points also fit a law without a peak, or with a peak far beyond them.
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
    /// Coherence: the cost of each viewer to all others.
    package var kappa: Double
    /// Audience beyond which the rate falls; nil if there is no such peak in reach.
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

/// The law's prediction for an audience of at most twice the largest measured one.
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

/// Highest rates in one second at the largest audience whose break held, as ad servers ask for in advance.
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
        /// Finds the order of magnitude: each break harder than the one before, until two in a row are missed.
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
    package var sizes: [Double]
    /// Path of its own result, relative to the folder of this document; nil if it could not be written.
    package var result: String?
    /// The reason for an early end; nil for a run that went to its end.
    package var endedBy: String?
    package var breaks: [JudgedBreak]

    package init(
        kind: Kind,
        startedAtMicroseconds: Int64,
        endedAtMicroseconds: Int64,
        sizes: [Double],
        result: String?,
        endedBy: String?,
        breaks: [JudgedBreak]
    ) {
        self.kind = kind
        self.startedAtMicroseconds = startedAtMicroseconds
        self.endedAtMicroseconds = endedAtMicroseconds
        self.sizes = sizes
        self.result = result
        self.endedBy = endedBy
        self.breaks = breaks
    }
}
