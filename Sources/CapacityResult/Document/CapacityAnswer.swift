/// What is known of a capacity.
package struct CapacityAnswer: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// It lies in the interval.
        case found
        /// It lies in the interval, which is wider than was asked for.
        case wide
        /// All that could be tried held: more was out of reach.
        case atLeast = "at_least"
        /// Nothing that was tried held.
        case below
        case unknown
    }

    package static let unknown = CapacityAnswer(kind: .unknown, text: "Nothing is known yet.")

    package var kind: Kind
    /// In viewers, or milliseconds: at this, the share of breaks holds that was asked for.
    package var value: Double?
    package var lower: Double?
    package var upper: Double?
    /// How sure it is that the capacity lies between `lower` and `upper`.
    package var intervalPercent: Double
    /// At this, every second break holds.
    package var halfHeld: Double?
    /// How much the capacity differs from one run to another, and from one break to another.
    package var runNoisePercent: Double?
    package var breakNoisePercent: Double?
    /// Why the search ended, or what keeps it from knowing more.
    package var reason: String?
    /// The answer in a sentence.
    package var text: String

    package init(
        kind: Kind,
        value: Double? = nil,
        lower: Double? = nil,
        upper: Double? = nil,
        intervalPercent: Double = 90,
        halfHeld: Double? = nil,
        runNoisePercent: Double? = nil,
        breakNoisePercent: Double? = nil,
        reason: String? = nil,
        text: String
    ) {
        self.kind = kind
        self.value = value
        self.lower = lower
        self.upper = upper
        self.intervalPercent = intervalPercent
        self.halfHeld = halfHeld
        self.runNoisePercent = runNoisePercent
        self.breakNoisePercent = breakNoisePercent
        self.reason = reason
        self.text = text
    }
}

/// Where the latency of what begins a break bends upwards.
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

/// The universal scalability law, fitted to how fast viewers were given their pods.
package struct LawResult: Equatable, Codable, Sendable {
    /// A figure with the ends of its interval.
    package struct Figure: Equatable, Codable, Sendable {
        package var value: Double
        package var lower: Double
        /// Nil where it is not in sight.
        package var upper: Double?

        package init(value: Double, lower: Double, upper: Double?) {
            self.value = value
            self.lower = lower
            self.upper = upper
        }
    }

    /// Viewers a second that one alone would be served at.
    package var lambda: Double
    /// What viewers wait for one another.
    package var sigma: Double
    /// What they cost one another.
    package var kappa: Double
    /// Where more viewers make it slower; nil where that is not in sight.
    package var peakViewers: Figure?
    /// Viewers a second there.
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

/// What the law says of an audience that nobody measured, at most twice as large as the largest that somebody did.
package struct ProjectionResult: Equatable, Codable, Sendable {
    package var viewers: Double
    package var measuredViewers: Double
    /// Viewers a second.
    package var servedPerSecond: LawResult.Figure

    package init(viewers: Double, measuredViewers: Double, servedPerSecond: LawResult.Figure) {
        self.viewers = viewers
        self.measuredViewers = measuredViewers
        self.servedPerSecond = servedPerSecond
    }
}

/// The most that was asked for in one second by the largest audience whose break held: what ad servers ask for beforehand.
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

/// One run of a search.
package struct CapacityRunResult: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case escalation
        case search
        case confirmation
    }

    package var kind: Kind
    package var startedAtMicroseconds: Int64
    package var endedAtMicroseconds: Int64
    /// In viewers, or milliseconds, one for each break that was planned.
    package var sizes: [Double]
    /// Where its own result lies, from the folder of this document; nil where it could not be written.
    package var result: String?
    /// Why it ended before its time; nil where it did not.
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
